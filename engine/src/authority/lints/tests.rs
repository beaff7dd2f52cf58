//! What is said of policies that decide nothing, and the law that taking them away changes nothing.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::administration::{AdminAction, AdminResource};
use ambit_model::declaration::{IdentityProvider, RoleClaim, SigningAlgorithm, UserClaim};
use ambit_model::snapshot::Snapshot;
use proptest::prelude::*;

use super::super::sample::{authority, principal, project_id, snapshot};
use super::idle::find;
use super::*;

const ALL: &str = r#"permit (principal in Ambit::Tenant::"acme", action, resource in Ambit::Catalog::"billing");"#;

fn checked(snapshot: &Snapshot) -> Vec<CheckedPolicy> {
    let of = |policy: &ambit_model::declaration::Policy| CheckedPolicy {
        policy: policy.clone(),
        place: None,
        template: None,
    };
    snapshot.policies.iter().map(of).collect()
}

fn lines(snapshot: &Snapshot) -> Vec<String> {
    let (_, diagnostics) = lint(&authority(snapshot), &checked(snapshot));
    diagnostics.into_iter().map(|d| format!("{} {} ({})", d.code, d.message, d.help.unwrap_or_default())).collect()
}

/// The policies are `p0`, `p1` and so on; what is said begins with each of these.
#[track_caller]
fn check(policies: &[&str], expected: &[&str]) {
    let found = lines(&snapshot(policies));
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.starts_with(expected), "{found}\n  is not\n{expected}");
    }
}

#[test]
fn what_decides_something_is_not_mentioned() {
    check(&[ALL], &[]);
    check(&[ALL, r#"forbid (principal is Ambit::Agent, action, resource == Ambit::Tool::"billing/pay");"#], &[]);
}

#[test]
fn what_no_request_meets() {
    let never = "W_NEVER_APPLIES `p0` applies to nothing that is declared";
    let of = |help: &str| format!("{never} ({help}");
    check(
        &[r#"permit (principal in Ambit::Tenant::"globex", action, resource in Ambit::Catalog::"mail");"#],
        &[&of("nothing in its `resource` is within reach of its principals")],
    );
    check(
        &[r#"permit (principal in Ambit::Tenant::"acme", action, resource in Ambit::Catalog::"hidden");"#],
        &[&of("nothing in its `resource` is within reach")],
    );
    check(
        &[
            r#"permit (principal in Ambit::Tenant::"acme", action, resource) when { resource.risk == Ambit::Risk::"critical" };"#,
        ],
        &[&of("its conditions hold for nothing")],
    );
    check(
        &[r#"permit (principal in Ambit::Tenant::"acme", action == Ambit::Action::"rollback", resource);"#],
        &[&of(r#"a permit about the Workspace names it: `resource == Ambit::Workspace::"sample"`"#)],
    );
    check(
        &[
            r#"permit (principal is Ambit::Agent in Ambit::Tenant::"globex", action, resource in Ambit::Catalog::"plant");"#,
        ],
        &[&of("no declared user, agent or role meets its `principal`")],
    );
    check(
        &[r#"permit (principal == Ambit::Role::"acme:role:analyst", action, resource in Ambit::Catalog::"billing");"#],
        &[
            r#"W_NEVER_APPLIES `p0` applies to the role `acme:role:analyst` itself, and to nobody who holds it (write `principal in Ambit::Role::"acme:role:analyst"`"#,
        ],
    );
}

#[test]
fn a_guard_against_tomorrow_is_no_finding_and_one_out_of_reach_is() {
    let guard = |scope: &str| format!(r#"forbid ({scope}) when {{ resource.risk == Ambit::Risk::"critical" }};"#);
    check(&[ALL, &guard("principal, action, resource is Ambit::Tool")], &[]);
    check(
        &[&guard(r#"principal in Ambit::Tenant::"globex", action, resource in Ambit::Catalog::"mail""#), ALL],
        &["W_NEVER_APPLIES `p0` applies to nothing that is declared"],
    );
    check(&[r#"forbid (principal in Ambit::Tenant::"acme", action, resource == Ambit::Tool::"mail/send");"#], &[]);
}

#[test]
fn what_others_decide_all_the_same() {
    let one =
        r#"permit (principal in Ambit::Role::"acme:role:lead", action, resource == Ambit::Tool::"billing/list");"#;
    check(&[one, ALL], &["W_SHADOWED `p0` changes nothing: `p1` decides wherever it applies (remove it"]);
    check(&[ALL, ALL], &["W_SHADOWED `p1` changes nothing: `p0` decides wherever it applies"]);
    let forbid = r#"forbid (principal, action, resource in Ambit::Catalog::"billing");"#;
    check(&[one, forbid], &["W_SHADOWED `p0` changes nothing: `p1` decides"]);
    check(
        &[ALL, forbid, r#"forbid (principal is Ambit::User, action, resource == Ambit::Tool::"billing/list");"#],
        &["W_SHADOWED `p0` changes nothing: `p1` decides", "W_SHADOWED `p2` changes nothing: `p1` decides"],
    );
    let other = r#"permit (principal in Ambit::Tenant::"globex", action, resource == Ambit::Tool::"mail/send");"#;
    check(&[other], &["W_NEVER_APPLIES `p0`"]);
    let tenants = r#"permit (principal in Ambit::Tenant::"acme", action == Ambit::Action::"read_audit", resource == Ambit::Tenant::"globex");"#;
    check(&[tenants], &["W_SHADOWED `p0` changes nothing: `ambit/tenant-isolation-tenants` decides"]);
    let route = r#"permit (principal in Ambit::Tenant::"acme", action == Ambit::Action::"route", resource in Ambit::Catalog::"billing");"#;
    check(&[route], &["W_SHADOWED `p0` changes nothing: nobody is permitted to `discover` what it permits"]);
}

#[test]
fn a_permit_that_is_open_to_all() {
    let open = "W_OPEN_PERMIT `p0` permits in every tenant: its scope names neither who nor what (name the tenant";
    check(&[r#"permit (principal, action, resource) when { resource.risk == Ambit::Risk::"low" };"#], &[open]);
    check(&["permit (principal is Ambit::User, action, resource is Ambit::Tool);"], &[open]);
    check(&[r#"permit (principal, action, resource in Ambit::Catalog::"billing");"#], &[]);
    check(&["forbid (principal, action, resource);", ALL], &["W_SHADOWED `p1` changes nothing: `p0` decides"]);
}

#[test]
fn roles_that_a_provider_vouches_for_count() {
    let policies = [
        r#"permit (principal is Ambit::User in Ambit::Role::"globex:role:guest", action, resource in Ambit::Catalog::"plant");"#,
    ];
    let mut snapshot = snapshot(&policies);
    for tenant in snapshot.tenants.iter_mut().filter(|tenant| tenant.id == "globex") {
        tenant.roles.insert("guest".to_owned(), Vec::new());
    }
    assert_eq!(lines(&snapshot).len(), 1, "nobody holds it");
    for tenant in snapshot.tenants.iter_mut().filter(|tenant| tenant.id == "globex") {
        let map = BTreeMap::from([("guests".to_owned(), "guest".to_owned())]);
        tenant.identity.push(IdentityProvider {
            issuer: "https://login.example".to_owned(),
            audience: vec!["ambit".to_owned()],
            algorithms: vec![SigningAlgorithm::RS256],
            token_type: None,
            when: BTreeMap::new(),
            user: UserClaim { claim: "sub".to_owned(), principals: BTreeMap::new(), undeclared: true },
            roles: Some(RoleClaim { claim: "groups".to_owned(), map }),
            sign_in: None,
        });
    }
    assert_eq!(lines(&snapshot), [] as [String; 0]);
}

#[test]
fn too_much_is_said_and_not_done() {
    let authority = authority(&snapshot(&[ALL]));
    assert_eq!(find(&authority, Budget { asked: 1, cells: MOST_CELLS }).err(), Some(TooMuch::Asked));
    assert_eq!(find(&authority, Budget { asked: MOST_ASKED, cells: 1 }).err(), Some(TooMuch::Cells));
    let note = skipped(&TooMuch::Asked);
    assert!(!note.is_error() && note.code == N_LINTS_SKIPPED, "{note:?}");
}

/// Ten tenants, thirty roles each, ten thousand tools, a thousand policies.
#[test]
fn a_large_workspace_is_within_the_limits() {
    use ambit_model::declaration::{Catalog, Group, Tenant};
    use ambit_model::facts::{Ceiling, Effect, Operation, Risk};

    let mut large = snapshot(&[]);
    let nth = |n: usize, of: &str| format!("{of}{n}");
    let roles: Vec<String> = (0..30).map(|n| nth(n, "role")).collect();
    large.tenants = (0..10)
        .map(|n| Tenant {
            id: nth(n, "tenant"),
            name: String::new(),
            users: roles.iter().map(|role| (format!("user-{role}"), vec![role.clone()])).collect(),
            agents: BTreeMap::from([("bot".to_owned(), vec!["role0".to_owned()])]),
            roles: roles.iter().map(|role| (role.clone(), Vec::new())).collect(),
            identity: Vec::new(),
        })
        .collect();
    large.catalogs = (0..20).map(|n| Catalog { id: nth(n, "catalog"), tenant: None, secrets: Vec::new() }).collect();
    let project = |n: usize, of: usize| {
        let catalogs = [nth(n, "catalog"), nth(n + 10, "catalog")];
        let catalogs: Vec<&str> = catalogs.iter().map(String::as_str).collect();
        super::super::sample::project(&format!("tenant{n}/project{of}"), &catalogs, Ceiling::ConfirmWrites)
    };
    large.projects = (0..10).flat_map(|n| (0..2).map(move |of| (n, of))).map(|(n, of)| project(n, of)).collect();
    large.groups = (0..50)
        .map(|n| Group { id: nth(n, "group"), title: String::new(), description: String::new(), members: Vec::new() })
        .collect();
    let tool = |n: usize| {
        let effect = [Effect::Read, Effect::Write, Effect::Destructive].get(n % 3).copied().unwrap_or(Effect::Read);
        let risk = Risk::ALL.get(n % 4).copied().unwrap_or(Risk::Low);
        let mut card =
            super::super::sample::card(&format!("catalog{}/tool{n}", n % 20), effect, risk, n.is_multiple_of(7));
        card.groups = vec![nth(n % 50, "group")];
        card.facts.operation.value = Operation::ALL.get(n % 12).copied().unwrap_or(Operation::Get);
        card
    };
    large.tools = (0..10_000).map(tool).collect();
    let policy = |n: usize| {
        let (tenant, role, group) = (n % 10, n % 30, n % 50);
        let condition = ["effect == Ambit::Effect::\"read\"", "risk == Ambit::Risk::\"low\"", "confirmation"];
        let condition = condition.get(n % 3).copied().unwrap_or_default();
        let cedar = format!(
            "permit (principal in Ambit::Role::\"tenant{tenant}:role:role{role}\", action in Ambit::Action::\"use\", \
             resource in Ambit::Group::\"group{group}\") when {{ resource.{condition} }};"
        );
        super::super::sample::policy(&format!("p{n}"), &cedar)
    };
    large.policies = (0..1000).map(policy).collect();
    large.tools.sort_by(|a, b| a.id.cmp(&b.id));
    large.policies.sort_by(|a, b| a.id.cmp(&b.id));
    let authority = authority(&large);
    let found = find(&authority, Budget { asked: MOST_ASKED, cells: MOST_CELLS });
    assert!(found.is_ok(), "{found:?}");
}

const EFFECTS: [&str; 4] = ["permit", "permit", "permit", "forbid"];
const PRINCIPALS: [&str; 6] = [
    "principal",
    "principal in Ambit::Role::\"acme:role:member\"",
    "principal == Ambit::User::\"acme:user:lee\"",
    "principal in Ambit::Tenant::\"acme\"",
    "principal is Ambit::Agent",
    "principal in Ambit::Tenant::\"globex\"",
];
const ABOUT: [&str; 8] = [
    "action, resource",
    "action == Ambit::Action::\"discover\", resource",
    "action in Ambit::Action::\"use\", resource in Ambit::Catalog::\"billing\"",
    "action in [Ambit::Action::\"route\", Ambit::Action::\"invoke\"], resource in Ambit::Group::\"figures\"",
    "action, resource == Ambit::Tool::\"mail/send\"",
    "action == Ambit::Action::\"read_audit\", resource",
    "action in Ambit::Action::\"administer\", resource in Ambit::Tenant::\"acme\"",
    "action == Ambit::Action::\"act_for\", resource in Ambit::Role::\"acme:role:member\"",
];
const CONDITIONS: [&str; 4] = [
    "",
    "when { principal in Ambit::Role::\"acme:role:analyst\" }",
    "unless { principal is Ambit::Role }",
    "when { principal.tenant == Ambit::Tenant::\"acme\" }",
];

fn policies() -> impl Strategy<Value = Vec<String>> {
    let one = (0..EFFECTS.len(), 0..PRINCIPALS.len(), 0..ABOUT.len(), 0..CONDITIONS.len());
    let text = one.prop_map(|(effect, principal, about, condition)| {
        let part = |of: &[&'static str], at: usize| of.get(at).copied().unwrap_or_default();
        let (effect, principal) = (part(&EFFECTS, effect), part(&PRINCIPALS, principal));
        format!("{effect} ({principal}, {}) {};", part(&ABOUT, about), part(&CONDITIONS, condition))
    });
    prop::collection::vec(text, 1..9)
}

const ASKERS: [&str; 9] = [
    "acme:user:ada",
    "acme:user:lee",
    "acme:user:new",
    "acme:agent:bot",
    "acme:role:member",
    "acme:role:analyst",
    "acme:role:lead",
    "globex:user:gus",
    "globex:role:member",
];

/// All that anybody may do, in lines.
fn rights(snapshot: &Snapshot) -> Vec<String> {
    let authority = authority(snapshot);
    let mut rights = Vec::new();
    for who in ASKERS.map(principal) {
        for project in ["acme/finance", "globex/ops"].map(project_id) {
            let view = authority.view(&who, &project);
            let tools: std::collections::BTreeMap<_, _> =
                view.iter().flat_map(|view| view.capabilities()).map(|(id, c)| (id.clone(), c)).collect();
            rights.extend(tools.iter().map(|(id, c)| format!("{who} {project} {id} {} {}", c.route, c.invoke)));
        }
        for user in ASKERS.map(principal) {
            rights.push(format!("{who} for {user} {}", authority.acts_for(&who, &BTreeSet::new(), &user).allow));
        }
        let resources = [
            AdminResource::Workspace,
            AdminResource::Tenant("acme".to_owned()),
            AdminResource::Tenant("globex".to_owned()),
            AdminResource::Project(project_id("acme/finance")),
            AdminResource::Project(project_id("globex/ops")),
            AdminResource::Catalog("mail".to_owned()),
        ];
        for (action, resource) in AdminAction::ALL.iter().flat_map(|action| resources.iter().map(move |r| (action, r)))
        {
            let allow = authority.administers(&who, &BTreeSet::new(), *action, resource).allow;
            rights.push(format!("{who} {action:?} {resource} {allow}"));
        }
    }
    rights
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn taking_all_of_them_away_changes_nothing(written in policies()) {
        let texts: Vec<&str> = written.iter().map(String::as_str).collect();
        let whole = snapshot(&texts);
        // Some texts do not hold against the schema.
        prop_assume!(super::super::sample::compile(&whole).is_ok());
        let found = find(&authority(&whole), Budget { asked: MOST_ASKED, cells: MOST_CELLS });
        let idle: BTreeSet<String> = found.unwrap_or_default().into_keys().collect();
        let mut cut = whole.clone();
        cut.policies.retain(|policy| !idle.contains(&policy.id));
        prop_assert_eq!(rights(&cut), rights(&whole), "{:?} of {:?}", idle, written);
    }

    #[test]
    fn whatever_is_left_decides_something(written in policies()) {
        let texts: Vec<&str> = written.iter().map(String::as_str).collect();
        let whole = snapshot(&texts);
        prop_assume!(super::super::sample::compile(&whole).is_ok());
        let found = find(&authority(&whole), Budget { asked: MOST_ASKED, cells: MOST_CELLS }).unwrap_or_default();
        let mut cut = whole.clone();
        cut.policies.retain(|policy| !found.contains_key(&policy.id));
        let rights_of_all = rights(&cut);
        for permit in cut.policies.iter().filter(|policy| policy.cedar.starts_with("permit")) {
            let mut without = cut.clone();
            without.policies.retain(|policy| policy.id != permit.id);
            prop_assert_ne!(&rights(&without), &rights_of_all, "{} of {:?}", permit.id, written);
        }
    }
}
