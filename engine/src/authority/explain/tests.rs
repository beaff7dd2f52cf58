//! Tables of what is asked, and every line that an explanation says.

use ambit_model::snapshot::Snapshot;

use super::super::sample::{PERMIT_ALL, authority, policy, principal, project_id, snapshot, tool_id};
use super::*;

/// `principal [for user] action tool project`, explained.
fn explain(snapshot: &Snapshot, asked: &str) -> Explained {
    let mut words: Vec<&str> = asked.split(' ').collect();
    let mut asker = Asker::new(principal("acme:user:ada"), project_id("acme/finance"));
    if let Some(at) = words.iter().position(|word| *word == "for") {
        asker.acting_for = words.get(at + 1).map(|user| principal(user));
        words.drain(at..at + 2);
    }
    let &[who, action, tool, project] = words.as_slice() else { unreachable!("`{asked}` is not four words") };
    asker.principal = principal(who);
    asker.project = project_id(project);
    let action = Action::ALL.into_iter().find(|a| a.word() == action).unwrap_or(Action::Invoke);
    authority(snapshot).explain(&asker, &tool_id(tool), action)
}

fn lines(explained: &Explained) -> Vec<String> {
    let mut lines = vec![if explained.allow { "allow" } else { "deny" }.to_owned()];
    for change in &explained.changes {
        lines.push(change.says.clone());
        lines.extend(change.nearest.iter().map(|near| format!("- {}: {}", near.policy, near.but.join("; "))));
    }
    lines
}

#[track_caller]
fn check(policies: &[&str], asked: &str, expected: &[&str]) {
    assert_eq!(lines(&explain(&snapshot(policies), asked)), expected, "{asked}");
}

const MEMBERS_READ: &str = r#"permit (principal in Ambit::Role::"acme:role:member", action in Ambit::Action::"use",
    resource in Ambit::Catalog::"billing") when { resource.effect == Ambit::Effect::"read" };"#;
const NO_PAY: &str = r#"@reason("people pay") forbid (principal is Ambit::Agent, action == Ambit::Action::"invoke",
    resource == Ambit::Tool::"billing/pay");"#;

#[test]
fn what_is_allowed_is_ended_by_any_one_change() {
    check(
        &[PERMIT_ALL, MEMBERS_READ],
        "acme:user:ada invoke billing/list acme/finance",
        &[
            "allow",
            "take back `p0` and `p1`: nothing else permits `invoke` to `acme:user:ada`",
            "forbid `invoke` of `billing/list` to `acme:user:ada`",
        ],
    );
    check(
        &[PERMIT_ALL],
        "acme:user:ada route billing/pay acme/finance",
        &[
            "allow",
            "take back `p0`: nothing else permits `route` to `acme:user:ada`",
            "lower the ceiling of `acme/finance` to `confirm_writes`",
            "forbid `route` of `billing/pay` to `acme:user:ada`",
        ],
    );
    check(
        &[PERMIT_ALL],
        "acme:user:ada discover mail/send acme/finance",
        &[
            "allow",
            "take back `p0`: nothing else permits `discover` to `acme:user:ada`",
            "forbid `discover` of `mail/send` to `acme:user:ada`",
        ],
    );
}

#[test]
fn where_no_permit_applies_the_nearest_are_named_with_what_does_not_fit() {
    let missing = |tool: &str, who: &str| format!("permit `discover`, `route` and `invoke` of `{tool}` to `{who}`");
    check(&[], "acme:user:ada invoke billing/list acme/finance", &["deny", &missing("billing/list", "acme:user:ada")]);
    check(
        &[MEMBERS_READ],
        "acme:user:new invoke billing/list acme/finance",
        &[
            "deny",
            &missing("billing/list", "acme:user:new"),
            "- p0: it is for role `acme:role:member`, which `acme:user:new` does not hold",
        ],
    );
    check(
        &[MEMBERS_READ],
        "acme:user:ada invoke billing/pay acme/finance",
        &[
            "deny",
            &missing("billing/pay", "acme:user:ada"),
            "- p0: its `when` does not hold: resource.effect is `destructive`",
        ],
    );
    check(
        &[MEMBERS_READ, r#"permit (principal, action == Ambit::Action::"discover", resource);"#],
        "acme:agent:bot route mail/send acme/finance",
        &["deny", "permit `route` of `mail/send` to `acme:agent:bot`", "- p1: it permits `discover`, not `route`"],
    );
    check(
        &[r#"permit (principal == Ambit::User::"acme:user:lee", action, resource == Ambit::Tool::"mail/send");"#],
        "acme:user:lee discover billing/list acme/finance",
        &["deny", "permit `discover` of `billing/list` to `acme:user:lee`", "- p0: it is about Tool `mail/send` alone"],
    );
}

#[test]
fn a_condition_is_said_with_the_facts_that_it_looks_at() {
    let policies = [
        r#"permit (principal, action, resource) when { resource in Ambit::Catalog::"mail" || resource.entity == "orders" };"#,
        r#"permit (principal, action, resource) when { resource.operation == Ambit::Operation::"list" }
            unless { [Ambit::Risk::"low"].contains(resource.risk) && context.project.ceiling == Ambit::Ceiling::"open" };"#,
        r#"permit (principal in Ambit::Role::"globex:role:member", action, resource);"#,
        r#"permit (principal in Ambit::Role::"acme:role:lead", action in Ambit::Action::"administer", resource);"#,
    ];
    check(
        &policies,
        "acme:user:ada discover billing/list acme/finance",
        &[
            "deny",
            "permit `discover` of `billing/list` to `acme:user:ada`",
            "- p1: its `unless` shuts this out: resource.risk is `low`, context.project.ceiling is `open`",
        ],
    );
    check(
        policies.get(..1).unwrap_or_default(),
        "acme:user:ada discover billing/list acme/finance",
        &[
            "deny",
            "permit `discover` of `billing/list` to `acme:user:ada`",
            "- p0: its `when` does not hold: it is not in Catalog `mail`, resource.entity is `invoices`",
        ],
    );
}

#[test]
fn everything_that_stands_in_the_way_is_named_at_once() {
    let mut closed = snapshot(&[MEMBERS_READ, NO_PAY]);
    for project in &mut closed.projects {
        project.ceiling = Ceiling::ReadOnly;
    }
    let explained = explain(&closed, "acme:agent:bot invoke billing/pay acme/finance");
    assert_eq!(
        lines(&explained),
        [
            "deny",
            "raise the ceiling of `acme/finance` to `open`",
            "narrow or take back `p1`, which forbids `invoke` to `acme:agent:bot`",
            "permit `discover`, `route` and `invoke` of `billing/pay` to `acme:agent:bot`",
            "- p0: its `when` does not hold: resource.effect is `destructive`",
        ]
    );
    let named: Vec<&str> = explained.policies.keys().map(String::as_str).collect();
    assert_eq!(named, ["ambit/ceiling-read-only", "p0", "p1"]);
    let forbid = explained.policies.get("p1");
    assert_eq!(forbid.and_then(|policy| policy.reason.as_deref()), Some("people pay"));
    assert!(forbid.is_some_and(|policy| policy.effect == "forbid" && policy.cedar.ends_with(';')));
    let within = SeenProject { lists_catalog: true, ceiling: Ceiling::ReadOnly, ceiling_bars: true };
    assert_eq!(explained.within, Some(within));
    let lines = lines(&explain(&closed, "acme:user:ada route mail/send acme/finance"));
    assert_eq!(lines.get(1).map(String::as_str), Some("raise the ceiling of `acme/finance` to `confirm_writes`"));
}

#[test]
fn a_catalog_can_be_listed_and_another_tenant_never_entered() {
    check(
        &[PERMIT_ALL],
        "acme:user:ada invoke hidden/list acme/finance",
        &["deny", "list the catalog `hidden` in `acme/finance`"],
    );
    check(
        &[PERMIT_ALL],
        "acme:user:ada invoke plant/status acme/finance",
        &["deny", "never: `plant/status` belongs to another tenant than `acme:user:ada`"],
    );
    check(
        &[PERMIT_ALL],
        "acme:user:ada invoke billing/list globex/ops",
        &["deny", "never: `globex/ops` is a project of another tenant than `acme:user:ada`"],
    );
}

#[test]
fn what_does_not_exist_is_to_be_declared() {
    check(
        &[PERMIT_ALL],
        "acme:user:nobody invoke billing/none acme/none",
        &["deny", "declare `acme:user:nobody`", "declare the project `acme/none`", "declare the tool `billing/none`"],
    );
}

#[test]
fn a_policy_that_fails_is_to_be_mended() {
    let fails = "permit (principal, action, resource) when { 9223372036854775807 + 1 == 0 };";
    let explained = explain(&snapshot(&[PERMIT_ALL, fails]), "acme:user:ada discover billing/list acme/finance");
    let kinds: Vec<ChangeKind> = explained.changes.iter().map(|change| change.kind).collect();
    assert_eq!((explained.allow, kinds.as_slice()), (false, [ChangeKind::Mend].as_slice()));
    assert!(explained.changes.iter().all(|change| change.says.starts_with("mend `p1`, which fails: ")));
}

const BOT_ACTS: &str = r#"permit (principal == Ambit::Agent::"acme:agent:bot", action == Ambit::Action::"act_for",
    resource in Ambit::Role::"acme:role:analyst");"#;

#[test]
fn both_sides_count_and_acting_is_explained_too() {
    check(
        &[MEMBERS_READ, BOT_ACTS],
        "acme:agent:bot for acme:user:ada invoke billing/list acme/finance",
        &[
            "allow",
            "take back `p0`: nothing else permits `invoke` to `acme:agent:bot`",
            "take back `p0`: nothing else permits `invoke` to `acme:user:ada`",
            "take back `p1`: nothing else permits acting for `acme:user:ada`",
            "forbid `invoke` of `billing/list` to `acme:agent:bot`",
        ],
    );
    check(
        &[PERMIT_ALL, NO_PAY, BOT_ACTS],
        "acme:agent:bot for acme:user:ada invoke billing/pay acme/finance",
        &["deny", "narrow or take back `p1`, which forbids `invoke` to `acme:agent:bot`"],
    );
    check(
        &[PERMIT_ALL, BOT_ACTS],
        "acme:agent:bot for acme:user:new invoke billing/list acme/finance",
        &["deny", "permit `act_for` of `acme:user:new`, or of a role that it holds, to `acme:agent:bot`"],
    );
    check(
        &[PERMIT_ALL],
        "acme:agent:bot for acme:agent:bot invoke billing/list acme/finance",
        &["deny", "never: nobody acts for an agent, as `acme:agent:bot` is"],
    );
}

#[test]
fn what_is_explained_is_what_is_decided() {
    let snapshot = snapshot(&[MEMBERS_READ, NO_PAY, PERMIT_ALL]);
    let authority = authority(&snapshot);
    for who in ["acme:user:ada", "acme:agent:bot", "globex:user:gus", "acme:user:nobody"] {
        for card in &snapshot.tools {
            for action in Action::ALL {
                let asker = Asker::new(principal(who), project_id("acme/finance"));
                let explained = authority.explain(&asker, &card.id, action);
                let decision = authority.decide(&asker.principal, action, &card.id, &asker.project);
                let side = explained.sides.first().map(|side| side.decided(action).clone());
                assert_eq!(side, Some(decided(decision.clone())), "{who} {} {}", action.word(), card.id);
                assert_eq!(explained.allow, decision.allow);
                assert!(!explained.changes.is_empty(), "something flips every answer");
            }
        }
    }
}

/// The snapshot with what a change says done, and nothing else.
fn done(mut snapshot: Snapshot, explained: &Explained, change: &Change) -> Snapshot {
    let Explained { principal, project, tool, allow, .. } = explained;
    let quoted: Vec<&str> = change.says.split('`').skip(1).step_by(2).collect();
    let projects = snapshot.projects.iter_mut().filter(|one| one.id == *project);
    match (change.kind, allow) {
        (ChangeKind::Ceiling, _) => {
            let named = Ceiling::ALL.iter().find(|ceiling| quoted.last() == Some(&ceiling.to_string().as_str()));
            projects.for_each(|one| one.ceiling = *named.unwrap());
        }
        (ChangeKind::Catalog, false) => projects.for_each(|one| one.catalogs.push(quoted.first().unwrap().to_string())),
        (ChangeKind::Forbid, false) | (ChangeKind::Permit, true) => {
            snapshot.policies.retain(|policy| !change.policies.contains(&policy.id));
        }
        (ChangeKind::Permit | ChangeKind::Forbid, _) => {
            let effect = if *allow { "forbid" } else { "permit" };
            let who = if principal.kind == PrincipalKind::Agent { "Agent" } else { "User" };
            for action in Action::ALL.map(Action::word).into_iter().filter(|word| quoted.contains(word)) {
                let scope =
                    format!("principal == Ambit::{who}::\"{principal}\", action == Ambit::Action::\"{action}\"");
                let cedar = format!("{effect} ({scope}, resource == Ambit::Tool::\"{tool}\");");
                snapshot.policies.push(policy(&format!("said-{action}"), &cedar));
            }
        }
        (kind, _) => unreachable!("{kind:?} is not among what this law is about"),
    }
    snapshot
}

/// Of a denial all changes together, of what is allowed each by itself.
#[test]
fn what_is_said_to_flip_an_answer_flips_it() {
    let no_money = r#"forbid (principal, action in [Ambit::Action::"route", Ambit::Action::"invoke"], resource)
        when { resource.risk == Ambit::Risk::"high" };"#;
    let mut flipped = BTreeSet::new();
    for ceiling in Ceiling::ALL {
        let mut snapshot =
            snapshot(&[MEMBERS_READ, NO_PAY, no_money, r#"permit (principal is Ambit::Agent, action, resource);"#]);
        snapshot.projects.iter_mut().for_each(|project| project.ceiling = *ceiling);
        let before = authority(&snapshot);
        for who in ["acme:user:ada", "acme:user:new", "acme:agent:bot"] {
            for (card, action) in snapshot.tools.iter().flat_map(|card| Action::ALL.map(|action| (card, action))) {
                let asker = Asker::new(principal(who), project_id("acme/finance"));
                let explained = before.explain(&asker, &card.id, action);
                if explained.changes.iter().any(|change| change.kind == ChangeKind::Never) {
                    continue;
                }
                let ways: Vec<&[Change]> = match explained.allow {
                    true => explained.changes.chunks(1).collect(),
                    false => vec![&explained.changes],
                };
                for way in ways {
                    let after = way.iter().fold(snapshot.clone(), |after, change| done(after, &explained, change));
                    let allow = authority(&after).decide(&asker.principal, action, &card.id, &asker.project).allow;
                    assert_ne!(allow, explained.allow, "{who} {} {} {way:?}", action.word(), card.id);
                    flipped.extend(way.iter().map(|change| (explained.allow, change.kind)));
                }
            }
        }
    }
    let deny =
        [ChangeKind::Catalog, ChangeKind::Ceiling, ChangeKind::Forbid, ChangeKind::Permit].map(|kind| (false, kind));
    let allow = [ChangeKind::Ceiling, ChangeKind::Forbid, ChangeKind::Permit].map(|kind| (true, kind));
    assert_eq!(flipped, deny.into_iter().chain(allow).collect(), "each kind has flipped something");
}

#[test]
fn roles_and_what_policies_see_of_the_tool_are_told() {
    let explained = explain(&snapshot(&[PERMIT_ALL]), "acme:user:lee invoke billing/report acme/finance");
    let roles: Vec<String> = explained.sides.iter().flat_map(|side| &side.roles).map(ToString::to_string).collect();
    assert_eq!(roles, ["acme:role:analyst", "acme:role:lead", "acme:role:member"]);
    let seen = explained.seen.unwrap_or(SeenTool { attributes: BTreeMap::new(), within: Vec::new() });
    assert_eq!(seen.within, ["Catalog billing", "EntityFamily api:invoices", "Group figures"]);
    assert_eq!(seen.attributes.get("effect").map(String::as_str), Some("read"));
    assert_eq!(seen.attributes.get("confirmation").map(String::as_str), Some("false"));
}
