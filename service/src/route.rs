//! Routing a question: view first, then the router over the view, with the project's language model where it has one for that; the
//! gaps it found wait to be kept.

mod answering;
pub(crate) mod assistant;

use std::collections::BTreeMap;
use std::time::Duration;

use ambit_engine::index::Vectors;
use ambit_engine::route::{self, ProjectRouter};
use ambit_model::declaration::Weights;
use ambit_model::digest::Digest;
use ambit_model::identity::ProjectId;
use ambit_model::key::Asker;
use ambit_model::route::{FormattedDefinition, RouteAnswer, RouteRequest, ToolFormat};

use answering::Answering;
use assistant::Assistant;

use crate::caller::{Caller, Wanted};
use crate::embedder::EmbedError;
use crate::live::Live;
use crate::loaded::{AskedView, Loaded};
use crate::secrets::SecretPlaces;
use crate::store::{NewGap, Questions};
use crate::vectors::LazyEmbedder;
use crate::{Error, clock, error};

/// An answer and what it took.
pub struct Routed {
    pub asker: Asker,
    pub answer: RouteAnswer,
    /// Texts that were embedded: the question and its clauses.
    pub embedded: usize,
    pub embedding: Duration,
    pub routing: Duration,
    /// Waiting for the project's language model, where it was asked.
    pub waiting: Duration,
    /// Why meaning was left out, where the answer is `words_only`.
    pub without_model: Option<WithoutModel>,
}

/// Why a question could not be embedded, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WithoutModel {
    pub because: String,
    pub help: String,
}

impl From<&EmbedError> for WithoutModel {
    fn from(error: &EmbedError) -> Self {
        Self { because: error::chain(error), help: error.help() }
    }
}

/// What the Route page shows, all of one snapshot: the projects that can be chosen, and what was found in the chosen one.
pub struct Tried {
    /// In which the caller may use something.
    pub projects: Vec<ProjectId>,
    /// Refused where nobody may be asked for, or nothing may be asked there.
    pub found: Result<Found, Error>,
}

/// Whom the page may serve, what can be tried, and an answer.
pub struct Found {
    pub asker: Asker,
    /// Tools of the `route` set.
    pub routes: usize,
    /// Example questions of those tools, one each.
    pub examples: Vec<String>,
    pub weights: Weights,
    pub routed: Option<Routed>,
}

/// Looks at what can be asked, and asks it where there is a question. Where no project is wanted it is the first that can be.
pub async fn try_question(
    caller: &Caller,
    live: &Live,
    mut wanted: Wanted,
    request: Option<&RouteRequest>,
) -> Result<Tried, Error> {
    let loaded = live.current().await?;
    let projects = caller.projects(&loaded);
    wanted.project = wanted.project.or_else(|| projects.first().map(ToString::to_string));
    let found = look(caller, live, &loaded, &wanted, request).await;
    Ok(Tried { projects, found })
}

async fn look(
    caller: &Caller,
    live: &Live,
    loaded: &Loaded,
    wanted: &Wanted,
    request: Option<&RouteRequest>,
) -> Result<Found, Error> {
    let seen = caller.view(loaded, wanted)?;
    let view = &seen.view;
    let routable = loaded.snapshot.tools.iter().filter(|card| view.routes(&card.id));
    let examples = routable.clone().filter_map(|card| card.examples.first().cloned()).collect();
    let routed = match request {
        Some(request) => Some(route_on(live, loaded, &seen, request, Help::AsDeclared).await?),
        None => None,
    };
    let (routes, weights) = (routable.count(), loaded.snapshot.settings.weights.clone());
    Ok(Found { asker: seen.asker, routes, examples, weights, routed })
}

/// Whether a project's language model may help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Help {
    AsDeclared,
    None,
}

/// Routes on the live snapshot.
pub async fn route_question(
    caller: &Caller,
    live: &Live,
    wanted: &Wanted,
    request: &RouteRequest,
) -> Result<Routed, Error> {
    let loaded = live.current().await?;
    let seen = caller.view(&loaded, wanted)?;
    route_on(live, &loaded, &seen, request, Help::AsDeclared).await
}

/// The same by the local planner and rank, also where the project has a language model for that.
pub async fn route_locally(
    caller: &Caller,
    live: &Live,
    wanted: &Wanted,
    request: &RouteRequest,
) -> Result<Routed, Error> {
    let loaded = live.current().await?;
    let seen = caller.view(&loaded, wanted)?;
    route_on(live, &loaded, &seen, request, Help::None).await
}

async fn route_on(
    live: &Live,
    loaded: &Loaded,
    seen: &AskedView,
    request: &RouteRequest,
    help: Help,
) -> Result<Routed, Error> {
    let AskedView { asker, view, .. } = seen;
    route::check_request(request).map_err(Error::Request)?;
    let router = loaded.router(live.store(), &asker.project).await?;
    let secrets = SecretPlaces::new(live.store().data());
    let project = loaded.snapshot.projects.iter().find(|project| project.id == asker.project);
    let llm = project.and_then(|project| project.llm.as_ref()).filter(|_| help == Help::AsDeclared);
    // Where nothing may be offered, nothing can be planned.
    let llm = llm.filter(|_| view.routed().next().is_some());
    let assistant = llm.map(|llm| Assistant::new(live.models(), &secrets, &asker.project, llm));
    let (answer, took) = Answering { live, loaded, seen, router, request, assistant }.answer().await?;
    let answer = RouteAnswer { overlay: seen.overlay_digest(), ..answer };
    live.gaps().add(gaps(router, asker, request, &answer));
    Ok(Routed {
        asker: asker.clone(),
        answer,
        embedded: took.vectors.len(),
        embedding: took.embedding,
        routing: took.routing,
        waiting: took.waiting,
        without_model: took.without_model,
    })
}

/// The same answer, with its tools in the form that an agent's stack wants.
pub fn in_format(answer: RouteAnswer, format: ToolFormat) -> RouteAnswer<FormattedDefinition> {
    route::handed::answer_in(format, answer)
}

/// A model that cannot be used leaves words alone to decide; the answer says so.
pub(crate) async fn embed(
    embedder: &LazyEmbedder,
    texts: Vec<String>,
) -> Result<(Vectors, Option<WithoutModel>), Error> {
    let digests: Vec<Digest> = texts.iter().map(|text| Digest::of(text.as_bytes())).collect();
    match embedder.embed(texts).await {
        Ok(made) => Ok((digests.into_iter().zip(made).collect(), None)),
        Err(Error::Embed(error)) => Ok((Vectors::default(), Some((&error).into()))),
        Err(error) => Err(error),
    }
}

/// Most gaps of one question that are kept, and most characters of each text: nobody fills the disk with one request.
const MOST_GAPS: usize = 8;
const LONGEST_KEPT: usize = 500;

fn kept(text: &str) -> String {
    text.chars().take(LONGEST_KEPT).collect()
}

/// Questions are kept with names, ids, numbers and quoted text replaced by their types.
fn gaps(router: &ProjectRouter, asker: &Asker, request: &RouteRequest, answer: &RouteAnswer) -> Vec<NewGap> {
    let (at, question) = (clock::now(), router.typed(&request.question));
    let new = |gap: &ambit_model::route::Gap| NewGap {
        at: at.clone(),
        snapshot: answer.snapshot.number,
        project: asker.project.clone(),
        principal: asker.principal.clone(),
        question: Some(kept(&question)),
        step: Some(kept(&router.typed(&gap.text))),
        cause: gap.cause,
        nearest: gap.nearest.iter().map(|near| (near.tool.clone(), near.score)).collect::<BTreeMap<_, _>>(),
        questions: Questions::Typed,
    };
    answer.gaps.iter().take(MOST_GAPS).map(new).collect()
}
