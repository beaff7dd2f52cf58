//! Applying a workspace: compile it, store the snapshot, make it live. On any failure the former snapshot stays live.

use std::collections::BTreeSet;
use std::path::Path;

use ambit_engine::parts;
use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;
use ambit_model::identity::ToolId;
use ambit_model::snapshot::{Snapshot, SnapshotRecord};

use crate::caller::Caller;
use crate::check::{Checked, check_workspace};
use crate::embedder::ModelPlaces;
use crate::store::{NewSnapshot, Store, StoredPart};
use crate::{Error, clock, live};

/// What the operator says about an apply.
#[derive(Clone, Debug, Default)]
pub struct ApplyRequest {
    pub message: Option<String>,
    /// Canonical ids of tools that may vanish.
    pub accept_loss: BTreeSet<String>,
    /// Warnings refuse it too.
    pub strict: bool,
}

/// How an apply ended.
pub struct Applied {
    pub checked: Checked,
    pub outcome: Outcome,
}

/// What became of the live snapshot.
pub enum Outcome {
    /// A new snapshot is live; how many of its parts were new to the store.
    Published { record: SnapshotRecord, new_parts: usize },
    /// What is live already is the same.
    Unchanged { record: SnapshotRecord },
    /// Nothing was changed; the diagnostics say why.
    Refused,
}

/// Compiles the workspace and makes the result live.
pub async fn apply_workspace(
    caller: &Caller,
    folder: &Path,
    store: &Store,
    places: &ModelPlaces,
    request: ApplyRequest,
) -> Result<Applied, Error> {
    let live = live::record(store).await?;
    let mut checked = check_workspace(caller, folder, store, places).await?;
    if let (Some(new), Some(record)) = (&checked.compiled.snapshot, &live) {
        let served = live::load(store, record).await?;
        checked.diagnostics.extend(losses(&served, new, &request.accept_loss));
    }
    let refused = checked.diagnostics.iter().any(|d| d.is_error() && !is_rejection(d))
        || (request.strict && !checked.diagnostics.is_empty());
    let Some(snapshot) = checked.compiled.snapshot.as_ref().filter(|_| !refused) else {
        return Ok(Applied { checked, outcome: Outcome::Refused });
    };
    let outcome = publish(caller, store, snapshot, &checked, live, request.message).await?;
    Ok(Applied { checked, outcome })
}

/// A refused tool is left out of the snapshot; it does not refuse the apply.
fn is_rejection(diagnostic: &Diagnostic) -> bool {
    const REJECTIONS: &[&str] = &[
        codes::E_NAME,
        codes::E_DUPLICATE,
        codes::E_SCHEMA,
        codes::E_DESC_MISSING,
        codes::E_DESC_VAGUE,
        codes::E_SELF_RETRIEVAL,
    ];
    REJECTIONS.contains(&diagnostic.code.as_ref())
}

/// Tools that are served now and would be no longer.
fn losses(served: &Snapshot, new: &Snapshot, accepted: &BTreeSet<String>) -> Vec<Diagnostic> {
    let stay: BTreeSet<&ToolId> = new.tools.iter().map(|card| &card.id).collect();
    let lost =
        served.tools.iter().map(|card| &card.id).filter(|id| !stay.contains(id) && !accepted.contains(id.as_str()));
    lost.map(|id| {
        Diagnostic::error(codes::E_WOULD_VANISH, format!("the live snapshot serves `{id}`, and this one would not"))
            .help(format!("mend the tool, or apply with `--accept-loss {id}`"))
    })
    .collect()
}

async fn publish(
    caller: &Caller,
    store: &Store,
    snapshot: &Snapshot,
    checked: &Checked,
    live: Option<SnapshotRecord>,
    message: Option<String>,
) -> Result<Outcome, Error> {
    let parts = parts::split(snapshot)?;
    let Some(root) = parts.last().map(|root| root.digest.clone()) else { return Ok(Outcome::Refused) };
    if let Some(record) = live.as_ref().filter(|record| record.digest == root) {
        return Ok(Outcome::Unchanged { record: record.clone() });
    }
    let digests: Vec<_> = parts.iter().map(|part| part.digest.clone()).collect();
    let known = store.known_parts(&digests).await?;
    let stored = |part: parts::Part| (part.digest, StoredPart { kind: part.kind.word().to_owned(), body: part.body });
    let new_parts: Vec<_> = parts.into_iter().filter(|part| !known.contains(&part.digest)).map(stored).collect();
    let count = new_parts.len();
    let new = NewSnapshot {
        digest: root,
        source_digest: checked.compiled.source_digest.clone(),
        parts: new_parts,
        created_at: clock::now(),
        author: caller.label(),
        message,
        git_commit: checked.git_commit.clone(),
        tools: i64::try_from(snapshot.tools.len()).unwrap_or(i64::MAX),
        report: checked.compiled.report.clone(),
    };
    let record = store.publish(new, live.map(|record| record.number)).await?;
    Ok(Outcome::Published { record, new_parts: count })
}
