//! Why a tool is allowed or denied. Only the command line on the data folder is told: the answer names every policy that has a part in it.

use ambit_engine::nearest::did_you_mean;
use ambit_model::codes;
use ambit_model::declaration::{Action, Tenant};
use ambit_model::diagnostic::Diagnostic;
use ambit_model::explain::{PolicyPlace, Why};
use ambit_model::identity::{Principal, ProjectId, ToolId};
use ambit_model::key::Asker;
use ambit_model::snapshot::Snapshot;

use crate::Error;
use crate::caller::{Caller, Wanted, wrong};
use crate::live::Live;

/// Explains what the live snapshot decides about one action on one tool. A name that it does not know gets the nearest one as help.
pub async fn explain_decision(
    caller: &Caller,
    live: &Live,
    wanted: &Wanted,
    tool: &str,
    action: Action,
) -> Result<Why, Error> {
    caller.local_only("explain decisions")?;
    let loaded = live.current().await?;
    let snapshot = &loaded.snapshot;
    let principal = known_principal(snapshot, wanted.principal.as_deref().ok_or(Error::AsksForNobody)?)?;
    let acting_for = wanted.acting_for.as_deref().map(|user| known_principal(snapshot, user)).transpose()?;
    let tool = known_tool(snapshot, tool)?;
    let project = match &wanted.project {
        Some(named) => known_project(snapshot, named, &principal)?,
        None => only_project(snapshot, &principal, &tool)?,
    };
    let mut asker = Asker::new(principal, project);
    asker.acting_for = acting_for.filter(|user| *user != asker.principal);
    let mut explained = loaded.authority().explain(&asker, &tool, action);
    for (id, policy) in &mut explained.policies {
        let note = loaded.record.policies.note(id);
        policy.place = note.map(|note| PolicyPlace { file: note.file.clone(), line: note.line });
    }
    Ok(Why { snapshot: loaded.name(), explained })
}

fn known_principal(snapshot: &Snapshot, text: &str) -> Result<Principal, Error> {
    let principal = Principal::parse(text).map_err(|form| wrong(&form))?;
    let known: Vec<String> = snapshot.tenants.iter().flat_map(principals).collect();
    if known.iter().any(|id| id == text) {
        return Ok(principal);
    }
    let nearest = did_you_mean(text, known.iter().map(String::as_str));
    Err(unknown(codes::E_PRINCIPAL, "principal", text, nearest))
}

/// Everybody whom a tenant declares, in the written form.
fn principals(tenant: &Tenant) -> impl Iterator<Item = String> {
    let kinds = [("user", &tenant.users), ("agent", &tenant.agents), ("role", &tenant.roles)];
    kinds
        .into_iter()
        .flat_map(move |(kind, names)| names.keys().map(move |name| format!("{}:{kind}:{name}", tenant.id)))
}

fn known_tool(snapshot: &Snapshot, text: &str) -> Result<ToolId, Error> {
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

/// Another tenant's project is known here too: that nothing crosses tenants is an explanation.
fn known_project(snapshot: &Snapshot, text: &str, principal: &Principal) -> Result<ProjectId, Error> {
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
fn only_project(snapshot: &Snapshot, principal: &Principal, tool: &ToolId) -> Result<ProjectId, Error> {
    let own = || snapshot.projects.iter().filter(|project| project.id.tenant == principal.tenant);
    let lists = |catalogs: &[String]| catalogs.iter().any(|catalog| catalog == tool.catalog());
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
