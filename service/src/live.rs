//! Loading a stored snapshot: its parts level by level, put together, every digest checked.

use std::collections::BTreeMap;

use ambit_engine::parts::{self, Bodies, Broken, Kind};
use ambit_model::digest::Digest;
use ambit_model::snapshot::{Snapshot, SnapshotRecord};

use crate::Error;
use crate::store::Store;

/// The record of what is live; nothing before the first apply.
pub async fn record(store: &Store) -> Result<Option<SnapshotRecord>, Error> {
    Ok(store.live().await?.map(|(record, _)| record))
}

/// The snapshot of a record, whole.
pub async fn load(store: &Store, record: &SnapshotRecord) -> Result<Snapshot, Error> {
    let broken = |source| Error::Broken { number: record.number, source };
    let mut bodies = Bodies::new();
    let mut wanted: BTreeMap<Digest, Kind> = BTreeMap::from([(record.digest.clone(), Kind::Root)]);
    while !wanted.is_empty() {
        let digests: Vec<Digest> = wanted.keys().cloned().collect();
        let found = store.parts(&digests).await?;
        let mut next = BTreeMap::new();
        for (digest, part) in found {
            let Some(kind) = wanted.get(&digest).copied() else { continue };
            if part.kind != kind.word() {
                let reason = format!("it is stored as `{}`, and it is a `{}`", part.kind, kind.word());
                return Err(broken(Broken::Unreadable { digest, reason }));
            }
            next.extend(
                parts::children(kind, &digest, &part.body)
                    .map_err(broken)?
                    .into_iter()
                    .map(|(kind, digest)| (digest, kind)),
            );
            bodies.insert(digest, part.body);
        }
        next.retain(|digest, _| !bodies.contains_key(digest));
        wanted = next;
    }
    parts::assemble(&record.digest, &bodies).map_err(broken)
}
