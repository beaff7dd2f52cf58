//! Laws that hold for any two snapshots: a diff agrees with asking about everything, turned round it says the opposite, a forbid
//! gives nothing, a permit that goes gives nothing, and order is no difference.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::administration::AdminAction;
use ambit_model::declaration::{Action, Policy};
use ambit_model::diff::{AuthorityChanges, ClassChange, Diff, Who};
use ambit_model::facts::{Ceiling, Effect, Risk};
use ambit_model::identity::{Principal, PrincipalKind, ProjectId, ToolId};
use ambit_model::key::Asker;
use ambit_model::snapshot::Snapshot;
use proptest::prelude::*;

use crate::authority::{Authority, laws, sample};
use crate::compile::card_digests;
use crate::diff::diff;

/// Policies about administration and acting for others, some of which a world has.
const ADMINISTRATION: [&str; 6] = [
    r#"permit (principal in Ambit::Role::"acme:role:lead", action in Ambit::Action::"administer", resource in Ambit::Tenant::"acme");"#,
    r#"permit (principal in Ambit::Role::"acme:role:analyst", action == Ambit::Action::"read_intake", resource == Ambit::Catalog::"mail");"#,
    r#"permit (principal == Ambit::User::"acme:user:lee", action in Ambit::Action::"administer", resource == Ambit::Workspace::"sample");"#,
    r#"forbid (principal, action == Ambit::Action::"read_audit", resource == Ambit::Project::"acme/finance");"#,
    r#"permit (principal is Ambit::Agent, action == Ambit::Action::"act_for", resource in Ambit::Role::"acme:role:analyst");"#,
    r#"forbid (principal, action == Ambit::Action::"act_for", resource == Ambit::User::"acme:user:lee");"#,
];
/// Looks at who asks, or elsewhere, in a condition.
const LOOKING: [&str; 3] = [
    r#"permit (principal, action, resource) when { principal in Ambit::Role::"acme:role:analyst" };"#,
    r#"permit (principal, action, resource is Ambit::Tool) when { Ambit::Tool::"billing/list".effect == Ambit::Effect::"read" && principal is Ambit::Agent };"#,
    r#"forbid (principal, action, resource) when { context.project.ceiling == Ambit::Ceiling::"open" && resource.confirmation };"#,
];

/// What two random snapshots are made of.
#[derive(Clone, Debug)]
struct World {
    policies: Vec<String>,
    ceiling: Ceiling,
    administration: [bool; 6],
    looking: [bool; 3],
    turns: [bool; 8],
}

fn world() -> impl Strategy<Value = World> {
    let respects = (any::<[bool; 6]>(), any::<[bool; 3]>(), any::<[bool; 8]>());
    let parts = (laws::policies(6, 6), prop::sample::select(Ceiling::ALL), respects);
    parts.prop_map(|(policies, ceiling, (administration, looking, turns))| World {
        policies,
        ceiling,
        administration,
        looking,
        turns,
    })
}

/// Half of them differ in one respect alone.
fn worlds() -> impl Strategy<Value = (World, World)> {
    (world(), world(), 0..10_usize).prop_map(|(from, other, respect)| {
        let mut to = from.clone();
        match respect {
            0 => to.policies = other.policies,
            1 => to.ceiling = other.ceiling,
            2 => to.administration = other.administration,
            3 => to.looking = other.looking,
            4 => to.turns = other.turns,
            _ => to = other,
        }
        (from, to)
    })
}

fn snapshot(world: &World) -> Snapshot {
    let chosen = |all: &[&'static str], which: &[bool]| -> Vec<String> {
        all.iter().zip(which).filter(|(_, is_in)| **is_in).map(|(cedar, _)| (*cedar).to_owned()).collect()
    };
    let mut all = world.policies.clone();
    all.extend(chosen(&ADMINISTRATION, &world.administration));
    all.extend(chosen(&LOOKING, &world.looking));
    let mut snapshot = laws::sample(&[], world.ceiling);
    // An id stands for a text, so that what is in both is the same policy.
    let policy = |cedar: String| Policy { id: id_of(&cedar), cedar, reason: None };
    snapshot.policies = all
        .into_iter()
        .map(policy)
        .map(|policy| (policy.id.clone(), policy))
        .collect::<BTreeMap<_, _>>()
        .into_values()
        .collect();
    change(&mut snapshot, world.turns);
    snapshot
}

fn id_of(cedar: &str) -> String {
    format!("p{}", cedar.bytes().fold(17_u64, |hash, byte| hash.wrapping_mul(31).wrapping_add(u64::from(byte))))
}

fn change(snapshot: &mut Snapshot, turns: [bool; 8]) {
    let [moved, promoted, fired, dropped, unlisted, graver, grouped, mapped] = turns;
    let acme = &mut snapshot.tenants[0];
    if promoted {
        acme.users.insert("new".to_owned(), vec!["lead".to_owned()]);
    }
    if fired {
        acme.users.remove("ada");
        acme.agents.clear();
    }
    if moved {
        acme.roles.insert("member".to_owned(), vec!["guest".to_owned()]);
        acme.roles.insert("guest".to_owned(), Vec::new());
    }
    if mapped {
        acme.identity = vec![super::tests::provider(&[("chiefs", "lead"), ("people", "member")])];
    }
    if dropped {
        snapshot.tools.remove(0);
    }
    if unlisted {
        snapshot.projects[0].catalogs.retain(|catalog| catalog != "mail");
    }
    if graver {
        let facts = &mut snapshot.tools[1].facts;
        (facts.effect.value, facts.risk.value, facts.confirmation) = (Effect::Write, Risk::Low, true);
    }
    if grouped {
        snapshot.tools[1].groups = vec!["figures".to_owned()];
    }
}

fn authority(snapshot: &Snapshot) -> Authority {
    Authority::compile(snapshot, &card_digests(snapshot).unwrap()).unwrap()
}

/// Everybody there is on one side: who, and as whom it asks.
fn everybody(snapshot: &Snapshot) -> BTreeMap<String, (Principal, BTreeSet<String>)> {
    let mut all = BTreeMap::new();
    for tenant in &snapshot.tenants {
        let kinds = [
            (PrincipalKind::User, &tenant.users),
            (PrincipalKind::Agent, &tenant.agents),
            (PrincipalKind::Role, &tenant.roles),
        ];
        for (kind, name) in kinds.into_iter().flat_map(|(kind, names)| names.keys().map(move |name| (kind, name))) {
            let principal = Principal { tenant: tenant.id.clone(), kind, name: name.clone() };
            all.insert(principal.to_string(), (principal, BTreeSet::new()));
        }
        for (provider, roles) in
            tenant.identity.iter().filter_map(|provider| Some((provider, provider.roles.as_ref()?)))
        {
            for (value, role) in &roles.map {
                let (issuer, claim) = (provider.issuer.clone(), roles.claim.clone());
                let who =
                    Who::Claim { tenant: tenant.id.clone(), issuer, claim, value: value.clone(), role: role.clone() };
                let name = "somebody.else".to_owned();
                let principal = Principal { tenant: tenant.id.clone(), kind: PrincipalKind::User, name };
                all.insert(who.to_string(), (principal, BTreeSet::from([role.clone()])));
            }
        }
    }
    all
}

/// One thing that somebody may do: who, where, with which tool, what; and an invoke that nobody has to confirm beside it.
type May = BTreeSet<(String, ProjectId, ToolId, String)>;

const UNCONFIRMED: &str = "invoke unconfirmed";

/// All that everybody may do, asked one by one.
fn may(snapshot: &Snapshot) -> May {
    let authority = authority(snapshot);
    let mut may = May::new();
    for (who, (principal, roles)) in everybody(snapshot) {
        for project in snapshot.projects.iter().map(|project| &project.id) {
            let asker = Asker { roles: roles.clone(), ..Asker::new(principal.clone(), project.clone()) };
            let Ok(view) = authority.view_of(&asker) else { continue };
            for (tool, capability) in view.capabilities().map(|(id, capability)| (id.clone(), capability)) {
                let words = [
                    (true, Action::Discover.word()),
                    (capability.route, Action::Route.word()),
                    (capability.invoke, Action::Invoke.word()),
                    (capability.invoke && !capability.needs_confirmation, UNCONFIRMED),
                ];
                let words = words.into_iter().filter(|(is_in, _)| *is_in);
                may.extend(words.map(|(_, word)| (who.clone(), project.clone(), tool.clone(), word.to_owned())));
            }
        }
    }
    may
}

/// What a diff says of more or less.
fn told(changes: &AuthorityChanges, of: fn(&ClassChange) -> &Vec<ambit_model::diff::ToolChange>) -> May {
    let mut told = May::new();
    for class in &changes.classes {
        for (who, change) in class
            .who
            .iter()
            .filter(|who| is_alone(who))
            .flat_map(|who| of(class).iter().map(move |change| (who, change)))
        {
            let words: Vec<&str> = match change.condition.as_deref() {
                Some("without a person's confirmation") => vec![UNCONFIRMED],
                Some(_) => change.actions.iter().map(|action| action.word()).collect(),
                None => {
                    let invokes = change.actions.contains(&Action::Invoke).then_some(UNCONFIRMED);
                    change.actions.iter().map(|action| action.word()).chain(invokes).collect()
                }
            };
            told.extend(
                words
                    .into_iter()
                    .map(|word| (who.to_string(), class.project.clone(), change.tool.clone(), word.to_owned())),
            );
        }
    }
    told
}

/// One that `everybody` knows; roles that come together are compared by a table.
fn is_alone(who: &Who) -> bool {
    !matches!(who, Who::Vouched { .. } | Who::Provider { .. })
}

/// By whom, which action: somewhere it reaches further on the second side.
fn reaches_further(from: &Snapshot, to: &Snapshot) -> BTreeSet<(String, &'static str)> {
    let (before, after) = (authority(from), authority(to));
    let (was, is) = (everybody(from), everybody(to));
    let mut further = BTreeSet::new();
    for (who, (principal, roles)) in &is {
        let (old, old_roles) = was.get(who).cloned().unwrap_or_else(|| (principal.clone(), BTreeSet::new()));
        for action in AdminAction::ALL {
            let reach = if was.contains_key(who) { before.reach(&old, &old_roles, action) } else { Default::default() };
            if !after.reach(principal, roles, action).is_within(&reach) {
                further.insert((who.clone(), action.word()));
            }
        }
        for (target, _) in is.values().filter(|(target, roles)| roles.is_empty() && target.tenant == principal.tenant) {
            let acted = was.contains_key(who) && before.acts_for(&old, &old_roles, target).allow;
            if !acted && after.acts_for(principal, roles, target).allow {
                further.insert((who.clone(), "act_for"));
            }
        }
    }
    further
}

fn told_further(
    changes: &AuthorityChanges,
    of: fn(&ambit_model::diff::ReachChange) -> &Vec<String>,
) -> BTreeSet<(String, String)> {
    let lines = changes
        .reaches
        .iter()
        .filter(|reach| is_alone(&reach.who))
        .flat_map(|reach| of(reach).iter().map(move |line| (reach.who.to_string(), line)));
    lines.map(|(who, line)| (who, line.split(' ').next().unwrap_or_default().to_owned())).collect()
}

fn words(of: BTreeSet<(String, &'static str)>) -> BTreeSet<(String, String)> {
    of.into_iter().map(|(who, word)| (who, word.to_owned())).collect()
}

/// Without the words that say why, which read otherwise from the other side.
fn without_words(mut diff: Diff) -> Diff {
    for class in &mut diff.authority.classes {
        class.gains.iter_mut().chain(&mut class.loses).for_each(|change| change.because.clear());
    }
    diff
}

/// What was becomes what is.
fn turned(diff: Diff) -> AuthorityChanges {
    let mut changes = without_words(diff).authority;
    for class in &mut changes.classes {
        std::mem::swap(&mut class.gains, &mut class.loses);
        class.effects.iter_mut().for_each(|effect| std::mem::swap(&mut effect.from, &mut effect.to));
    }
    changes.classes.sort_by(|a, b| {
        (&a.project, a.gains.is_empty(), &a.class, &a.who).cmp(&(&b.project, b.gains.is_empty(), &b.class, &b.who))
    });
    changes.reaches.iter_mut().for_each(|reach| std::mem::swap(&mut reach.gains, &mut reach.loses));
    changes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_diff_is_what_asking_about_everything_finds((from, to) in worlds()) {
        let (from, to) = (snapshot(&from), snapshot(&to));
        let found = diff(&from, &to).unwrap().authority;
        let (was, is) = (may(&from), may(&to));
        prop_assert_eq!(told(&found, |class| &class.gains), is.difference(&was).cloned().collect());
        prop_assert_eq!(told(&found, |class| &class.loses), was.difference(&is).cloned().collect());
        let changes = found.classes.iter().flat_map(|class| class.gains.iter().chain(&class.loses));
        for change in changes {
            prop_assert!(!change.because.is_empty() && !change.actions.is_empty(), "{:?}", change);
        }
        prop_assert_eq!(told_further(&found, |reach| &reach.gains), words(reaches_further(&from, &to)));
        prop_assert_eq!(told_further(&found, |reach| &reach.loses), words(reaches_further(&to, &from)));
    }

    #[test]
    fn turned_round_it_says_the_opposite((from, to) in worlds()) {
        let (from, to) = (snapshot(&from), snapshot(&to));
        let (there, back) = (diff(&from, &to).unwrap(), diff(&to, &from).unwrap());
        prop_assert_eq!(turned(there.clone()), without_words(back.clone()).authority);
        let ids = |diff: &Diff| -> Vec<(Vec<String>, Vec<String>)> {
            diff.sections.iter().map(|section| (section.added.clone(), section.removed.clone())).collect()
        };
        let swapped = ids(&back).into_iter().map(|(added, removed)| (removed, added)).collect::<Vec<_>>();
        prop_assert_eq!(ids(&there), swapped);
    }

    #[test]
    fn order_is_no_difference((from, _) in worlds()) {
        let from = snapshot(&from);
        prop_assert!(diff(&from, &from).unwrap().is_empty());
        let mut to = from.clone();
        to.tools.reverse();
        to.policies.reverse();
        to.tenants.reverse();
        to.projects.reverse();
        to.projects.iter_mut().for_each(|project| project.catalogs.reverse());
        prop_assert!(diff(&from, &to).unwrap().is_empty());
    }

    /// A policy that looks at what others decide does not exist, so a forbid only ever takes, and so does a permit that goes.
    #[test]
    fn a_forbid_that_comes_and_a_permit_that_goes_give_nothing((from, _) in worlds(), which in any::<prop::sample::Index>()) {
        let from = snapshot(&from);
        prop_assume!(!from.policies.is_empty());
        let mut to = from.clone();
        let changed = &mut to.policies[which.index(from.policies.len())];
        let cedar = changed.cedar.clone();
        if let Some(scope) = cedar.strip_prefix("permit") {
            changed.cedar = format!("forbid{scope}");
            changed.id = id_of(&changed.cedar);
            to.policies.sort_by(|a, b| a.id.cmp(&b.id));
            to.policies.dedup_by(|a, b| a.id == b.id);
        } else {
            to.policies.push(Policy { id: "more".to_owned(), cedar, reason: None });
        }
        let found = diff(&from, &to).unwrap().authority;
        prop_assert!(found.classes.iter().all(|class| class.gains.is_empty()), "{:?}", found);
        prop_assert!(found.reaches.iter().all(|reach| reach.gains.is_empty()), "{:?}", found);
    }
}

/// A few thousand tools by hand; the benchmark has the numbers.
#[test]
fn one_changed_tool_among_many_is_all_that_is_asked_about() {
    let mut from = sample::snapshot(&[
        r#"permit (principal in Ambit::Role::"acme:role:member", action, resource) when { resource.effect == Ambit::Effect::"read" };"#,
    ]);
    from.tools.extend((0..2_000).map(|n| sample::card(&format!("mail/t{n:04}"), Effect::Read, Risk::Low, false)));
    from.tools.sort_by(|a, b| a.id.cmp(&b.id));
    let mut to = from.clone();
    let last = to.tools.iter_mut().rfind(|card| card.id.catalog() == "mail").unwrap();
    last.facts.effect.value = Effect::Write;
    let found = diff(&from, &to).unwrap().authority;
    let lost: usize = found.classes.iter().map(|class| class.loses.len()).sum();
    assert_eq!((found.classes.len(), lost), (1, 1));
}
