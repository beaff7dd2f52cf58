//! The four signals of a tool for a clause, and their weighted sum: 0.40 semantic, 0.25 BM25, 0.15 param_fit, 0.20 output_fit
//! by default; the weights are the snapshot's. Every number is counted over the caller's `route` set.

use ambit_model::declaration::Weights;
use ambit_model::facts::Operation;
use ambit_model::ratio::{Ratio, Score};
use ambit_model::route::Signals;
use roaring::RoaringBitmap;

use super::planner::Clause;
use super::supply::{self, HandedOn};
use super::values::{Value, ValueKind};
use super::vocabulary::Words;
use crate::index::{IndexError, IndexedTool, ProjectIndex, Vectors, WordScores};
use crate::text;

/// Share of the whole question in a clause's own meaning, so that a short clause keeps its subject.
const QUESTION_SHARE: f64 = 0.3;

/// Share of words in the evidence that a tool is meant at all.
const WORDS_SHARE: f64 = 0.25;

/// One tool of the `route` set, scored for one clause.
#[derive(Clone, Debug)]
pub(super) struct Scored {
    /// Position in the project's index.
    pub(super) at: usize,
    pub(super) score: Ratio,
    pub(super) signals: Signals,
    /// Best cosine with the clause alone, where there are vectors.
    pub(super) own: Option<f64>,
    /// Its share of all that the clause's words could give, those included that no tool of the set knows.
    pub(super) words: f64,
    /// The same, less strict about unknown words: what stands in for meaning where there are no vectors.
    pub(super) words_alone: f64,
    pub(super) notes: Vec<String>,
}

impl Scored {
    /// How near the tool comes to the clause at all, mostly in meaning, a little in words: what the floor is held against.
    pub(super) fn evidence(&self) -> Ratio {
        let mixed = |own: f64| (1.0 - WORDS_SHARE) * own + WORDS_SHARE * self.words;
        Ratio::from_f64(self.own.map_or(self.words_alone, mixed))
    }
}

/// What is being asked: a clause, the vectors of clause and question where there is a model, and what came before.
pub(super) struct Asked<'a> {
    pub(super) clause: &'a Clause,
    pub(super) clause_vector: Option<&'a [f32]>,
    pub(super) question_vector: Option<&'a [f32]>,
    pub(super) before: &'a HandedOn,
    /// Things that a later clause takes as given.
    pub(super) wanted_later: &'a [String],
}

/// Scores tools; borrowed from a router for one answer.
pub(super) struct Scorer<'a> {
    pub(super) index: &'a ProjectIndex,
    pub(super) vectors: &'a Vectors,
    pub(super) words: &'a Words,
    pub(super) weights: &'a Weights,
    pub(super) route: &'a RoaringBitmap,
    /// Whether meaning counts less because the language is not the model's.
    pub(super) words_first: bool,
}

impl Scorer<'_> {
    /// Every tool of the `route` set, best first; equal scores by canonical id.
    pub(super) fn score(&self, asked: &Asked<'_>) -> Result<Vec<Scored>, IndexError> {
        let stems = self.words.widened(&text::words(&without_values(asked.clause)));
        let bm25 = self.index.words.scores(&stems, self.route)?;
        let positions = self.route.iter().filter_map(|at| usize::try_from(at).ok());
        let mut scored: Vec<Scored> = positions
            .filter_map(|at| self.index.tools.get(at).map(|tool| (at, tool)))
            .map(|(at, tool)| self.one(at, tool, asked, &bm25))
            .collect();
        sort(&mut scored);
        Ok(scored)
    }

    fn one(&self, at: usize, tool: &IndexedTool, asked: &Asked<'_>, bm25: &WordScores) -> Scored {
        let best = |vector: Option<&[f32]>| {
            vector.and_then(|v| self.vectors.best(v, &tool.texts)).map(|(row, cosine)| (row, cosine.max(0.0)))
        };
        let clause = best(asked.clause_vector);
        let question = best(asked.question_vector);
        let own = clause.or(question).map(|(_, cosine)| cosine);
        let semantic = match (clause, question) {
            (Some((_, clause)), Some((_, question))) => (1.0 - QUESTION_SHARE) * clause + QUESTION_SHARE * question,
            _ => own.unwrap_or(0.0),
        };
        let signals = Signals {
            semantic: Score::from_f64(semantic),
            bm25: Score::from_f64(bm25.share(at)),
            param_fit: Score::from_f64(supply::param_fit(tool, &asked.clause.values, asked.before)),
            output_fit: Score::from_f64(self.output_fit(tool, asked)),
        };
        let mut notes = Vec::new();
        if let Some((row, _)) = clause.or(question)
            && let Some(example) = row.checked_sub(1).and_then(|row| tool.card.examples.get(row))
        {
            notes.push(format!("closest to its example “{example}”"));
        }
        let words = bm25.share(at) * bm25.coverage;
        let words_alone = bm25.share(at) * bm25.coverage.sqrt();
        Scored { at, score: self.weighed(&signals), signals, own, words, words_alone, notes }
    }

    fn weighed(&self, signals: &Signals) -> Ratio {
        let semantic_weight = if self.vectors.is_empty() { 0.0 } else { self.weights.semantic.to_f64() };
        let (semantic_weight, bm25_weight) = if self.words_first {
            (semantic_weight / 2.0, self.weights.bm25.to_f64() + semantic_weight / 2.0)
        } else {
            (semantic_weight, self.weights.bm25.to_f64() + self.weights.semantic.to_f64() - semantic_weight)
        };
        Ratio::from_f64(
            semantic_weight * signals.semantic.to_f64()
                + bm25_weight * signals.bm25.to_f64()
                + self.weights.param_fit.to_f64() * signals.param_fit.to_f64()
                + self.weights.output_fit.to_f64() * signals.output_fit.to_f64(),
        )
    }

    /// Whether what the tool does and returns is what the clause asks for, or what a later clause takes as given: 0 to 1.
    fn output_fit(&self, tool: &IndexedTool, asked: &Asked<'_>) -> f64 {
        let facts = &tool.facts;
        let operation = operation_fit(facts.operation.value, asked.clause);
        let wanted: Vec<String> =
            self.words.widened(&asked.clause.produces.iter().map(|thing| text::stem(thing)).collect::<Vec<_>>());
        let own = facts.produces.iter().map(|p| text::stem(p)).chain(text::words(&facts.entity.value));
        let outputs = tool.outputs.iter().flat_map(|o| text::words(&o.name));
        let things: std::collections::BTreeSet<String> = own.chain(outputs).collect();
        let thing =
            if wanted.is_empty() { 0.5 } else { f64::from(u8::from(wanted.iter().any(|w| things.contains(w)))) };
        let later =
            asked.wanted_later.iter().any(|thing| facts.produces.iter().any(|p| text::stem(p) == text::stem(thing)));
        if later { 1.0 } else { 0.5 + 0.25 * operation + 0.25 * thing }
    }
}

/// 1 where the verb asks for this operation, 0.5 where nothing tells or both read, 0 where one writes and the other reads.
fn operation_fit(operation: Operation, clause: &Clause) -> f64 {
    if clause.operations.is_empty() {
        return 0.5;
    }
    if clause.operations.contains(&operation) {
        return 1.0;
    }
    let asked_to_read = clause.operations.iter().any(|o| o.reads());
    let asked_to_write = clause.operations.iter().any(|o| !o.reads());
    match operation.reads() {
        true if asked_to_read => 0.7,
        false if asked_to_write => 0.4,
        _ => 0.0,
    }
}

/// The clause's text without identifiers and addresses: they name rows, not tools. Names stay, they are often what a tool is about.
fn without_values(clause: &Clause) -> String {
    let of_rows = |value: &&Value| matches!(value.kind, ValueKind::Id | ValueKind::Email | ValueKind::Url);
    clause.values.iter().filter(of_rows).fold(clause.text.clone(), |text, value| text.replace(&value.text, " "))
}

/// Best first; equal scores by canonical id, which is the order of positions.
pub(super) fn sort(scored: &mut [Scored]) {
    scored.sort_by(|a, b| b.score.cmp(&a.score).then(a.at.cmp(&b.at)));
}
