//! Rolling back: an old number becomes live again, with a reason. It needs no catalog, no network and no model.

use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;
use ambit_model::snapshot::{Activation, ActivationKind, SnapshotRecord};

use crate::caller::{Administration, Caller};
use crate::store::{NewActivation, Store, StoreError};
use crate::{Error, clock, live};

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
    store: &Store,
    number: i64,
    reason: &str,
    expected: Option<i64>,
) -> Result<RolledBack, Error> {
    caller.may(Administration::RollBack)?;
    if reason.trim().is_empty() {
        let diagnostic = Diagnostic::error(codes::E_REASON, "the reason is empty")
            .help("say why, for whoever reads the list of activations");
        return Err(Error::Request(Box::new(diagnostic)));
    }
    let from = live::record(store).await?.ok_or(Error::NothingApplied)?;
    let to = store.record(number).await?;
    if expected.is_some_and(|expected| expected != from.number) {
        return Err(StoreError::Moved { expected, found: Some(from.number) }.into());
    }
    if from.number == number {
        return Err(Error::AlreadyLive { number });
    }
    live::load(store, &to).await?;
    let activation = NewActivation {
        snapshot: number,
        kind: ActivationKind::Rollback,
        at: clock::now(),
        by: caller.label(),
        reason: Some(reason.to_owned()),
    };
    let activation = store.activate(activation, Some(from.number)).await?;
    tracing::info!(from = from.number, to = number, by = activation.by, "rolled back");
    Ok(RolledBack { from: from.number, to, activation })
}
