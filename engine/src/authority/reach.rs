//! How far somebody's right to administer reaches: the whole Workspace, a tenant, or some of its projects and catalogs.
//! INVARIANT: who may do it to the whole may do it to the parts, unless an operator's policy forbids a part; then each part is asked.
//! Only what is the principal's own, or shared, plays a part in what it hears.

use std::collections::BTreeSet;

use ambit_model::administration::{AdminAction, AdminResource};
use ambit_model::declaration::{Catalog, Project};
use ambit_model::identity::{Principal, ProjectId};

use super::compile::Authority;
use super::decide::{Decision, Seat};
use super::vocabulary::is_built_in;

/// Where somebody may administer one thing, and the policies that say so; or, where that is nowhere, those that refused.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// The Workspace, and so everything.
    pub everything: bool,
    /// Its tenant, and so all that is in it.
    pub tenant: Option<String>,
    pub projects: BTreeSet<ProjectId>,
    pub catalogs: BTreeSet<String>,
    pub policies: Vec<String>,
}

impl Reach {
    /// Of who may do everything without being asked.
    pub fn unlimited() -> Self {
        Self { everything: true, ..Self::default() }
    }

    /// Nowhere.
    pub fn is_nothing(&self) -> bool {
        !self.everything && self.tenant.is_none() && self.projects.is_empty() && self.catalogs.is_empty()
    }

    /// A tenant's own, or something of one project of it.
    pub fn covers(&self, tenant: &str, project: Option<&ProjectId>) -> bool {
        self.everything
            || self.tenant.as_deref() == Some(tenant)
            || project.is_some_and(|project| project.tenant == tenant && self.projects.contains(project))
    }

    /// Nothing is in it that is not in the other.
    pub fn is_within(&self, other: &Self) -> bool {
        other.everything
            || (!self.everything
                && (self.tenant.is_none() || self.tenant == other.tenant)
                && self.projects.is_subset(&other.projects)
                && self.catalogs.is_subset(&other.catalogs))
    }
}

/// Somebody who asks where it may do one thing.
struct Question<'a> {
    authority: &'a Authority,
    seat: &'a Seat<'a>,
    /// Its own.
    tenant: &'a str,
    action: AdminAction,
}

impl Authority {
    /// Where this principal may do this.
    pub fn reach(&self, principal: &Principal, roles: &BTreeSet<String>, action: AdminAction) -> Reach {
        match self.seat(principal, roles) {
            Ok(Some(seat)) => self.reach_of(&seat, &principal.tenant, action),
            _ => Reach::default(),
        }
    }

    /// The same of a principal of this tenant that has been found.
    pub(super) fn reach_of(&self, seat: &Seat<'_>, tenant: &str, action: AdminAction) -> Reach {
        let question = Question { authority: self, seat, tenant, action };
        question.everywhere().unwrap_or_else(|workspace| question.in_its_tenant(workspace))
    }
}

impl Question<'_> {
    fn ask(&self, resource: &AdminResource) -> Decision {
        self.authority.administers_as(self.seat, self.action, resource)
    }

    /// Only reports are about catalogs.
    fn is_about_catalogs(&self) -> bool {
        matches!(self.action, AdminAction::ReadIntake | AdminAction::Review)
    }

    /// The Workspace is allowed and no part of it is forbidden; else what was decided about the Workspace.
    fn everywhere(&self) -> Result<Reach, Decision> {
        let workspace = self.ask(&AdminResource::Workspace);
        let Authority { tenants, projects, catalogs, .. } = self.authority;
        let tenants = tenants.keys().cloned().map(AdminResource::Tenant);
        let projects = projects.keys().cloned().map(AdminResource::Project);
        let catalogs = catalogs.iter().filter(|_| self.is_about_catalogs());
        let catalogs = catalogs.map(|catalog| AdminResource::Catalog(catalog.id.clone()));
        if workspace.allow && !tenants.chain(projects).chain(catalogs).any(|part| is_forbidden(&self.ask(&part))) {
            return Ok(Reach { everything: true, policies: workspace.policies, ..Reach::default() });
        }
        Err(workspace)
    }

    fn in_its_tenant(&self, workspace: Decision) -> Reach {
        let own = self.tenant;
        let tenant = self.ask(&AdminResource::Tenant(own.to_owned()));
        let projects: Vec<(&Project, Decision)> = self
            .authority
            .projects
            .values()
            .filter(|project| project.id.tenant == own)
            .map(|project| (project, self.ask(&AdminResource::Project(project.id.clone()))))
            .collect();
        let catalogs: Vec<(&Catalog, Decision)> = self
            .authority
            .catalogs
            .iter()
            .filter(|catalog| self.is_about_catalogs() && catalog.tenant.as_ref().is_none_or(|of| of == own))
            .map(|catalog| (catalog, self.ask(&AdminResource::Catalog(catalog.id.clone()))))
            .collect();
        let is_listed = |catalog: &Catalog| projects.iter().any(|(project, _)| project.catalogs.contains(&catalog.id));
        let owned = catalogs.iter().filter(|(catalog, _)| catalog.tenant.is_some() || is_listed(catalog));
        let mut parts = projects.iter().map(|(_, decision)| decision).chain(owned.map(|(_, decision)| decision));
        let whole = tenant.allow && !parts.any(is_forbidden);
        let mut reach = Reach { tenant: whole.then(|| own.to_owned()), ..Reach::default() };
        for (project, _) in projects.iter().filter(|(_, decision)| whole || decision.allow) {
            reach.projects.insert(project.id.clone());
            reach.catalogs.extend(project.catalogs.iter().filter(|_| self.is_about_catalogs()).cloned());
        }
        for (catalog, decision) in &catalogs {
            if decision.allow || (whole && catalog.tenant.is_some()) {
                reach.catalogs.insert(catalog.id.clone());
            } else if is_forbidden(decision) {
                reach.catalogs.remove(&catalog.id);
            }
        }
        let told = [workspace, tenant].into_iter().chain(projects.into_iter().map(|(_, decision)| decision));
        let told = told.chain(catalogs.into_iter().map(|(_, decision)| decision));
        let nowhere = reach.is_nothing();
        let policies: BTreeSet<String> =
            told.filter(|decision| decision.allow != nowhere).flat_map(|decision| decision.policies).collect();
        reach.policies = policies.into_iter().collect();
        reach
    }
}

/// An operator's policy says no; that no permit applies, or that a tenant ends here, forbids nothing of the whole.
fn is_forbidden(decision: &Decision) -> bool {
    !decision.allow && decision.policies.iter().any(|id| !is_built_in(id))
}

#[cfg(test)]
mod tests {
    use super::super::sample::{authority, principal, snapshot};
    use super::*;

    const ON_TENANT: &str = r#"permit (principal in Ambit::Role::"acme:role:lead", action == Ambit::Action::"read_intake",
        resource in Ambit::Tenant::"acme");"#;
    const ON_WORKSPACE: &str = r#"permit (principal in Ambit::Role::"acme:role:lead", action == Ambit::Action::"read_intake",
        resource == Ambit::Workspace::"sample");"#;

    /// `everything`, or what is reached, and the policies.
    #[track_caller]
    fn check(policies: &[&str], who: &str, expected: &str) {
        let action = AdminAction::ReadIntake;
        let reach = authority(&snapshot(policies)).reach(&principal(who), &BTreeSet::new(), action);
        let mut words: Vec<String> = Vec::new();
        words.extend(reach.everything.then(|| "everything".to_owned()));
        words.extend(reach.tenant);
        words.extend(reach.projects.iter().map(ToString::to_string));
        words.extend(reach.catalogs);
        words.push(format!("by {}", reach.policies.join(" ")));
        assert_eq!(words.join(" "), expected, "{policies:?}");
    }

    #[test]
    fn the_whole_holds_for_its_parts() {
        check(&[], "acme:user:lee", "by ");
        check(&[ON_WORKSPACE], "acme:user:lee", "everything by p0");
        check(&[ON_TENANT], "acme:user:lee", "acme acme/finance billing mail by p0");
        check(&[ON_TENANT], "acme:user:ada", "by ");
        check(&[ON_TENANT, ON_WORKSPACE], "globex:user:gus", "by ");
    }

    #[test]
    fn a_forbidden_part_makes_every_part_count_for_itself() {
        let mail = r#"forbid (principal, action in Ambit::Action::"administer", resource == Ambit::Catalog::"mail");"#;
        check(&[ON_TENANT, mail], "acme:user:lee", "acme/finance billing by p0");
        check(&[ON_WORKSPACE, mail], "acme:user:lee", "by p1");
        let finance =
            r#"forbid (principal, action in Ambit::Action::"administer", resource == Ambit::Project::"acme/finance");"#;
        check(&[ON_TENANT, finance], "acme:user:lee", "mail by p0");
    }

    #[test]
    fn what_another_tenant_forbids_is_nothing_to_ones_own() {
        let theirs =
            r#"forbid (principal, action in Ambit::Action::"administer", resource in Ambit::Tenant::"globex");"#;
        check(&[ON_TENANT, theirs], "acme:user:lee", "acme acme/finance billing mail by p0");
        check(&[theirs], "acme:user:lee", "by ");
        check(&[ON_WORKSPACE, ON_TENANT, theirs], "acme:user:lee", "acme acme/finance billing mail by p0 p1");
    }

    #[test]
    fn one_reach_is_within_another() {
        let of = |policies: &[&str]| {
            authority(&snapshot(policies)).reach(&principal("acme:user:lee"), &BTreeSet::new(), AdminAction::ReadIntake)
        };
        let (nothing, tenant, everything) = (of(&[]), of(&[ON_TENANT]), of(&[ON_WORKSPACE]));
        assert!(nothing.is_within(&tenant) && tenant.is_within(&everything) && tenant.is_within(&tenant));
        assert!(!everything.is_within(&tenant) && !tenant.is_within(&nothing));
        let finance = super::super::sample::project_id("acme/finance");
        assert!(tenant.covers("acme", None) && !tenant.covers("globex", None) && everything.covers("globex", None));
        assert!(!nothing.covers("acme", Some(&finance)));
    }
}
