//! From clauses to steps: each clause is scored, narrowed to groups, bound, and given the steps it silently needs.
//! What cannot be bound is widened, read again as part of the whole question, and then said.

use std::collections::BTreeSet;

use ambit_model::ratio::Ratio;
use ambit_model::route::{Candidate, GapCause, Outcome, RouteRequest, Step, StepStatus};
use roaring::RoaringBitmap;

use super::ProjectRouter;
use super::bind::{self, Binder, Binding};
use super::chain::{self, Chainer, Link};
use super::groups;
use super::languages::Spoken;
use super::named;
use super::plan::Plan;
use super::planner::{Clause, LocalPlan};
use super::signals::{Asked, Scored, Scorer};
use super::supply::HandedOn;
use super::values;
use super::vocabulary::Words;
use crate::authority::View;
use crate::index::{IndexError, Vectors, bitmap};
use ambit_model::digest::Digest;

/// Candidates shown of a step.
const SHOWN: usize = 8;

/// A step, and the positions of its tools.
pub(super) struct Draft {
    pub(super) step: Step,
    pub(super) pick: Option<usize>,
    pub(super) also: Vec<usize>,
    pub(super) reserve: Vec<usize>,
    /// Why it is not bound, where it is not.
    pub(super) cause: Option<GapCause>,
    /// Things that no tool of the set makes.
    pub(super) unmet: Vec<String>,
}

/// Everything found out about a question.
pub(super) struct Drafted {
    pub(super) drafts: Vec<Draft>,
    pub(super) degraded: Vec<String>,
    pub(super) route: RoaringBitmap,
}

pub(super) fn draft(
    router: &ProjectRouter,
    view: &View,
    request: &RouteRequest,
    asked: &Vectors,
    by: &Plan,
) -> Result<Drafted, IndexError> {
    let route = bitmap(router.index.tools.iter().map(|t| &t.card.id), |id| view.routes(id));
    let spoken = router.languages.of(&request.question);
    let mut plan = by.local.clone();
    plan.values.extend(request.context.turns.iter().flat_map(|turn| values::values(&turn.text, spoken.words)));
    let scorer = scorer(router, &route, spoken);
    let question_vector = asked.get(&Digest::of(request.question.trim().as_bytes()));
    let mut degraded = Vec::new();
    if question_vector.is_none() || router.vectors.is_empty() {
        degraded.push("words_only".to_owned());
    }
    if scorer.words_first {
        degraded.push("language".to_owned());
    }
    let mut drafter = Drafter {
        router,
        request,
        asked,
        question_vector,
        scorer,
        question_words: question_words(&request.question, spoken.words),
        plan: &plan,
        by,
        handed_on: HandedOn::default(),
        drafts: Vec::new(),
        positions: route.iter().filter_map(|at| usize::try_from(at).ok()).collect(),
    };
    for position in 0..plan.clauses.len().min(by.most) {
        drafter.take(position)?;
    }
    let drafts = drafter.drafts;
    let over = plan.clauses.iter().skip(by.most).map(|clause| unread(clause, by));
    let drafts = drafts.into_iter().chain(over).collect();
    Ok(Drafted { drafts, degraded, route })
}

/// What scores the tools of a `route` set for a question in this language.
pub(super) fn scorer<'a>(router: &'a ProjectRouter, route: &'a RoaringBitmap, spoken: Spoken<'a>) -> Scorer<'a> {
    Scorer {
        index: &router.index,
        vectors: &router.vectors,
        words: spoken.words,
        of_catalogs: router.languages.of_catalogs(),
        kin: router.kin(spoken.words.language()),
        deeds: &router.deeds,
        weights: &router.settings.weights,
        route,
        words_first: !router.settings.knows_language(spoken.language),
    }
}

/// What scoring a clause of this plan asks.
pub(super) fn asked_for<'a>(
    plan: &Plan,
    clause: &'a Clause,
    request: &'a RouteRequest,
    vectors: &'a Vectors,
    before: &'a HandedOn,
    wanted_later: &'a [String],
) -> Asked<'a> {
    let question_vector = vectors.get(&Digest::of(request.question.trim().as_bytes()));
    let single = plan.is_whole();
    let own = if single { None } else { vectors.get(&Digest::of(clause.text.as_bytes())) };
    Asked {
        clause,
        clause_vector: own.or(if single { None } else { question_vector }),
        question_vector,
        own_vector: own.is_some(),
        question: (!single).then_some(request.question.as_str()),
        before,
        wanted_later,
    }
}

/// The words by which a version can be asked for: the question's own, and what catalogs have for them.
fn question_words(question: &str, words: &Words) -> BTreeSet<String> {
    let mut all = bind::question_words(question);
    all.extend(words.translated(question));
    all
}

struct Drafter<'a> {
    router: &'a ProjectRouter,
    request: &'a RouteRequest,
    asked: &'a Vectors,
    question_vector: Option<&'a [f32]>,
    scorer: Scorer<'a>,
    question_words: BTreeSet<String>,
    plan: &'a LocalPlan,
    /// Where that plan came from.
    by: &'a Plan,
    handed_on: HandedOn,
    drafts: Vec<Draft>,
    /// Positions of the `route` set.
    positions: Vec<usize>,
}

impl Drafter<'_> {
    fn take(&mut self, position: usize) -> Result<(), IndexError> {
        let plan = self.plan;
        let Some(clause) = plan.clauses.get(position) else { return Ok(()) };
        let found = self.find(position, clause)?;
        if self.serves_already(clause, &found) {
            self.fold(clause);
            return Ok(());
        }
        let mut unmet = Vec::new();
        if let Some(pick) = found.binding.pick {
            unmet = self.chain(pick, clause, &found.scored);
            if let Some(tool) = self.router.index.tools.get(pick) {
                self.handed_on.add(tool);
            }
        }
        let draft = self.draft(clause, found, unmet);
        self.drafts.push(draft);
        Ok(())
    }

    /// Best groups, then more groups, then the whole set; then once more, read as a part of the whole question.
    fn find(&self, position: usize, clause: &Clause) -> Result<Found, IndexError> {
        let later = self.plan.wanted_after(position);
        let single = self.by.is_whole();
        let asked = asked_for(self.by, clause, self.request, self.asked, &self.handed_on, &later);
        let scored = self.scorer.score(&asked)?;
        if let Some(binding) = self.chosen_for(position, clause, &scored) {
            return Ok(Found { binding, scored, by_model: true, ..Found::default() });
        }
        let mut found = self.widen(clause, scored, &asked);
        let again = found.binding.pick.is_none() && !single && !clause.native && self.question_vector.is_some();
        if again {
            let whole = Asked { clause_vector: self.question_vector, ..asked };
            let scored = self.scorer.score(&whole)?;
            let second = self.widen(clause, scored, &whole);
            if second.binding.pick.is_some_and(|pick| !self.chosen().contains(&pick)) {
                found = second;
                found.binding.because = format!("{}; read as a part of the whole question", found.binding.because);
            }
        }
        Ok(found)
    }

    /// What a language model chose for this clause, where it did and its choice can stand. A name that the question says still wins.
    fn chosen_for(&self, position: usize, clause: &Clause, scored: &[Scored]) -> Option<Binding> {
        let choice = self.by.choices.get(&position)?;
        let in_route = |at: usize| self.positions.contains(&at);
        if !named::named(&clause.text, &clause.values, &self.router.index, in_route).is_empty() {
            return None;
        }
        self.binder(clause).bind_chosen(choice, &scored.iter().collect::<Vec<_>>())
    }

    fn widen(&self, clause: &Clause, scored: Vec<Scored>, asked: &Asked<'_>) -> Found {
        let ranked = groups::rank(&self.router.groups, &scored, asked, &self.router.index, &self.router.vectors);
        let in_route = |at: usize| scored.iter().any(|s| s.at == at);
        let named = named::named(&clause.text, &clause.values, &self.router.index, in_route);
        let mut last = Found::default();
        for count in [groups::FIRST, groups::WIDER, usize::MAX] {
            let (ids, mut members) = groups::best(&ranked, count, &scored, &self.router.index);
            if count == usize::MAX {
                members.extend(scored.iter().map(|s| s.at));
            }
            members.extend(named.iter().copied());
            let candidates: Vec<&Scored> = scored.iter().filter(|s| members.contains(&s.at)).collect();
            let mut binding = self.binder(clause).bind(&candidates, &named);
            if count != groups::FIRST && binding.pick.is_some() {
                binding.because = format!("{}; found in a wider search", binding.because);
            }
            last = Found { groups: ids, binding, ..Found::default() };
            if last.binding.pick.is_some() {
                break;
            }
        }
        last.scored = scored;
        if clause.native && last.best_evidence() < native_floor(self.router.settings.thresholds.floor) {
            last.binding = Binding { because: "the agent can do this without a tool".to_owned(), ..Binding::default() };
        }
        last
    }

    fn binder<'b>(&'b self, clause: &'b Clause) -> Binder<'b> {
        Binder {
            index: &self.router.index,
            deeds: &self.router.deeds,
            thresholds: &self.router.settings.thresholds,
            twins: &self.router.twins,
            families: &self.router.families,
            ambiguity: self.request.ambiguity,
            question_words: &self.question_words,
            values: &self.plan.values,
            before: &self.handed_on,
            clause,
            forbidden: &self.plan.forbidden,
            route: &self.positions,
        }
    }

    fn chosen(&self) -> Vec<usize> {
        self.drafts.iter().filter_map(|d| d.pick).collect()
    }

    /// A tool chosen before can do what this clause asks, nearly as well by its own words: no second tool is needed.
    fn serves_already(&self, clause: &Clause, found: &Found) -> bool {
        let Some(pick) = found.binding.pick.and_then(|p| found.scored.iter().find(|s| s.at == p)) else { return false };
        let chosen = self.chosen();
        if chosen.contains(&pick.at) {
            return clause.verb.is_none();
        }
        if found.by_model {
            return false;
        }
        let able = |at: usize| {
            clause.operations.is_empty() || self.router.deeds.get(at).is_some_and(|d| d.is_any_of(&clause.operations))
        };
        let rivals = found.scored.iter().filter(|s| chosen.contains(&s.at) && able(s.at));
        let best = rivals.map(own_words).fold(f64::NEG_INFINITY, f64::max);
        own_words(pick) - best < self.router.settings.thresholds.gain.to_f64()
    }

    /// Adds the clause's words to the last step.
    fn fold(&mut self, clause: &Clause) {
        if let Some(last) = self.drafts.iter_mut().rev().find(|d| !d.step.implicit && d.pick.is_some()) {
            last.step.text = format!("{}; {}", last.step.text, clause.text);
        }
    }

    /// Puts the steps in front that `pick` silently needs; returns the needs that nothing meets.
    fn chain(&mut self, pick: usize, clause: &Clause, scored: &[Scored]) -> Vec<String> {
        let implicit = self.drafts.iter().filter(|d| d.step.implicit).count();
        let room = chain::MOST.saturating_sub(implicit);
        let binder = self.binder(clause);
        let stand_in = |at: usize| binder.stand_in_of(at, &self.positions);
        let chainer = Chainer {
            index: &self.router.index,
            deeds: &self.router.deeds,
            vectors: &self.router.vectors,
            route: self.scorer.route,
            question_vector: self.question_vector,
            values: &self.plan.values,
            follows: !self.request.context.turns.is_empty(),
            stand_in: &stand_in,
        };
        let (links, unmet) = chainer.before(pick, clause, &self.handed_on, room);
        for link in links {
            if self.chosen().contains(&link.tool) {
                continue;
            }
            if let Some(tool) = self.router.index.tools.get(link.tool) {
                self.handed_on.add(tool);
                let draft = self.implicit(&link, pick, scored);
                self.drafts.push(draft);
            }
        }
        unmet
    }

    fn implicit(&self, link: &Link, consumer: usize, scored: &[Scored]) -> Draft {
        let label = |at: usize| self.router.index.tools.get(at).map(|t| t.card.id.to_string()).unwrap_or_default();
        let because = format!("`{}` needs {}, which nothing so far supplies", label(consumer), link.supplies);
        let step = Step {
            index: 0,
            text: format!("find {} for {}", link.supplies, label(consumer)),
            implicit: true,
            verb: None,
            what: link.supplies.clone(),
            needs: Vec::new(),
            produces: vec![link.supplies.clone()],
            repeat: 1,
            status: StepStatus::Bound,
            tool: None,
            also: Vec::new(),
            reserve: Vec::new(),
            groups: Vec::new(),
            because,
            candidates: scored.iter().filter(|s| s.at == link.tool).filter_map(|s| self.supplier(s, link)).collect(),
        };
        Draft { step, pick: Some(link.tool), also: Vec::new(), reserve: Vec::new(), cause: None, unmet: Vec::new() }
    }

    /// The supplier with its signals for the clause it serves; what it was picked for is in the note.
    fn supplier(&self, scored: &Scored, link: &Link) -> Option<Candidate> {
        let tool = self.router.index.tools.get(scored.at)?;
        Some(Candidate {
            tool: tool.card.id.clone(),
            score: ambit_model::ratio::Score(scored.score),
            evidence: ambit_model::ratio::Score(scored.evidence()),
            signals: scored.signals.clone(),
            outcome: Outcome::Picked,
            notes: vec![format!("returns {}", link.supplies)],
        })
    }

    fn draft(&self, clause: &Clause, found: Found, unmet: Vec<String>) -> Draft {
        let native = found.binding.pick.is_none() && clause.native;
        let status = match found.binding.pick {
            Some(_) => StepStatus::Bound,
            None if native => StepStatus::AgentNative,
            None => StepStatus::Unresolved,
        };
        let far = found.best_evidence() < near(self.router.settings.thresholds.floor);
        let cause =
            (status == StepStatus::Unresolved).then_some(if far { GapCause::Absent } else { GapCause::BelowFloor });
        let candidates = self.candidates(&found);
        let mut step = step_of(clause, status);
        step.groups = found.groups;
        step.because = found.binding.because;
        if status == StepStatus::Bound && self.by.is_new(&clause.text) {
            step.because = format!("{}; planned again by the language model", step.because);
        }
        step.candidates = candidates;
        Draft { step, pick: found.binding.pick, also: found.binding.also, reserve: found.binding.reserve, cause, unmet }
    }

    fn candidates(&self, found: &Found) -> Vec<Candidate> {
        let outcome = |at: usize| found.binding.outcomes.get(&at).copied().unwrap_or(Outcome::GroupDropped);
        let telling =
            |at: usize| matches!(outcome(at), Outcome::Picked | Outcome::TwinReserve | Outcome::VersionReserve);
        let shown = found.scored.iter().enumerate().filter(|(rank, s)| *rank < SHOWN || telling(s.at));
        let card = |(_, s): (usize, &Scored)| {
            let tool = self.router.index.tools.get(s.at)?;
            let mut notes = s.notes.clone();
            notes.extend(found.binding.notes.get(&s.at).cloned());
            Some(Candidate {
                tool: tool.card.id.clone(),
                score: ambit_model::ratio::Score(s.score),
                evidence: ambit_model::ratio::Score(s.evidence()),
                signals: s.signals.clone(),
                outcome: outcome(s.at),
                notes,
            })
        };
        shown.filter_map(card).collect()
    }
}

/// What a search for one clause gave.
#[derive(Default)]
struct Found {
    groups: Vec<String>,
    binding: Binding,
    scored: Vec<Scored>,
    /// A language model chose it.
    by_model: bool,
}

impl Found {
    fn best_evidence(&self) -> Ratio {
        self.scored.iter().map(Scored::evidence).max().unwrap_or_default()
    }
}

/// How well a tool fits the clause by itself: in meaning where there are vectors of a model that knows the language, else in words.
fn own_words(scored: &Scored) -> f64 {
    scored.own.filter(|_| !scored.by_words).unwrap_or(scored.words_alone)
}

/// Below this nothing is near at all, and the need counts as absent rather than below the floor.
fn near(floor: Ratio) -> Ratio {
    Ratio(floor.0 - floor.0 / 4)
}

/// What an agent can do by itself wants more evidence for a tool than the floor.
fn native_floor(floor: Ratio) -> Ratio {
    Ratio(floor.0 + floor.0 / 2)
}

fn step_of(clause: &Clause, status: StepStatus) -> Step {
    Step {
        index: 0,
        text: clause.text.clone(),
        implicit: false,
        verb: clause.verb.clone(),
        what: clause.what.clone(),
        needs: clause.needs.clone(),
        produces: clause.produces.iter().cloned().collect(),
        repeat: clause.repeat,
        status,
        tool: None,
        also: Vec::new(),
        reserve: Vec::new(),
        groups: Vec::new(),
        because: String::new(),
        candidates: Vec::new(),
    }
}

fn unread(clause: &Clause, by: &Plan) -> Draft {
    let mut step = step_of(clause, StepStatus::Unresolved);
    step.because = by.too_long();
    Draft { step, pick: None, also: Vec::new(), reserve: Vec::new(), cause: Some(GapCause::Limit), unmet: Vec::new() }
}
