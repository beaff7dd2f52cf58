//! Vectors of texts: what the store knows is loaded, the rest is embedded once and kept.
//! INVARIANT: a model is loaded only when a text without a vector has to be embedded.

use std::collections::BTreeMap;
use std::sync::Arc;

use ambit_engine::index::Vectors;
use ambit_model::digest::Digest;
use tokio::sync::{OnceCell, Semaphore};
use tokio::task::JoinSet;

use crate::Error;
use crate::embedder::{self, EmbedError, Embedder, ModelPlaces};
use crate::store::Store;

/// A model that is opened when it is first needed.
pub struct LazyEmbedder {
    model: String,
    places: ModelPlaces,
    opened: OnceCell<Arc<dyn Embedder>>,
    /// Who waits here can give up; who waits for the model on a thread cannot.
    turns: Semaphore,
}

/// Texts are embedded by so many at once: one at the model, one ready to go on.
const TURNS: usize = 2;

impl LazyEmbedder {
    /// Nothing is looked at yet.
    pub fn new(model: impl Into<String>, places: ModelPlaces) -> Self {
        Self { model: model.into(), places, opened: OnceCell::new(), turns: Semaphore::new(TURNS) }
    }

    /// The model's name in the workspace.
    pub fn model(&self) -> &str {
        &self.model
    }

    /// The model and runtime id that vectors are kept under.
    pub fn id(&self) -> Result<String, EmbedError> {
        embedder::identify(&self.model, &self.places)
    }

    /// Opens the model, so that the first question does not wait for it. It stands in no queue of questions.
    pub async fn prepare(&self) -> Result<(), Error> {
        self.opened.get_or_try_init(|| self.open()).await.map(drop)
    }

    /// Embeds on a thread of its own, so that nothing else waits.
    pub async fn embed(&self, texts: Vec<String>) -> Result<Vec<Vec<f32>>, Error> {
        let _turn = self.turns.acquire().await.map_err(|_| Error::Interrupted)?;
        let opened = self.opened.get_or_try_init(|| self.open()).await?.clone();
        let task = tokio::task::spawn_blocking(move || opened.embed(&texts));
        Ok(task.await.map_err(|_| Error::Interrupted)??)
    }

    async fn open(&self) -> Result<Arc<dyn Embedder>, Error> {
        let (model, places) = (self.model.clone(), self.places.clone());
        let task = tokio::task::spawn_blocking(move || embedder::open(&model, &places));
        Ok(Arc::from(task.await.map_err(|_| Error::Interrupted)??))
    }
}

/// The model and runtime id that vectors of this model are kept under. Where there is no runtime, it is that of the only one whose
/// vectors are here, so that a machine without a model can compile what another embedded.
pub async fn identify(store: &Store, embedder: &LazyEmbedder) -> Result<String, Error> {
    let missing = match embedder.id() {
        Err(missing @ EmbedError::RuntimeMissing { .. }) => missing,
        known => return Ok(known?),
    };
    let of_model = embedder::of_model(embedder.model())?;
    let mut kept = store.vector_models().await?.into_iter().filter(|id| id.starts_with(&of_model));
    match (kept.next(), kept.next()) {
        (Some(only), None) => Ok(only),
        _ => Err(missing.into()),
    }
}

/// Vectors, and how many of them had to be made.
pub struct Gathered {
    /// The model and runtime id.
    pub model: String,
    pub vectors: Vectors,
    pub embedded: usize,
}

/// The vectors of all these texts.
pub async fn gather(store: &Store, embedder: &LazyEmbedder, texts: &[String]) -> Result<Gathered, Error> {
    let model = identify(store, embedder).await?;
    let by_digest: BTreeMap<Digest, &String> = texts.iter().map(|text| (Digest::of(text.as_bytes()), text)).collect();
    let digests: Vec<Digest> = by_digest.keys().cloned().collect();
    let mut vectors = load(store, &model, &digests).await?;
    let missing: Vec<(Digest, String)> = by_digest
        .into_iter()
        .filter(|(digest, _)| !vectors.contains_key(digest))
        .map(|(d, t)| (d, t.clone()))
        .collect();
    let embedded = missing.len();
    vectors.extend(embed_and_keep(store, embedder, &model, missing).await?);
    Ok(Gathered { model, vectors: vectors.into_iter().collect(), embedded })
}

/// Texts that are embedded and kept at once: what is interrupted goes on where it was.
const KEPT_AT_ONCE: usize = 256;

/// Short texts first, so that texts of like length are embedded together.
async fn embed_and_keep(
    store: &Store,
    embedder: &LazyEmbedder,
    model: &str,
    mut missing: Vec<(Digest, String)>,
) -> Result<Vec<(Digest, Vec<f32>)>, Error> {
    missing.sort_by(|(a, one), (b, other)| one.len().cmp(&other.len()).then(a.cmp(b)));
    let (texts, mut kept) = (missing.len(), Vec::with_capacity(missing.len()));
    for part in missing.chunks(KEPT_AT_ONCE) {
        let made = embedder.embed(part.iter().map(|(_, text)| text.clone()).collect()).await?;
        let new: Vec<(Digest, Vec<f32>)> = part.iter().map(|(digest, _)| digest.clone()).zip(made).collect();
        store.put_vectors(model, &new).await?;
        kept.extend(new);
        if texts > KEPT_AT_ONCE {
            tracing::info!(embedded = kept.len(), texts, "new texts are being embedded");
        }
    }
    Ok(kept)
}

/// Parts that a large reading is made of, each on a connection of its own.
const PARTS: usize = 4;
/// Fewer texts than this are read at once.
const FEW: usize = 4_000;

async fn load(store: &Store, model: &str, digests: &[Digest]) -> Result<BTreeMap<Digest, Vec<f32>>, Error> {
    if digests.len() < FEW {
        return Ok(store.vectors(model, digests).await?);
    }
    let mut parts = JoinSet::new();
    for part in digests.chunks(digests.len().div_ceil(PARTS)) {
        let (store, model, part) = (store.clone(), model.to_owned(), part.to_vec());
        parts.spawn(async move { store.vectors(&model, &part).await });
    }
    let mut vectors = BTreeMap::new();
    while let Some(part) = parts.join_next().await {
        vectors.append(&mut part.map_err(|_| Error::Interrupted)??);
    }
    Ok(vectors)
}

/// Embeds those of these texts whose vectors are not known yet; nothing is kept in the store.
pub async fn embed_missing(vectors: &mut Vectors, embedder: &LazyEmbedder, texts: Vec<String>) -> Result<(), Error> {
    let by_digest = texts.into_iter().map(|text| (Digest::of(text.as_bytes()), text));
    let missing: BTreeMap<Digest, String> = by_digest.filter(|(digest, _)| vectors.get(digest).is_none()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let made = embedder.embed(missing.values().cloned().collect()).await?;
    vectors.extend(missing.into_keys().zip(made).collect());
    Ok(())
}

/// The vectors that are stored, without embedding any.
pub async fn stored(store: &Store, model: &str, texts: &[String]) -> Result<Vectors, Error> {
    let digests: Vec<Digest> = texts.iter().map(|text| Digest::of(text.as_bytes())).collect();
    Ok(store.vectors(model, &digests).await?.into_iter().collect())
}
