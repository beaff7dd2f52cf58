//! The Workspace document: every default of routing and intake, written or not.

use std::collections::BTreeSet;

use ambit_model::declaration::{ANY_LANGUAGE, Settings, Thresholds, Weights, english};
use ambit_model::identity::is_identifier;
use ambit_model::ratio::Ratio;

use super::forms::Reader;
use crate::parse::at::At;
use crate::parse::written::{self, Text};

/// The embedding model of a workspace that names none.
pub const DEFAULT_EMBEDDING_MODEL: &str = "all-minilm-l6-v2-w8";

/// How the name of a model of fastembed's list opens.
const HUB: &str = "hub:";

/// How the names of models open that were made for many languages, in fastembed's list, in lower case.
const MULTILINGUAL: &[&str] =
    &["hub:multilinguale5", "hub:paraphrasemlminilm", "hub:paraphrasemlmpnet", "hub:bgem3", "hub:embeddinggemma"];

/// The languages of a model of which the workspace says none.
fn of_model(model: &str) -> Vec<String> {
    let lower = model.to_lowercase();
    if MULTILINGUAL.iter().any(|opening| lower.starts_with(opening)) {
        vec![ANY_LANGUAGE.to_owned()]
    } else {
        english()
    }
}

impl Reader<'_> {
    pub(super) fn settings(&mut self, workspace: &written::Workspace) -> Settings {
        self.identifier(&workspace.name);
        let model = workspace.embedding.as_ref().map(|embedding| &embedding.model);
        if let Some(model) = model {
            self.model(model);
        }
        let languages =
            workspace.embedding.as_ref().map(|embedding| embedding.languages.as_slice()).unwrap_or_default();
        languages.iter().for_each(|language| self.identifier(language));
        let languages: BTreeSet<String> = languages.iter().map(|language| language.value.clone()).collect();
        let model = model.map_or_else(|| DEFAULT_EMBEDDING_MODEL.to_owned(), |model| model.value.clone());
        Settings {
            workspace: workspace.name.value.clone(),
            embedding_languages: if languages.is_empty() { of_model(&model) } else { languages.into_iter().collect() },
            embedding_model: model,
            weights: workspace.weights.as_ref().map(|weights| self.weights(weights)).unwrap_or_default(),
            thresholds: self.thresholds(&workspace.thresholds),
        }
    }

    /// An id, behind the word for fastembed's list where the model is of that.
    fn model(&mut self, written: &Text) {
        let name = written.value.strip_prefix(HUB).unwrap_or(&written.value);
        if !is_identifier(name) {
            self.identifier(written);
        }
    }

    /// Weights that are not written keep their default; all four add up to one whole.
    fn weights(&mut self, written: &At<written::Weights>) -> Weights {
        let defaults = Weights::default();
        let mine = &written.value;
        let before = self.problems.len();
        let weights = Weights {
            semantic: self.or_default(mine.semantic.as_ref(), defaults.semantic),
            bm25: self.or_default(mine.bm25.as_ref(), defaults.bm25),
            param_fit: self.or_default(mine.param_fit.as_ref(), defaults.param_fit),
            output_fit: self.or_default(mine.output_fit.as_ref(), defaults.output_fit),
        };
        let sum = Ratio(weights.semantic.0 + weights.bm25.0 + weights.param_fit.0 + weights.output_fit.0);
        if sum != Ratio::ONE && self.problems.len() == before {
            let first = [&mine.semantic, &mine.bm25, &mine.param_fit, &mine.output_fit]
                .into_iter()
                .flatten()
                .map(|text| text.span)
                .min_by_key(|span| span.start);
            let help = format!(
                "they are semantic {}, bm25 {}, param_fit {} and output_fit {}; one that is not written keeps its default",
                weights.semantic, weights.bm25, weights.param_fit, weights.output_fit
            );
            self.refuse(first.unwrap_or(written.span), format!("the weights add up to {sum}, not to 1"), help);
            return defaults;
        }
        weights
    }

    fn thresholds(&mut self, written: &written::Thresholds) -> Thresholds {
        let defaults = Thresholds::default();
        Thresholds {
            self_retrieval: self.or_default(written.self_retrieval.as_ref(), defaults.self_retrieval),
            floor: self.or_default(written.floor.as_ref(), defaults.floor),
            gate: self.or_default(written.gate.as_ref(), defaults.gate),
            clear_winner: self.or_default(written.clear_winner.as_ref(), defaults.clear_winner),
            gain: self.or_default(written.gain.as_ref(), defaults.gain),
        }
    }

    fn or_default(&mut self, written: Option<&Text>, default: Ratio) -> Ratio {
        written.and_then(|text| self.ratio(text)).unwrap_or(default)
    }
}
