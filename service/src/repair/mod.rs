//! Repairs of a clash between two tools, each measured by asking the same questions again; what helps can be written.

mod live;

use std::path::Path;

use ambit_engine::compile::{self, Prepared};
use ambit_engine::intake::ground::{self, Suggested};
use ambit_engine::intake::repair::Repair;
use ambit_engine::patch::{self, Edit};
use ambit_model::card::ToolCard;
use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;
use ambit_model::repair::{RepairKind, Rerun, Standing};
use serde::Serialize;

use crate::caller::Caller;
use crate::edits::carry_out;
use crate::embedder::ModelPlaces;
use crate::store::Store;
use crate::vectors::{self, LazyEmbedder};
use crate::workspace::{self, Workspace};
use crate::{Error, format::ChangedFile};

pub(crate) use live::{Advised, advise};

/// Which clash to repair, and whether to write what helps most.
#[derive(Clone, Debug, Default)]
pub struct RepairRequest {
    pub tool: String,
    pub rival: String,
    /// The only kind of repair.
    pub kind: Option<RepairKind>,
    pub write: bool,
}

/// How two tools fare, and what would help.
#[derive(Debug)]
pub struct Repairs {
    pub before: [Standing; 2],
    /// Repairs that make it better for one and worse for none, the best first.
    pub proposals: Vec<Proposal>,
    /// How many were tried.
    pub tried: usize,
    /// What to add to a document that tools like these two are in already, in words; how the questions would end is not measured.
    pub addition: Option<String>,
    /// The first of the proposals is written.
    pub written: bool,
    pub diagnostics: Vec<Diagnostic>,
}

/// One repair, with what it would change and what would come of it.
#[derive(Debug, Serialize)]
pub struct Proposal {
    pub kind: RepairKind,
    pub after: [Standing; 2],
    /// As unified diffs, one a file.
    pub differences: Vec<String>,
    /// Why a person has to write it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub by_hand: Vec<Diagnostic>,
}

/// Proposes repairs of a clash between two tools.
pub async fn propose_repairs(
    caller: &Caller,
    folder: &Path,
    store: &Store,
    places: &ModelPlaces,
    request: &RepairRequest,
) -> Result<Repairs, Error> {
    caller.local_only("repair a clash")?;
    let workspace = workspace::read(folder)?;
    let prepared = compile::prepare(&workspace.tree);
    let tools = [named(&prepared, &request.tool)?, named(&prepared, &request.rival)?];
    if request.tool == request.rival {
        return Err(refused(format!("`{}` cannot clash with itself", request.tool), "name two tools".to_owned()));
    }
    let ground = prepared.ground();
    let of_kind = |repair: &Repair| request.kind.is_none_or(|kind| kind == repair.kind());
    let Suggested { repairs, addition } = ground.suggest(tools);
    let repairs: Vec<Repair> = repairs.into_iter().filter(of_kind).collect();
    let texts = repairs.iter().flat_map(|repair| ground::texts(tools, repair));
    let texts: Vec<String> = prepared.texts().into_iter().chain(texts).collect();
    let embedder = LazyEmbedder::new(prepared.model(), places.clone());
    let gathered = vectors::gather(store, &embedder, &texts).await?;
    let before = ground.measure(tools, &gathered.vectors, None)?.standings;
    let mut measured = Vec::new();
    for repair in &repairs {
        let after = ground.measure(tools, &gathered.vectors, Some(repair))?.standings;
        measured.push((repair, Rerun::new(before.clone(), after)));
    }
    let mut repaired = Repairs {
        before,
        proposals: Vec::new(),
        tried: repairs.len(),
        addition: addition.filter(|_| request.kind != Some(RepairKind::Description)),
        written: false,
        diagnostics: workspace.diagnostics.clone(),
    };
    for (place, (repair, rerun)) in best_first(measured).into_iter().enumerate() {
        let write = request.write && place == 0;
        let proposal = proposal(&workspace, repair, rerun.after, write)?;
        repaired.written |= write && proposal.by_hand.is_empty();
        repaired.proposals.push(proposal);
    }
    Ok(repaired)
}

/// Those that help, the one by which fewest questions are lost first; among equals in the order in which they are proposed.
fn best_first(measured: Vec<(&Repair, Rerun)>) -> Vec<(&Repair, Rerun)> {
    let mut helpful: Vec<(&Repair, Rerun)> = measured.into_iter().filter(|(_, rerun)| rerun.helps()).collect();
    helpful.sort_by_key(|(_, rerun)| rerun.lost_after);
    helpful
}

fn proposal(workspace: &Workspace, repair: &Repair, after: [Standing; 2], write: bool) -> Result<Proposal, Error> {
    let (edits, mut by_hand) = edits(workspace, repair);
    let write = write && by_hand.is_empty();
    let changed: Vec<ChangedFile> = carry_out(workspace, edits, write, &mut by_hand)?;
    let differences = changed.into_iter().map(|file| file.difference).collect();
    Ok(Proposal { kind: repair.kind(), after, differences, by_hand })
}

/// A new document stands beside others of its kind, else beside the Catalog of the first tool.
fn edits(workspace: &Workspace, repair: &Repair) -> (Vec<Edit>, Vec<Diagnostic>) {
    let tree = &workspace.tree;
    if let Some(document) = repair.document() {
        let file = repair
            .beside()
            .into_iter()
            .find_map(|(kind, catalog)| patch::file_with(tree, kind).or_else(|| patch::file_of(tree, &catalog)));
        let edit = file.map(|file| patch::new_document(&file.path, Some(file), &document));
        return (edit.into_iter().collect(), Vec::new());
    }
    let (mut edits, mut problems) = (Vec::new(), Vec::new());
    for addition in repair.additions() {
        let Some(file) = patch::file_of(tree, &addition.catalog) else { continue };
        match patch::set(file, &addition) {
            Ok(edit) => edits.push(edit),
            Err(problem) => problems.push(*problem),
        }
    }
    (edits, problems)
}

fn named<'a>(prepared: &'a Prepared<'_>, tool: &str) -> Result<&'a ToolCard, Error> {
    prepared.card(tool).ok_or_else(|| {
        let known = prepared.cards().map(|card| card.id.as_str());
        let help = ambit_engine::nearest::did_you_mean(tool, known);
        let help = help.unwrap_or_else(|| "name a tool that intake lets through, `catalog/tool`".to_owned());
        refused(format!("there is no tool `{tool}` that could be asked"), help)
    })
}

fn refused(message: String, help: String) -> Error {
    Error::Request(Box::new(Diagnostic::error(codes::E_REQUEST, message).help(help)))
}
