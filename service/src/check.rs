//! Checking a workspace: the whole compile, and nothing published.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ambit_engine::compile::{self, Compiled};
use ambit_engine::nearest::did_you_mean;
use ambit_engine::source::SourceTree;
use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;
use ambit_model::identity::ProjectId;
use ambit_model::intake::{Finding, IntakeReport};
use serde::Serialize;

use crate::caller::Caller;
use crate::embedder::ModelPlaces;
use crate::store::Store;
use crate::vectors::{self, LazyEmbedder};
use crate::{Error, clock, proof, winners, workspace};

/// A workspace compiled in memory.
pub struct Checked {
    pub compiled: Compiled,
    /// Every problem that nobody acknowledged: files, declarations, policies and intake; errors first.
    pub diagnostics: Vec<Diagnostic>,
    /// Texts that had to be embedded.
    pub embedded: usize,
    /// The workspace's root.
    pub root: PathBuf,
    /// What was not looked at because it wants an embedding model; then there is no snapshot.
    pub skipped: Vec<Skipped>,
}

/// A part of a check that wants an embedding model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Skipped {
    /// Whether each tool comes first for its own example questions.
    SelfRetrieval,
    /// Which tools answer to the same questions.
    Clashes,
}

impl Skipped {
    /// For people.
    pub fn words(self) -> &'static str {
        match self {
            Self::SelfRetrieval => "self-retrieval",
            Self::Clashes => "clashes",
        }
    }
}

/// Reads, compiles and reports. Only vectors and winners are written, so that the next run has them.
pub async fn check_workspace(
    caller: &Caller,
    folder: &Path,
    store: &Store,
    places: &ModelPlaces,
) -> Result<Checked, Error> {
    caller.local_only("check a workspace")?;
    let workspace = workspace::read(folder)?;
    let (compiled, embedded) = compile_tree(&workspace.tree, store, places).await?;
    Ok(checked(workspace.root, workspace.diagnostics, compiled, embedded))
}

/// Compiles declarations that may lie in no folder; and how many texts had to be embedded.
pub(crate) async fn compile_tree(
    tree: &SourceTree,
    store: &Store,
    places: &ModelPlaces,
) -> Result<(Compiled, usize), Error> {
    let prepared = compile::prepare(tree);
    let embedder = LazyEmbedder::new(prepared.model(), places.clone());
    let texts = prepared.texts();
    let gathered = vectors::gather(store, &embedder, &texts).await?;
    let projects: Vec<ProjectId> = prepared.projects().iter().map(|project| project.id.clone()).collect();
    let former = winners::load(store, &gathered.model, &projects).await?;
    let compiled = prepared.finish_with(&gathered.vectors, &former, &clock::today())?;
    winners::keep(store, &gathered.model, &former, &compiled.winners).await;
    Ok((compiled, gathered.embedded))
}

/// The same without a model, and without a data folder: nothing is embedded and nothing is written. What self-retrieval would
/// refuse is not known, so there is no snapshot to publish.
pub fn check_without_retrieval(caller: &Caller, folder: &Path) -> Result<Checked, Error> {
    caller.local_only("check a workspace")?;
    let workspace = workspace::read(folder)?;
    let compiled = compile::prepare(&workspace.tree).finish_without_retrieval(&clock::today())?;
    let mut checked = checked(workspace.root, workspace.diagnostics, compiled, 0);
    checked.compiled.snapshot = None;
    checked.skipped = vec![Skipped::SelfRetrieval, Skipped::Clashes];
    Ok(checked)
}

fn checked(root: PathBuf, mut diagnostics: Vec<Diagnostic>, mut compiled: Compiled, embedded: usize) -> Checked {
    if diagnostics.iter().any(Diagnostic::is_error) {
        compiled.snapshot = None;
    }
    diagnostics.extend(compiled.diagnostics.iter().cloned());
    diagnostics.extend(compile::as_diagnostics(&compiled.report));
    diagnostics.sort_by(|a, b| (a.severity, &a.place, a).cmp(&(b.severity, &b.place, b)));
    Checked { compiled, diagnostics, embedded, root, skipped: Vec::new() }
}

/// Asks a solver of the policies that decide nothing whether that holds whatever may be declared; where there is none, a note says so.
pub async fn prove_idle_policies(caller: &Caller, checked: &mut Checked) -> Result<(), Error> {
    caller.local_only("prove what policies do")?;
    let Some(snapshot) = &checked.compiled.snapshot else { return Ok(()) };
    if !proof::prove_idle(snapshot, &mut checked.compiled.policies, &mut checked.diagnostics).await {
        let note =
            Diagnostic::note(codes::N_LINTS_SKIPPED, "the solver cvc5 is not installed here, so nothing was proved")
                .help("install cvc5, or name it in the environment as `CVC5`");
        checked.diagnostics.push(note);
    }
    Ok(())
}

/// The part of a report that is about the tools whose ids fit a glob.
pub fn report_on(whole: &IntakeReport, glob: &str) -> Result<IntakeReport, Error> {
    let matcher = ambit_engine::intake::trial::tool_glob(glob).map_err(Error::Request)?;
    let fits = |tool: &str| matcher.is_match(tool);
    let findings: Vec<Finding> = whole.findings.iter().filter(|finding| fits(&finding.tool)).cloned().collect();
    let accepted: Vec<String> = whole.accepted.iter().filter(|tool| fits(tool)).cloned().collect();
    let known: BTreeSet<&str> = accepted.iter().map(String::as_str).collect();
    let refused: BTreeSet<&str> =
        findings.iter().map(|finding| finding.tool.as_str()).filter(|tool| !known.contains(tool)).collect();
    if known.is_empty() && refused.is_empty() {
        let message = format!("no tool that the workspace offers fits `{glob}`");
        let help = did_you_mean(glob, whole.accepted.iter().map(String::as_str))
            .unwrap_or_else(|| "`ambit intake --all` lists the tools".to_owned());
        return Err(Error::Request(Box::new(Diagnostic::error(codes::E_UNRESOLVED, message).help(help))));
    }
    Ok(IntakeReport {
        offered: accepted.len() + refused.len(),
        refused: whole.refused.iter().filter(|card| fits(card.id.as_str())).cloned().collect(),
        clashes: whole.clashes.iter().filter(|clash| fits(&clash.tool) || fits(&clash.rival)).cloned().collect(),
        likenesses: whole.likenesses.iter().filter(|like| fits(&like.tool) || fits(&like.other)).cloned().collect(),
        proposed_groups: whole.proposed_groups.iter().filter(|g| g.members.iter().any(|m| fits(m))).cloned().collect(),
        unreviewed: whole.unreviewed.clone(),
        written: whole.written.clone(),
        accepted,
        findings,
    })
}
