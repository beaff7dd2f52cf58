//! The GoldenRoutes of a workspace, each asked by its own principal in its own project.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use ambit_engine::authority::Authority;
use ambit_engine::compile::{Compiled, card_digests};
use ambit_engine::eval::leak;
use ambit_engine::eval::measures::{Asked, Given, Measures};
use ambit_engine::eval::set::Question;
use ambit_engine::eval::world::given_by_id;
use ambit_engine::route::{self, ProjectRouter};
use ambit_model::codes;
use ambit_model::declaration::GoldenRoute;
use ambit_model::digest::Digest;
use ambit_model::identity::ProjectId;
use ambit_model::llm::Llm;
use ambit_model::route::{Ambiguity, MOST_TOOLS, Planner, RouteRequest};
use ambit_model::snapshot::{Snapshot, SnapshotName};

use super::planner::{Planning, nobody_plans, planner_of};
use super::{EvalRequest, Evaluated, Kinds, embed, name_of, refused};
use crate::Error;
use crate::caller::Caller;
use crate::check::check_workspace;
use crate::embedder::ModelPlaces;
use crate::store::Store;
use crate::vectors::{self, LazyEmbedder};

pub(super) async fn evaluate(
    caller: &Caller,
    request: &EvalRequest,
    store: &Store,
    places: &ModelPlaces,
) -> Result<Evaluated, Error> {
    if !request.changes.is_empty() || request.baselines || request.ablate || request.tune {
        let message = "changes, baselines, ablation and tuning are of a set with `catalog.json` and `queries.jsonl`";
        return Err(refused(
            codes::E_REQUEST,
            message.to_owned(),
            "of a workspace its GoldenRoutes alone are measured",
        ));
    }
    if request.planner == Planner::Llm && request.project.is_some() {
        let message = "each GoldenRoute is planned by the language model of its own project";
        return Err(refused(codes::E_REQUEST, message.to_owned(), "leave `--project` out"));
    }
    let compiled = check_workspace(caller, &request.folder, store, places).await?.compiled;
    let Some(snapshot) = compiled.snapshot.as_ref().or(compiled.failed.as_ref()) else {
        let message = format!("the workspace in `{}` does not compile", request.folder.display());
        return Err(refused(codes::E_WORKSPACE, message, "`ambit check` shows every problem"));
    };
    if compiled.golden_routes.is_empty() {
        let message = format!("the workspace in `{}` has no GoldenRoute documents", request.folder.display());
        return Err(refused(
            codes::E_UNRESOLVED,
            message,
            "write some, or name a folder with `catalog.json` and `queries.jsonl`",
        ));
    }
    let by_model = request.planner == Planner::Llm;
    if by_model && !compiled.golden_routes.iter().any(|located| whose(snapshot, &located.value.project).is_some()) {
        return Err(nobody_plans(request));
    }
    let mut planning = by_model.then(|| Planning::new(store));
    let golden: Vec<&GoldenRoute> = compiled.golden_routes.iter().map(|located| &located.value).collect();
    let questions: Vec<Question> = golden.iter().zip(1_usize..).map(|(golden, n)| question(golden, n)).collect();
    let asked = ask(snapshot, &golden, &questions, store, places, planning.as_mut()).await?;
    let leaks = questions.iter().filter(|question| !leak::leaked(question).is_empty()).count();
    Ok(Evaluated {
        set: name_of(&request.folder),
        tools: compiled.report.offered,
        accepted: compiled.report.accepted.len(),
        leaks,
        unknown_gold: 0,
        planned: planning.map(|planning| planning.planned),
        kinds: Kinds::of(asked),
        baselines: Vec::new(),
        ablation: Vec::new(),
        tuned: None,
        diagnostics: Vec::new(),
    })
}

fn question(golden: &GoldenRoute, number: usize) -> Question {
    Question {
        id: number.to_string(),
        query: golden.question.clone(),
        gold: golden.tools.iter().map(ToString::to_string).collect(),
        ordered: golden.ordered,
        context: Vec::new(),
    }
}

/// How the GoldenRoutes of a compiled workspace end.
pub(crate) struct GoldenAnswers {
    pub(crate) measures: Measures,
    /// Whether exactly the wanted tools were handed over, by who asks where and what.
    pub(crate) right: BTreeMap<String, bool>,
}

/// Asks the GoldenRoutes of a compiled workspace; nothing where it has none, or did not compile.
pub(crate) async fn answers(
    compiled: &Compiled,
    store: &Store,
    places: &ModelPlaces,
) -> Result<Option<GoldenAnswers>, Error> {
    let Some(snapshot) = compiled.snapshot.as_ref().or(compiled.failed.as_ref()) else { return Ok(None) };
    let golden: Vec<&GoldenRoute> = compiled.golden_routes.iter().map(|located| &located.value).collect();
    let questions: Vec<Question> = golden.iter().zip(1_usize..).map(|(golden, n)| question(golden, n)).collect();
    let asked = ask(snapshot, &golden, &questions, store, places, None).await?;
    let right = golden.iter().zip(&asked).map(|(golden, one)| {
        let given: BTreeSet<&String> = one.given.tools.iter().collect();
        let wanted: BTreeSet<&String> = one.question.gold.iter().collect();
        (format!("{} in {}: {}", golden.principal, golden.project, golden.question), given == wanted)
    });
    let right = right.collect();
    Ok(Measures::of(&asked).map(|measures| GoldenAnswers { measures, right }))
}

/// The language model that plans in this project, where one does.
fn whose<'a>(snapshot: &'a Snapshot, id: &ProjectId) -> Option<(&'a ProjectId, &'a Llm)> {
    let project = snapshot.projects.iter().find(|project| project.id == *id)?;
    Some((&project.id, planner_of(project)?))
}

/// Asks each of them, as its own principal; by plans of the projects' language models where those are to be asked.
async fn ask<'q>(
    snapshot: &Snapshot,
    golden: &[&GoldenRoute],
    questions: &'q [Question],
    store: &Store,
    places: &ModelPlaces,
    mut planning: Option<&mut Planning>,
) -> Result<Vec<Asked<'q>>, Error> {
    let authority = Authority::compile(snapshot, &card_digests(snapshot)?)?;
    let embedder = LazyEmbedder::new(&snapshot.settings.embedding_model, places.clone());
    let known = vectors::gather(store, &embedder, &route::texts(snapshot)).await?.vectors;
    let mut routers: BTreeMap<&ProjectId, ProjectRouter> = BTreeMap::new();
    let name = SnapshotName { number: 0, digest: Digest::of(b"") };
    let mut asked = Vec::new();
    for (golden, question) in golden.iter().copied().zip(questions) {
        if !routers.contains_key(&golden.project) {
            routers.insert(&golden.project, ProjectRouter::build(snapshot, &golden.project, known.clone())?);
        }
        let router = routers.get(&golden.project).ok_or(Error::NoSuchProject)?;
        let request = RouteRequest {
            question: golden.question.clone(),
            context: Default::default(),
            ambiguity: Ambiguity::Strict,
            k: MOST_TOOLS,
        };
        route::check_request(&request).map_err(Error::Request)?;
        let Ok(view) = authority.view(&golden.principal, &golden.project) else {
            asked.push(Asked { question, given: Given { has_gap: true, ..Given::default() }, without: None });
            continue;
        };
        let (plan, waiting) = match planning.as_deref_mut() {
            Some(planning) => planning.plan(whose(snapshot, &golden.project), router, &view, &request).await,
            None => (router.plan(&golden.question), Duration::ZERO),
        };
        let (vectors, embedding) = embed(&embedder, router.texts_of(&golden.question, &plan)).await?;
        let started = Instant::now();
        let answer = router.route_by(&name, &view, &request, &vectors, &plan)?;
        asked.push(Asked {
            question,
            given: Given { embedding, routing: started.elapsed() + waiting, ..given_by_id(&answer) },
            without: None,
        });
    }
    Ok(asked)
}
