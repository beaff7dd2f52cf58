//! Weights and thresholds by cross-validation: searched on four fifths of the questions, judged on the fifth that was not looked at.
//! What is proposed was searched on all of them; what it is worth is what the held-out fifths say.

use std::collections::BTreeMap;

use ambit_model::declaration::Settings;
use ambit_model::digest::Digest;
use ambit_model::ratio::Ratio;
use serde::Serialize;

use super::set::Question;

const FOLDS: usize = 5;
/// How often each knob is turned.
const ROUNDS: usize = 2;
/// What a setting has to gain before it replaces the one before it: less is chance.
const WORTH: f64 = 0.002;

/// What came of a search.
#[derive(Clone, Debug, Serialize)]
pub struct Tuned {
    /// As YAML for the Workspace document.
    pub yaml: String,
    /// Exact sets of the held-out questions, single and multi halves weighed alike: with the settings as they are, and with those
    /// that the other questions chose.
    pub held_out_before: f64,
    pub held_out_after: f64,
    /// Settings that were tried.
    pub tried: usize,
}

/// One number that can be moved, and the values that it is moved to.
struct Knob {
    of: fn(&mut Settings) -> &mut Ratio,
    values: &'static [i32],
}

const KNOBS: [Knob; 7] = [
    Knob { of: |s| &mut s.weights.semantic, values: &[2_000, 3_000, 4_000, 5_000, 6_000, 7_000] },
    Knob { of: |s| &mut s.weights.bm25, values: &[1_000, 2_000, 2_500, 3_000, 4_000] },
    Knob { of: |s| &mut s.weights.param_fit, values: &[0, 500, 1_000, 1_500, 2_000] },
    Knob { of: |s| &mut s.weights.output_fit, values: &[0, 500, 1_000, 1_500, 2_000, 2_500] },
    Knob { of: |s| &mut s.thresholds.gain, values: &[0, 500, 1_000, 1_500, 2_000] },
    Knob { of: |s| &mut s.thresholds.floor, values: &[1_500, 2_200, 2_800, 3_400, 4_000] },
    Knob { of: |s| &mut s.thresholds.clear_winner, values: &[200, 500, 1_000] },
];

/// Searches. `exact` tells of each question whether these settings give it its tools; nothing where it fails.
pub fn tune<E>(
    start: &Settings,
    questions: &[Question],
    exact: impl FnMut(&Settings) -> Result<Vec<bool>, E>,
) -> Result<Tuned, E> {
    let mut search = Search { exact, known: BTreeMap::new(), weights: weights(questions) };
    let folds: Vec<usize> = questions.iter().map(fold).collect();
    let (mut before, mut after, mut asked) = (0.0, 0.0, 0.0);
    for held_out in 0..FOLDS {
        let train: Vec<bool> = folds.iter().map(|fold| *fold != held_out).collect();
        let test: Vec<bool> = train.iter().map(|in_train| !in_train).collect();
        let found = search.best(start, &train)?;
        before += search.hits(start, &test)?;
        after += search.hits(&found, &test)?;
        asked += search.most(&test);
    }
    let found = search.best(start, &vec![true; questions.len()])?;
    let share = |hits: f64| if asked > 0.0 { hits / asked } else { 0.0 };
    Ok(Tuned {
        yaml: as_yaml(&found),
        held_out_before: share(before),
        held_out_after: share(after),
        tried: search.known.len(),
    })
}

struct Search<F> {
    exact: F,
    known: BTreeMap<Vec<i32>, Vec<bool>>,
    /// Of each question, so that single and multi ones weigh the same.
    weights: Vec<f64>,
}

impl<F, E> Search<F>
where
    F: FnMut(&Settings) -> Result<Vec<bool>, E>,
{
    /// One knob after the other, each to the value that gives most.
    fn best(&mut self, start: &Settings, of: &[bool]) -> Result<Settings, E> {
        let mut best = start.clone();
        let mut most = self.hits(&best, of)?;
        let worth = WORTH * self.most(of);
        for _ in 0..ROUNDS {
            for knob in &KNOBS {
                for value in knob.values {
                    let mut tried = best.clone();
                    (knob.of)(&mut tried).0 = *value;
                    let tried = whole(tried);
                    let hits = self.hits(&tried, of)?;
                    if hits > most + worth {
                        (best, most) = (tried, hits);
                    }
                }
            }
        }
        Ok(best)
    }

    fn hits(&mut self, settings: &Settings, of: &[bool]) -> Result<f64, E> {
        let key = key(settings);
        if !self.known.contains_key(&key) {
            let found = (self.exact)(settings)?;
            self.known.insert(key.clone(), found);
        }
        let found = self.known.get(&key).map(Vec::as_slice).unwrap_or_default();
        let counted = found.iter().zip(of).zip(&self.weights).filter(|((hit, counts), _)| **hit && **counts);
        Ok(counted.map(|(_, weight)| weight).sum())
    }

    fn most(&self, of: &[bool]) -> f64 {
        self.weights.iter().zip(of).filter(|(_, counts)| **counts).map(|(weight, _)| weight).sum()
    }
}

fn weights(questions: &[Question]) -> Vec<f64> {
    #[expect(clippy::cast_precision_loss, reason = "questions are far fewer than 2^52")]
    let share = |multi: bool| 1.0 / questions.iter().filter(|q| q.is_multi() == multi).count().max(1) as f64;
    questions.iter().map(|question| share(question.is_multi())).collect()
}

/// By digest, so that a question is in the same fold in every run.
fn fold(question: &Question) -> usize {
    let digest = Digest::of(question.id.as_bytes()).to_string();
    digest.bytes().map(usize::from).sum::<usize>() % FOLDS
}

fn key(settings: &Settings) -> Vec<i32> {
    let mut settings = settings.clone();
    KNOBS.iter().map(|knob| (knob.of)(&mut settings).0).collect()
}

/// The weights made to add up to one again; what rounding leaves goes to the first.
fn whole(mut settings: Settings) -> Settings {
    let weights = &mut settings.weights;
    let parts = [weights.semantic.0, weights.bm25.0, weights.param_fit.0, weights.output_fit.0];
    let sum: i32 = parts.iter().sum();
    if sum > 0 {
        // In hundredths, as people write them.
        let [_, bm25, param_fit, output_fit] = parts.map(|part| part * 100 / sum * 100);
        weights.bm25.0 = bm25;
        weights.param_fit.0 = param_fit;
        weights.output_fit.0 = output_fit;
        weights.semantic.0 = Ratio::ONE.0 - bm25 - param_fit - output_fit;
    }
    settings
}

fn as_yaml(settings: &Settings) -> String {
    let (weights, thresholds) = (&settings.weights, &settings.thresholds);
    let share = |ratio: Ratio| f64::from(ratio.0) / 10_000.0;
    format!(
        "weights: {{ semantic: {}, bm25: {}, param_fit: {}, output_fit: {} }}\nthresholds: {{ floor: {}, clear_winner: {}, gain: {} }}\n",
        share(weights.semantic),
        share(weights.bm25),
        share(weights.param_fit),
        share(weights.output_fit),
        share(thresholds.floor),
        share(thresholds.clear_winner),
        share(thresholds.gain)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn questions(count: usize) -> Vec<Question> {
        let question = |n: usize| Question {
            id: n.to_string(),
            query: String::new(),
            gold: vec![String::new(); 1 + n % 2],
            ordered: false,
            context: Vec::new(),
        };
        (0..count).map(question).collect()
    }

    fn settings() -> Settings {
        Settings {
            workspace: "w".into(),
            embedding_model: "m".into(),
            embedding_languages: ambit_model::declaration::english(),
            weights: Default::default(),
            thresholds: Default::default(),
        }
    }

    #[test]
    fn a_knob_that_helps_is_found_and_weights_stay_whole() {
        let asked = questions(40);
        // Half of the questions are right where words weigh much.
        let exact = |settings: &Settings| {
            Ok::<_, ()>((0..asked.len()).map(|n| n % 4 < 2 || settings.weights.bm25.0 >= 3_000).collect())
        };
        let tuned = tune(&settings(), &asked, exact).unwrap();
        assert!((tuned.held_out_before - 0.5).abs() < 1e-9 && (tuned.held_out_after - 1.0).abs() < 1e-9, "{tuned:?}");
        let read: serde_json::Value = serde_saphyr::from_str(&tuned.yaml).unwrap();
        let weights = read["weights"].as_object().unwrap().values().filter_map(serde_json::Value::as_f64).sum::<f64>();
        assert!((weights - 1.0).abs() < 1e-9 && read["weights"]["bm25"].as_f64() >= Some(0.3), "{tuned:?}");
    }

    #[test]
    fn what_is_chance_changes_nothing() {
        let asked = questions(40);
        let tuned = tune(&settings(), &asked, |_| Ok::<_, ()>(vec![true; 40])).unwrap();
        assert!(tuned.yaml.contains("semantic: 0.4, bm25: 0.25, param_fit: 0.15, output_fit: 0.2"), "{}", tuned.yaml);
    }
}
