//! The intake report of a stored snapshot: what was refused and what is worth a look.

use ambit_model::snapshot::SnapshotRecord;

use crate::Error;
use crate::caller::{Administration, Caller};
use crate::snapshots::find;
use crate::store::Store;

/// The record of a snapshot, with its report; the live one where no number is given.
pub async fn read_intake(caller: &Caller, store: &Store, number: Option<i64>) -> Result<SnapshotRecord, Error> {
    caller.may(Administration::ReadIntake)?;
    find(store, number).await
}
