//! What is live: loaded once, shared by every answer, and swapped whole when any process on the store makes another live, or blocks
//! or unblocks a tool.
//! INVARIANT: an answer uses one `Loaded`, so one snapshot and one set of blocks, from its beginning to its end.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use ambit_engine::parts::{self, Bodies, Broken, Kind};
use ambit_model::digest::Digest;
use ambit_model::overlay::Block;
use ambit_model::snapshot::{Snapshot, SnapshotRecord};
use arc_swap::ArcSwapOption;
use tokio::sync::{Mutex, oneshot};

use crate::denials::Denials;
use crate::embedder::ModelPlaces;
use crate::gaps::GapQueue;
use crate::identity::Issuers;
use crate::llm::Models;
use crate::loaded::Loaded;
use crate::ownership::Ownership;
use crate::remembered::Remembered;
use crate::store::{Store, StoreError};
use crate::vectors::LazyEmbedder;
use crate::{Error, clock, error};

/// Most stored snapshots whose catalogs are remembered.
const MOST_OWNERSHIPS: usize = 10_000;

/// How long to wait after a failure.
const RETRY: Duration = Duration::from_secs(1);

/// A store and what is live in it. Clones share it.
#[derive(Clone)]
pub struct Live(Arc<Shared>);

struct Shared {
    store: Store,
    places: ModelPlaces,
    gaps: GapQueue,
    current: ArcSwapOption<Loaded>,
    /// What identity providers publish; nothing is asked before the first token.
    issuers: Issuers,
    /// Requests from nobody who is known, not yet written down.
    refusals: AtomicU64,
    denials: Denials,
    /// Language models of projects; nothing is asked before the first question of a project that has one.
    models: Models,
    /// Whose the catalogs of stored snapshots are, by number.
    ownerships: Remembered<i64, Ownership>,
    /// Whose turn it is to load; holds the embedder, which outlives snapshots that name the same model.
    loading: Mutex<Option<Arc<LazyEmbedder>>>,
}

impl Live {
    /// Nothing is loaded yet.
    pub fn new(store: Store, places: ModelPlaces) -> Self {
        let (current, loading) = (ArcSwapOption::empty(), Mutex::new(None));
        let (issuers, refusals) = (Issuers::new(), AtomicU64::new(0));
        Self(Arc::new(Shared {
            store,
            places,
            gaps: GapQueue::default(),
            current,
            issuers,
            refusals,
            denials: Denials::default(),
            models: Models::default(),
            ownerships: Remembered::new(MOST_OWNERSHIPS),
            loading,
        }))
    }

    /// The store below.
    pub fn store(&self) -> &Store {
        &self.0.store
    }

    /// Who verifies tokens and signs people in.
    pub fn issuers(&self) -> &Issuers {
        &self.0.issuers
    }

    /// Counts a request that came from nobody who is known.
    pub(crate) fn count_refusal(&self) {
        self.0.refusals.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn models(&self) -> &Models {
        &self.0.models
    }

    pub(crate) fn denials(&self) -> &Denials {
        &self.0.denials
    }

    /// Whose the catalogs of a stored snapshot are: what is read of it is cut by that, not by what is live now.
    pub(crate) async fn ownership(&self, record: &SnapshotRecord) -> Result<Arc<Ownership>, Error> {
        if let Some(known) = self.0.ownerships.get(&record.number) {
            return Ok(known);
        }
        let found = Ownership::of(&load(&self.0.store, record).await?);
        self.0.ownerships.get_or_find(&record.number, |_| 1, || Ok(found))
    }

    pub(crate) fn gaps(&self) -> &GapQueue {
        &self.0.gaps
    }

    /// What is loaded; loads it where nothing was yet.
    pub async fn current(&self) -> Result<Arc<Loaded>, Error> {
        self.current_if_any().await?.ok_or(Error::NothingApplied)
    }

    /// The same; nothing before the first apply.
    pub async fn current_if_any(&self) -> Result<Option<Arc<Loaded>>, Error> {
        if self.loaded().is_none() {
            self.load(false).await?;
        }
        Ok(self.loaded())
    }

    /// What is loaded now, without a look at the store. A block ends at its time for whoever asks then, also before the store is
    /// looked at again.
    pub fn loaded(&self) -> Option<Arc<Loaded>> {
        let loaded = self.0.current.load_full()?;
        if loaded.blocks().is_empty() {
            return Some(loaded);
        }
        let now = clock::now();
        if loaded.blocks().iter().all(|block| block.holds(&now)) {
            return Some(loaded);
        }
        let lifted = Arc::new(loaded.with_blocks(in_force(loaded.blocks().to_vec(), &now)));
        // Where somebody else was quicker, theirs stays; this answer goes on with its own.
        drop(self.0.current.compare_and_swap(&Some(loaded), Some(Arc::clone(&lifted))));
        Some(lifted)
    }

    /// A snapshot is loaded and the store answers within this time.
    pub async fn is_ready(&self, patience: Duration) -> Result<(), Error> {
        let asked = tokio::time::timeout(patience, self.0.store.newest_activation()).await;
        asked.map_err(|_| StoreError::Locked)??;
        if self.loaded().is_some() { Ok(()) } else { Err(Error::NothingApplied) }
    }

    /// Swaps in what is live by now, ready to answer at once.
    pub async fn refresh(&self) -> Result<(), Error> {
        let swapped = self.load(true).await?;
        if swapped && let Some(loaded) = self.loaded() {
            tracing::info!(snapshot = loaded.record.number, digest = %loaded.record.digest, "answers come from this snapshot now");
        }
        Ok(())
    }

    async fn load(&self, warm: bool) -> Result<bool, Error> {
        let mut embedder = self.0.loading.lock().await;
        let Some(newest) = self.0.store.newest_activation().await? else { return Ok(false) };
        if let Some(loaded) = self.loaded() {
            // First, so that a snapshot which takes long to load, or cannot be loaded, keeps no block waiting.
            self.follow_blocks(&loaded).await?;
            if loaded.record.number == newest.snapshot {
                return Ok(false);
            }
        }
        let record = self.0.store.record(newest.snapshot).await?;
        let snapshot = load(&self.0.store, &record).await?;
        let model = &snapshot.settings.embedding_model;
        let known = embedder.clone().filter(|known| known.model() == model);
        let shared = known.unwrap_or_else(|| Arc::new(LazyEmbedder::new(model, self.0.places.clone())));
        *embedder = Some(Arc::clone(&shared));
        let loaded = Loaded::new(record, snapshot, shared)?;
        if warm {
            loaded.warm(&self.0.store).await?;
        }
        // Read last, for making ready takes its time.
        let loaded = loaded.with_blocks(self.blocks_in_force().await?);
        self.0.current.store(Some(Arc::new(loaded)));
        Ok(true)
    }

    /// Swaps in the blocks that are in force by now, where they are others.
    async fn follow_blocks(&self, loaded: &Loaded) -> Result<(), Error> {
        let blocks = self.blocks_in_force().await?;
        if blocks != loaded.blocks() {
            tracing::info!(blocks = blocks.len(), "other tools are blocked now");
            self.0.current.store(Some(Arc::new(loaded.with_blocks(blocks))));
        }
        Ok(())
    }

    async fn blocks_in_force(&self) -> Result<Vec<Block>, Error> {
        Ok(in_force(self.0.store.blocks().await?, &clock::now()))
    }

    /// Keeps what is waiting to be kept; to be called before the process ends.
    pub async fn flush(&self) -> Result<(), Error> {
        self.0.gaps.flush(&self.0.store).await?;
        let refused = self.0.refusals.swap(0, Ordering::Relaxed);
        if refused == 0 {
            return Ok(());
        }
        let counted = self.0.store.add_refusals(&clock::today(), i64::try_from(refused).unwrap_or(i64::MAX)).await;
        if counted.is_err() {
            self.0.refusals.fetch_add(refused, Ordering::Relaxed);
        }
        Ok(counted?)
    }

    /// Follows the store until it is told to stop: swaps in what becomes live, and keeps what waits. Logs what changes.
    /// It must not be aborted: gaps on their way into the store would be lost.
    pub async fn follow(self, every: Duration, mut stop: oneshot::Receiver<()>) {
        let mut failing = false;
        loop {
            // What could not be loaded is not tried again at once: a damaged snapshot stays damaged.
            let pause = tokio::time::sleep(if failing { every.max(RETRY) } else { every });
            tokio::select! { () = pause => {}, _ = &mut stop => return }
            let step = self.step().await;
            match &step {
                Ok(()) if failing => tracing::info!("the live snapshot can be followed again"),
                Err(error) if !failing => {
                    let error = error::chain(error);
                    tracing::error!(error, "what is live cannot be followed; it is tried again each second");
                }
                _ => {}
            }
            failing = step.is_err();
        }
    }

    async fn step(&self) -> Result<(), Error> {
        self.refresh().await?;
        self.flush().await
    }
}

fn in_force(mut blocks: Vec<Block>, now: &str) -> Vec<Block> {
    blocks.retain(|block| block.holds(now));
    blocks
}

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
