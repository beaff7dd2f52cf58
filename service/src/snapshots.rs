//! Looking at stored snapshots: the list, one whole, two compared, and whether what is stored is what was compiled.

use std::collections::BTreeSet;

use ambit_engine::cut;
use ambit_model::administration::AdminAction;
use ambit_model::audit::WORKSPACE;
use ambit_model::diff::Diff;
use ambit_model::snapshot::{Activation, Snapshot, SnapshotRecord};

use crate::Error;
use crate::administration::{denied, permit, reach};
use crate::caller::Caller;
use crate::live::{self as stored, Live};
use crate::store::Store;

/// Every snapshot, newest first, which one is live, and every activation, newest first.
pub struct Listed {
    pub records: Vec<SnapshotRecord>,
    pub live: Option<i64>,
    pub activations: Vec<Activation>,
}

/// What a caller may see of what is stored.
enum Sight {
    Everything,
    /// What is this tenant's, and the catalogs that it sees now.
    Tenant {
        id: String,
        catalogs: BTreeSet<String>,
    },
}

impl Sight {
    async fn of(caller: &Caller, live: &Live) -> Result<Self, Error> {
        let reach = reach(caller, live, AdminAction::ReadSnapshot).await?;
        if reach.everything {
            return Ok(Self::Everything);
        }
        let Some(id) = reach.tenant.clone() else {
            return Err(denied(caller, live, AdminAction::ReadSnapshot, WORKSPACE, &reach.policies).await);
        };
        let seen = cut::snapshot(&live.current().await?.snapshot, &id);
        Ok(Self::Tenant { catalogs: seen.catalogs.into_iter().map(|catalog| catalog.id).collect(), id })
    }

    fn record(&self, record: SnapshotRecord) -> SnapshotRecord {
        match self {
            Self::Everything => record,
            Self::Tenant { catalogs, .. } => cut_record(record, catalogs),
        }
    }

    fn activation(&self, activation: Activation) -> Activation {
        match self {
            Self::Everything => activation,
            Self::Tenant { .. } => Activation { by: WORKSPACE.to_owned(), reason: None, ..activation },
        }
    }

    fn snapshot(&self, snapshot: Snapshot) -> Snapshot {
        match self {
            Self::Everything => snapshot,
            Self::Tenant { id, .. } => cut::snapshot(&snapshot, id),
        }
    }
}

/// A record without the words of whoever published it, and with the report on these catalogs alone.
pub(crate) fn cut_record(record: SnapshotRecord, catalogs: &BTreeSet<String>) -> SnapshotRecord {
    let report = cut::report(&record.report, catalogs);
    SnapshotRecord {
        author: WORKSPACE.to_owned(),
        message: None,
        git_commit: None,
        tools: i64::try_from(report.accepted.len()).unwrap_or(i64::MAX),
        report,
        audit_head: None,
        ..record
    }
}

/// Lists all snapshots.
pub async fn list_snapshots(caller: &Caller, live: &Live) -> Result<Listed, Error> {
    let sight = Sight::of(caller, live).await?;
    let store = live.store();
    let live = stored::record(store).await?.map(|record| record.number);
    let mut activations = store.activations().await?;
    activations.sort_by_key(|activation| std::cmp::Reverse(activation.sequence));
    Ok(Listed {
        records: store.records().await?.into_iter().map(|record| sight.record(record)).collect(),
        live,
        activations: activations.into_iter().map(|activation| sight.activation(activation)).collect(),
    })
}

/// One snapshot and its record; the live one where no number is given.
pub async fn show_snapshot(
    caller: &Caller,
    live: &Live,
    number: Option<i64>,
) -> Result<(SnapshotRecord, Snapshot), Error> {
    let sight = Sight::of(caller, live).await?;
    let record = find(live.store(), number).await?;
    let snapshot = stored::load(live.store(), &record).await?;
    Ok((sight.record(record), sight.snapshot(snapshot)))
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
    live: &Live,
    from: Option<i64>,
    to: Option<i64>,
) -> Result<Compared, Error> {
    let sight = Sight::of(caller, live).await?;
    let store = live.store();
    let before = if to.is_none() { store.activations().await?.get(1).map(|before| before.snapshot) } else { None };
    let to = find(store, to).await?;
    let from = store.record(from.or(before).or(to.parent).unwrap_or(to.number)).await?;
    let before = sight.snapshot(stored::load(store, &from).await?);
    let after = sight.snapshot(stored::load(store, &to).await?);
    let diff = ambit_engine::diff::diff(&before, &after)?;
    Ok(Compared { from: sight.record(from), to: sight.record(to), diff })
}

/// Recomputes the digest of every stored part and of the whole; the error says which part is not what its digest says.
pub async fn verify_snapshot(
    caller: &Caller,
    live: &Live,
    number: Option<i64>,
) -> Result<(SnapshotRecord, usize), Error> {
    permit(caller, live, AdminAction::ReadSnapshot).await?;
    let record = find(live.store(), number).await?;
    let snapshot = stored::load(live.store(), &record).await?;
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
        None => stored::record(store).await?.ok_or(Error::NothingApplied),
    }
}
