//! Decisions about administration, and about acting for somebody else. A snapshot whose schema knows of neither denies both.

use std::collections::BTreeSet;

use ambit_model::administration::{AdminAction, AdminResource};
use ambit_model::identity::{Principal, PrincipalKind};
use cedar_policy::{Context, EntityUid};

use super::compile::Authority;
use super::decide::{Decision, Realm, Seat};
use super::vocabulary::{knows_administration, uid};

/// The Cedar action of asking on behalf of another.
pub(super) const ACT_FOR: &str = "act_for";

impl Authority {
    /// May this principal, with the roles its identity provider vouches for, administer this? What does not exist is refused like
    /// what no permit reaches.
    pub fn administers(
        &self,
        principal: &Principal,
        roles: &BTreeSet<String>,
        action: AdminAction,
        resource: &AdminResource,
    ) -> Decision {
        match self.seat(principal, roles) {
            Ok(Some(seat)) => self.administers_as(&seat, action, resource),
            Ok(None) => Decision::default(),
            Err(error) => Decision::failed(error),
        }
    }

    /// The same of a principal that has been found.
    pub(super) fn administers_as(&self, seat: &Seat<'_>, action: AdminAction, resource: &AdminResource) -> Decision {
        let resource_uid = match resource {
            AdminResource::Workspace => self.workspace.clone(),
            AdminResource::Tenant(id) => uid(&self.vocabulary.tenant, id),
            AdminResource::Project(id) => uid(&self.vocabulary.project, &id.to_string()),
            AdminResource::Catalog(id) => uid(&self.vocabulary.catalog, id),
        };
        let realm = if *resource == AdminResource::Workspace { Realm::Workspace } else { Realm::Administration };
        self.administration(seat, action.word(), resource_uid, realm)
    }

    /// May this principal ask on behalf of a user, or of whoever holds a role?
    pub fn acts_for(&self, principal: &Principal, roles: &BTreeSet<String>, user: &Principal) -> Decision {
        if user.kind == PrincipalKind::Agent {
            return Decision::default();
        }
        match self.seat(principal, roles) {
            Ok(Some(seat)) => {
                self.administration(&seat, ACT_FOR, self.vocabulary.principal(user), Realm::Administration)
            }
            Ok(None) => Decision::default(),
            Err(error) => Decision::failed(error),
        }
    }

    fn administration(&self, seat: &Seat<'_>, action: &str, resource: EntityUid, realm: Realm) -> Decision {
        if !knows_administration(&self.schema) || self.entities.get(&resource).is_none() {
            return Decision::default();
        }
        match self.slice(seat, self.vocabulary.action_called(action), realm) {
            Ok(slice) => self.ask(seat, &slice, resource, Context::empty()),
            Err(error) => Decision::failed(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{PERMIT_ALL, authority, principal, snapshot};
    use super::*;

    const LEADS: &str =
        r#"permit (principal in Ambit::Role::"acme:role:lead", action in Ambit::Action::"administer", resource);"#;

    #[track_caller]
    fn check(policies: &[&str], who: &str, action: AdminAction, resource: &AdminResource, allow: bool) {
        let decision = authority(&snapshot(policies)).administers(&principal(who), &BTreeSet::new(), action, resource);
        assert_eq!(decision.allow, allow, "{who} {} {resource}: {decision:?}", action.word());
    }

    fn tenant(id: &str) -> AdminResource {
        AdminResource::Tenant(id.to_owned())
    }

    #[test]
    fn nobody_administers_without_a_permit_that_says_so() {
        for action in AdminAction::ALL {
            check(&[], "acme:user:lee", action, &tenant("acme"), false);
            check(&[PERMIT_ALL], "acme:user:lee", action, &tenant("acme"), false);
            check(&[PERMIT_ALL], "acme:user:lee", action, &AdminResource::Workspace, false);
        }
    }

    #[test]
    fn a_tenants_administration_ends_at_its_border() {
        check(&[LEADS], "acme:user:lee", AdminAction::ReadAudit, &tenant("acme"), true);
        check(&[LEADS], "acme:user:ada", AdminAction::ReadAudit, &tenant("acme"), false);
        check(&[LEADS], "acme:user:lee", AdminAction::ReadAudit, &tenant("globex"), false);
        check(&[LEADS], "acme:user:lee", AdminAction::ReadAudit, &tenant("none"), false);
        let catalog = |id: &str| AdminResource::Catalog(id.to_owned());
        check(&[LEADS], "acme:user:lee", AdminAction::ReadIntake, &catalog("mail"), true);
        check(&[LEADS], "acme:user:lee", AdminAction::ReadIntake, &catalog("billing"), true);
        check(&[LEADS], "acme:user:lee", AdminAction::ReadIntake, &catalog("plant"), false);
    }

    #[test]
    fn the_workspace_has_to_be_named() {
        check(&[LEADS], "acme:user:lee", AdminAction::Rollback, &AdminResource::Workspace, false);
        let named = r#"permit (principal in Ambit::Role::"acme:role:lead", action == Ambit::Action::"rollback",
            resource == Ambit::Workspace::"sample");"#;
        check(&[named], "acme:user:lee", AdminAction::Rollback, &AdminResource::Workspace, true);
        check(&[named], "acme:user:lee", AdminAction::Apply, &AdminResource::Workspace, false);
        check(&[named], "globex:user:gus", AdminAction::Rollback, &AdminResource::Workspace, false);
    }

    #[test]
    fn an_open_forbid_forbids_administration_too_where_it_speaks_of_no_tool() {
        let lee = r#"forbid (principal == Ambit::User::"acme:user:lee", action, resource);"#;
        check(&[LEADS, lee], "acme:user:lee", AdminAction::ReadAudit, &tenant("acme"), false);
        let tools = r#"forbid (principal, action, resource) when { resource.risk == Ambit::Risk::"low" };"#;
        check(&[LEADS, tools], "acme:user:lee", AdminAction::ReadAudit, &tenant("acme"), true);
    }

    #[test]
    fn whoever_reaches_a_tenant_reaches_what_is_in_it() {
        let policy = r#"permit (principal == Ambit::User::"acme:user:ada", action == Ambit::Action::"read_intake",
            resource in Ambit::Tenant::"acme");"#;
        let read = AdminAction::ReadIntake;
        check(&[policy], "acme:user:ada", read, &tenant("acme"), true);
        check(&[policy], "acme:user:ada", read, &AdminResource::Catalog("mail".to_owned()), true);
        check(&[policy], "acme:user:ada", read, &AdminResource::Catalog("billing".to_owned()), false);
        check(&[policy], "acme:user:ada", read, &AdminResource::Workspace, false);
    }

    #[test]
    fn acting_for_a_user_is_never_implied() {
        let policy = r#"permit (principal == Ambit::Agent::"acme:agent:bot", action == Ambit::Action::"act_for",
            resource in Ambit::Role::"acme:role:analyst");"#;
        let everything = [PERMIT_ALL, r#"permit (principal, action in Ambit::Action::"administer", resource);"#];
        let acts = |policies: &[&str], who: &str, user: &str| {
            authority(&snapshot(policies)).acts_for(&principal(who), &BTreeSet::new(), &principal(user)).allow
        };
        assert!(!acts(&everything, "acme:agent:bot", "acme:user:ada"));
        assert!(acts(&[policy], "acme:agent:bot", "acme:user:ada"));
        assert!(acts(&[policy], "acme:agent:bot", "acme:user:lee"), "a lead is an analyst");
        assert!(acts(&[policy], "acme:agent:bot", "acme:role:analyst"));
        assert!(!acts(&[policy], "acme:agent:bot", "acme:user:new"));
        assert!(!acts(&[policy], "acme:user:ada", "acme:user:lee"), "not even where the agent may act for it");
        assert!(!acts(&[policy], "acme:agent:bot", "acme:user:nobody"));
        let open = r#"permit (principal, action == Ambit::Action::"act_for", resource);"#;
        assert!(!acts(&[open], "acme:agent:bot", "globex:user:gus"));
        assert!(!acts(&[open], "acme:user:ada", "acme:agent:bot"));
    }

    #[test]
    fn roles_that_a_provider_vouches_for_count_and_unknown_ones_do_not() {
        let authority = authority(&snapshot(&[LEADS]));
        let reads = |who: &str, roles: &[&str]| {
            let roles = roles.iter().map(|role| (*role).to_owned()).collect();
            authority.administers(&principal(who), &roles, AdminAction::ReadAudit, &tenant("acme")).allow
        };
        assert!(reads("acme:user:ada", &["lead"]));
        assert!(reads("acme:user:stranger@acme.example", &["lead"]));
        assert!(!reads("acme:user:stranger@acme.example", &["chief"]));
        assert!(!reads("acme:user:stranger@acme.example", &[]));
        assert!(!reads("acme:agent:stranger", &["lead"]), "agents are declared");
        assert!(!reads("globex:user:gus", &["lead"]));
    }

    #[test]
    fn a_snapshot_from_before_administration_denies_it_and_still_answers() {
        let mut old = snapshot(&[PERMIT_ALL]);
        old.schema = include_str!("testdata/before-administration.cedarschema").to_owned();
        let authority = authority(&old);
        let decision = authority.administers(
            &principal("acme:user:lee"),
            &BTreeSet::new(),
            AdminAction::ReadAudit,
            &AdminResource::Workspace,
        );
        assert_eq!(decision, Decision::default());
        let project = super::super::sample::project_id("acme/finance");
        assert!(authority.view(&principal("acme:user:lee"), &project).is_ok());
    }
}
