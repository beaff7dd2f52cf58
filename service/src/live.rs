//! Loading a stored snapshot: its parts level by level, put together, every digest checked.

use ambit_engine::parts::{self, Bodies, Kind};
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
    let mut wanted = vec![record.digest.clone()];
    while !wanted.is_empty() {
        let found = store.parts(&wanted).await?;
        let mut next: Vec<Digest> = Vec::new();
        for (digest, part) in found {
            let kind = if part.kind == Kind::Root.word() { Kind::Root } else { kind_of(&part.kind) };
            next.extend(parts::children(kind, &digest, &part.body).map_err(broken)?);
            bodies.insert(digest, part.body);
        }
        next.retain(|digest| !bodies.contains_key(digest));
        wanted = next;
    }
    parts::assemble(&record.digest, &bodies).map_err(broken)
}

/// Only lists matter here: every other part is a leaf.
fn kind_of(word: &str) -> Kind {
    if word == Kind::Tools.word() { Kind::Tools } else { Kind::Tool }
}
