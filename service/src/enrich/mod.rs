//! Enriching a workspace: example questions are proposed for tools that have none, as lines of YAML that a person reviews.
//! INVARIANT: nothing is sent to a language model unless a project that lists the catalog says so with `llm`.

mod drafts;
mod kept;
mod model;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use ambit_engine::compile::{self, Prepared};
use ambit_engine::examples;
use ambit_engine::nearest::did_you_mean;
use ambit_engine::patch::Addition;
use ambit_model::card::ToolCard;
use ambit_model::codes;
use ambit_model::declaration::Project;
use ambit_model::diagnostic::Diagnostic;
use ambit_model::identity::ToolId;
use ambit_model::knowledge::CATALOG_PREFIX;
use ambit_model::llm::LlmUse;
use serde::Serialize;

use crate::caller::Caller;
use crate::edits::{self, carry_out};
use crate::format::ChangedFile;
use crate::secrets::SecretPlaces;
use crate::{Error, workspace};
use drafts::{Drafts, Wanted};

/// How long one answer of a language model may take, unless somebody says otherwise.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Which tools to enrich, and whether to write it.
#[derive(Clone, Debug)]
pub struct EnrichRequest {
    /// The only Catalog.
    pub catalog: Option<String>,
    /// A tool's canonical id, or a glob over them.
    pub tool: Option<String>,
    /// Tools that have examples get more of them.
    pub all: bool,
    /// Write the lines; else they are only shown.
    pub write: bool,
    /// How long one answer of a language model may take.
    pub patience: Duration,
}

impl Default for EnrichRequest {
    fn default() -> Self {
        Self { catalog: None, tool: None, all: false, write: false, patience: PATIENCE }
    }
}

/// What was proposed.
#[derive(Debug, Default)]
pub struct Enriched {
    /// In the order of ids.
    pub tools: Vec<EnrichedTool>,
    /// In the order of paths.
    pub changed: Vec<ChangedFile>,
    pub written: bool,
    /// Answers that a language model was asked for in this run.
    pub calls: usize,
    /// What could not be written, and what is wrong with the workspace's files.
    pub diagnostics: Vec<Diagnostic>,
}

/// The examples proposed for one tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EnrichedTool {
    pub tool: ToolId,
    pub examples: Vec<String>,
    pub by: DraftedBy,
    /// Why a model that may be asked drafted nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
}

/// Who wrote the examples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DraftedBy {
    /// Made of the tool's verb, entity, inputs and outputs.
    Rules,
    /// A language model, in this run.
    Model,
    /// A language model in an earlier run, of the same card.
    Kept,
}

/// Proposes example questions for the tools that were asked for.
pub async fn enrich_workspace(
    caller: &Caller,
    folder: &Path,
    data: &Path,
    request: &EnrichRequest,
) -> Result<Enriched, Error> {
    caller.local_only("enrich a workspace")?;
    let workspace = workspace::read(folder)?;
    let prepared = compile::prepare(&workspace.tree);
    let (elsewhere, here): (Vec<&ToolCard>, Vec<&ToolCard>) =
        chosen(&prepared, request)?.into_iter().partition(|card| card.id.catalog().starts_with(CATALOG_PREFIX));
    let wanted: Vec<Wanted<'_>> = here.into_iter().map(|card| wanted(card, &prepared)).collect();
    let mut taken: BTreeSet<String> =
        prepared.cards().flat_map(|card| &card.examples).map(|one| one.to_lowercase()).collect();
    let drafts = Drafts::new(data, SecretPlaces::new(data), request.patience);
    let drafted = drafts.draft(&wanted, &taken).await?;
    let mut enriched = Enriched { calls: drafted.calls, written: request.write, ..Enriched::default() };
    let mut additions: BTreeMap<String, Vec<Addition>> = BTreeMap::new();
    for (one, draft) in wanted.iter().zip(drafted.of) {
        let tool = settle(one.card, draft, &mut taken);
        additions
            .entry(one.card.id.catalog().to_owned())
            .or_default()
            .extend(edits::examples(one.card, &tool.examples));
        enriched.tools.push(tool);
    }
    enriched.diagnostics.extend(workspace.diagnostics.iter().cloned());
    enriched.diagnostics.extend(elsewhere.into_iter().map(of_project));
    let edits = edits::additions(&workspace.tree, additions, &mut enriched.diagnostics);
    enriched.changed = carry_out(&workspace, edits, request.write, &mut enriched.diagnostics)?;
    Ok(enriched)
}

/// The tools that were asked for.
fn chosen<'a>(prepared: &'a Prepared<'_>, request: &EnrichRequest) -> Result<Vec<&'a ToolCard>, Error> {
    let mut cards = prepared.cards_like(request.tool.as_deref().unwrap_or("**")).map_err(Error::Request)?;
    cards.retain(|card| request.catalog.as_deref().is_none_or(|id| id == card.id.catalog()));
    if cards.is_empty() && (request.tool.is_some() || request.catalog.is_some()) {
        return Err(Error::Request(Box::new(fits_nothing(prepared, request))));
    }
    cards.retain(|card| request.all || card.examples.is_empty());
    Ok(cards)
}

fn fits_nothing(prepared: &Prepared<'_>, request: &EnrichRequest) -> Diagnostic {
    let ids = prepared.cards().map(|card| card.id.as_str());
    let catalogs = prepared.cards().map(|card| card.id.catalog());
    let (message, nearest) = match (&request.tool, &request.catalog) {
        (Some(tool), _) => (format!("no admitted tool fits `{tool}`"), did_you_mean(tool, ids)),
        (None, catalog) => {
            let catalog = catalog.as_deref().unwrap_or_default();
            (format!("no admitted tool is of a catalog `{catalog}`"), did_you_mean(catalog, catalogs))
        }
    };
    let help = nearest.unwrap_or_else(|| "`ambit intake --all` lists the tools".to_owned());
    Diagnostic::error(codes::E_UNRESOLVED, message).help(help)
}

/// Knowledge has no Catalog document that examples could be written into, and only its operator knows what is asked of it.
pub(crate) fn of_project(card: &ToolCard) -> Diagnostic {
    Diagnostic::note(codes::W_NO_EXAMPLES, format!("no examples were proposed for `{}`", card.id))
        .help("write `knowledge: { folders: […], examples: […] }` in its Project")
}

/// A card, and the project whose language model may be asked about it: the first by id that lists its catalog and
/// has a model for drafts.
fn wanted<'a>(card: &'a ToolCard, prepared: &'a Prepared<'_>) -> Wanted<'a> {
    let lists = |project: &&Project| project.catalogs.iter().any(|id| id == card.id.catalog());
    let may = |project: &&Project| project.llm.as_ref().is_some_and(|llm| llm.is_for(LlmUse::Drafts));
    let asked = prepared.projects().iter().filter(lists).find(may);
    Wanted { card, asked: asked.and_then(|project| Some((&project.id, project.llm.as_ref()?))) }
}

/// What another tool of this run already has is left out; where that leaves too little, rules fill up.
fn settle(card: &ToolCard, draft: drafts::Draft, taken: &mut BTreeSet<String>) -> EnrichedTool {
    let drafted = draft.examples.is_some();
    let mut own: Vec<String> = draft.examples.unwrap_or_default();
    own.retain(|example| !taken.contains(&example.to_lowercase()));
    let enough = own.len() >= examples::FEWEST;
    if !enough {
        own = examples::propose(card, taken);
    }
    taken.extend(own.iter().map(|example| example.to_lowercase()));
    let because =
        if drafted && !enough { Some("its examples are those of other tools".to_owned()) } else { draft.because };
    EnrichedTool { tool: card.id.clone(), examples: own, by: if enough { draft.by } else { DraftedBy::Rules }, because }
}
