//! Measuring the router against ground truth: a folder with a catalog and questions, or the GoldenRoutes of a workspace.
//! Nothing is published; vectors are kept, so that measuring again embeds nothing but what is timed.

pub(crate) mod golden;
mod planner;
mod set;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub use ambit_engine::eval::change::Change;
use ambit_engine::eval::measures::Asked;
pub use ambit_engine::eval::measures::{GapRate, Measures};
use ambit_engine::eval::tune::Tuned;
use ambit_engine::index::Vectors;
use ambit_model::declaration::Settings;
use ambit_model::diagnostic::Diagnostic;
use ambit_model::digest::Digest;
use ambit_model::route::Planner;
pub use planner::Planned;
use serde::Serialize;

use crate::Error;
use crate::caller::Caller;
use crate::embedder::ModelPlaces;
use crate::store::Store;
use crate::vectors::LazyEmbedder;

/// What is to be measured, and how.
#[derive(Clone, Debug, Default)]
pub struct EvalRequest {
    pub folder: PathBuf,
    /// Where projects, and so their language models, are declared.
    pub workspace: PathBuf,
    /// Who cuts the questions into steps.
    pub planner: Planner,
    /// Whose language model plans for a set, where it is one's; by its name, with or without its tenant.
    pub project: Option<String>,
    /// Made to the set before anything is asked, in this order.
    pub changes: Vec<Change>,
    /// Only so many questions: those with the lowest digests of their ids.
    pub most: Option<usize>,
    /// Also what plain rankings hand over.
    pub baselines: bool,
    /// Also what each signal gives: the same without it.
    pub ablate: bool,
    /// Also search for weights and thresholds that give more.
    pub tune: bool,
}

/// What came of it.
#[derive(Clone, Debug, Serialize)]
pub struct Evaluated {
    pub set: String,
    /// Tools that the set offers, and those that intake admitted.
    pub tools: usize,
    pub accepted: usize,
    /// Questions that name a tool which they want, and wanted tools that are not there: neither is left out of the numbers.
    pub leaks: usize,
    pub unknown_gold: usize,
    /// Nothing where only the local planner was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub planned: Option<Planned>,
    #[serde(flatten)]
    pub kinds: Kinds,
    /// By name; empty where they were not wanted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub baselines: Vec<Row>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ablation: Vec<Row>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tuned: Option<Tuned>,
    /// Lines of the set that could not be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<Diagnostic>,
}

/// The same questions, asked in another way.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    pub name: String,
    #[serde(flatten)]
    pub kinds: Kinds,
}

/// Questions that want one tool or none, and those that want more.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Kinds {
    pub single: Option<Measures>,
    pub multi: Option<Measures>,
}

impl Kinds {
    fn of(asked: Vec<Asked<'_>>) -> Self {
        let (multi, single): (Vec<Asked<'_>>, Vec<Asked<'_>>) =
            asked.into_iter().partition(|one| one.question.is_multi());
        Self { single: Measures::of(&single), multi: Measures::of(&multi) }
    }
}

/// Measures a folder that holds `catalog.json` and `queries.jsonl`, else the GoldenRoutes of the workspace in it.
pub async fn evaluate(
    caller: &Caller,
    request: &EvalRequest,
    store: &Store,
    places: &ModelPlaces,
) -> Result<Evaluated, Error> {
    caller.local_only("measure the router")?;
    if request.folder.join(set::CATALOG).is_file() {
        set::evaluate(request, store, places).await
    } else {
        golden::evaluate(caller, request, store, places).await
    }
}

/// The last part of the folder's path.
fn name_of(folder: &Path) -> String {
    let real = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    real.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn refused(code: &'static str, message: String, help: &str) -> Error {
    Error::Request(Box::new(Diagnostic::error(code, message).help(help)))
}

/// Embeds the texts of one question, and how long it took; never from the store, because what a user waits for is measured.
async fn embed(embedder: &LazyEmbedder, texts: Vec<String>) -> Result<(Vectors, Duration), Error> {
    let digests: Vec<Digest> = texts.iter().map(|text| Digest::of(text.as_bytes())).collect();
    let started = Instant::now();
    let made = embedder.embed(texts).await?;
    Ok((digests.into_iter().zip(made).collect(), started.elapsed()))
}

/// The settings without one signal, each in turn; its weight is shared out among the others as they stand to each other.
fn ablations(settings: &Settings) -> BTreeMap<&'static str, Settings> {
    let without = |name: &'static str, take: fn(&mut Settings) -> &mut ambit_model::ratio::Ratio| {
        let mut less = settings.clone();
        take(&mut less).0 = 0;
        (name, less)
    };
    BTreeMap::from([
        without("without semantic", |s| &mut s.weights.semantic),
        without("without bm25", |s| &mut s.weights.bm25),
        without("without param_fit", |s| &mut s.weights.param_fit),
        without("without output_fit", |s| &mut s.weights.output_fit),
    ])
}
