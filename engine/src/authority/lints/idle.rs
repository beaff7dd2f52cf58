//! Which policies decide nothing. Every policy's say about every request is counted, and each policy in turn is taken away: where no
//! decision changes it decides nothing, and it stays away while the others are tried.
//! INVARIANT: taking all of them away at once changes no view and no right to administer.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use ambit_model::declaration::Action;
use ambit_model::policies::{Idle, IdleKind, Shown};
use cedar_policy::Effect;

use super::super::compile::{Authority, ScopedPolicy};
use super::super::vocabulary::is_built_in;
use super::asked::{Answer, Asked, Scopes};
use super::bits::Bits;
use super::world::{Grid, Row, World};
use super::{Budget, TooMuch};

/// What is wrong with a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    NeverApplies(Because),
    Shadowed {
        by: BTreeSet<String>,
        /// What nobody permits beside it, though it takes that too.
        lacking: Option<Action>,
    },
}

/// Why a policy never applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Because {
    /// No declared principal meets its scope.
    Nobody,
    /// Nothing that those principals can ask about is in its scope.
    NothingInReach,
    /// Its scope is met, and its conditions hold nowhere.
    Conditions,
}

impl Found {
    pub(super) fn idle(self) -> Idle {
        let (kind, by) = match self {
            Self::NeverApplies(_) => (IdleKind::NeverApplies, BTreeSet::new()),
            Self::Shadowed { by, .. } => (IdleKind::Shadowed, by),
        };
        Idle { kind, by: by.into_iter().collect(), shown: Shown::Enumeration }
    }
}

/// Searches all of the operator's policies.
pub(super) fn find(authority: &Authority, mut budget: Budget) -> Result<BTreeMap<String, Found>, TooMuch> {
    let world = World::of(authority).map_err(TooMuch::Failed)?;
    let meets = |policy: &ScopedPolicy| {
        let who = world.principals.iter().enumerate();
        let met = who.filter(|(_, who)| world.seat(who).meets(&policy.principal));
        Bits::of(met.map(|(number, _)| number), world.principals.len())
    };
    let principals: Vec<Bits> = authority.policies.iter().map(meets).collect();
    let mut tally = Tally::new(authority);
    for grid in &world.grids {
        tally.count(authority, &world, grid, &principals, &mut budget)?;
    }
    Ok(tally.search())
}

/// Every policy's say about every request.
struct Tally<'a, 'w> {
    policies: Vec<Standing<'a>>,
    rows: Vec<Counted<'w>>,
}

/// One policy, and where it has a say.
struct Standing<'a> {
    id: &'a str,
    built_in: bool,
    permits: bool,
    /// Its scope is met by somebody.
    somebody: bool,
    /// Something is in its scope that they can ask about.
    something: bool,
    /// Row, place among the row's actions, place among the layers.
    uses: Vec<(usize, usize, usize)>,
    /// Requests that it applies to.
    cells: usize,
    away: bool,
}

/// One row with the policies that have a say in it.
struct Counted<'w> {
    row: &'w Row,
    about_tools: bool,
    layers: Vec<Vec<Layer>>,
    /// For each of the row's things, for each of its actions; an admin action is alone and the first.
    counts: Vec<[Count; ACTIONS]>,
}

const ACTIONS: usize = Action::ALL.len();

struct Layer {
    policy: usize,
    answer: Rc<Answer>,
}

/// How many policies say what of one request.
#[derive(Clone, Copy, Default)]
struct Count {
    permits: u16,
    forbids: u16,
    built_in_forbids: u16,
}

impl Count {
    fn allows(self) -> bool {
        self.permits > 0 && self.forbids == 0 && self.built_in_forbids == 0
    }

    /// Counts one policy in, or out; whatever fails denies.
    fn change(&mut self, policy: &Standing<'_>, fails: bool, by: impl Fn(u16) -> u16) {
        let of = match (policy.permits && !fails, policy.built_in) {
            (true, _) => &mut self.permits,
            (false, false) => &mut self.forbids,
            (false, true) => &mut self.built_in_forbids,
        };
        *of = by(*of);
    }
}

impl<'a, 'w> Tally<'a, 'w> {
    fn new(authority: &'a Authority) -> Self {
        let standing = |policy: &'a ScopedPolicy| Standing {
            id: policy.policy.id().as_ref(),
            built_in: is_built_in(policy.policy.id().as_ref()),
            permits: policy.policy.effect() == Effect::Permit,
            somebody: false,
            something: false,
            uses: Vec::new(),
            cells: 0,
            away: false,
        };
        Self { policies: authority.policies.iter().map(standing).collect(), rows: Vec::new() }
    }

    fn count(
        &mut self,
        authority: &Authority,
        world: &World<'_>,
        grid: &'w Grid,
        principals: &[Bits],
        budget: &mut Budget,
    ) -> Result<(), TooMuch> {
        let scopes = Scopes::of(grid, authority);
        let asked = authority.policies.iter().zip(principals);
        let asked = asked.map(|(policy, who)| Asked::new(authority, grid, &scopes, policy, who));
        let mut asked = asked.collect::<Result<Vec<_>, _>>().map_err(TooMuch::Failed)?;
        for row in &grid.rows {
            budget.keep(row.things.count() * row.actions.len())?;
            let counts = vec![<[Count; ACTIONS]>::default(); row.things.count()];
            let mut counted = Counted { row, about_tools: !grid.administration, layers: Vec::new(), counts };
            for (place, action) in row.actions.iter().enumerate() {
                let mut layers = Vec::new();
                for (number, asked) in asked.iter_mut().enumerate().filter(|(_, asked)| asked.is_about(row, *action)) {
                    let Some(standing) = self.policies.get_mut(number) else { continue };
                    standing.somebody = true;
                    if !asked.reached.meets(row.things.members()) {
                        continue;
                    }
                    standing.something = true;
                    let answer = asked.answer(world, grid, row, *action, budget)?;
                    standing.uses.push((self.rows.len(), place, layers.len()));
                    let cells = counted.change(standing, &answer, place, |n| n.saturating_add(1));
                    standing.cells += cells;
                    layers.push(Layer { policy: number, answer });
                }
                counted.layers.push(layers);
            }
            self.rows.push(counted);
        }
        Ok(())
    }

    /// The narrowest are tried first, so that a narrow policy is said to be in the shadow of a wide one; of equals the later id.
    fn search(mut self) -> BTreeMap<String, Found> {
        let mut order: Vec<usize> = (0..self.policies.len()).collect();
        order.retain(|number| self.policies.get(*number).is_some_and(|one| !one.built_in && one.cells > 0));
        order.sort_by_key(|number| self.policies.get(*number).map(|one| (one.cells, std::cmp::Reverse(one.id))));
        for number in &order {
            if !self.decides(*number) {
                self.take_away(*number);
            }
        }
        let mut found = BTreeMap::new();
        for (number, one) in self.policies.iter().enumerate().filter(|(_, one)| !one.built_in) {
            let because = match (one.somebody, one.something) {
                (false, _) => Because::Nobody,
                (true, false) => Because::NothingInReach,
                (true, true) => Because::Conditions,
            };
            if one.cells == 0 {
                found.insert(one.id.to_owned(), Found::NeverApplies(because));
            } else if one.away {
                let (by, lacking) = self.instead_of(number);
                found.insert(one.id.to_owned(), Found::Shadowed { by, lacking });
            }
        }
        found
    }

    /// Taking it away would change something. A forbid stays while no other forbid of the operator's covers it wholly: one that
    /// nothing permitted meets today, or that a ceiling repeats, guards against tomorrow.
    fn decides(&self, number: usize) -> bool {
        let Some(one) = self.policies.get(number) else { return true };
        one.uses.iter().any(|(row, place, layer)| {
            let Some(counted) = self.rows.get(*row) else { return true };
            let mut things = counted.met(*place, *layer);
            if one.permits {
                things.any(|thing| counted.changes_without(number, one, thing))
            } else {
                things.any(|thing| counted.count_of(thing, *place).forbids < 2)
            }
        })
    }

    fn take_away(&mut self, number: usize) {
        let Some(one) = self.policies.get_mut(number) else { return };
        one.away = true;
        for (row, place, layer) in &one.uses {
            let Some(counted) = self.rows.get_mut(*row) else { continue };
            let Some(answer) = counted.layers.get(*place).and_then(|layers| layers.get(*layer)) else { continue };
            let answer = Rc::clone(&answer.answer);
            counted.change(one, &answer, *place, |n| n.saturating_sub(1));
        }
    }

    /// Some of those that stayed and that decide, together, wherever this one applies; and an action that nobody permits there.
    fn instead_of(&self, number: usize) -> (BTreeSet<String>, Option<Action>) {
        let mut by: BTreeSet<usize> = BTreeSet::new();
        let mut lacking = None;
        let Some(one) = self.policies.get(number) else { return (BTreeSet::new(), None) };
        for (row, place, layer) in &one.uses {
            let Some(counted) = self.rows.get(*row) else { continue };
            for thing in counted.met(*place, *layer) {
                let (deciders, missing) = self.deciders(counted, thing, *place, one.permits);
                lacking = lacking.or(missing);
                if !deciders.iter().any(|decider| by.contains(decider)) {
                    by.extend(deciders.first());
                }
            }
        }
        let ids = by.into_iter().filter_map(|number| Some(self.policies.get(number)?.id.to_owned()));
        (ids.collect(), lacking)
    }

    /// Those that decide about a thing at this action, or at a wider one that refuses; by id, the operator's first.
    fn deciders(
        &self,
        counted: &Counted<'_>,
        thing: usize,
        place: usize,
        permit: bool,
    ) -> (Vec<usize>, Option<Action>) {
        let first = if permit { 0 } else { place };
        for at in first..=place {
            let count = counted.count_of(thing, at);
            if count.allows() {
                continue;
            }
            if count.forbids == 0 && count.built_in_forbids == 0 {
                let action = Action::ALL.get(at).filter(|_| counted.about_tools);
                return (Vec::new(), action.copied());
            }
            return (self.saying(counted, thing, at, false), None);
        }
        (self.saying(counted, thing, place, true), None)
    }

    fn saying(&self, counted: &Counted<'_>, thing: usize, place: usize, permit: bool) -> Vec<usize> {
        let layers = counted.layers.get(place).into_iter().flatten();
        let mut saying: Vec<(bool, &str, usize)> = layers
            .filter_map(|layer| Some((layer, self.policies.get(layer.policy)?)))
            .filter(|(layer, one)| {
                let says = if permit { one.permits } else { !one.permits || layer.answer.fails.contains(thing) };
                !one.away && says && (layer.answer.holds.contains(thing) || layer.answer.fails.contains(thing))
            })
            .map(|(layer, one)| (one.built_in, one.id, layer.policy))
            .collect();
        saying.sort_unstable();
        saying.into_iter().map(|(_, _, number)| number).collect()
    }
}

impl Counted<'_> {
    /// Counts a policy in, or out; how many requests it applies to.
    fn change(&mut self, policy: &Standing<'_>, answer: &Answer, place: usize, by: impl Fn(u16) -> u16) -> usize {
        let mut cells = 0;
        for (bits, fails) in [(&answer.holds, false), (&answer.fails, true)] {
            for number in bits.iter().filter_map(|thing| self.row.things.number(thing)) {
                if let Some(count) = self.counts.get_mut(number).and_then(|counts| counts.get_mut(place)) {
                    count.change(policy, fails, &by);
                    cells += 1;
                }
            }
        }
        cells
    }

    /// The things of this row that a layer applies to.
    fn met(&self, place: usize, layer: usize) -> impl Iterator<Item = usize> + '_ {
        let layer = self.layers.get(place).and_then(|layers| layers.get(layer));
        let things = layer.into_iter().flat_map(|layer| layer.answer.holds.iter().chain(layer.answer.fails.iter()));
        things.filter(|thing| self.row.things.members().contains(*thing))
    }

    fn count_of(&self, thing: usize, place: usize) -> Count {
        let counts = self.row.things.number(thing).and_then(|number| self.counts.get(number));
        counts.and_then(|counts| counts.get(place)).copied().unwrap_or_default()
    }

    /// What is decided about a thing, from the widest action down, is another without this policy.
    fn changes_without(&self, number: usize, policy: &Standing<'_>, thing: usize) -> bool {
        let (mut before, mut after) = (true, true);
        for (place, layers) in self.layers.iter().enumerate() {
            let count = self.count_of(thing, place);
            let mut without = count;
            for layer in layers.iter().filter(|layer| layer.policy == number) {
                for (bits, fails) in [(&layer.answer.holds, false), (&layer.answer.fails, true)] {
                    if bits.contains(thing) {
                        without.change(policy, fails, |n| n.saturating_sub(1));
                    }
                }
            }
            before &= count.allows();
            after &= without.allows();
            if before != after {
                return true;
            }
        }
        false
    }
}
