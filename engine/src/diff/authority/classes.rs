//! Askers for whom the same changes, told once: what they have in common, in words, and all of them.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::diff::{ClassChange, EffectChange, ToolChange, Who};

use super::askers::{Asker, Held};
use super::uses::{Outcome, Seated, compare};
use super::world::{ProjectPair, World};

/// What changes for one asker: of each class of tools, which outcome. Numbers stand for outcomes, so that comparing is cheap.
type Changes = Vec<(usize, usize)>;

/// The changes in one project, those that gain first.
pub(super) fn of_project(world: &World<'_>, seated: &Seated<'_>, project: &ProjectPair<'_>) -> Vec<ClassChange> {
    let mut numbers: BTreeMap<Outcome, usize> = BTreeMap::new();
    let mut by_asker: BTreeMap<usize, Changes> = BTreeMap::new();
    for (class, outcomes) in compare(world, seated, project).into_iter().enumerate() {
        for (asker, outcome) in outcomes {
            let next = numbers.len();
            let number = *numbers.entry(outcome).or_insert(next);
            by_asker.entry(asker).or_default().push((class, number));
        }
    }
    let outcomes: BTreeMap<usize, Outcome> = numbers.into_iter().map(|(outcome, number)| (number, outcome)).collect();
    let mut groups: BTreeMap<Changes, BTreeSet<usize>> = BTreeMap::new();
    for (asker, changes) in by_asker {
        groups.entry(changes).or_default().insert(asker);
    }
    let group = |(changes, members)| Grouped { world, outcomes: &outcomes }.class(project, &changes, &members);
    let mut classes: Vec<ClassChange> = groups.into_iter().map(group).collect();
    classes.sort_by(|a, b| (a.gains.is_empty(), &a.class, &a.who).cmp(&(b.gains.is_empty(), &b.class, &b.who)));
    classes
}

struct Grouped<'a> {
    world: &'a World<'a>,
    outcomes: &'a BTreeMap<usize, Outcome>,
}

impl Grouped<'_> {
    fn class(&self, project: &ProjectPair<'_>, changes: &Changes, members: &BTreeSet<usize>) -> ClassChange {
        let (mut gains, mut loses, mut effects) = (Vec::new(), Vec::new(), Vec::new());
        for (class, number) in changes {
            let (Some(class), Some(outcome)) = (self.world.classes.get(*class), self.outcomes.get(number)) else {
                continue;
            };
            let tools = || class.tools.iter().copied();
            if let Some(change) = &outcome.change {
                let list = if change.is_gain { &mut gains } else { &mut loses };
                list.extend(tools().map(|tool| change.of(tool)));
            }
            if let Some((from, to)) = outcome.effect {
                effects.extend(tools().map(|tool| EffectChange { tool: tool.clone(), from, to }));
            }
        }
        let by_tool = |a: &ToolChange, b: &ToolChange| a.tool.cmp(&b.tool);
        gains.sort_by(by_tool);
        loses.sort_by(by_tool);
        effects.sort_by(|a, b| a.tool.cmp(&b.tool));
        let all: Vec<&Who> =
            members.iter().filter_map(|at| self.world.askers.get(*at)).map(|asker| &asker.who).collect();
        // A user of whom the same is said without what somebody vouches for is there once.
        let twice = |who: &Who| match who {
            Who::Vouched { user: Some(user), .. } => {
                all.iter().any(|other| matches!(other, Who::Principal { principal } if principal == user))
            }
            _ => false,
        };
        let who = all.iter().filter(|who| !twice(who)).map(|who| (*who).clone());
        ClassChange {
            project: project.id.clone(),
            class: in_words(self.world.askers, &project.id.tenant, members),
            who: who.collect(),
            gains,
            loses,
            effects,
        }
    }
}

/// What these askers of one tenant have in common: they are all there are, or all that hold one role; else the first is named.
fn in_words(askers: &[Asker], tenant: &str, members: &BTreeSet<usize>) -> String {
    let named = |at: &usize| askers.get(*at).map(|asker| asker.who.to_string()).unwrap_or_default();
    let first = members.first().map(named).unwrap_or_default();
    if members.len() < 2 {
        return first;
    }
    let of_tenant = || askers.iter().enumerate().filter(|(_, asker)| asker.tenant == tenant);
    if of_tenant().map(|(at, _)| at).eq(members.iter().copied()) {
        return format!("everybody in `{tenant}`");
    }
    let held = |asker: &Asker| -> BTreeSet<String> {
        let sides = [&asker.from, &asker.to].into_iter().flatten();
        sides.flat_map(|held| held.roles.iter().cloned()).collect()
    };
    let roles: BTreeSet<String> = members.iter().filter_map(|at| askers.get(*at)).flat_map(held).collect();
    let holds = |side: &Option<Held>, role: &str| side.as_ref().is_some_and(|held| held.roles.contains(role));
    let are_all_holders = |role: &String| {
        let holders = |side: fn(&Asker) -> &Option<Held>| {
            of_tenant().filter(|(_, asker)| holds(side(asker), role)).map(|(at, _)| at).eq(members.iter().copied())
        };
        holders(|asker| &asker.to) || holders(|asker| &asker.from)
    };
    match roles.iter().find(|role| are_all_holders(role)) {
        Some(role) => format!("whoever holds `{tenant}:role:{role}`"),
        None if members.len() == 2 => format!("{first} and 1 other"),
        None => format!("{first} and {} others", members.len().saturating_sub(1)),
    }
}
