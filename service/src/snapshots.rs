//! Looking at stored snapshots: the list, one whole, two compared, and whether what is stored is what was compiled.

use ambit_model::diff::Diff;
use ambit_model::snapshot::{Activation, Snapshot, SnapshotRecord};

use crate::caller::{Administration, Caller};
use crate::store::Store;
use crate::{Error, live};

/// Every snapshot, newest first, which one is live, and every activation, newest first.
pub struct Listed {
    pub records: Vec<SnapshotRecord>,
    pub live: Option<i64>,
    pub activations: Vec<Activation>,
}

/// Lists all snapshots.
pub async fn list_snapshots(caller: &Caller, store: &Store) -> Result<Listed, Error> {
    caller.may(Administration::ReadSnapshots)?;
    let live = live::record(store).await?.map(|record| record.number);
    let mut activations = store.activations().await?;
    activations.sort_by_key(|activation| std::cmp::Reverse(activation.sequence));
    Ok(Listed { records: store.records().await?, live, activations })
}

/// One snapshot and its record; the live one where no number is given.
pub async fn show_snapshot(
    caller: &Caller,
    store: &Store,
    number: Option<i64>,
) -> Result<(SnapshotRecord, Snapshot), Error> {
    caller.may(Administration::ReadSnapshots)?;
    let record = find(store, number).await?;
    let snapshot = live::load(store, &record).await?;
    Ok((record, snapshot))
}

/// Two snapshots and what differs.
pub struct Compared {
    pub from: SnapshotRecord,
    pub to: SnapshotRecord,
    pub diff: Diff,
}

/// Compares two snapshots. Where `to` is not given it is the live one, and `from` the one that was live before it; else `from`
/// is `to`'s parent.
pub async fn diff_snapshots(
    caller: &Caller,
    store: &Store,
    from: Option<i64>,
    to: Option<i64>,
) -> Result<Compared, Error> {
    caller.may(Administration::ReadSnapshots)?;
    let before = if to.is_none() { store.activations().await?.get(1).map(|before| before.snapshot) } else { None };
    let to = find(store, to).await?;
    let from = store.record(from.or(before).or(to.parent).unwrap_or(to.number)).await?;
    let (before, after) = (live::load(store, &from).await?, live::load(store, &to).await?);
    let diff = ambit_engine::diff::diff(&before, &after)?;
    Ok(Compared { from, to, diff })
}

/// Recomputes the digest of every stored part and of the whole; the error says which part is not what its digest says.
pub async fn verify_snapshot(
    caller: &Caller,
    store: &Store,
    number: Option<i64>,
) -> Result<(SnapshotRecord, usize), Error> {
    caller.may(Administration::ReadSnapshots)?;
    let record = find(store, number).await?;
    let snapshot = live::load(store, &record).await?;
    let parts = ambit_engine::parts::split(&snapshot)?;
    let found = parts.last().map(|root| root.digest.clone());
    match found {
        Some(found) if found != record.digest => {
            let source = ambit_engine::parts::Broken::Altered { expected: record.digest, found };
            Err(Error::Broken { number: record.number, source })
        }
        _ => Ok((record, parts.len())),
    }
}

pub(crate) async fn find(store: &Store, number: Option<i64>) -> Result<SnapshotRecord, Error> {
    match number {
        Some(number) => Ok(store.record(number).await?),
        None => live::record(store).await?.ok_or(Error::NothingApplied),
    }
}
