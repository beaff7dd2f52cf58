//! Names that a reader of a snapshot wrote: what it does not see is answered like what does not exist, with the nearest name in sight.

use ambit_engine::nearest::did_you_mean;
use ambit_model::codes;
use ambit_model::declaration::Tenant;
use ambit_model::diagnostic::Diagnostic;
use ambit_model::identity::{Principal, PrincipalKind, ProjectId, ToolId};
use ambit_model::key::Asker;
use ambit_model::snapshot::Snapshot;

use crate::Error;
use crate::caller::{Wanted, wrong};

/// Who is asked about. Where no project is named it is the only one that can be meant, with a tool: that lists its catalog.
pub(crate) fn asker(snapshot: &Snapshot, wanted: &Wanted, tool: Option<&ToolId>) -> Result<Asker, Error> {
    let principal = principal(snapshot, wanted.principal.as_deref().ok_or(Error::AsksForNobody)?)?;
    let acting_for = wanted.acting_for.as_deref().map(|user| self::principal(snapshot, user)).transpose()?;
    let project = match &wanted.project {
        Some(named) => project(snapshot, named, &principal)?,
        None => only_project(snapshot, &principal, tool)?,
    };
    let mut asker = Asker::new(principal, project);
    asker.acting_for = acting_for.filter(|user| *user != asker.principal);
    Ok(asker)
}

/// A tool by its id.
pub(crate) fn tool(snapshot: &Snapshot, text: &str) -> Result<ToolId, Error> {
    let ids = || snapshot.tools.iter().map(|card| &card.id);
    if let Some(id) = ids().find(|id| id.as_str() == text) {
        return Ok(id.clone());
    }
    // Who leaves the catalog out means a tool of this name.
    let same_name = ids().find(|id| id.name() == text);
    let nearest = same_name.map(|id| format!("did you mean `{id}`?"));
    let nearest = nearest.or_else(|| did_you_mean(text, ids().map(ToolId::as_str)));
    Err(unknown(codes::E_UNRESOLVED, "tool", text, nearest))
}

/// Everybody whom a tenant declares, with the names of the roles that its document gives them: users, agents, roles.
pub(crate) fn declared(tenant: &Tenant) -> impl Iterator<Item = (Principal, &[String])> {
    let kinds = [
        (PrincipalKind::User, &tenant.users),
        (PrincipalKind::Agent, &tenant.agents),
        (PrincipalKind::Role, &tenant.roles),
    ];
    kinds.into_iter().flat_map(move |(kind, all)| {
        let of = move |name: &String| Principal { tenant: tenant.id.clone(), kind, name: name.clone() };
        all.iter().map(move |(name, roles)| (of(name), roles.as_slice()))
    })
}

fn principal(snapshot: &Snapshot, text: &str) -> Result<Principal, Error> {
    let principal = Principal::parse(text).map_err(|form| wrong(&form))?;
    let known: Vec<String> =
        snapshot.tenants.iter().flat_map(declared).map(|(principal, _)| principal.to_string()).collect();
    if known.iter().any(|id| id == text) {
        return Ok(principal);
    }
    let nearest = did_you_mean(text, known.iter().map(String::as_str));
    Err(unknown(codes::E_PRINCIPAL, "principal", text, nearest))
}

/// Another tenant's project is known here too, where it is in sight: that nothing crosses tenants is an explanation.
fn project(snapshot: &Snapshot, text: &str, principal: &Principal) -> Result<ProjectId, Error> {
    let project = ProjectId::parse(text, Some(&principal.tenant)).map_err(|form| wrong(&form))?;
    if snapshot.projects.iter().any(|known| known.id == project) {
        return Ok(project);
    }
    let known: Vec<String> = snapshot.projects.iter().map(|known| known.id.to_string()).collect();
    let written = project.to_string();
    let nearest = did_you_mean(&written, known.iter().map(String::as_str));
    Err(unknown(codes::E_PRINCIPAL, "project", &written, nearest))
}

/// No project is named: the only one of the principal's tenant that lists the tool's catalog; where none does, the only one.
fn only_project(snapshot: &Snapshot, principal: &Principal, tool: Option<&ToolId>) -> Result<ProjectId, Error> {
    let own = || snapshot.projects.iter().filter(|project| project.id.tenant == principal.tenant);
    let lists = |catalogs: &[String]| tool.is_some_and(|tool| catalogs.iter().any(|catalog| catalog == tool.catalog()));
    let mut can_be_meant: Vec<&ProjectId> =
        own().filter(|project| lists(&project.catalogs)).map(|project| &project.id).collect();
    if can_be_meant.is_empty() {
        can_be_meant = own().map(|project| &project.id).collect();
    }
    match can_be_meant.as_slice() {
        [] => Err(Error::NothingHere),
        [only] => Ok((*only).clone()),
        more => Err(Error::WhichProject(more.iter().map(ToString::to_string).collect())),
    }
}

fn unknown(code: &'static str, noun: &str, written: &str, nearest: Option<String>) -> Error {
    let help = nearest.unwrap_or_else(|| format!("name a {noun} that the live snapshot holds"));
    let message = format!("no {noun} `{written}` is in the live snapshot");
    Error::Request(Box::new(Diagnostic::error(code, message).help(help)))
}
