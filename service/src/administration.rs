//! What a caller may administer, by the live snapshot.
//! INVARIANT: what is denied is an entry of the audit.

use std::collections::BTreeSet;
use std::sync::Arc;

use ambit_engine::authority::Reach;
use ambit_model::administration::AdminAction;
use ambit_model::audit::{AuditOutcome, WORKSPACE};
use ambit_model::identity::{Principal, ProjectId};

use crate::caller::Caller;
use crate::live::Live;
use crate::loaded::Loaded;
use crate::{Error, audit, error};

/// Where this caller may do this; an error where it may nowhere.
pub(crate) async fn reach(caller: &Caller, live: &Live, action: AdminAction) -> Result<Arc<Reach>, Error> {
    if caller.principal().is_none() {
        return Ok(Arc::new(Reach::unlimited()));
    }
    let loaded = live.current().await?;
    let reach = narrowed(caller, &loaded, action);
    if reach.is_nothing() {
        return Err(denied(caller, live, action, WORKSPACE, &reach.policies).await);
    }
    Ok(reach)
}

/// The policies that let this caller do this to the whole workspace; an error where none does.
pub(crate) async fn permit(caller: &Caller, live: &Live, action: AdminAction) -> Result<Vec<String>, Error> {
    let reach = reach(caller, live, action).await?;
    if reach.everything {
        return Ok(reach.policies.clone());
    }
    Err(denied(caller, live, action, WORKSPACE, &[]).await)
}

/// Where this caller may do this.
pub(crate) fn narrowed(caller: &Caller, loaded: &Loaded, action: AdminAction) -> Arc<Reach> {
    match caller {
        Caller::Local { .. } => Arc::new(Reach::unlimited()),
        Caller::Person(person) => reach_of(loaded, &person.principal, &person.roles, action),
        Caller::Key(key) => reach_of_key(loaded, &key.principal, key.project.as_ref(), &key.tools, action),
    }
}

/// The same of a key. One that is narrowed to a project administers at most that project, and one that is narrowed to some tools
/// nothing.
pub(crate) fn reach_of_key(
    loaded: &Loaded,
    holder: &Principal,
    project: Option<&ProjectId>,
    tools: &BTreeSet<String>,
    action: AdminAction,
) -> Arc<Reach> {
    if !tools.is_empty() {
        return Arc::default();
    }
    let reach = reach_of(loaded, holder, &BTreeSet::new(), action);
    let Some(own) = project else { return reach };
    // These are about a whole tenant or more.
    if matches!(action, AdminAction::ReadSnapshot | AdminAction::Apply | AdminAction::Rollback) {
        return Arc::default();
    }
    let project = loaded.snapshot.projects.iter().find(|project| project.id == *own);
    let covered = project.filter(|project| reach.covers(&project.id.tenant, Some(&project.id)));
    let Some(project) = covered else { return Arc::default() };
    let seen = |catalog: &&String| reach.everything || reach.catalogs.contains(*catalog);
    Arc::new(Reach {
        projects: BTreeSet::from([own.clone()]),
        catalogs: project.catalogs.iter().filter(seen).cloned().collect(),
        policies: reach.policies.clone(),
        ..Reach::default()
    })
}

/// Writes down that a caller may not do this. It hears so even where that cannot be written.
pub(crate) async fn denied(
    caller: &Caller,
    live: &Live,
    action: AdminAction,
    resource: &str,
    policies: &[String],
) -> Error {
    denied_because(caller, live, action, resource, policies, &[]).await
}

/// The same, with what else belongs to it.
pub(crate) async fn denied_because(
    caller: &Caller,
    live: &Live,
    action: AdminAction,
    resource: &str,
    policies: &[String],
    details: &[(&str, String)],
) -> Error {
    let refused = Error::Forbidden { what: words(action) };
    let why = details.iter().map(|(_, value)| value.as_str()).collect::<Vec<_>>().join("\0");
    let denial = (caller.label(), format!("{}\0{resource}\0{why}", action.word()));
    let Some(more) = live.denials().take(&denial) else { return refused };
    let mut details = details.to_vec();
    details.extend((more > 0).then(|| ("before", format!("{more} times more since the last entry"))));
    let act = audit::Act { action: action.word(), resource, policies, details: &details, tenant: None };
    let written = match audit::entry(caller, AuditOutcome::Denied, &act) {
        Ok(entry) => live.store().add_audit(&entry).await.map_err(Error::from),
        Err(error) => Err(error),
    };
    if let Err(error) = written {
        live.denials().forget(&denial);
        tracing::error!(error = error::chain(&error), "a denied act could not be written to the audit");
    }
    refused
}

/// What this caller may do anywhere, so that nobody is shown a door that is closed to them.
pub async fn administers(caller: &Caller, live: &Live) -> Result<BTreeSet<AdminAction>, Error> {
    if caller.principal().is_none() {
        return Ok(AdminAction::ALL.into());
    }
    let Some(loaded) = live.current_if_any().await? else { return Ok(BTreeSet::new()) };
    Ok(administers_in(caller, &loaded))
}

/// The same in a snapshot.
pub(crate) fn administers_in(caller: &Caller, loaded: &Loaded) -> BTreeSet<AdminAction> {
    let may = |action: &AdminAction| !narrowed(caller, loaded, *action).is_nothing();
    AdminAction::ALL.into_iter().filter(may).collect()
}

/// Where a principal may do something, remembered as long as the snapshot is live.
fn reach_of(loaded: &Loaded, principal: &Principal, roles: &BTreeSet<String>, action: AdminAction) -> Arc<Reach> {
    loaded.reach((principal.clone(), roles.clone(), action))
}

/// Completes "this caller may not …".
fn words(action: AdminAction) -> &'static str {
    match action {
        AdminAction::ReadIntake => "read the intake report",
        AdminAction::ReadGaps => "read gaps",
        AdminAction::ReadRuns => "read runs",
        AdminAction::ReadAudit => "read the audit",
        AdminAction::ReadSnapshot => "read snapshots",
        AdminAction::Apply => "apply a workspace",
        AdminAction::Rollback => "roll back",
        AdminAction::SetMode => "set the mode",
        AdminAction::Review => "review",
        AdminAction::ManageKeys => "manage keys",
    }
}
