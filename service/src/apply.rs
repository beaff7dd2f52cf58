//! Applying a workspace: compile it, store the snapshot, make it live. On any failure the former snapshot stays live.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use ambit_engine::parts::{self, Broken};
use ambit_model::audit::AuditOutcome;
use ambit_model::codes;
use ambit_model::diagnostic::{Diagnostic, Severity};
use ambit_model::digest::Digest;
use ambit_model::identity::ToolId;
use ambit_model::snapshot::{Snapshot, SnapshotRecord};

use crate::audit::Act;
use crate::caller::Caller;
use crate::check::{Checked, check_workspace};
use crate::embedder::ModelPlaces;
use crate::store::{NewSnapshot, Store, StoredPart};
use crate::{Error, audit, clock, live};

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
    caller.local_only("apply a workspace")?;
    let live = live::record(store).await?;
    let mut checked = check_workspace(caller, folder, store, places).await?;
    let (mut lost, mut whole) = (Vec::new(), true);
    if let (Some(new), Some(record)) = (&checked.compiled.snapshot, &live) {
        match live::load(store, record).await {
            Ok(served) => lost = losses(&served, new, &request.accept_loss),
            Err(Error::Broken { source, .. }) => {
                whole = false;
                lost.extend(untold(&source, &request.accept_loss));
            }
            Err(error) => return Err(error),
        }
    }
    let refused =
        !lost.is_empty() || (request.strict && checked.diagnostics.iter().any(|d| d.severity == Severity::Warning));
    checked.diagnostics.append(&mut lost);
    let Some(snapshot) = checked.compiled.snapshot.as_ref().filter(|_| !refused) else {
        return Ok(Applied { checked, outcome: Outcome::Refused });
    };
    let standing = Standing { live, whole };
    let outcome = publish(caller, store, snapshot, &checked, standing, request.message).await?;
    Ok(Applied { checked, outcome })
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

/// Accepts the loss of whatever a damaged live snapshot served.
const EVERYTHING: &str = "*";

/// The live snapshot is damaged, so what would vanish cannot be told.
fn untold(source: &Broken, accepted: &BTreeSet<String>) -> Option<Diagnostic> {
    (!accepted.contains(EVERYTHING)).then(|| {
        let message = format!("what the live snapshot serves cannot be told: {source}");
        Diagnostic::error(codes::E_WOULD_VANISH, message)
            .help("apply with `--accept-loss '*'`: the new snapshot is stored whole, damaged parts included")
    })
}

/// What is live, and whether it could be read.
struct Standing {
    live: Option<SnapshotRecord>,
    whole: bool,
}

async fn publish(
    caller: &Caller,
    store: &Store,
    snapshot: &Snapshot,
    checked: &Checked,
    standing: Standing,
    message: Option<String>,
) -> Result<Outcome, Error> {
    let parts = parts::split(snapshot)?;
    let Some(root) = parts.last().map(|root| root.digest.clone()) else { return Ok(Outcome::Refused) };
    if let Some(record) = standing.live.as_ref().filter(|record| standing.whole && record.digest == root) {
        return Ok(Outcome::Unchanged { record: record.clone() });
    }
    let new_parts = missing(store, parts).await?;
    let count = new_parts.len();
    let new = NewSnapshot {
        digest: root,
        source_digest: checked.compiled.source_digest.clone(),
        parts: new_parts,
        created_at: clock::now(),
        author: caller.label(),
        message: message.clone(),
        git_commit: commit(&checked.root).await,
        tools: i64::try_from(snapshot.tools.len()).unwrap_or(i64::MAX),
        report: checked.compiled.report.clone(),
        policies: checked.compiled.policies.clone(),
    };
    let details: Vec<_> = message.map(|message| ("message", message)).into_iter().collect();
    let act = Act { action: "apply", tenant: None, resource: "snapshot", policies: &[], details: &details };
    let entry = audit::entry(caller, AuditOutcome::Done, &act)?;
    let record = store.publish(new, standing.live.map(|record| record.number), entry).await?;
    Ok(Outcome::Published { record, new_parts: count })
}

/// The parts that the store lacks, or holds damaged: a snapshot that goes live is whole.
async fn missing(store: &Store, parts: Vec<parts::Part>) -> Result<Vec<(Digest, StoredPart)>, Error> {
    let digests: Vec<_> = parts.iter().map(|part| part.digest.clone()).collect();
    let known = store.parts(&digests).await?;
    let sound = |part: &parts::Part| {
        let stored = known.get(&part.digest).filter(|stored| stored.kind == part.kind.word());
        stored.is_some_and(|stored| parts::is_whole(part.kind, &part.digest, &stored.body))
    };
    let stored = |part: parts::Part| (part.digest, StoredPart { kind: part.kind.word().to_owned(), body: part.body });
    Ok(parts.into_iter().filter(|part| !sound(part)).map(stored).collect())
}

/// How long git may take to say where the workspace stands.
const PATIENCE: Duration = Duration::from_secs(2);

/// Asked of git itself, for the record only; a folder that is in no repository, or a machine without git, has none.
async fn commit(root: &Path) -> Option<String> {
    let mut git = tokio::process::Command::new("git");
    git.arg("-C").arg(root).args(["rev-parse", "--verify", "HEAD"]).env_remove("GIT_DIR").kill_on_drop(true);
    let output = tokio::time::timeout(PATIENCE, git.output()).await.ok()?.ok()?;
    let commit = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !commit.is_empty()).then_some(commit)
}
