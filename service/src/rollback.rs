//! Rolling back: an old number becomes live again, with a reason. It needs no catalog, no network and no model.
//! INVARIANT: nobody gains anything by it, as far as can be told, unless that was accepted by word.

use ambit_model::administration::AdminAction;
use ambit_model::audit::AuditOutcome;
use ambit_model::diff::Diff;
use ambit_model::snapshot::{Activation, ActivationKind, SnapshotRecord};

use crate::administration::{narrowed, permit};
use crate::audit::Act;
use crate::caller::Caller;
use crate::diff::{compare, gained, lost};
use crate::live::{self as stored, Live};
use crate::reason::check as check_reason;
use crate::store::{NewActivation, Store, StoreError};
use crate::{Error, audit, clock};

/// What the operator says about a rollback.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RollbackRequest {
    /// Absent: what was live before.
    pub number: Option<i64>,
    pub reason: String,
    /// The snapshot that must be live now; where another is, nothing changes.
    pub expected: Option<i64>,
    /// It may raise a ceiling and give somebody more than now.
    pub accept_gains: bool,
}

/// What a rollback did.
pub struct RolledBack {
    pub from: i64,
    pub to: SnapshotRecord,
    pub activation: Activation,
    /// Each raised ceiling and whoever gained, one line each; empty where the caller may not read snapshots.
    pub gained: Vec<String>,
    /// Whoever lost, likewise; losses ask for no word.
    pub lost: Vec<String>,
}

/// Makes an earlier snapshot live again. It is put together and checked first: a damaged one never becomes live.
pub async fn rollback_snapshot(caller: &Caller, live: &Live, request: &RollbackRequest) -> Result<RolledBack, Error> {
    let policies = permit(caller, live, AdminAction::Rollback).await?;
    check_reason(&request.reason)?;
    let store = live.store();
    let from = stored::record(store).await?.ok_or(Error::NothingApplied)?;
    let to = match request.number {
        Some(number) => store.record(number).await?,
        None => former(store, from.number).await?,
    };
    if let Some(expected) = request.expected.filter(|expected| *expected != from.number) {
        return Err(StoreError::Moved { expected: Some(expected), found: Some(from.number) }.into());
    }
    if from.number == to.number {
        return Err(Error::AlreadyLive { number: to.number });
    }
    let changed = changed(store, &from, &to).await?;
    let may_read = may_read(caller, live).await?;
    let told = changed.as_ref().ok().filter(|_| may_read);
    let (gained, lost) = (told.map(gained).unwrap_or_default(), told.map(lost).unwrap_or_default());
    let widens = changed.as_ref().map_or(true, Diff::widens);
    if widens && !request.accept_gains {
        let (from, number, untold) = (from.number, to.number, changed.err().map(Box::new));
        return Err(Error::Gains { from, number, gained, untold });
    }
    let activation = NewActivation {
        snapshot: to.number,
        kind: ActivationKind::Rollback,
        at: clock::now(),
        by: caller.label(),
        reason: Some(request.reason.clone()),
    };
    let mut details = vec![("from", from.number.to_string()), ("reason", request.reason.clone())];
    details.extend(widens.then(|| ("gains", "accepted".to_owned())));
    let resource = format!("snapshot:{}", to.number);
    let act = Act { action: "rollback", tenant: None, resource: &resource, policies: &policies, details: &details };
    let entry = audit::entry(caller, AuditOutcome::Done, &act)?;
    let activation = store.activate(activation, Some(from.number), &entry).await?;
    tracing::info!(from = from.number, to = to.number, by = activation.by, "rolled back");
    Ok(RolledBack { from: from.number, to, activation, gained, lost })
}

/// The snapshot of the newest activation that made another live than this one.
async fn former(store: &Store, live: i64) -> Result<SnapshotRecord, Error> {
    let activations = store.activations().await?;
    let former = activations.iter().find(|activation| activation.snapshot != live);
    let former = former.ok_or(Error::NothingBefore { live })?;
    Ok(store.record(former.snapshot).await?)
}

/// What it changes. The target has to be whole; where the live one is not, the inner error says so, and whoever is on call can
/// still go back.
async fn changed(store: &Store, from: &SnapshotRecord, to: &SnapshotRecord) -> Result<Result<Diff, Error>, Error> {
    let after = stored::load(store, to).await?;
    match stored::load(store, from).await {
        Ok(before) => Ok(compare(&before, &after)),
        Err(error @ Error::Broken { .. }) => Ok(Err(error)),
        Err(error) => Err(error),
    }
}

/// Who gains what is for those who may read whole snapshots.
async fn may_read(caller: &Caller, live: &Live) -> Result<bool, Error> {
    if caller.principal().is_none() {
        return Ok(true);
    }
    Ok(narrowed(caller, &*live.current().await?, AdminAction::ReadSnapshot).everything)
}
