//! What a question is routed by: a plan of the local planner, or one that was made elsewhere, held against the question first.
//! INVARIANT: a plan from elsewhere brings no value, no tool's name and nothing forbidden into a route that the question does not.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::facts::Operation;
use ambit_model::hidden::is_plain_line;
use ambit_model::route::{Planner, RouteRequest};
use serde::Deserialize;

use super::ProjectRouter;
use super::chosen::Choice;
use super::languages::{Languages, OF_CATALOGS};
use super::named::named;
use super::planner::{self, Clause, LocalPlan};
use super::speech::Part;
use super::values;
use super::vocabulary::Words;
use crate::authority::View;
use crate::text;

/// Clauses of a question that are looked at; the rest are reported as over the limit.
const MOST_CLAUSES: usize = 16;
/// Steps of a plan from elsewhere that are looked at, likewise.
pub const MOST_STEPS: usize = 12;

/// A question as steps in the order they are to be done.
#[derive(Clone, Debug)]
pub struct Plan {
    pub(super) local: LocalPlan,
    pub(super) by: Planner,
    /// Steps that are looked at.
    pub(super) most: usize,
    /// The steps of the plan before this one, where that left something open.
    earlier: Option<BTreeSet<String>>,
    /// What a language model chose for steps, by their place.
    pub(super) choices: BTreeMap<usize, Choice>,
}

/// One step of a plan from elsewhere. Texts are as they were written; an empty one says nothing.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedStep {
    /// What is to be done, as a sentence.
    pub text: String,
    pub verb: String,
    /// What the verb is about.
    pub what: String,
    /// Things it takes as given.
    pub needs: Vec<String>,
    /// The thing it makes or finds.
    pub produces: String,
    /// How often it is to be done, from 1.
    pub repeat: usize,
}

impl Plan {
    fn new(local: LocalPlan, by: Planner, most: usize) -> Self {
        Self { local, by, most, earlier: None, choices: BTreeMap::new() }
    }

    /// Who made it.
    pub fn by(&self) -> Planner {
        self.by
    }

    /// This one was made because the other left something open.
    #[must_use]
    pub fn after(self, other: &Self) -> Self {
        Self { earlier: Some(other.local.clauses.iter().map(|clause| clause.text.clone()).collect()), ..self }
    }

    /// The same plan with these tools for its steps.
    pub(super) fn with_choices(&self, choices: BTreeMap<usize, Choice>) -> Self {
        Self { choices, ..self.clone() }
    }

    /// The only step is the question itself.
    pub(super) fn is_whole(&self) -> bool {
        self.by == Planner::Local && self.local.clauses.len() == 1
    }

    /// The step stands in no earlier plan.
    pub(super) fn is_new(&self, step: &str) -> bool {
        self.earlier.as_ref().is_some_and(|earlier| !earlier.contains(step))
    }

    /// Why a step past the limit was not looked at.
    pub(super) fn too_long(&self) -> String {
        let whole = if self.by == Planner::Llm { "plan" } else { "question" };
        format!("the {whole} has more than {} parts", self.most)
    }
}

impl LocalPlan {
    /// Things that later steps take as given.
    pub(super) fn wanted_after(&self, position: usize) -> Vec<String> {
        self.clauses.iter().skip(position + 1).flat_map(|clause| clause.needs.clone()).collect()
    }
}

impl ProjectRouter {
    /// The local planner's plan.
    pub fn plan(&self, question: &str) -> Plan {
        Plan::new(planner::plan(question, self.languages.of(question).words), Planner::Local, MOST_CLAUSES)
    }

    /// A plan of these steps, or what is wrong with them, in words that a model can mend them by. What the question says not to do,
    /// and the values that it holds, are read from the question itself.
    pub fn planned(&self, view: &View, request: &RouteRequest, steps: &[PlannedStep]) -> Result<Plan, String> {
        if steps.iter().any(|step| step.text.trim().is_empty()) {
            return Err("a step has no text".to_owned());
        }
        if steps.iter().flat_map(texts).any(|text| !is_plain_line(text)) {
            return Err("a step holds characters that cannot be seen".to_owned());
        }
        let spoken = self.languages.of(&request.question);
        if self.brings_a_name(view, &request.question, steps, spoken.words) {
            return Err("a step says with which tool, and only what is to be done was asked for".to_owned());
        }
        let whole = steps.iter().map(|step| step.text.as_str()).collect::<Vec<_>>().join(". ");
        let of_steps = self.languages.of(&whole).language;
        let known = of_steps == spoken.language || of_steps == OF_CATALOGS;
        if !known && !shares_words(&whole, &request.question) {
            return Err("the steps are in another language than the question".to_owned());
        }
        let mut local = planner::plan(&request.question, spoken.words);
        let asked: BTreeSet<Operation> =
            local.clauses.iter().flat_map(|clause| clause.operations.iter().copied()).collect();
        let never: BTreeSet<Operation> = local.forbidden.difference(&asked).copied().collect();
        let clauses = steps.iter().map(|step| clause(step, request, spoken.words, &self.languages));
        local.clauses = clauses.filter_map(|clause| without(clause, &never)).collect();
        if local.clauses.is_empty() {
            return Err("nothing of it was asked for".to_owned());
        }
        Ok(Plan::new(local, Planner::Llm, MOST_STEPS))
    }

    /// A step calls a tool of the `route` set by a name that the question does not say.
    fn brings_a_name(&self, view: &View, question: &str, steps: &[PlannedStep], words: &Words) -> bool {
        let in_route = |at: usize| self.index.tools.get(at).is_some_and(|tool| view.routes(&tool.card.id));
        let called = |text: &str| named(text, &values::values(text, words), &self.index, in_route);
        let said = called(question);
        steps.iter().flat_map(texts).any(|text| called(text).iter().any(|at| !said.contains(at)))
    }
}

/// Half of the question's words are in the steps: they are of its language, whatever is guessed of theirs.
fn shares_words(steps: &str, question: &str) -> bool {
    let (steps, question): (BTreeSet<String>, BTreeSet<String>) =
        (text::words(steps).into_iter().collect(), text::words(question).into_iter().collect());
    2 * question.intersection(&steps).count() >= question.len()
}

fn texts(step: &PlannedStep) -> impl Iterator<Item = &str> {
    let own = [&step.text, &step.verb, &step.what, &step.produces];
    own.into_iter().chain(&step.needs).map(String::as_str)
}

/// The step as the router reads it: by the words of the question's language, its verb in those of catalogs first, as it was asked for;
/// its values only where they were said.
fn clause(step: &PlannedStep, request: &RouteRequest, words: &Words, languages: &Languages) -> Clause {
    let text = step.text.trim();
    let mut clause = planner::clause(text, words);
    let verb = step.verb.trim().to_lowercase();
    let mut known = [languages.of_catalogs(), words].into_iter().filter_map(|words| Some((words, words.verb(&verb)?)));
    if let Some((words, verb)) = known.next() {
        clause.native = words.is(&verb, Part::Native);
        clause.operations = words.operations(&verb).cloned().unwrap_or_default();
        clause.is_question = false;
        clause.verb = Some(verb);
    }
    if !step.what.trim().is_empty() {
        step.what.trim().clone_into(&mut clause.what);
    }
    let own: BTreeSet<String> = words.tokens(text).into_iter().map(|(_, word)| word).collect();
    let needs = step.needs.iter().filter_map(|need| thing(need, words)).filter(|need| own.contains(need));
    clause.needs = needs.map(|need| words.thing(&need)).collect();
    clause.needs.dedup();
    let sends = clause.operations.contains(&Operation::Send);
    clause.produces = thing(&step.produces, words).filter(|_| !sends).map(|thing| words.thing(&thing));
    clause.repeat = step.repeat.max(1);
    let turns = request.context.turns.iter().map(|turn| turn.text.as_str());
    let said: Vec<&str> = turns.chain([request.question.as_str()]).collect();
    clause.values.retain(|value| said.iter().any(|text| text.contains(&value.text)));
    clause
}

/// The step without what must not be done; nothing where that is all it asks for.
fn without(mut clause: Clause, never: &BTreeSet<Operation>) -> Option<Clause> {
    let asked = clause.operations.len();
    clause.operations.retain(|operation| !never.contains(operation));
    (asked == 0 || !clause.operations.is_empty()).then_some(clause)
}

/// The last word of a phrase, which is what the local planner takes for a thing.
fn thing(phrase: &str, words: &Words) -> Option<String> {
    words.tokens(phrase).pop().map(|(_, word)| word)
}
