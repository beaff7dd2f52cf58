//! Tables of what a change gives and takes, in the small snapshots of the authority.

use std::collections::BTreeMap;

use ambit_model::declaration::{IdentityProvider, Policy, RoleClaim, UserClaim};
use ambit_model::diff::{AuthorityChanges, ClassChange, Diff, ReachChange, ToolChange, Who};
use ambit_model::facts::{Ceiling, Effect, Risk};
use ambit_model::identity::ToolId;
use ambit_model::snapshot::Snapshot;

use crate::authority::{Authority, sample};
use crate::compile::card_digests;
use crate::cut;
use crate::diff::{Side, diff, diff_sides};

const MEMBERS_READ: &str = r#"permit (principal in Ambit::Role::"acme:role:member", action in Ambit::Action::"use", resource)
    when { resource.effect == Ambit::Effect::"read" };"#;
const ANALYSTS_ALL: &str =
    r#"permit (principal in Ambit::Role::"acme:role:analyst", action in Ambit::Action::"use", resource);"#;
const NO_MAIL: &str = r#"forbid (principal, action, resource in Ambit::Catalog::"mail");"#;
const FIGURES: &str =
    r#"permit (principal, action == Ambit::Action::"discover", resource in Ambit::Group::"figures");"#;
const BOT_ACTS: &str = r#"permit (principal == Ambit::Agent::"acme:agent:bot", action == Ambit::Action::"act_for",
    resource in Ambit::Role::"acme:role:analyst");"#;
const LEADS_AUDIT: &str = r#"permit (principal in Ambit::Role::"acme:role:lead", action == Ambit::Action::"read_audit",
    resource in Ambit::Tenant::"acme");"#;

fn compared(from: &Snapshot, to: &Snapshot) -> Diff {
    diff(from, to).unwrap()
}

/// One line for each class, tool and reach: `class in project + tool actions (condition) by policies: because`.
fn lines(changes: &AuthorityChanges) -> Vec<String> {
    let class = |class: &ClassChange| {
        let tool = |sign: &str, change: &ToolChange| {
            let actions: Vec<&str> = change.actions.iter().map(|action| action.word()).collect();
            let condition = change.condition.as_ref().map(|text| format!(" ({text})")).unwrap_or_default();
            let (policies, because) = (change.policies.join(" "), change.because.join("; "));
            format!("  {sign} {} {}{condition} by {policies}: {because}", change.tool, actions.join(" "))
        };
        let mut lines = vec![format!("{} in {}", class.class, class.project)];
        lines.extend(class.gains.iter().map(|change| tool("+", change)));
        lines.extend(class.loses.iter().map(|change| tool("-", change)));
        lines
            .extend(class.effects.iter().map(|change| format!("  ~ {} {} -> {}", change.tool, change.from, change.to)));
        lines
    };
    let reach = |reach: &ReachChange| {
        let list = |sign: &str, of: &[String]| of.iter().map(|line| format!(" {sign}{line}")).collect::<String>();
        format!("{}{}{} by {}", reach.who, list("+", &reach.gains), list("-", &reach.loses), reach.policies.join(" "))
    };
    // Those of whom the same is said as of the roles that they come with are not repeated here.
    let alone = changes.reaches.iter().filter(|reach| !matches!(reach.who, Who::Vouched { .. }));
    changes.classes.iter().flat_map(class).chain(alone.map(reach)).collect()
}

#[track_caller]
fn check(from: &Snapshot, to: &Snapshot, expected: &[&str]) {
    assert_eq!(lines(&compared(from, to).authority), expected);
}

/// Changes a snapshot with these policies, and compares.
#[track_caller]
fn check_change(policies: &[&str], change: impl FnOnce(&mut Snapshot), expected: &[&str]) {
    let from = sample::snapshot(policies);
    let mut to = from.clone();
    change(&mut to);
    check(&from, &to, expected);
}

fn policy(id: &str, cedar: &str) -> Policy {
    Policy { id: id.to_owned(), cedar: cedar.to_owned(), reason: None }
}

fn tool(id: &str) -> ToolId {
    ToolId::parse(id).unwrap()
}

#[test]
fn what_is_equal_compares_everybody_and_finds_nothing() {
    let snapshot = sample::snapshot(&[MEMBERS_READ, LEADS_AUDIT]);
    let found = compared(&snapshot, &snapshot);
    assert!(found.is_empty());
    assert_eq!(found.authority.compared, 9);
    let mut told = snapshot.clone();
    for card in &mut told.tools {
        card.description = "Another text altogether.".to_owned();
    }
    assert!(compared(&snapshot, &told).authority.is_empty());
}

#[test]
fn a_new_policy_is_told_with_whoever_it_reaches() {
    check(
        &sample::snapshot(&[MEMBERS_READ]),
        &sample::snapshot(&[MEMBERS_READ, ANALYSTS_ALL]),
        &[
            "whoever holds `acme:role:analyst` in acme/finance",
            "  + billing/pay discover route invoke by p1: `p1` is new",
            "  + mail/send discover route invoke by p1: `p1` is new",
        ],
    );
    check(
        &sample::snapshot(&[MEMBERS_READ, ANALYSTS_ALL]),
        &sample::snapshot(&[MEMBERS_READ, ANALYSTS_ALL, NO_MAIL]),
        &[
            "whoever holds `acme:role:analyst` in acme/finance",
            "  - mail/send discover route invoke by p1 p2: `p2` is new",
        ],
    );
}

#[test]
fn a_policy_that_changed_or_went_is_told() {
    let without = |snapshot: &mut Snapshot| snapshot.policies.clear();
    check_change(
        &[FIGURES],
        without,
        &[
            "everybody in `acme` in acme/finance",
            "  - billing/report discover by p0: `p0` is gone",
            "everybody in `globex` in globex/ops",
            "  - billing/report discover by p0: `p0` is gone",
        ],
    );
    let wider = |snapshot: &mut Snapshot| {
        snapshot.policies =
            vec![policy("p0", &FIGURES.replace("== Ambit::Action::\"discover\"", "in Ambit::Action::\"use\""))];
    };
    check_change(
        &[&format!("{FIGURES}\n// A comment decides nothing.")],
        wider,
        &[
            "everybody in `acme` in acme/finance",
            "  + billing/report route invoke by p0: `p0` changed",
            "everybody in `globex` in globex/ops",
            "  + billing/report route invoke by p0: `p0` changed",
        ],
    );
    let reworded = |snapshot: &mut Snapshot| {
        snapshot.policies = vec![policy("p0", &format!("// Why.\n@reason(\"figures are open\")\n{FIGURES}"))];
    };
    check_change(&[FIGURES], reworded, &[]);
}

#[test]
fn a_ceiling_gives_and_takes_confirmation() {
    let ceiling = |of: Ceiling| {
        move |snapshot: &mut Snapshot| snapshot.projects.iter_mut().for_each(|project| project.ceiling = of)
    };
    let mut read_only = sample::snapshot(&[ANALYSTS_ALL]);
    ceiling(Ceiling::ReadOnly)(&mut read_only);
    let mut confirmed = read_only.clone();
    ceiling(Ceiling::ConfirmWrites)(&mut confirmed);
    let open = sample::snapshot(&[ANALYSTS_ALL]);
    let analysts = "whoever holds `acme:role:analyst` in acme/finance";
    check(
        &read_only,
        &confirmed,
        &[
            analysts,
            "  + mail/send route invoke (when a person confirms each call) by ambit/ceiling-read-only p0: the ceiling was raised to confirm_writes",
        ],
    );
    let because = "the ceiling was raised to open";
    check(
        &confirmed,
        &open,
        &[
            analysts,
            &format!("  + billing/pay route invoke by ambit/ceiling-confirm-writes p0: {because}"),
            &format!("  + mail/send invoke (without a person's confirmation) by : {because}"),
        ],
    );
    let because = "the ceiling was lowered to confirm_writes";
    check(
        &open,
        &confirmed,
        &[
            analysts,
            &format!("  - billing/pay route invoke by ambit/ceiling-confirm-writes p0: {because}"),
            &format!("  - mail/send invoke (without a person's confirmation) by : {because}"),
        ],
    );
}

#[test]
fn a_tool_is_new_gone_or_another() {
    let new = |snapshot: &mut Snapshot| snapshot.tools.push(sample::card("mail/read", Effect::Read, Risk::Low, false));
    check_change(
        &[MEMBERS_READ],
        new,
        &[
            "whoever holds `acme:role:member` in acme/finance",
            "  + mail/read discover route invoke by p0: the tool is new",
        ],
    );
    let writes = |snapshot: &mut Snapshot| {
        let card = snapshot.tools.iter_mut().find(|card| card.id == tool("billing/list")).unwrap();
        card.facts.effect.value = Effect::Write;
    };
    check_change(
        &[MEMBERS_READ, ANALYSTS_ALL],
        writes,
        &[
            "acme:agent:bot and 1 other in acme/finance",
            "  - billing/list discover route invoke by p0: its effect: read -> write",
            "whoever holds `acme:role:analyst` in acme/finance",
            "  ~ billing/list read -> write",
        ],
    );
    let grouped = |snapshot: &mut Snapshot| {
        let card = snapshot.tools.iter_mut().find(|card| card.id == tool("mail/send")).unwrap();
        card.groups.push("figures".to_owned());
    };
    check_change(
        &[FIGURES],
        grouped,
        &["everybody in `acme` in acme/finance", "  + mail/send discover by p0: it is in group `figures` now"],
    );
    let listed = |snapshot: &mut Snapshot| {
        snapshot.projects.first_mut().unwrap().catalogs.retain(|catalog| catalog != "mail");
    };
    check_change(
        &[ANALYSTS_ALL],
        listed,
        &[
            "whoever holds `acme:role:analyst` in acme/finance",
            "  - mail/send discover route invoke by p0: the project lists `mail` no longer",
        ],
    );
}

#[test]
fn roles_and_principals_come_and_go() {
    let promoted = |snapshot: &mut Snapshot| {
        snapshot.tenants.first_mut().unwrap().users.insert("new".to_owned(), vec!["analyst".to_owned()]);
    };
    check_change(
        &[MEMBERS_READ],
        promoted,
        &[
            "acme:user:new in acme/finance",
            "  + billing/list discover route invoke by p0: holds `acme:role:member` now",
            "  + billing/report discover route invoke by p0: holds `acme:role:member` now",
        ],
    );
    let hired = |snapshot: &mut Snapshot| {
        let acme = snapshot.tenants.first_mut().unwrap();
        acme.users.insert("amy".to_owned(), vec!["member".to_owned()]);
        acme.users.insert("bea".to_owned(), vec!["member".to_owned()]);
    };
    check_change(
        &[&MEMBERS_READ.replace("resource)", "resource in Ambit::Group::\"figures\")")],
        hired,
        &[
            "acme:user:amy and 1 other in acme/finance",
            "  + billing/report discover route invoke by p0: is declared now",
        ],
    );
    let includes = |snapshot: &mut Snapshot| {
        snapshot.tenants.first_mut().unwrap().roles.insert("member".to_owned(), vec!["reader".to_owned()]);
        snapshot.tenants.first_mut().unwrap().roles.insert("reader".to_owned(), Vec::new());
    };
    check_change(
        &[&FIGURES.replace("principal,", "principal in Ambit::Role::\"acme:role:reader\",")],
        includes,
        &[
            "acme:role:reader in acme/finance",
            "  + billing/report discover by p0: is declared now",
            "whoever holds `acme:role:member` in acme/finance",
            "  + billing/report discover by p0: holds `acme:role:reader` now",
        ],
    );
}

pub(super) fn provider(map: &[(&str, &str)]) -> IdentityProvider {
    IdentityProvider {
        issuer: "https://login.example".to_owned(),
        audience: vec!["ambit".to_owned()],
        algorithms: Vec::new(),
        token_type: None,
        when: BTreeMap::new(),
        user: UserClaim { claim: "email".to_owned(), principals: BTreeMap::new(), undeclared: true },
        roles: Some(RoleClaim {
            claim: "groups".to_owned(),
            map: map.iter().map(|(value, role)| ((*value).to_owned(), (*role).to_owned())).collect(),
        }),
        sign_in: None,
    }
}

#[test]
fn a_mapping_of_claims_is_an_asker() {
    let mapped = |map: &[(&str, &str)]| {
        let mut snapshot = sample::snapshot(&[&MEMBERS_READ.replace("member", "lead"), LEADS_AUDIT]);
        snapshot.tenants.first_mut().unwrap().identity = vec![provider(map)];
        snapshot
    };
    let who = "whoever `https://login.example` vouches for in `acme` with `chiefs` in `groups`";
    let gains = |because: &str| {
        vec![
            format!("{who} and 3 others in acme/finance"),
            format!("  + billing/list discover route invoke by p0: {because}"),
            format!("  + billing/report discover route invoke by p0: {because}"),
            format!("{who} +read_audit on tenant:acme by p1"),
        ]
    };
    let found = |from: &[(&str, &str)], to: &[(&str, &str)]| lines(&compared(&mapped(from), &mapped(to)).authority);
    assert_eq!(found(&[], &[("chiefs", "lead")]), gains("is mapped to a role now"));
    let moved = found(&[("chiefs", "member")], &[("chiefs", "lead")]);
    assert!(moved.contains(&format!("{who} in acme/finance")), "{moved:?}");
    for tool in ["list", "report"] {
        let line = format!("  + billing/{tool} discover route invoke by p0: holds `acme:role:lead` now");
        assert!(moved.contains(&line), "{moved:?}");
    }
    let found = compared(&mapped(&[("chiefs", "member")]), &mapped(&[("chiefs", "lead")]));
    let everybody = found.authority.classes.iter().flat_map(|class| &class.who);
    let roles: Vec<&str> = everybody
        .filter_map(|who| match who {
            Who::Claim { role, .. } => Some(role.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(roles, ["lead"]);
}

#[test]
fn whoever_holds_a_role_by_a_claim_is_among_its_holders() {
    let with = |policies: &[&str]| {
        let mut snapshot = sample::snapshot(policies);
        snapshot.tenants.first_mut().unwrap().identity = vec![provider(&[("people", "analyst")])];
        snapshot
    };
    let found = compared(&with(&[]), &with(&[ANALYSTS_ALL]));
    let class = found.authority.classes.first().unwrap();
    assert_eq!(class.class, "whoever holds `acme:role:analyst`");
    let alone = class.who.iter().filter(|who| !matches!(who, Who::Vouched { .. }));
    let who: Vec<String> = alone.map(ToString::to_string).collect();
    assert_eq!(
        who,
        [
            "acme:user:ada",
            "acme:user:lee",
            "acme:role:analyst",
            "acme:role:lead",
            "whoever `https://login.example` vouches for in `acme` with `people` in `groups`"
        ]
    );
}

#[test]
fn administration_and_acting_for_others_are_compared() {
    check(
        &sample::snapshot(&[]),
        &sample::snapshot(&[LEADS_AUDIT, BOT_ACTS]),
        &[
            "acme:user:lee +read_audit on tenant:acme by p0",
            "acme:agent:bot +act_for acme:role:analyst by p1",
            "acme:role:lead +read_audit on tenant:acme by p0",
        ],
    );
    let narrower = |snapshot: &mut Snapshot| {
        snapshot.policies = vec![policy(
            "p0",
            &LEADS_AUDIT.replace("in Ambit::Tenant::\"acme\"", "== Ambit::Project::\"acme/finance\""),
        )];
    };
    check_change(
        &[LEADS_AUDIT],
        narrower,
        &["acme:user:lee -read_audit on tenant:acme by p0", "acme:role:lead -read_audit on tenant:acme by p0"],
    );
    let promoted = |snapshot: &mut Snapshot| {
        snapshot.tenants.first_mut().unwrap().users.insert("new".to_owned(), vec!["analyst".to_owned()]);
    };
    check_change(&[BOT_ACTS], promoted, &["acme:agent:bot +act_for acme:user:new by p0"]);
    let workspace = |snapshot: &mut Snapshot| {
        let cedar = r#"permit (principal == Ambit::User::"acme:user:lee", action == Ambit::Action::"rollback",
            resource == Ambit::Workspace::"sample");"#;
        snapshot.policies.push(policy("rolls", cedar));
    };
    check_change(&[LEADS_AUDIT], workspace, &["acme:user:lee +rollback on workspace by rolls"]);
}

#[test]
fn a_policy_that_looks_elsewhere_is_not_forgotten() {
    let looks = r#"permit (principal, action in Ambit::Action::"use", resource == Ambit::Tool::"mail/send")
        when { Ambit::Tool::"billing/pay".risk == Ambit::Risk::"low" };"#;
    let safer = |snapshot: &mut Snapshot| {
        let card = snapshot.tools.iter_mut().find(|card| card.id == tool("billing/pay")).unwrap();
        card.facts.risk.value = Risk::Low;
    };
    check_change(
        &[looks],
        safer,
        &["everybody in `acme` in acme/finance", "  + mail/send discover route invoke by p0: `p0` decides now"],
    );
}

const BOTH: &str = r#"forbid (principal, action, resource) when
    { resource in Ambit::Catalog::"mail" || resource in Ambit::Catalog::"plant" };"#;

/// What acme's readers see.
#[test]
fn snapshots_that_are_cut_to_a_tenant_are_compared_by_the_authority_of_the_whole() {
    let (from, to) = (sample::snapshot(&[ANALYSTS_ALL]), sample::snapshot(&[ANALYSTS_ALL, BOTH]));
    let authority = |of: &Snapshot| Authority::compile(of, &card_digests(of).unwrap()).unwrap();
    let (before, after) = (authority(&from), authority(&to));
    let (cut_from, cut_to) = (cut::snapshot(&from, "acme"), cut::snapshot(&to, "acme"));
    let sides = (Side { snapshot: &cut_from, authority: &before }, Side { snapshot: &cut_to, authority: &after });
    let found = diff_sides(sides.0, sides.1).unwrap();
    assert_eq!(
        lines(&found.authority),
        [
            "whoever holds `acme:role:analyst` in acme/finance",
            "  - mail/send discover route invoke by p0: a policy that speaks of others too is new"
        ]
    );
    assert!(!format!("{found:?}").contains("p1"));
    assert!(!format!("{found:?}").contains("globex"));
    assert!(found.sections.is_empty());
    let whole = compared(&from, &to).authority.classes;
    assert!(whole.iter().zip(&found.authority.classes).all(|(a, b)| (&a.who, &a.class) == (&b.who, &b.class)));
}

#[test]
fn snapshots_that_are_cut_to_a_tenant_compile_by_themselves_too() {
    let from = sample::snapshot(&[
        MEMBERS_READ,
        BOTH,
        LEADS_AUDIT,
        r#"permit (principal, action, resource in Ambit::Catalog::"plant");"#,
    ]);
    let to = sample::snapshot(&[MEMBERS_READ, ANALYSTS_ALL, BOTH, LEADS_AUDIT]);
    for tenant in ["acme", "globex"] {
        let (from, to) = (cut::snapshot(&from, tenant), cut::snapshot(&to, tenant));
        assert!(diff(&from, &to).is_ok(), "{tenant}");
        assert!(diff(&from, &from).unwrap().is_empty(), "{tenant}");
    }
}
