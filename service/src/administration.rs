//! What a caller may administer: decided by the live snapshot, for each resource. What is refused becomes an entry of the audit.

use std::collections::BTreeSet;
use std::sync::Arc;

use ambit_engine::authority::{Decision, is_built_in};
use ambit_model::administration::{AdminAction, AdminResource};
use ambit_model::audit::AuditOutcome;
use ambit_model::identity::{Principal, ProjectId};

use crate::caller::Caller;
use crate::live::Live;
use crate::loaded::Loaded;
use crate::{Error, audit, error};

/// Where a caller may do one thing, and the policies that say so.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reach {
    /// The Workspace, and so everything.
    pub(crate) everything: bool,
    /// Its tenant, and so all that is in it.
    pub(crate) tenant: Option<String>,
    pub(crate) projects: BTreeSet<ProjectId>,
    pub(crate) catalogs: BTreeSet<String>,
    pub(crate) policies: Vec<String>,
}

impl Reach {
    /// Of who may do everything without being asked.
    fn unlimited() -> Self {
        Self { everything: true, ..Self::default() }
    }

    pub(crate) fn is_nothing(&self) -> bool {
        !self.everything && self.tenant.is_none() && self.projects.is_empty() && self.catalogs.is_empty()
    }

    /// A tenant's own, or something of one project of it.
    pub(crate) fn covers(&self, tenant: &str, project: Option<&ProjectId>) -> bool {
        self.everything
            || self.tenant.as_deref() == Some(tenant)
            || project.is_some_and(|project| project.tenant == tenant && self.projects.contains(project))
    }

    /// Nothing is in it that is not in the other.
    pub(crate) fn is_within(&self, other: &Self) -> bool {
        other.everything
            || (!self.everything
                && (self.tenant.is_none() || self.tenant == other.tenant)
                && self.projects.is_subset(&other.projects)
                && self.catalogs.is_subset(&other.catalogs))
    }
}

/// Where this caller may do this; an error where it may nowhere.
pub(crate) async fn reach(caller: &Caller, live: &Live, action: AdminAction) -> Result<Arc<Reach>, Error> {
    if caller.principal().is_none() {
        return Ok(Arc::new(Reach::unlimited()));
    }
    let loaded = live.current().await?;
    let reach = narrowed(caller, &loaded, action);
    if reach.is_nothing() {
        return Err(denied(caller, live, action, "workspace", &reach.policies).await);
    }
    Ok(reach)
}

/// The policies that let this caller do this to the whole workspace; an error where none does.
pub(crate) async fn permit(caller: &Caller, live: &Live, action: AdminAction) -> Result<Vec<String>, Error> {
    if caller.principal().is_none() {
        return Ok(Vec::new());
    }
    let loaded = live.current().await?;
    let reach = narrowed(caller, &loaded, action);
    if reach.everything {
        return Ok(reach.policies.clone());
    }
    let refusing = if reach.is_nothing() { reach.policies.clone() } else { Vec::new() };
    Err(denied(caller, live, action, "workspace", &refusing).await)
}

/// Where this caller may do this. A key that is narrowed to a project administers at most that project, and one that is narrowed
/// to some tools nothing.
fn narrowed(caller: &Caller, loaded: &Loaded, action: AdminAction) -> Arc<Reach> {
    let Some(principal) = caller.principal() else { return Arc::new(Reach::unlimited()) };
    let reach = reach_of(loaded, principal, &caller.roles(), action);
    let Caller::Key(key) = caller else { return reach };
    if !key.tools.is_empty() {
        return Arc::default();
    }
    let Some(own) = &key.project else { return reach };
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
    let act = audit::Act { action: action.word(), resource, policies, details: &[], tenant: None };
    let written = match audit::entry(caller, AuditOutcome::Denied, &act) {
        Ok(entry) => live.store().add_audit(&entry).await.map_err(Error::from),
        Err(error) => Err(error),
    };
    if let Err(error) = written {
        tracing::error!(error = error::chain(&error), "a denied act could not be written to the audit");
    }
    Error::Forbidden { what: words(action) }
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
pub(crate) fn reach_of(
    loaded: &Loaded,
    principal: &Principal,
    roles: &BTreeSet<String>,
    action: AdminAction,
) -> Arc<Reach> {
    loaded.reach((principal.clone(), roles.clone(), action), || find(loaded, principal, roles, action))
}

fn find(loaded: &Loaded, principal: &Principal, roles: &BTreeSet<String>, action: AdminAction) -> Reach {
    let (mut allowing, mut refusing) = (BTreeSet::new(), BTreeSet::new());
    let mut ask = |resource: AdminResource| {
        let decision = loaded.authority().administers(principal, roles, action, &resource);
        if decision.allow { &mut allowing } else { &mut refusing }.extend(decision.policies.iter().cloned());
        decision
    };
    // Only reports are about catalogs.
    let about_catalogs = matches!(action, AdminAction::ReadIntake | AdminAction::Review);
    let (projects, catalogs) = (&loaded.snapshot.projects, &loaded.snapshot.catalogs);
    let of_projects: Vec<_> =
        projects.iter().map(|project| (project, ask(AdminResource::Project(project.id.clone())))).collect();
    let asked_catalogs = catalogs.iter().filter(|_| about_catalogs);
    let of_catalogs: Vec<_> =
        asked_catalogs.map(|catalog| (catalog, ask(AdminResource::Catalog(catalog.id.clone())))).collect();
    // Who may do it to the whole may do it to the parts, unless an operator's policy forbids a part: then each part is asked.
    let forbidden = |decision: &Decision| decision.policies.iter().any(|id| !decision.allow && !is_built_in(id));
    let parts = || of_projects.iter().map(|(_, decision)| decision).chain(of_catalogs.iter().map(|(_, d)| d));
    let own = &principal.tenant;
    let tenant = ask(AdminResource::Tenant(own.clone()));
    let everything = ask(AdminResource::Workspace).allow && !forbidden(&tenant) && !parts().any(forbidden);
    let mut reach = Reach { everything, ..Reach::default() };
    if !everything {
        let whole = tenant.allow && !parts().any(forbidden);
        reach.tenant = whole.then(|| own.clone());
        for (project, decision) in of_projects.iter().filter(|(project, _)| project.id.tenant == *own) {
            if whole || decision.allow {
                reach.projects.insert(project.id.clone());
                reach.catalogs.extend(project.catalogs.iter().filter(|_| about_catalogs).cloned());
            }
        }
        for (catalog, decision) in &of_catalogs {
            if decision.allow || (whole && catalog.tenant.as_ref() == Some(own)) {
                reach.catalogs.insert(catalog.id.clone());
            }
        }
        for (catalog, _) in of_catalogs.iter().filter(|(_, decision)| forbidden(decision)) {
            reach.catalogs.remove(&catalog.id);
        }
    }
    reach.policies = if reach.is_nothing() { refusing } else { allowing }.into_iter().collect();
    reach
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
