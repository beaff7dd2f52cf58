//! The four signals of a tool for a clause, and their weighted sum: 0.40 semantic, 0.25 BM25, 0.15 param_fit, 0.20 output_fit
//! by default; the weights are the snapshot's. Every number is counted over the caller's `route` set.

use std::collections::BTreeSet;

use ambit_model::declaration::Weights;
use ambit_model::ratio::{Ratio, Score};
use ambit_model::route::Signals;
use roaring::RoaringBitmap;

use super::deeds::Deed;
use super::kin::Kin;
use super::planner::Clause;
use super::supply::{self, HandedOn};
use super::values::{Value, ValueKind};
use super::vocabulary::Words;
use crate::index::{IndexError, IndexedTool, ProjectIndex, Vectors, WordScores};
use crate::text;

/// Share of the whole question in a clause's own meaning, so that a short clause keeps its subject.
const QUESTION_SHARE: f64 = 0.3;

/// Share of the words of a tool's name in the word signal.
const NAME_SHARE: f64 = 0.3;

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
    /// Words may stand in for meaning, because the language of the question is not the model's and a vocabulary knows it.
    pub(super) by_words: bool,
    pub(super) notes: Vec<String>,
}

impl Scored {
    /// How near the tool comes to the clause at all, mostly in meaning, a little in words: what the floor is held against.
    pub(super) fn evidence(&self) -> Ratio {
        let mixed = |own: f64| (1.0 - WORDS_SHARE) * own + WORDS_SHARE * self.words;
        let mixed = self.own.map_or(self.words_alone, mixed);
        Ratio::from_f64(if self.by_words { mixed.max(self.words_alone) } else { mixed })
    }
}

/// What is being asked: a clause, the vectors of clause and question where there is a model, and what came before.
pub(super) struct Asked<'a> {
    pub(super) clause: &'a Clause,
    pub(super) clause_vector: Option<&'a [f32]>,
    pub(super) question_vector: Option<&'a [f32]>,
    /// The whole question, where the clause is only a part of it.
    pub(super) question: Option<&'a str>,
    /// The clause's vector is of its own text.
    pub(super) own_vector: bool,
    pub(super) before: &'a HandedOn,
    /// Things that a later clause takes as given.
    pub(super) wanted_later: &'a [String],
}

/// Scores tools; borrowed from a router for one answer.
pub(super) struct Scorer<'a> {
    pub(super) index: &'a ProjectIndex,
    pub(super) vectors: &'a Vectors,
    /// Of the question's language.
    pub(super) words: &'a Words,
    /// Of the language that tools are named in.
    pub(super) of_catalogs: &'a Words,
    /// Words of tools that are one word in the question's language; none where that is the catalogs' own.
    pub(super) kin: Option<&'a Kin>,
    pub(super) deeds: &'a [Deed],
    pub(super) weights: &'a Weights,
    pub(super) route: &'a RoaringBitmap,
    /// Whether meaning counts less because the language is not the model's.
    pub(super) words_first: bool,
}

impl Scorer<'_> {
    /// Every tool of the `route` set, best first; equal scores by canonical id.
    pub(super) fn score(&self, asked: &Asked<'_>) -> Result<Vec<Scored>, IndexError> {
        let positions: Vec<usize> = self.route.iter().filter_map(|at| usize::try_from(at).ok()).collect();
        let of_clause = self.stems(&without_values(asked.clause))?;
        let words = self.index.words.scores(&of_clause, self.route)?;
        let of_question = match asked.question {
            Some(question) => Some(self.index.words.scores(&self.stems(question)?, self.route)?),
            None => None,
        };
        let asked_words: BTreeSet<String> = of_clause.into_iter().collect();
        let named =
            |at: &usize| self.index.tools.get(*at).map_or(0.0, |tool| self.name_share(*at, tool, &asked_words, asked));
        let names = positions.iter().map(named);
        let near = Near {
            bm25: with_names(
                mixed(
                    shares(&positions, |at| words.share(at)),
                    of_question.map(|scores| shares(&positions, |at| scores.share(at))),
                ),
                names,
            ),
            words,
            clause: self.cosines(&positions, asked.clause_vector),
            question: self.cosines(&positions, asked.question_vector),
        };
        let semantic = near.semantic();
        let mut scored: Vec<Scored> = positions
            .iter()
            .enumerate()
            .filter_map(|(n, at)| self.index.tools.get(*at).map(|tool| (n, *at, tool)))
            .map(|(n, at, tool)| self.one(n, at, tool, asked, &near, &semantic))
            .collect();
        sort(&mut scored);
        Ok(scored)
    }

    /// The share of a name's words that the clause has; a verb counts where it asks for what the tool does.
    fn name_share(&self, at: usize, tool: &IndexedTool, words: &BTreeSet<String>, asked: &Asked<'_>) -> f64 {
        let prose = text::name_as_prose(tool.card.id.name());
        let does = self.deeds.get(at).is_some_and(|deed| deed.is_any_of(&asked.clause.operations));
        let parts: Vec<&str> = prose.split(' ').filter(|part| !part.is_empty()).collect();
        let known =
            |part: &&&str| words.contains(&text::stem(part)) || (does && self.of_catalogs.operations(part).is_some());
        #[expect(clippy::cast_precision_loss, reason = "a name has a handful of words")]
        let share = parts.iter().filter(known).count() as f64 / parts.len().max(1) as f64;
        share
    }

    /// What is looked up for a text. Of another language than the catalogs' each word is what tools of the `route` set have for it:
    /// words that mean the same, and words with its stem. One that has none counts once as unknown.
    fn stems(&self, text: &str) -> Result<Vec<String>, IndexError> {
        let Some(kin) = self.kin else { return Ok(self.words.widened(&text::words(text))) };
        let mut stems = BTreeSet::new();
        for word in self.words.telling(text) {
            let same: Vec<String> = word.same.iter().cloned().collect();
            let meant = self.of_catalogs.widened(&same).into_iter().chain(kin.of_stem(&word.own, self.route).cloned());
            let all: BTreeSet<String> = meant.chain(word.as_english).collect();
            let mut known = false;
            for stem in all {
                if self.index.words.has(&stem, self.route)? {
                    known = true;
                    stems.insert(stem);
                }
            }
            if !known {
                stems.insert(word.own);
            }
        }
        Ok(stems.into_iter().collect())
    }

    /// The nearest text of each tool, and how near it is; nothing without a vector.
    fn cosines(&self, positions: &[usize], vector: Option<&[f32]>) -> Vec<Option<(usize, f64)>> {
        let best = |at: &usize| {
            let tool = self.index.tools.get(*at)?;
            vector.and_then(|v| self.vectors.best(v, &tool.texts)).map(|(row, cosine)| (row, cosine.max(0.0)))
        };
        positions.iter().map(best).collect()
    }

    fn one(&self, n: usize, at: usize, tool: &IndexedTool, asked: &Asked<'_>, near: &Near, semantic: &[f64]) -> Scored {
        let bm25 = &near.words;
        let clause = near.clause.get(n).copied().flatten();
        let question = near.question.get(n).copied().flatten();
        let own = clause.or(question).map(|(_, cosine)| cosine);
        let signals = Signals {
            semantic: Score::from_f64(semantic.get(n).copied().unwrap_or(0.0)),
            bm25: Score::from_f64(near.bm25.get(n).copied().unwrap_or(0.0)),
            param_fit: Score::from_f64(supply::param_fit(tool, &asked.clause.values, asked.before)),
            output_fit: Score::from_f64(self.output_fit(at, tool, asked)),
        };
        let mut notes = Vec::new();
        if let Some((row, _)) = clause.or(question)
            && let Some(example) = row.checked_sub(1).and_then(|row| tool.card.examples.get(row))
        {
            notes.push(format!("closest to its example “{example}”"));
        }
        let words = bm25.share(at) * bm25.coverage;
        let words_alone = bm25.share(at) * bm25.coverage.sqrt();
        let by_words = self.words_first || (asked.question.is_some() && !asked.own_vector);
        Scored {
            at,
            score: self.weighed(&signals, by_words),
            signals,
            own,
            words,
            words_alone,
            by_words: self.words_first && self.kin.is_some(),
            notes,
        }
    }

    fn weighed(&self, signals: &Signals, by_words: bool) -> Ratio {
        let semantic_weight = if self.vectors.is_empty() { 0.0 } else { self.weights.semantic.to_f64() };
        let (semantic_weight, bm25_weight) = if by_words {
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
    fn output_fit(&self, at: usize, tool: &IndexedTool, asked: &Asked<'_>) -> f64 {
        let facts = &tool.facts;
        let operation = self.deeds.get(at).map_or(0.5, |deed| operation_fit(deed, asked.clause));
        let wanted: Vec<String> =
            self.of_catalogs.widened(&asked.clause.produces.iter().map(|thing| text::stem(thing)).collect::<Vec<_>>());
        let own = facts.produces.iter().map(|p| text::stem(p)).chain(text::words(&facts.entity.value));
        let outputs = tool.outputs.iter().flat_map(|o| text::words(&o.name));
        let things: BTreeSet<String> = own.chain(outputs).collect();
        let thing =
            if wanted.is_empty() { 0.5 } else { f64::from(u8::from(wanted.iter().any(|w| things.contains(w)))) };
        let later =
            asked.wanted_later.iter().any(|thing| facts.produces.iter().any(|p| text::stem(p) == text::stem(thing)));
        if later { 1.0 } else { 0.5 + 0.25 * operation + 0.25 * thing }
    }
}

/// How near tools come to clause and question, one after the other by position.
struct Near {
    words: WordScores,
    bm25: Vec<f64>,
    clause: Vec<Option<(usize, f64)>>,
    question: Vec<Option<(usize, f64)>>,
}

impl Near {
    fn semantic(&self) -> Vec<f64> {
        let of = |cosines: &[Option<(usize, f64)>]| {
            cosines.iter().any(Option::is_some).then(|| {
                let raw: Vec<f64> = cosines.iter().map(|best| best.map_or(0.0, |(_, cosine)| cosine)).collect();
                of_the_best(raw)
            })
        };
        match (of(&self.clause), of(&self.question)) {
            (Some(clause), question) => mixed(clause, question),
            (None, Some(question)) => question,
            (None, None) => vec![0.0; self.question.len()],
        }
    }
}

fn shares(positions: &[usize], share: impl Fn(usize) -> f64) -> Vec<f64> {
    of_the_best(positions.iter().map(|at| share(*at)).collect())
}

/// Each as a share of the best.
fn of_the_best(mut values: Vec<f64>) -> Vec<f64> {
    let best = values.iter().copied().fold(0.0, f64::max);
    if best > 0.0 {
        values.iter_mut().for_each(|value| *value /= best);
    }
    values
}

/// Scores of texts, with a part for names.
fn with_names(scores: Vec<f64>, names: impl Iterator<Item = f64>) -> Vec<f64> {
    scores.into_iter().zip(names).map(|(score, name)| (1.0 - NAME_SHARE) * score + NAME_SHARE * name).collect()
}

/// A clause's own, with a part of the whole question's.
fn mixed(clause: Vec<f64>, question: Option<Vec<f64>>) -> Vec<f64> {
    match question {
        Some(question) => {
            let both = clause.into_iter().zip(question);
            both.map(|(clause, question)| (1.0 - QUESTION_SHARE) * clause + QUESTION_SHARE * question).collect()
        }
        None => clause,
    }
}

/// 1 where the verb asks for this operation, 0.5 where nothing tells or both read, 0 where one writes and the other reads.
fn operation_fit(deed: &Deed, clause: &Clause) -> f64 {
    if clause.operations.is_empty() || deed.operations.is_empty() {
        return 0.5;
    }
    if deed.is_any_of(&clause.operations) {
        return 1.0;
    }
    let asked_to_read = clause.operations.iter().any(|o| o.reads());
    let asked_to_write = clause.operations.iter().any(|o| !o.reads());
    match deed.reads() {
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
