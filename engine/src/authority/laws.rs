//! Laws that hold for any policies: slicing changes no answer, the sets are nested, taking a permit away widens nothing.
//! The oracle is Cedar over all policies and all tools, written a second time without anything of `decide`.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::declaration::Action;
use ambit_model::facts::{Ceiling, Effect, Risk};
use ambit_model::identity::{Principal, ProjectId, ToolId};
use ambit_model::snapshot::Snapshot;
use ambit_model::view::Capability;
use cedar_policy::{Context, Decision as Verdict, PolicySet, Request, RestrictedExpression};
use proptest::prelude::*;

use super::Authority;
use super::sample::{authority, card, principal, project_id, snapshot};

const EFFECTS: [&str; 2] = ["permit", "forbid"];
const PRINCIPALS: [&str; 9] = [
    "principal",
    "principal == Ambit::User::\"acme:user:ada\"",
    "principal == Ambit::Role::\"acme:role:member\"",
    "principal in Ambit::Role::\"acme:role:member\"",
    "principal in Ambit::Role::\"acme:role:lead\"",
    "principal in Ambit::Tenant::\"acme\"",
    "principal is Ambit::Agent",
    "principal is Ambit::User in Ambit::Role::\"acme:role:analyst\"",
    "principal in Ambit::Tenant::\"globex\"",
];
const ACTIONS: [&str; 6] = [
    "action",
    "action == Ambit::Action::\"discover\"",
    "action == Ambit::Action::\"invoke\"",
    "action in Ambit::Action::\"use\"",
    "action in [Ambit::Action::\"discover\", Ambit::Action::\"route\"]",
    "action in [Ambit::Action::\"route\"]",
];
const RESOURCES: [&str; 6] = [
    "resource",
    "resource is Ambit::Tool",
    "resource == Ambit::Tool::\"billing/list\"",
    "resource in Ambit::Catalog::\"billing\"",
    "resource in Ambit::Group::\"figures\"",
    "resource is Ambit::Tool in Ambit::EntityFamily::\"api:invoices\"",
];
const CONDITIONS: [&str; 7] = [
    "",
    "when { resource.effect == Ambit::Effect::\"read\" }",
    "when { resource has tenant && resource.tenant == principal.tenant }",
    "unless { resource.confirmation }",
    "when { context.project == Ambit::Project::\"acme/finance\" }",
    "when { [Ambit::Risk::\"low\", Ambit::Risk::\"medium\"].contains(resource.risk) }",
    // Fails for reads: an overflow is the error that strict validation cannot rule out.
    "when { resource.effect != Ambit::Effect::\"read\" || 9223372036854775807 + 1 == 0 }",
];
const ASKERS: [&str; 8] = [
    "acme:user:ada",
    "acme:user:lee",
    "acme:user:new",
    "acme:agent:bot",
    "acme:role:member",
    "acme:role:lead",
    "globex:user:gus",
    "globex:role:member",
];
const PROJECTS: [&str; 2] = ["acme/finance", "globex/ops"];

/// Up to `most` policies, whose conditions are the first so many.
pub(crate) fn policies(conditions: usize, most: usize) -> impl Strategy<Value = Vec<String>> {
    let one = (0..EFFECTS.len() * 2, 0..PRINCIPALS.len(), 0..ACTIONS.len(), 0..RESOURCES.len(), 0..conditions);
    let text = one.prop_map(|(effect, principal, action, resource, condition)| {
        // Three permits for each forbid.
        let effect = EFFECTS.get(effect.saturating_sub(2)).copied().unwrap_or("permit");
        let part = |of: &[&'static str], at: usize| of.get(at).copied().unwrap_or_default();
        let (principal, action) = (part(&PRINCIPALS, principal), part(&ACTIONS, action));
        format!("{effect} ({principal}, {action}, {}) {};", part(&RESOURCES, resource), part(&CONDITIONS, condition))
    });
    prop::collection::vec(text, 0..most)
}

/// The sample with these policies, another ceiling and a tool that has to be confirmed.
pub(crate) fn sample(policies: &[String], ceiling: Ceiling) -> Snapshot {
    let policies: Vec<&str> = policies.iter().map(String::as_str).collect();
    let mut snapshot = snapshot(&policies);
    snapshot.tools.push(card("billing/confirm", Effect::Write, Risk::Low, true));
    for project in &mut snapshot.projects {
        project.ceiling = ceiling;
        project.catalogs = vec!["billing".to_owned(), "mail".to_owned(), "plant".to_owned()];
    }
    snapshot
}

fn ceilings() -> impl Strategy<Value = Ceiling> {
    prop::sample::select(Ceiling::ALL)
}

fn view(authority: &Authority, who: &Principal, project: &ProjectId) -> BTreeMap<ToolId, Capability> {
    authority.view(who, project).map(|view| view.tools).unwrap_or_default()
}

/// What plain Cedar allows with every policy at hand; an error denies.
fn oracle(
    authority: &Authority,
    all: &PolicySet,
    who: &Principal,
    project: &ProjectId,
    action: Action,
) -> BTreeSet<ToolId> {
    let uid = |of: &str, id: &str| format!("Ambit::{of}::\"{id}\"").parse::<cedar_policy::EntityUid>().ok();
    let allowed = authority.tools.keys().filter(|tool| {
        let (Some(principal), Some(action), Some(resource), Some(project)) = (
            uid(who.kind.entity_type(), &who.to_string()),
            uid("Action", action.word()),
            uid("Tool", tool.as_str()),
            uid("Project", &project.to_string()),
        ) else {
            return false;
        };
        let context = Context::from_pairs([("project".to_owned(), RestrictedExpression::new_entity_uid(project))]);
        let Ok(request) = Request::new(
            principal,
            action,
            resource,
            context.unwrap_or_else(|_| Context::empty()),
            Some(&authority.schema),
        ) else {
            return false;
        };
        let response = authority.authorizer.is_authorized(&request, all, &authority.entities);
        response.decision() == Verdict::Allow && response.diagnostics().errors().next().is_none()
    });
    allowed.cloned().collect()
}

/// The ids in each of the three sets.
fn sets(tools: &BTreeMap<ToolId, Capability>) -> [BTreeSet<ToolId>; 3] {
    let of =
        |within: fn(&Capability) -> bool| tools.iter().filter(|(_, c)| within(c)).map(|(id, _)| id.clone()).collect();
    [of(|_| true), of(|c| c.route), of(|c| c.invoke)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_view_is_what_plain_cedar_allows(written in policies(CONDITIONS.len(), 8), ceiling in ceilings()) {
        let authority = authority(&sample(&written, ceiling));
        let all = PolicySet::from_policies(authority.policies.iter().map(|p| p.policy.clone())).unwrap_or_default();
        for (who, project) in ASKERS.iter().flat_map(|a| PROJECTS.iter().map(move |p| (principal(a), project_id(p)))) {
            let plain = |action| oracle(&authority, &all, &who, &project, action);
            let discover = plain(Action::Discover);
            let route: BTreeSet<_> = plain(Action::Route).intersection(&discover).cloned().collect();
            let invoke: BTreeSet<_> = plain(Action::Invoke).intersection(&route).cloned().collect();
            let view = view(&authority, &who, &project);
            prop_assert_eq!(&sets(&view), &[discover, route, invoke], "{} in {}: {:?}", who, project, written);
            for (tool, action) in authority.tools.keys().flat_map(|t| Action::ALL.map(|a| (t, a))) {
                let within = view.get(tool).is_some_and(|c| [true, c.route, c.invoke].get(action as usize) == Some(&true));
                prop_assert_eq!(authority.decide(&who, action, tool, &project).allow, within);
            }
        }
    }

    /// Policies that can fail are left out here: where one fails the answer is no, so taking it away may well widen.
    #[test]
    fn removing_a_permit_never_widens_a_view(written in policies(CONDITIONS.len() - 1, 8), ceiling in ceilings(), which in any::<prop::sample::Index>()) {
        let permits: Vec<usize> = written.iter().enumerate().filter(|(_, p)| p.starts_with("permit")).map(|(at, _)| at).collect();
        prop_assume!(!permits.is_empty());
        let gone = permits.get(which.index(permits.len())).copied().unwrap_or_default();
        let fewer: Vec<String> = written.iter().enumerate().filter(|(at, _)| *at != gone).map(|(_, p)| p.clone()).collect();
        let (before, after) = (authority(&sample(&written, ceiling)), authority(&sample(&fewer, ceiling)));
        for (who, project) in ASKERS.iter().flat_map(|a| PROJECTS.iter().map(move |p| (principal(a), project_id(p)))) {
            let (wide, narrow) = (sets(&view(&before, &who, &project)), sets(&view(&after, &who, &project)));
            prop_assert!(narrow.iter().zip(&wide).all(|(narrow, wide)| narrow.is_subset(wide)), "{} in {}", who, project);
        }
    }
}
