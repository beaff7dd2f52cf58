//! Looking at stored snapshots: the list, one whole, two compared, and whether what is stored is what was compiled.

use std::collections::BTreeSet;

use ambit_engine::authority::Authority;
use ambit_engine::compile::card_digests;
use ambit_engine::cut;
use ambit_engine::diff::{Side, diff, diff_sides};
use ambit_model::administration::AdminAction;
use ambit_model::audit::WORKSPACE;
use ambit_model::diff::Diff;
use ambit_model::policies::PolicyReport;
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
    /// What is, or was, this tenant's.
    Tenant(String),
}

impl Sight {
    async fn of(caller: &Caller, live: &Live) -> Result<Self, Error> {
        let reach = reach(caller, live, AdminAction::ReadSnapshot).await?;
        if reach.everything {
            return Ok(Self::Everything);
        }
        match &reach.tenant {
            Some(id) => Ok(Self::Tenant(id.clone())),
            None => Err(denied(caller, live, AdminAction::ReadSnapshot, WORKSPACE, &reach.policies).await),
        }
    }

    async fn record(&self, live: &Live, record: SnapshotRecord) -> Result<SnapshotRecord, Error> {
        let Self::Tenant(id) = self else { return Ok(record) };
        let catalogs = live.ownership(&record).await?.in_sight(id);
        Ok(cut_record(record, id, &catalogs))
    }

    fn activation(&self, activation: Activation) -> Activation {
        match self {
            Self::Everything => activation,
            Self::Tenant(_) => Activation { by: WORKSPACE.to_owned(), reason: None, ..activation },
        }
    }

    fn snapshot(&self, snapshot: Snapshot) -> Snapshot {
        match self {
            Self::Everything => snapshot,
            Self::Tenant(id) => cut::snapshot(&snapshot, id),
        }
    }

    /// A tenant's part is compared by the authority of the whole: policies that are not in its part decide about it too.
    fn diff(&self, from: Snapshot, to: Snapshot) -> Result<Diff, Error> {
        let Self::Tenant(id) = self else { return Ok(diff(&from, &to)?) };
        let authority = |of: &Snapshot| Ok::<_, Error>(Authority::compile(of, &card_digests(of)?)?);
        let (before, after) = (authority(&from)?, authority(&to)?);
        let (from, to) = (cut::snapshot(&from, id), cut::snapshot(&to, id));
        let from = Side { snapshot: &from, authority: &before };
        Ok(diff_sides(from, Side { snapshot: &to, authority: &after })?)
    }
}

/// A record without the words of whoever published it, and with the report on these catalogs alone.
pub(crate) fn cut_record(record: SnapshotRecord, tenant: &str, catalogs: &BTreeSet<String>) -> SnapshotRecord {
    let report = cut::report(&record.report, tenant, catalogs);
    SnapshotRecord {
        author: WORKSPACE.to_owned(),
        message: None,
        git_commit: None,
        tools: i64::try_from(report.accepted.len()).unwrap_or(i64::MAX),
        report,
        policies: PolicyReport::default(),
        audit_head: None,
        ..record
    }
}

/// Lists all snapshots.
pub async fn list_snapshots(caller: &Caller, live: &Live) -> Result<Listed, Error> {
    let sight = Sight::of(caller, live).await?;
    let store = live.store();
    let mut activations = store.activations().await?;
    activations.sort_by_key(|activation| std::cmp::Reverse(activation.sequence));
    let mut records = Vec::new();
    for record in store.records().await? {
        records.push(sight.record(live, record).await?);
    }
    Ok(Listed {
        records,
        live: stored::record(store).await?.map(|record| record.number),
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
    Ok((sight.record(live, record).await?, sight.snapshot(snapshot)))
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
    let diff = sight.diff(stored::load(store, &from).await?, stored::load(store, &to).await?)?;
    Ok(Compared { from: sight.record(live, from).await?, to: sight.record(live, to).await?, diff })
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
