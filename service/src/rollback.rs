//! Rolling back: an old number becomes live again, with a reason. It needs no catalog, no network and no model.

use ambit_model::administration::AdminAction;
use ambit_model::audit::AuditOutcome;
use ambit_model::snapshot::{Activation, ActivationKind, SnapshotRecord};

use crate::administration::permit;
use crate::audit::Act;
use crate::caller::Caller;
use crate::live::{self as stored, Live};
use crate::reason::check as check_reason;
use crate::store::{NewActivation, StoreError};
use crate::{Error, audit, clock};

/// What a rollback did.
pub struct RolledBack {
    pub from: i64,
    pub to: SnapshotRecord,
    pub activation: Activation,
}

/// Makes snapshot `number` live again. The snapshot is put together and checked first: a damaged one never becomes live.
/// Where `expected` is given and another snapshot is live by now, nothing changes.
pub async fn rollback_snapshot(
    caller: &Caller,
    live: &Live,
    number: i64,
    reason: &str,
    expected: Option<i64>,
) -> Result<RolledBack, Error> {
    let policies = permit(caller, live, AdminAction::Rollback).await?;
    check_reason(reason)?;
    let store = live.store();
    let from = stored::record(store).await?.ok_or(Error::NothingApplied)?;
    let to = store.record(number).await?;
    if expected.is_some_and(|expected| expected != from.number) {
        return Err(StoreError::Moved { expected, found: Some(from.number) }.into());
    }
    if from.number == number {
        return Err(Error::AlreadyLive { number });
    }
    stored::load(store, &to).await?;
    let activation = NewActivation {
        snapshot: number,
        kind: ActivationKind::Rollback,
        at: clock::now(),
        by: caller.label(),
        reason: Some(reason.to_owned()),
    };
    let details = [("from", from.number.to_string()), ("reason", reason.to_owned())];
    let resource = format!("snapshot:{number}");
    let act = Act { action: "rollback", tenant: None, resource: &resource, policies: &policies, details: &details };
    let entry = audit::entry(caller, AuditOutcome::Done, &act)?;
    let activation = store.activate(activation, Some(from.number), &entry).await?;
    tracing::info!(from = from.number, to = number, by = activation.by, "rolled back");
    Ok(RolledBack { from: from.number, to, activation })
}
