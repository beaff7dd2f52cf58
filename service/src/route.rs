//! Routing a question: view first, then the router over the view, then the gaps it found are kept.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use ambit_engine::authority::Authority;
use ambit_engine::compile::card_digests;
use ambit_engine::index::Vectors;
use ambit_engine::route::{self, ProjectRouter};
use ambit_model::digest::Digest;
use ambit_model::identity::{Principal, ProjectId};
use ambit_model::route::{RouteAnswer, RouteRequest};
use ambit_model::snapshot::{Snapshot, SnapshotName, SnapshotRecord};
use ambit_model::view::View;

use crate::caller::Caller;
use crate::embedder::{EmbedError, ModelPlaces};
use crate::store::{NewGap, Questions, Store};
use crate::vectors::{self, LazyEmbedder};
use crate::{Error, clock, live};

/// Whom a route or a verdict is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct For {
    pub principal: Principal,
    pub project: ProjectId,
}

/// An answer and what it took.
pub struct Routed {
    pub answer: RouteAnswer,
    pub embedding: Duration,
    pub routing: Duration,
    /// Why meaning was left out, where the answer is `words_only`.
    pub without_model: Option<EmbedError>,
}

/// Routes on the live snapshot.
pub async fn route_question(
    _caller: &Caller,
    store: &Store,
    places: &ModelPlaces,
    asker: &For,
    request: &RouteRequest,
) -> Result<Routed, Error> {
    route::check_request(request).map_err(Error::Request)?;
    let loaded = Loaded::live(store).await?;
    let view = loaded.view(asker)?;
    let embedder = LazyEmbedder::new(&loaded.snapshot.settings.embedding_model, places.clone());
    let (known, without_model) = match embedder.id() {
        Ok(model) => (vectors::stored(store, &model, &route::texts(&loaded.snapshot)).await?, None),
        Err(error) => (Vectors::default(), Some(error)),
    };
    let router = ProjectRouter::build(&loaded.snapshot, &asker.project, known)?;
    let started = Instant::now();
    let (asked, without_model) = match without_model {
        None => embed(&embedder, router.question_texts(&request.question)).await?,
        Some(error) => (Vectors::default(), Some(error)),
    };
    let embedding = started.elapsed();
    let started = Instant::now();
    let answer = router.route(&loaded.name(), &view, request, &asked)?;
    let routing = started.elapsed();
    keep_gaps(store, &router, asker, request, &answer).await?;
    Ok(Routed { answer, embedding, routing, without_model })
}

/// A live snapshot, ready to decide.
pub(crate) struct Loaded {
    pub(crate) record: SnapshotRecord,
    pub(crate) snapshot: Snapshot,
    authority: Authority,
}

impl Loaded {
    pub(crate) async fn live(store: &Store) -> Result<Self, Error> {
        let record = live::record(store).await?.ok_or(Error::NothingApplied)?;
        let snapshot = live::load(store, &record).await?;
        let authority = Authority::compile(&snapshot, &card_digests(&snapshot)?)?;
        Ok(Self { record, snapshot, authority })
    }

    pub(crate) fn view(&self, asker: &For) -> Result<View, Error> {
        Ok(self.authority.view(&asker.principal, &asker.project)?)
    }

    fn name(&self) -> SnapshotName {
        SnapshotName { number: self.record.number, digest: self.record.digest.clone() }
    }
}

/// A model that is not on this machine leaves words alone to decide; the answer says so.
async fn embed(embedder: &LazyEmbedder, texts: Vec<String>) -> Result<(Vectors, Option<EmbedError>), Error> {
    let digests: Vec<Digest> = texts.iter().map(|text| Digest::of(text.as_bytes())).collect();
    match embedder.embed(texts).await {
        Ok(made) => Ok((digests.into_iter().zip(made).collect(), None)),
        Err(Error::Embed(error)) => Ok((Vectors::default(), Some(error))),
        Err(error) => Err(error),
    }
}

/// Questions are kept with names, ids, numbers and quoted text replaced by their types.
async fn keep_gaps(
    store: &Store,
    router: &ProjectRouter,
    asker: &For,
    request: &RouteRequest,
    answer: &RouteAnswer,
) -> Result<(), Error> {
    let at = clock::now();
    let new = |gap: &ambit_model::route::Gap| NewGap {
        at: at.clone(),
        snapshot: answer.snapshot.number,
        project: asker.project.clone(),
        principal: asker.principal.clone(),
        question: Some(router.typed(&request.question)),
        step: Some(router.typed(&gap.text)),
        cause: gap.cause,
        nearest: gap.nearest.iter().map(|near| (near.tool.clone(), near.score)).collect::<BTreeMap<_, _>>(),
        questions: Questions::Typed,
    };
    let gaps: Vec<NewGap> = answer.gaps.iter().map(new).collect();
    Ok(store.add_gaps(&gaps).await?)
}
