//! Why a tool is allowed or denied, for whoever may read snapshots: made from what it sees of the live one.

use ambit_engine::nearest::did_you_mean;
use ambit_model::codes;
use ambit_model::declaration::{Action, Tenant};
use ambit_model::diagnostic::Diagnostic;
use ambit_model::explain::{Change, ChangeKind, Explained, Why};
use ambit_model::identity::{Principal, ProjectId, ToolId};
use ambit_model::key::Asker;
use ambit_model::snapshot::Snapshot;
use ambit_model::declaration::Action;
use ambit_model::explain::{Explained, Why};

use crate::Error;
use crate::caller::{Caller, Wanted};
use crate::live::Live;
use crate::named;
use crate::sight::Seen;

/// Explains what the live snapshot decides about one action on one tool. A name that the caller does not see gets the nearest one
/// that it does as help, as a name that nobody has.
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
    let explained = loaded.authority().explain(&asker, &tool, action);
    let blocked = loaded.blocks().iter().find(|block| block.tool == tool).cloned();
    let explained = if blocked.is_some() { under_block(explained) } else { explained };
    Ok(Why { snapshot: loaded.name(), blocked, explained })
}

/// What is decided while the tool is blocked: it may be named as before, and no more. To unblock it comes first of what would flip
/// a denial, unless nothing would.
fn under_block(explained: Explained) -> Explained {
    let never = explained.changes.iter().any(|change| change.kind == ChangeKind::Never);
    if explained.action == Action::Discover || never {
        return explained;
    }
    let unblock = Change {
        kind: ChangeKind::Unblock,
        says: format!("unblock it: `ambit unblock {} --reason …`", explained.tool),
        policies: Vec::new(),
        nearest: Vec::new(),
    };
    // What would end an allowance is beside the point now.
    let others = if explained.allow { Vec::new() } else { explained.changes };
    let changes = std::iter::once(unblock).chain(others).collect();
    Explained { allow: false, needs_confirmation: false, changes, ..explained }
}

fn known_principal(snapshot: &Snapshot, text: &str) -> Result<Principal, Error> {
    let principal = Principal::parse(text).map_err(|form| wrong(&form))?;
    let known: Vec<String> = snapshot.tenants.iter().flat_map(principals).collect();
    if known.iter().any(|id| id == text) {
        return Ok(principal);
    let seen = Seen::by(caller, live).await?;
    let snapshot = seen.snapshot();
    let tool = named::tool(snapshot, tool)?;
    let asker = named::asker(snapshot, wanted, Some(&tool))?;
    let mut explained = seen.authority().explain(&asker, &tool, action);
    // A policy that names somebody else's too is out of sight, and decides all the same.
    let really = seen.is_part().then(|| seen.loaded.authority().explain(&asker, &tool, action));
    let unseen = really.filter(|really| really.allow != explained.allow);
    if let Some(really) = &unseen {
        explained.allow = really.allow;
        explained.needs_confirmation = really.needs_confirmation;
        explained.changes.clear();
    }
    let why = Why { snapshot: seen.loaded.name(), unseen: unseen.is_some(), explained };
    Ok(Why { explained: with_places(why.explained, &seen), ..why })
}

/// Everybody whom a tenant declares, in the written form.
fn principals(tenant: &Tenant) -> impl Iterator<Item = String> {
    let kinds = [("user", &tenant.users), ("agent", &tenant.agents), ("role", &tenant.roles)];
    kinds
        .into_iter()
        .flat_map(move |(kind, names)| names.keys().map(move |name| format!("{}:{kind}:{name}", tenant.id)))
}

pub(crate) fn known_tool(snapshot: &Snapshot, text: &str) -> Result<ToolId, Error> {
    let ids = || snapshot.tools.iter().map(|card| &card.id);
    if let Some(id) = ids().find(|id| id.as_str() == text) {
        return Ok(id.clone());
/// Each policy with its file and line.
fn with_places(mut explained: Explained, seen: &Seen) -> Explained {
    for (id, policy) in &mut explained.policies {
        policy.place = seen.report().note(id).and_then(ambit_model::policies::PolicyNote::place);
    }
    explained
}
