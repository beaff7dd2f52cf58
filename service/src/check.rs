//! Checking a workspace: the whole compile, and nothing published.

use std::path::{Path, PathBuf};

use ambit_engine::compile::{self, Compiled};
use ambit_model::diagnostic::Diagnostic;

use crate::caller::Caller;
use crate::embedder::ModelPlaces;
use crate::store::Store;
use crate::vectors::{self, LazyEmbedder};
use crate::{Error, clock, workspace};

/// A workspace compiled in memory.
pub struct Checked {
    pub compiled: Compiled,
    /// Every problem that nobody acknowledged: files, declarations, policies and intake; errors first.
    pub diagnostics: Vec<Diagnostic>,
    /// Texts that had to be embedded.
    pub embedded: usize,
    /// The workspace's root.
    pub root: PathBuf,
}

/// Reads, compiles and reports. Only vectors are written, so that the next run has them.
pub async fn check_workspace(
    caller: &Caller,
    folder: &Path,
    store: &Store,
    places: &ModelPlaces,
) -> Result<Checked, Error> {
    caller.local_only("check a workspace")?;
    let workspace = workspace::read(folder)?;
    let prepared = compile::prepare(&workspace.tree);
    let embedder = LazyEmbedder::new(prepared.model(), places.clone());
    let texts = prepared.texts();
    let gathered = vectors::gather(store, &embedder, &texts).await?;
    let mut compiled = prepared.finish(&gathered.vectors, &clock::today())?;
    if workspace.diagnostics.iter().any(Diagnostic::is_error) {
        compiled.snapshot = None;
    }
    let mut diagnostics = workspace.diagnostics;
    diagnostics.extend(compiled.diagnostics.iter().cloned());
    diagnostics.extend(compile::as_diagnostics(&compiled.report));
    diagnostics.sort_by(|a, b| (a.severity, &a.place, a).cmp(&(b.severity, &b.place, b)));
    Ok(Checked { compiled, diagnostics, embedded: gathered.embedded, root: workspace.root })
}
