//! Binding: which of the scored tools a clause gets. Floor and relative gate first, then version families and twins,
//! then a clear winner alone, or a near tie as the caller's `ambiguity` says.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::declaration::{Thresholds, TwinGroup, VersionFamily};
use ambit_model::facts::{Facts, Operation};
use ambit_model::identity::ToolId;
use ambit_model::ratio::Ratio;
use ambit_model::route::{Ambiguity, Outcome};

use super::deeds::Deed;
use super::planner::Clause;
use super::signals::Scored;
use super::supply::{self, HandedOn};
use super::values::{Value, ValueKind};
use crate::index::ProjectIndex;
use crate::text;

/// What a clause is bound to, and what became of every candidate.
#[derive(Clone, Debug, Default)]
pub(super) struct Binding {
    pub(super) pick: Option<usize>,
    /// Near ties, shipped beside the pick.
    pub(super) also: Vec<usize>,
    pub(super) reserve: Vec<usize>,
    pub(super) outcomes: BTreeMap<usize, Outcome>,
    pub(super) notes: BTreeMap<usize, String>,
    pub(super) because: String,
}

/// What binding goes by.
pub(super) struct Binder<'a> {
    pub(super) index: &'a ProjectIndex,
    pub(super) deeds: &'a [Deed],
    pub(super) thresholds: &'a Thresholds,
    pub(super) twins: &'a [TwinGroup],
    pub(super) families: &'a [VersionFamily],
    pub(super) ambiguity: Ambiguity,
    /// Lower-case plain words of the question; version pins are looked for here.
    pub(super) question_words: &'a BTreeSet<String>,
    pub(super) values: &'a [Value],
    pub(super) before: &'a HandedOn,
    pub(super) clause: &'a Clause,
    /// Operations that the question says not to do.
    pub(super) forbidden: &'a BTreeSet<Operation>,
    /// Positions of the `route` set.
    pub(super) route: &'a [usize],
}

impl Binder<'_> {
    /// Binds among `candidates`, best first. Names that the text calls win at once.
    pub(super) fn bind(&self, candidates: &[&Scored], named: &[usize]) -> Binding {
        let mut binding = Binding::default();
        let called: Vec<&Scored> = candidates.iter().copied().filter(|s| named.contains(&s.at)).collect();
        if let Some(first) = called.first() {
            return self.bind_called(first, &called, candidates);
        }
        let (barred, candidates): (Vec<&Scored>, Vec<&Scored>) =
            candidates.iter().copied().partition(|s| self.is_against(s.at));
        binding.outcomes.extend(barred.iter().map(|s| (s.at, Outcome::BelowGate)));
        binding.notes.extend(barred.iter().map(|s| (s.at, "does what was not asked for".to_owned())));
        let best = candidates.first().map(|s| s.score).unwrap_or_default();
        let gate = Ratio::from_f64(best.to_f64() * self.thresholds.gate.to_f64());
        let mut passed = Vec::new();
        for scored in &candidates {
            if scored.evidence() < self.thresholds.floor {
                binding.outcomes.insert(scored.at, Outcome::BelowFloor);
            } else if scored.score < gate {
                binding.outcomes.insert(scored.at, Outcome::BelowGate);
            } else {
                passed.push(*scored);
            }
        }
        if passed.is_empty() {
            binding.because = "nothing comes near enough".to_owned();
            return binding;
        }
        self.choose(&passed, &mut binding);
        binding
    }

    /// The tool does the opposite of what is asked, or what the question says not to do; no likeness of words makes up for it.
    pub(super) fn is_against(&self, at: usize) -> bool {
        let Some(deed) = self.deeds.get(at) else { return false };
        let asked = &self.clause.operations;
        if deed.is_any_of(asked) {
            return false;
        }
        let forbidden = deed.changes && deed.is_any_of(self.forbidden);
        let changes_on_a_question = self.clause.is_question && deed.surely_changes;
        let only = |some: &[Operation]| !asked.is_empty() && asked.iter().all(|o| some.contains(o));
        let reads_on_a_change = only(&[Operation::Update, Operation::Delete]) && deed.reads();
        let makes = |operation: &Operation| matches!(operation, Operation::Create | Operation::Send);
        let makes_on_a_removal = only(&[Operation::Delete]) && deed.operations.iter().any(makes);
        forbidden || changes_on_a_question || reads_on_a_change || makes_on_a_removal
    }

    /// A near tie does the same in another way: it never changes what the pick leaves alone, unless the clause asks for that.
    fn is_alternative(&self, at: usize, pick: usize) -> bool {
        let (Some(tie), Some(pick)) = (self.deeds.get(at), self.deeds.get(pick)) else { return false };
        tie.is_any_of(&self.clause.operations) || tie.changes == pick.changes || !tie.changes
    }

    /// A tie finds what the other would first have to be given: "are there tickets about pumps" searches, it opens none.
    fn finds_for(&self, tie: usize, pick: usize) -> bool {
        let (Some(finder), Some(opener)) = (self.facts(tie), self.index.tools.get(pick)) else { return false };
        let missing = supply::missing(opener, self.values, self.before);
        let names_one = self.clause.values.iter().any(|v| matches!(v.kind, ValueKind::Name | ValueKind::Quoted));
        let asked = self.clause.operations.contains(&finder.operation.value);
        let same_thing = finder.entity.value == opener.facts.entity.value;
        asked
            && same_thing
            && !names_one
            && !missing.is_empty()
            && missing.iter().all(|need| finder.produces.iter().any(|made| made == need))
    }

    fn facts(&self, at: usize) -> Option<&Facts> {
        self.index.tools.get(at).map(|tool| &tool.facts)
    }

    fn bind_called(&self, first: &Scored, called: &[&Scored], candidates: &[&Scored]) -> Binding {
        let mut binding = Binding { pick: Some(first.at), ..Binding::default() };
        for scored in candidates {
            let outcome = if called.iter().any(|c| c.at == scored.at) { Outcome::Picked } else { Outcome::BelowGate };
            binding.outcomes.insert(scored.at, outcome);
        }
        binding.also = called.iter().skip(1).map(|s| s.at).collect();
        for scored in called {
            binding.notes.insert(scored.at, "called by its name".to_owned());
        }
        binding.because = format!("the question calls {} by its name", self.label(first.at));
        binding
    }

    /// Families and twins give one member each; then the best of what is left, and its near ties.
    fn choose(&self, passed: &[&Scored], binding: &mut Binding) {
        let mut left: Vec<(usize, Ratio)> = Vec::new();
        for scored in passed {
            if binding.reserve.contains(&scored.at) {
                continue;
            }
            let at = self.stand_in(scored.at, self.route, binding);
            if !left.iter().any(|(known, _)| *known == at) {
                left.push((at, scored.score));
            }
        }
        let Some(((pick, best), rest)) = left.split_first().map(|(first, rest)| (*first, rest)) else { return };
        let near = Ratio::from_f64(best.to_f64() * (1.0 - self.thresholds.clear_winner.to_f64()));
        let mut close = rest.iter().filter(|(_, score)| *score >= near).map(|(at, _)| *at);
        if let Some(finder) = close.find(|at| self.finds_for(*at, pick)) {
            binding.outcomes.extend(left.iter().map(|(at, _)| (*at, Outcome::BelowGate)));
            binding.outcomes.insert(finder, Outcome::Picked);
            binding.reserve.retain(|at| *at != finder);
            binding.pick = Some(finder);
            binding.because = format!("{} finds what {} would have to be given", self.label(finder), self.label(pick));
            return;
        }
        let ties = rest
            .iter()
            .filter(|(at, score)| *score >= near && self.can_be_filled(*at) && self.is_alternative(*at, pick));
        let ties: Vec<usize> = ties.map(|(at, _)| *at).take(1).collect();
        binding.pick = Some(pick);
        binding.outcomes.insert(pick, Outcome::Picked);
        let advisory = self.ambiguity == Ambiguity::Advisory;
        for (at, _) in rest {
            let outcome = if advisory && ties.contains(at) { Outcome::Picked } else { Outcome::BelowGate };
            binding.outcomes.insert(*at, outcome);
        }
        binding.reserve.retain(|at| *at != pick);
        binding.because = match ties.first() {
            None => format!("{} is the clear winner", self.label(pick)),
            Some(tie) if advisory => format!(
                "{} and {} are within {} of each other, so both are offered",
                self.label(pick),
                self.label(*tie),
                percent(self.thresholds.clear_winner)
            ),
            Some(tie) => format!(
                "{} is ahead of {} by less than {}, and `strict` takes the first",
                self.label(pick),
                self.label(*tie),
                percent(self.thresholds.clear_winner)
            ),
        };
        if advisory {
            binding.also = ties;
        }
        if let Some(note) = binding.notes.get(&pick) {
            binding.because = format!("{}; {note}", binding.because);
        }
    }

    /// The tool that would stand for this one, whoever asks.
    pub(super) fn stand_in_of(&self, at: usize, route: &[usize]) -> usize {
        self.stand_in(at, route, &mut Binding::default())
    }

    /// The member of the tool's family or twin group that stands for it; the others go to the reserve.
    pub(super) fn stand_in(&self, at: usize, route: &[usize], binding: &mut Binding) -> usize {
        let Some(id) = self.id(at) else { return at };
        if let Some(family) = self.families.iter().find(|f| f.members.iter().any(|m| m.tool == *id)) {
            let members: Vec<usize> = family.members.iter().filter_map(|m| self.position(&m.tool, route)).collect();
            let (chosen, note) = self.version(family, at, route);
            return reserve_others(chosen, &members, Outcome::VersionReserve, note, binding);
        }
        if let Some(twins) = self.twins.iter().find(|t| t.members.contains(id)) {
            let members: Vec<usize> = twins.members.iter().filter_map(|m| self.position(m, route)).collect();
            let preferred = self.position(&twins.preferred, route);
            let note = if preferred.is_some() { "preferred among its twins" } else { "the best of its twins" };
            return reserve_others(preferred.unwrap_or(at), &members, Outcome::TwinReserve, note.to_owned(), binding);
        }
        at
    }

    /// A pinned version; else the current one unless it is deprecated or its inputs cannot be filled; else the newest that is left.
    fn version(&self, family: &VersionFamily, at: usize, route: &[usize]) -> (usize, String) {
        let mut members: Vec<(usize, &ambit_model::declaration::FamilyMember)> =
            family.members.iter().filter_map(|m| self.position(&m.tool, route).map(|p| (p, m))).collect();
        members.sort_by_key(|(_, member)| std::cmp::Reverse(member.version));
        let pinned = members
            .iter()
            .find_map(|(p, m)| m.pin.iter().find(|w| self.asks_for(w)).map(|word| (*p, format!("pinned by “{word}”"))));
        if let Some(pinned) = pinned {
            return pinned;
        }
        let fresh: Vec<usize> = members.iter().filter(|(_, m)| !m.deprecated).map(|(p, _)| *p).collect();
        let current = members.iter().find(|(_, m)| m.version == family.current && !m.deprecated).map(|(p, _)| *p);
        let ordered: Vec<usize> = current.into_iter().chain(fresh).chain(members.iter().map(|(p, _)| *p)).collect();
        let chosen =
            ordered.iter().copied().find(|p| self.can_be_filled(*p)).or_else(|| ordered.first().copied()).unwrap_or(at);
        let note =
            if current == Some(chosen) { "current in its family" } else { "the newest of its family that can be used" };
        (chosen, note.to_owned())
    }

    /// No required identifier of the tool is unknown.
    fn can_be_filled(&self, at: usize) -> bool {
        self.index.tools.get(at).is_some_and(|tool| supply::missing(tool, self.values, self.before).is_empty())
    }

    fn asks_for(&self, word: &str) -> bool {
        let word = word.to_lowercase();
        word.split_whitespace().all(|part| self.question_words.contains(part))
    }

    /// The position of a tool, where it is in the `route` set.
    fn position(&self, id: &ToolId, route: &[usize]) -> Option<usize> {
        route.iter().copied().find(|at| self.id(*at) == Some(id))
    }

    fn id(&self, at: usize) -> Option<&ToolId> {
        self.index.tools.get(at).map(|t| &t.card.id)
    }

    pub(super) fn label(&self, at: usize) -> String {
        self.id(at).map(|id| format!("`{id}`")).unwrap_or_default()
    }
}

fn reserve_others(chosen: usize, members: &[usize], outcome: Outcome, note: String, binding: &mut Binding) -> usize {
    for member in members.iter().copied().filter(|m| *m != chosen) {
        binding.outcomes.insert(member, outcome);
        if !binding.reserve.contains(&member) {
            binding.reserve.push(member);
        }
    }
    if members.len() > 1 {
        binding.notes.insert(chosen, note);
    }
    chosen
}

fn percent(share: Ratio) -> String {
    format!("{} %", f64::from(share.0) / 100.0)
}

/// The lower-case plain words of a question.
pub(super) fn question_words(question: &str) -> BTreeSet<String> {
    text::plain_words(question).into_iter().map(|(_, word)| word).collect()
}
