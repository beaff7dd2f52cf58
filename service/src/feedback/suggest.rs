//! Suggesting examples: questions that a tool served become lines of YAML, with what an evaluation says without them and with them.
//! INVARIANT: lines are written only where somebody asks for it and nothing gets worse by them; what is live never changes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use ambit_engine::compile::{self, Prepared};
use ambit_engine::examples;
use ambit_engine::patch::Addition;
use ambit_model::card::ToolCard;
use ambit_model::diagnostic::Diagnostic;
use ambit_model::identity::{ProjectId, ToolId};
use ambit_model::knowledge::CATALOG_PREFIX;
use serde::Serialize;

use super::compare::{Compared, compare};
use super::served::{LeftOut, Served, Sifted, sift};
use crate::caller::{Caller, wrong};
use crate::edits::{self, carry_out};
use crate::embedder::ModelPlaces;
use crate::format::ChangedFile;
use crate::store::{FeedbackScope, Store};
use crate::{Error, enrich, workspace};

/// The newest feedback that is gone through: that of a hundred projects at least.
const MOST_READ: u64 = 1_000_000;
/// Questions that one run proposes for one tool.
const MOST_OF_TOOL: usize = examples::MOST;

/// What to suggest from, and whether to write it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SuggestRequest {
    /// Only what was reported in this project, `tenant/project`.
    pub project: Option<String>,
    /// A tool's canonical id, or a glob over them.
    pub tool: Option<String>,
    /// Write the lines, where nothing gets worse by them; else they are only shown.
    pub write: bool,
}

/// What was suggested.
#[derive(Debug, Default)]
pub struct Suggestions {
    /// How much feedback was gone through.
    pub read: usize,
    /// In the order of ids.
    pub tools: Vec<Suggestion>,
    /// What served and is not proposed, counted by the reason.
    pub left_out: BTreeMap<LeftOut, usize>,
    /// In the order of paths.
    pub changed: Vec<ChangedFile>,
    /// Absent where no line would change.
    pub compared: Option<Compared>,
    pub written: bool,
    /// What has to be written by hand, and what is wrong with the workspace's files.
    pub diagnostics: Vec<Diagnostic>,
}

/// The examples that are suggested for one tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Suggestion {
    pub tool: ToolId,
    /// The most often served first.
    pub examples: Vec<SuggestedExample>,
    /// Tenants that nobody of asked, whose projects list the tool's Catalog too: they would read the questions there.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub shared_with: BTreeSet<String>,
}

/// A question that a tool served.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SuggestedExample {
    pub question: String,
    /// How often the tool served it, and how often it did not fit.
    pub used: usize,
    pub wrong: usize,
    /// Where it was asked.
    pub projects: BTreeSet<ProjectId>,
}

/// Suggests examples from feedback, and evaluates the workspace without them and with them.
pub async fn suggest_examples(
    caller: &Caller,
    folder: &Path,
    store: &Store,
    places: &ModelPlaces,
    request: &SuggestRequest,
) -> Result<Suggestions, Error> {
    caller.local_only("suggest examples from feedback")?;
    let workspace = workspace::read(folder)?;
    let prepared = compile::prepare(&workspace.tree);
    let chosen = prepared.cards_like(request.tool.as_deref().unwrap_or("**")).map_err(Error::Request)?;
    let chosen: BTreeSet<&ToolId> = chosen.into_iter().map(|card| &card.id).collect();
    let stored = store.feedback(&scope(request)?, None, 0, MOST_READ).await?;
    let cards: BTreeMap<&ToolId, &ToolCard> = prepared.cards().map(|card| (&card.id, card)).collect();
    // Without a glob also those that the workspace does not have, so that they are counted.
    let is_wanted = |tool: &ToolId| request.tool.is_none() || chosen.contains(tool);
    let Sifted { of, left_out } = sift(stored.iter().map(|stored| &stored.feedback), &cards, is_wanted);
    let mut found = Suggestions {
        read: stored.len(),
        left_out,
        diagnostics: workspace.diagnostics.clone(),
        ..Suggestions::default()
    };
    let mut additions: BTreeMap<String, Vec<Addition>> = BTreeMap::new();
    for (tool, served) in of {
        let Some(card) = cards.get(&tool) else { continue };
        if tool.catalog().starts_with(CATALOG_PREFIX) {
            found.diagnostics.push(enrich::of_project(card));
            continue;
        }
        let suggestion = suggestion(tool, served, &prepared, &mut found.left_out);
        let lines: Vec<String> = suggestion.examples.iter().map(|example| example.question.clone()).collect();
        additions.entry(card.id.catalog().to_owned()).or_default().extend(edits::examples(card, &lines));
        found.tools.push(suggestion);
    }
    let edits = edits::additions(&workspace.tree, additions, &mut found.diagnostics);
    if edits.is_empty() {
        return Ok(found);
    }
    let after = edits::applied(&workspace.tree, &edits);
    let compared = compare(&workspace.tree, &after, store, places).await?;
    let write = request.write && !compared.is_worse();
    found.changed = carry_out(&workspace, edits, write, &mut found.diagnostics)?;
    found.written = write && !found.changed.is_empty();
    found.compared = Some(compared);
    Ok(found)
}

fn scope(request: &SuggestRequest) -> Result<FeedbackScope, Error> {
    let Some(text) = &request.project else { return Ok(FeedbackScope::Everything) };
    let project = ProjectId::parse(text, None).map_err(|form| wrong(&form))?;
    Ok(FeedbackScope::Projects(BTreeSet::from([project])))
}

fn suggestion(
    tool: ToolId,
    mut served: Vec<Served>,
    prepared: &Prepared<'_>,
    left_out: &mut BTreeMap<LeftOut, usize>,
) -> Suggestion {
    served.sort_by(|a, b| b.times.cmp(&a.times).then_with(|| a.question.cmp(&b.question)));
    if served.len() > MOST_OF_TOOL {
        *left_out.entry(LeftOut::Enough).or_default() += served.len() - MOST_OF_TOOL;
        served.truncate(MOST_OF_TOOL);
    }
    let asked: BTreeSet<&str> =
        served.iter().flat_map(|one| &one.projects).map(|project| project.tenant.as_str()).collect();
    let lists = prepared.projects().iter().filter(|project| project.catalogs.iter().any(|id| id == tool.catalog()));
    let tenants = lists.map(|project| &project.id.tenant).filter(|tenant| !asked.contains(tenant.as_str()));
    let shared_with = tenants.cloned().collect();
    let examples = served.into_iter().map(|one| SuggestedExample {
        question: one.question,
        used: one.times,
        wrong: one.wrong,
        projects: one.projects,
    });
    Suggestion { examples: examples.collect(), shared_with, tool }
}
