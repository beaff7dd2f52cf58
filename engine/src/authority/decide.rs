//! The one decision: may this principal do this with this tool in this project, and which policies say so.
//! INVARIANT: an error in evaluation denies, and whoever may not discover may not route, and so on down to invoke.

use std::borrow::Cow;
use std::collections::BTreeSet;

use ambit_model::declaration::{Action, Project};
use ambit_model::identity::{Principal, PrincipalKind, ProjectId, ToolId};
use cedar_policy::{
    ActionConstraint, AuthorizationError, Context, Decision as Verdict, Effect, Entities, EntityTypeName, EntityUid,
    PolicySet, PrincipalConstraint, Request, ResourceConstraint, Response, RestrictedExpression,
};

use super::compile::{Authority, ScopedPolicy, Tool};
use super::entities::principal_entity;
use super::vocabulary::uid;

/// One answer, and what made it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Decision {
    pub allow: bool,
    /// Ids, sorted: the permits that allowed; or the forbids that refused and the policies that failed. Empty where no permit
    /// applies.
    pub policies: Vec<String>,
    /// What went wrong while policies were evaluated; never with `allow`.
    pub errors: Vec<String>,
}

impl Decision {
    /// The next narrower decision; a refusal stands for it too.
    pub(super) fn then(&self, narrower: impl FnOnce() -> Self) -> Self {
        if self.allow { narrower() } else { self.clone() }
    }

    pub(super) fn failed(error: String) -> Self {
        Self { allow: false, policies: Vec::new(), errors: vec![error] }
    }
}

impl Authority {
    /// Decides one action on one tool. A principal, project or tool that does not exist is refused like one that no permit
    /// reaches, so that the answer says nothing of what exists.
    pub fn decide(&self, principal: &Principal, action: Action, tool: &ToolId, project: &ProjectId) -> Decision {
        match (self.standing(principal, project), self.tools.get(tool)) {
            (Ok(Some(standing)), Some(tool)) => standing.decide(action, tool),
            (Ok(_), _) => Decision::default(),
            (Err(error), _) => Decision::failed(error),
        }
    }

    /// One declared principal in one project, ready to be asked about many tools; nothing where either is not declared.
    pub(super) fn standing(&self, principal: &Principal, project: &ProjectId) -> Result<Option<Standing<'_>>, String> {
        self.standing_of(self.seat(principal, &BTreeSet::new())?, project)
    }

    /// The same of a principal that has been found.
    pub(super) fn standing_of<'a>(
        &'a self,
        seat: Option<Seat<'a>>,
        project: &ProjectId,
    ) -> Result<Option<Standing<'a>>, String> {
        let (Some(seat), Some(project)) = (seat, self.projects.get(project)) else { return Ok(None) };
        let reference = RestrictedExpression::new_entity_uid(uid(&self.vocabulary.project, &project.id.to_string()));
        let context = Context::from_pairs([("project".to_owned(), reference)]).map_err(|e| e.to_string())?;
        let slice = |action| self.slice(&seat, self.vocabulary.action(action), Realm::Use);
        Ok(Some(Standing {
            discover: slice(Action::Discover)?,
            route: slice(Action::Route)?,
            invoke: slice(Action::Invoke)?,
            authority: self,
            project,
            seat,
            context,
        }))
    }

    /// The principal as policies see it: declared, or held up by roles that its identity provider vouches for. Nothing where it
    /// is neither.
    pub(super) fn seat(&self, principal: &Principal, roles: &BTreeSet<String>) -> Result<Option<Seat<'_>>, String> {
        let uid = self.vocabulary.principal(principal);
        let known = self.entities.get(&uid).is_some();
        if known && roles.is_empty() {
            return Ok(Some(Seat { uid, entities: Cow::Borrowed(&self.entities) }));
        }
        let Some(tenant) = self.tenants.get(&principal.tenant) else { return Ok(None) };
        let vouched: BTreeSet<&String> = roles.iter().filter(|role| tenant.roles.contains_key(*role)).collect();
        if !known && (principal.kind != PrincipalKind::User || vouched.is_empty()) {
            return Ok(None);
        }
        let declared = match principal.kind {
            PrincipalKind::User => tenant.users.get(&principal.name),
            PrincipalKind::Agent => tenant.agents.get(&principal.name),
            PrincipalKind::Role => tenant.roles.get(&principal.name),
        };
        let held = declared.into_iter().flatten().chain(vouched);
        let entity = principal_entity(&self.vocabulary, principal, held).map_err(|e| e.to_string())?;
        let entities =
            self.entities.clone().upsert_entities([entity], Some(&self.schema)).map_err(|e| e.to_string())?;
        Ok(Some(Seat { uid, entities: Cow::Owned(entities) }))
    }

    /// The policies whose scope this principal and action meet. Scopes never err, so leaving the others out is exact.
    pub(super) fn slice(&self, seat: &Seat<'_>, action: EntityUid, realm: Realm) -> Result<Slice, String> {
        let meets = |p: &&ScopedPolicy| {
            seat.meets(&p.principal) && self.meets_action(&p.action, &action) && realm.is_spoken_of_by(p)
        };
        let policies = self.policies.iter().filter(meets).map(|p| p.policy.clone());
        Ok(Slice { policies: PolicySet::from_policies(policies).map_err(|e| e.to_string())?, action })
    }

    pub(super) fn meets_action(&self, wanted: &ActionConstraint, action: &EntityUid) -> bool {
        match wanted {
            ActionConstraint::Any => true,
            ActionConstraint::In(groups) => {
                groups.iter().any(|group| action == group || self.entities.is_ancestor_of(group, action))
            }
            ActionConstraint::Eq(of) => action == of,
        }
    }
}

/// One principal in one project: what stays the same from tool to tool.
pub(super) struct Standing<'a> {
    pub(super) project: &'a Project,
    authority: &'a Authority,
    seat: Seat<'a>,
    context: Context,
    discover: Slice,
    route: Slice,
    invoke: Slice,
}

/// One principal among the entities that it is decided with.
pub(super) struct Seat<'a> {
    pub(super) uid: EntityUid,
    pub(super) entities: Cow<'a, Entities>,
}

impl Seat<'_> {
    pub(super) fn meets(&self, wanted: &PrincipalConstraint) -> bool {
        match wanted {
            PrincipalConstraint::Any => true,
            PrincipalConstraint::In(of) => self.is_in(of),
            PrincipalConstraint::Eq(of) => self.uid == *of,
            PrincipalConstraint::Is(kind) => self.is(kind),
            PrincipalConstraint::IsIn(kind, of) => self.is(kind) && self.is_in(of),
        }
    }

    /// Cedar's `principal in outer`.
    fn is_in(&self, outer: &EntityUid) -> bool {
        self.uid == *outer || self.entities.is_ancestor_of(outer, &self.uid)
    }

    fn is(&self, kind: &EntityTypeName) -> bool {
        self.uid.type_name() == kind
    }
}

/// What an action is about, and so how plainly a policy has to speak of it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Realm {
    /// Use of a tool: any policy speaks of it.
    Use,
    /// Administration, and acting for others: a policy whose scope names an action, or an open forbid that speaks of no tool.
    Administration,
    /// The same of the Workspace: a permit must name the resource too.
    Workspace,
}

impl Realm {
    fn is_spoken_of_by(self, policy: &ScopedPolicy) -> bool {
        let names_action = policy.action != ActionConstraint::Any;
        let narrow = policy.policy.effect() == Effect::Forbid || policy.resource != ResourceConstraint::Any;
        self == Self::Use || policy.forbids_all || (names_action && (narrow || self == Self::Administration))
    }
}

/// The policies that can apply to this principal's use of one action.
pub(super) struct Slice {
    pub(super) action: EntityUid,
    pub(super) policies: PolicySet,
}

impl Standing<'_> {
    /// Decides, from the widest action down to the one that is asked for.
    pub(super) fn decide(&self, action: Action, tool: &Tool) -> Decision {
        match action {
            Action::Discover => self.ask(&self.discover, tool),
            Action::Route => self.decide(Action::Discover, tool).then(|| self.ask(&self.route, tool)),
            Action::Invoke => self.decide(Action::Route, tool).then(|| self.ask(&self.invoke, tool)),
        }
    }

    /// The same for all three actions at once, widest first.
    pub(super) fn decide_all(&self, tool: &Tool) -> [Decision; 3] {
        let discover = self.ask(&self.discover, tool);
        let route = discover.then(|| self.ask(&self.route, tool));
        let invoke = route.then(|| self.ask(&self.invoke, tool));
        [discover, route, invoke]
    }

    /// A call of this tool, where it is allowed at all, needs a confirmation given by a person.
    pub(super) fn needs_confirmation(&self, tool: &Tool) -> bool {
        tool.needs_confirmation(self.project.ceiling)
    }

    fn ask(&self, slice: &Slice, tool: &Tool) -> Decision {
        self.authority.ask(&self.seat, slice, tool.uid.clone(), self.context.clone())
    }
}

impl Authority {
    /// Asks Cedar.
    pub(super) fn ask(&self, seat: &Seat<'_>, slice: &Slice, resource: EntityUid, context: Context) -> Decision {
        let request = Request::new(seat.uid.clone(), slice.action.clone(), resource, context, Some(&self.schema));
        match request {
            Ok(request) => read(&self.authorizer.is_authorized(&request, &slice.policies, &seat.entities)),
            Err(error) => Decision::failed(error.to_string()),
        }
    }
}

fn read(response: &Response) -> Decision {
    let diagnostics = response.diagnostics();
    let errors: Vec<&AuthorizationError> = diagnostics.errors().collect();
    let allow = response.decision() == Verdict::Allow && errors.is_empty();
    let failed = errors.iter().map(|AuthorizationError::PolicyEvaluationError(e)| e.policy_id());
    // A permit that applied beside a policy that failed did not make the refusal.
    let reasons = diagnostics.reason().filter(|_| response.decision() == Verdict::Deny || allow);
    let mut policies: Vec<String> = failed.chain(reasons).map(ToString::to_string).collect();
    policies.sort();
    policies.dedup();
    let mut errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
    errors.sort();
    Decision { allow, policies, errors }
}

#[cfg(test)]
mod tests {
    use ambit_model::facts::{Ceiling, Effect, Risk};

    use super::super::sample::{PERMIT_ALL, authority, card, policy, principal, project_id, snapshot, tool_id};
    use super::*;

    /// `principal action tool project` and what is decided: `allow` or `deny`, then the policies.
    #[track_caller]
    fn check(policies: &[&str], asked: &str, expected: &str) {
        let authority = authority(&snapshot(policies));
        let words: Vec<&str> = asked.split(' ').collect();
        let &[who, action, tool, project] = words.as_slice() else { return assert_eq!(asked, "four words") };
        let action = Action::ALL.into_iter().find(|a| a.word() == action).unwrap_or(Action::Invoke);
        let decision = authority.decide(&principal(who), action, &tool_id(tool), &project_id(project));
        let verdict = if decision.allow { "allow" } else { "deny" };
        let mut words = vec![verdict.to_owned()];
        words.extend(decision.policies);
        words.extend(decision.errors);
        assert_eq!(words.join(" "), expected, "{asked}");
    }

    #[test]
    fn an_empty_policy_set_denies() {
        for action in ["discover", "route", "invoke"] {
            check(&[], &format!("acme:user:ada {action} billing/list acme/finance"), "deny");
        }
    }

    #[test]
    fn a_permit_allows_what_it_names_and_nothing_else() {
        let policies = [
            r#"permit (principal == Ambit::User::"acme:user:ada", action == Ambit::Action::"discover", resource == Ambit::Tool::"billing/list");"#,
        ];
        check(&policies, "acme:user:ada discover billing/list acme/finance", "allow p0");
        check(&policies, "acme:user:ada route billing/list acme/finance", "deny");
        check(&policies, "acme:user:ada discover billing/report acme/finance", "deny");
        check(&policies, "acme:user:lee discover billing/list acme/finance", "deny");
    }

    #[test]
    fn what_does_not_exist_is_refused_without_a_word() {
        check(&[PERMIT_ALL], "acme:user:nobody invoke billing/list acme/finance", "deny");
        check(&[PERMIT_ALL], "acme:user:ada invoke billing/none acme/finance", "deny");
        check(&[PERMIT_ALL], "acme:user:ada invoke billing/list acme/none", "deny");
    }

    #[test]
    fn no_permit_crosses_a_tenant() {
        check(&[PERMIT_ALL], "acme:user:ada discover billing/list acme/finance", "allow p0");
        check(&[PERMIT_ALL], "acme:user:ada discover billing/list globex/ops", "deny ambit/tenant-isolation");
        check(&[PERMIT_ALL], "acme:role:member invoke billing/list globex/ops", "deny ambit/tenant-isolation");
        let isolated = "deny ambit/project-catalogs ambit/tenant-isolation";
        check(&[PERMIT_ALL], "acme:user:ada discover plant/status acme/finance", isolated);
        check(&[PERMIT_ALL], "globex:user:gus invoke mail/send globex/ops", isolated);
        check(&[PERMIT_ALL], "globex:user:gus invoke plant/status globex/ops", "allow p0");
    }

    #[test]
    fn listing_another_tenants_catalog_lets_nobody_in() {
        let mut snapshot = snapshot(&[PERMIT_ALL]);
        for project in &mut snapshot.projects {
            project.catalogs.push("plant".to_owned());
        }
        let decision = authority(&snapshot).decide(
            &principal("acme:user:ada"),
            Action::Discover,
            &tool_id("plant/status"),
            &project_id("acme/finance"),
        );
        assert_eq!(decision.policies, ["ambit/tenant-isolation"]);
    }

    #[test]
    fn a_catalog_the_project_does_not_list_is_out_of_reach() {
        check(&[PERMIT_ALL], "acme:user:ada discover hidden/list acme/finance", "deny ambit/project-catalogs");
    }

    #[test]
    fn roles_are_held_through_the_roles_that_include_them() {
        let policies =
            [r#"permit (principal in Ambit::Role::"acme:role:member", action in Ambit::Action::"use", resource);"#];
        check(&policies, "acme:user:lee invoke billing/list acme/finance", "allow p0");
        check(&policies, "acme:user:ada invoke billing/list acme/finance", "allow p0");
        check(&policies, "acme:agent:bot invoke billing/list acme/finance", "allow p0");
        check(&policies, "acme:role:lead invoke billing/list acme/finance", "allow p0");
        check(&policies, "acme:role:member invoke billing/list acme/finance", "allow p0");
        check(&policies, "acme:user:new invoke billing/list acme/finance", "deny");
        check(&policies, "globex:user:gus invoke billing/list globex/ops", "deny");
    }

    #[test]
    fn a_role_gives_nothing_upwards() {
        let policies = [r#"permit (principal in Ambit::Role::"acme:role:lead", action, resource);"#];
        check(&policies, "acme:user:lee invoke billing/list acme/finance", "allow p0");
        check(&policies, "acme:user:ada invoke billing/list acme/finance", "deny");
    }

    #[test]
    fn tools_are_in_their_catalog_group_and_entity_family() {
        for (scope, tool) in [
            (r#"Ambit::Catalog::"mail""#, "mail/send"),
            (r#"Ambit::Group::"figures""#, "billing/report"),
            (r#"Ambit::EntityFamily::"api:invoices""#, "billing/list"),
        ] {
            let policy = format!("permit (principal, action, resource in {scope});");
            check(&[&policy], &format!("acme:user:ada invoke {tool} acme/finance"), "allow p0");
        }
        check(
            &[r#"permit (principal, action, resource in Ambit::Group::"figures");"#],
            "acme:user:ada route billing/list acme/finance",
            "deny",
        );
    }

    #[test]
    fn the_narrower_is_refused_with_the_wider() {
        let route_only =
            [r#"permit (principal, action in [Ambit::Action::"discover", Ambit::Action::"invoke"], resource);"#];
        check(&route_only, "acme:user:ada discover billing/list acme/finance", "allow p0");
        check(&route_only, "acme:user:ada invoke billing/list acme/finance", "deny");
        let forbidden = [PERMIT_ALL, r#"forbid (principal, action == Ambit::Action::"discover", resource);"#];
        check(&forbidden, "acme:user:ada invoke billing/list acme/finance", "deny p1");
    }

    #[test]
    fn an_error_denies_and_is_named() {
        let policies = [PERMIT_ALL, "permit (principal, action, resource) when { 9223372036854775807 + 1 == 0 };"];
        let decision = authority(&snapshot(&policies)).decide(
            &principal("acme:user:ada"),
            Action::Discover,
            &tool_id("billing/list"),
            &project_id("acme/finance"),
        );
        assert!(!decision.allow);
        assert_eq!(decision.policies, ["p1"]);
        assert_eq!(decision.errors.len(), 1);
    }

    /// What each ceiling lets through, written out a second time in Rust: route, invoke, and whether a person must confirm.
    fn expected(ceiling: Ceiling, effect: Effect, risk: Risk, confirmation: bool) -> (bool, bool, bool) {
        let harmless = effect == Effect::Read && !confirmation && risk < Risk::High;
        match ceiling {
            Ceiling::ReadOnly => (harmless, harmless, false),
            Ceiling::ConfirmWrites => {
                let within = effect != Effect::Destructive;
                (within, within, within && !harmless)
            }
            Ceiling::Open => (true, true, confirmation),
        }
    }

    #[test]
    fn each_ceiling_holds_for_every_effect_risk_and_confirmation() {
        let mut snapshot = snapshot(&[PERMIT_ALL]);
        snapshot.tools.clear();
        for (effect, risk) in Effect::ALL.iter().flat_map(|e| Risk::ALL.iter().map(move |r| (*e, *r))) {
            for confirmation in [false, true] {
                snapshot.tools.push(card(
                    &format!("billing/{effect}-{risk}-{confirmation}"),
                    effect,
                    risk,
                    confirmation,
                ));
            }
        }
        for &ceiling in Ceiling::ALL {
            for project in &mut snapshot.projects {
                project.ceiling = ceiling;
            }
            let view = authority(&snapshot).view(&principal("acme:user:ada"), &project_id("acme/finance"));
            let tools = view.map(|view| view.tools).unwrap_or_default();
            assert_eq!(tools.len(), snapshot.tools.len(), "a ceiling does not hide a tool");
            for card in &snapshot.tools {
                let found = tools.get(&card.id).map(|c| (c.route, c.invoke, c.needs_confirmation));
                let facts = &card.facts;
                let expected = expected(ceiling, facts.effect.value, facts.risk.value, facts.confirmation);
                assert_eq!(found, Some(expected), "{} under {ceiling}", card.id);
            }
        }
    }

    #[test]
    fn a_snapshot_whose_policies_are_not_sound_does_not_compile() {
        let mut reserved = snapshot(&[]);
        reserved.policies.push(policy("ambit/ceiling-read-only", PERMIT_ALL));
        assert!(super::super::sample::compile(&reserved).is_err());
        assert!(
            super::super::sample::compile(&snapshot(&[
                "permit (principal, action, resource) when { resource.efect };"
            ]))
            .is_err()
        );
        assert!(super::super::sample::compile(&snapshot(&["permit ("])).is_err());
        let twice = {
            let mut twice = snapshot(&[PERMIT_ALL]);
            twice.policies.push(policy("p0", PERMIT_ALL));
            twice
        };
        assert!(super::super::sample::compile(&twice).is_err());
    }
}
