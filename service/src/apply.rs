//! Applying a workspace: compile it, store the snapshot, make it live. On any failure the former snapshot stays live.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use ambit_engine::nearest::nearest;
use ambit_engine::parts::{self, Broken};
use ambit_model::audit::AuditOutcome;
use ambit_model::codes;
use ambit_model::diagnostic::{Diagnostic, Severity};
use ambit_model::diff::Diff;
use ambit_model::digest::Digest;
use ambit_model::identity::ToolId;
use ambit_model::snapshot::{Snapshot, SnapshotRecord};

use crate::audit::Act;
use crate::caller::Caller;
use crate::check::{Checked, check_workspace};
use crate::diff::{compare, root};
use crate::embedder::ModelPlaces;
use crate::saved_diff::SavedDiff;
use crate::store::{NewSnapshot, Store, StoredPart};
use crate::{Error, audit, clock, error, live};

/// What the operator says about an apply.
#[derive(Clone, Debug, Default)]
pub struct ApplyRequest {
    pub message: Option<String>,
    /// Canonical ids of tools that may vanish.
    pub accept_loss: BTreeSet<String>,
    /// Warnings refuse it too.
    pub strict: bool,
    /// Exactly this is to be applied, or nothing.
    pub saved: Option<SavedDiff>,
}

/// How an apply ended.
pub struct Applied {
    pub checked: Checked,
    pub outcome: Outcome,
}

/// What became of the live snapshot.
pub enum Outcome {
    /// A new snapshot is live; how many of its parts were new to the store, and what it changed: absent where nothing was live
    /// before, or something that cannot be compared.
    Published { record: SnapshotRecord, new_parts: usize, diff: Option<Diff> },
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
    if let Some(saved) = &request.saved {
        saved.expect_base(live.as_ref())?;
    }
    let mut checked = check_workspace(caller, folder, store, places).await?;
    let mut weighed = weigh(store, live.as_ref(), &checked, &request).await?;
    let refused = !weighed.refusals.is_empty()
        || (request.strict && checked.diagnostics.iter().any(|d| d.severity != Severity::Note));
    checked.diagnostics.append(&mut weighed.refusals);
    let Some(snapshot) = checked.compiled.snapshot.as_ref().filter(|_| !refused) else {
        return Ok(Applied { checked, outcome: Outcome::Refused });
    };
    let standing = Standing { live, whole: weighed.whole, diff: weighed.diff };
    let outcome = publish(caller, store, snapshot, &checked, standing, request.message).await?;
    Ok(Applied { checked, outcome })
}

/// What is found when a compiled workspace is held against what is live.
struct Weighed {
    refusals: Vec<Diagnostic>,
    diff: Option<Diff>,
    /// What is live could be read.
    whole: bool,
}

async fn weigh(
    store: &Store,
    live: Option<&SnapshotRecord>,
    checked: &Checked,
    request: &ApplyRequest,
) -> Result<Weighed, Error> {
    let mut weighed = Weighed { refusals: Vec::new(), diff: None, whole: true };
    let Some(new) = &checked.compiled.snapshot else { return Ok(weighed) };
    let (target, source) = (root(new)?, &checked.compiled.source_digest);
    weighed.refusals.extend(request.saved.as_ref().and_then(|saved| saved.expect_target(&target, source)));
    let Some(record) = live else {
        weighed.refusals.extend(not_lost(&BTreeSet::new(), &request.accept_loss));
        return Ok(weighed);
    };
    match live::load(store, record).await {
        // Where nothing changes, nothing is lost, and the same command may be given twice.
        Ok(_) if record.digest == target => {}
        Ok(served) => {
            weighed.refusals.extend(losses(&served, new, &request.accept_loss));
            weighed.refusals.extend(not_lost(&lost(&served, new), &request.accept_loss));
            weighed.diff = told(compare(&served, new));
        }
        Err(Error::Broken { source, .. }) => {
            weighed.whole = false;
            weighed.refusals.extend(untold(&source, &request.accept_loss));
        }
        Err(error) => return Err(error),
    }
    Ok(weighed)
}

/// A snapshot of an older ambit may not be comparable; what is right can be applied all the same.
fn told(compared: Result<Diff, Error>) -> Option<Diff> {
    compared
        .inspect_err(|error| {
            tracing::warn!(error = error::chain(error), "what this apply changes cannot be told");
        })
        .ok()
}

/// Tools that are served now and would be no longer.
fn lost<'a>(served: &'a Snapshot, new: &Snapshot) -> BTreeSet<&'a str> {
    let stay: BTreeSet<&ToolId> = new.tools.iter().map(|card| &card.id).collect();
    served.tools.iter().map(|card| &card.id).filter(|id| !stay.contains(id)).map(ToolId::as_str).collect()
}

/// Those of them that nobody accepted.
pub(crate) fn losses(served: &Snapshot, new: &Snapshot, accepted: &BTreeSet<String>) -> Vec<Diagnostic> {
    let lost = lost(served, new).into_iter().filter(|id| !accepted.contains(*id));
    lost.map(|id| {
        Diagnostic::error(codes::E_WOULD_VANISH, format!("the live snapshot serves `{id}`, and this one would not"))
            .help(format!("mend the tool, or apply with `--accept-loss {id}`"))
    })
    .collect()
}

/// Names that were mistyped: whoever accepts a loss means one that there is.
fn not_lost(lost: &BTreeSet<&str>, accepted: &BTreeSet<String>) -> Vec<Diagnostic> {
    let wrong = accepted.iter().filter(|name| !lost.contains(name.as_str()));
    wrong
        .map(|name| {
            let help = match nearest(name, lost.iter().copied()) {
                Some(near) => format!("did you mean `--accept-loss {near}`?"),
                None if lost.is_empty() => "this apply loses no tool: leave it out".to_owned(),
                None => "leave it out, or name a tool that is".to_owned(),
            };
            Diagnostic::error(codes::E_LOSS, format!("`{name}` is not lost")).help(help)
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

/// What is live, whether it could be read, and what is changed of it.
struct Standing {
    live: Option<SnapshotRecord>,
    whole: bool,
    diff: Option<Diff>,
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
    Ok(Outcome::Published { record, new_parts: count, diff: standing.diff })
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
    let known = output.status.success() && !commit.is_empty();
    // As `git describe --dirty` marks it: what was applied is not, or not all, in that commit.
    known.then_some(if differs(root).await { format!("{commit}-dirty") } else { commit })
}

/// Something below the workspace's root is not as the commit has it.
async fn differs(root: &Path) -> bool {
    let mut git = tokio::process::Command::new("git");
    git.arg("-C").arg(root).args(["status", "--porcelain", "--", "."]).env_remove("GIT_DIR").kill_on_drop(true);
    let output = tokio::time::timeout(PATIENCE, git.output()).await.ok().and_then(Result::ok);
    output.is_some_and(|output| output.status.success() && !output.stdout.is_empty())
}
