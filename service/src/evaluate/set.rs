//! A folder with a catalog and questions, in the form of public tool-routing sets.

use std::path::Path;
use std::time::Instant;

use ambit_engine::eval::baseline::Baseline;
use ambit_engine::eval::change::Changed;
use ambit_engine::eval::leak;
use ambit_engine::eval::measures::{Asked, Given, hits};
use ambit_engine::eval::set::{self, Question};
use ambit_engine::eval::tune::{self, Tuned};
use ambit_engine::eval::world::{self, NoWorld, World, given};
use ambit_engine::index::Vectors;
use ambit_engine::route;
use ambit_model::codes;
use ambit_model::declaration::Settings;
use ambit_model::diagnostic::Diagnostic;
use ambit_model::digest::Digest;
use ambit_model::route::Planner;

use super::planner::{Planning, planner_of_workspace};
use super::{EvalRequest, Evaluated, Kinds, Row, ablations, embed, name_of, refused};
use crate::Error;
use crate::embedder::ModelPlaces;
use crate::store::Store;
use crate::vectors::{self, LazyEmbedder};

pub(super) const CATALOG: &str = "catalog.json";
const QUESTIONS: &str = "queries.jsonl";

pub(super) async fn evaluate(request: &EvalRequest, store: &Store, places: &ModelPlaces) -> Result<Evaluated, Error> {
    let whose = match request.planner {
        Planner::Llm => Some(planner_of_workspace(request)?),
        Planner::Local => None,
    };
    let mut planning = Planning::new(store);
    let (questions, diagnostics) = set::read(QUESTIONS, &read(&request.folder, QUESTIONS)?);
    let mut changed =
        Changed::new(&read(&request.folder, CATALOG)?, chosen(questions, request.most)).ok_or_else(|| {
            refused(codes::E_CATALOG, format!("`{CATALOG}` holds no list of tools"), "write `{\"tools\": [...]}`")
        })?;
    for change in &request.changes {
        if !changed.make(change) {
            let message = format!("no tool of the set is called as in `{change:?}`");
            return Err(refused(codes::E_UNRESOLVED, message, "the names are those of `catalog.json`"));
        }
    }
    let compiled = world::compile(&changed.catalog(), &changed.further).map_err(no_world)?;
    let snapshot = compiled.snapshot;
    let embedder = LazyEmbedder::new(&snapshot.settings.embedding_model, places.clone());
    let known = vectors::gather(store, &embedder, &route::texts(&snapshot)).await?.vectors;
    let mut world = World::build(&snapshot, known).map_err(no_world)?;
    let questions = &changed.questions;
    let mut asked_vectors: Vec<Vectors> = Vec::with_capacity(questions.len());
    let mut asked: Vec<Asked<'_>> = Vec::with_capacity(questions.len());
    // The first answers of a process wait for files and caches, which no user of a server does.
    if let Some(first) = questions.first() {
        embed(&embedder, world.texts(first)).await?;
    }
    for question in questions {
        let (view, asking) = (world.view(None), world::request(question));
        let whose = whose.as_ref().map(|(project, llm)| (project, llm));
        let (plan, waiting) = planning.plan(whose, world.router(), &view, &asking).await;
        let texts = world.router().texts_of(&asking.question, &plan);
        let (vectors, embedding) = embed(&embedder, texts).await?;
        let started = Instant::now();
        let answer = world.ask_by(&asking, &view, &vectors, &plan)?;
        let routing = started.elapsed() + waiting;
        let without = match question.gold.first() {
            Some(gold) => Some(given(&world.ask_by(&asking, &world.view(Some(gold)), &vectors, &plan)?)),
            None => None,
        };
        asked.push(Asked { question, given: Given { embedding, routing, ..given(&answer) }, without });
        asked_vectors.push(vectors);
    }
    let baselines = if request.baselines { baselines(&world, questions, &asked_vectors)? } else { Vec::new() };
    let mut ablation = Vec::new();
    for (name, settings) in if request.ablate { ablations(&snapshot.settings) } else { Default::default() } {
        world.set_settings(&settings);
        ablation.push(Row { name: name.to_owned(), kinds: again(&world, questions, &asked_vectors)? });
    }
    let tuned =
        if request.tune { Some(tuned(&mut world, &snapshot.settings, questions, &asked_vectors)?) } else { None };
    let names: std::collections::BTreeSet<&str> = changed.names().collect();
    Ok(Evaluated {
        set: name_of(&request.folder),
        tools: changed.tools.len(),
        accepted: compiled.report.accepted.len(),
        leaks: questions.iter().filter(|question| !leak::leaked(question).is_empty()).count(),
        unknown_gold: questions.iter().flat_map(|q| &q.gold).filter(|gold| !names.contains(gold.as_str())).count(),
        planned: whose.is_some().then_some(planning.planned),
        kinds: Kinds::of(asked),
        baselines,
        ablation,
        tuned,
        diagnostics,
    })
}

/// The same questions of another world.
fn again(world: &World, questions: &[Question], vectors: &[Vectors]) -> Result<Kinds, Error> {
    let mut asked = Vec::with_capacity(questions.len());
    for (question, vectors) in questions.iter().zip(vectors) {
        let started = Instant::now();
        let answer = world.ask(question, &world.view(None), vectors)?;
        asked.push(Asked { question, given: Given { routing: started.elapsed(), ..given(&answer) }, without: None });
    }
    Ok(Kinds::of(asked))
}

/// The settings that give most exact sets.
fn tuned(world: &mut World, settings: &Settings, questions: &[Question], vectors: &[Vectors]) -> Result<Tuned, Error> {
    tune::tune(settings, questions, |tried| {
        world.set_settings(tried);
        let view = world.view(None);
        let asked: Vec<(&Question, &Vectors)> = questions.iter().zip(vectors).collect();
        let one = |(question, vectors): &(&Question, &Vectors)| {
            Ok::<_, Error>(hits(question, &given(&world.ask(question, &view, vectors)?)))
        };
        asked.iter().map(one).collect()
    })
}

fn baselines(world: &World, questions: &[Question], vectors: &[Vectors]) -> Result<Vec<Row>, Error> {
    let mut rows = Vec::new();
    for baseline in Baseline::ALL {
        let mut asked = Vec::with_capacity(questions.len());
        for (question, vectors) in questions.iter().zip(vectors) {
            let started = Instant::now();
            let given = baseline.ask(world, &question.query, vectors)?;
            asked.push(Asked { question, given: Given { routing: started.elapsed(), ..given }, without: None });
        }
        rows.push(Row { name: baseline.name().to_owned(), kinds: Kinds::of(asked) });
    }
    Ok(rows)
}

/// Those with the lowest digests of their ids, so that a part of a set is the same everywhere and says nothing of its order.
fn chosen(mut questions: Vec<Question>, most: Option<usize>) -> Vec<Question> {
    if let Some(most) = most {
        questions.sort_by_cached_key(|question| Digest::of(question.id.as_bytes()));
        questions.truncate(most);
    }
    questions
}

fn read(folder: &Path, file: &str) -> Result<String, Error> {
    let path = folder.join(file);
    std::fs::read_to_string(&path).map_err(|error| {
        let message = format!("`{}` cannot be read: {error}", path.display());
        let help = "a set is a folder with `catalog.json` and `queries.jsonl`, in UTF-8";
        Error::Request(Box::new(Diagnostic::error(codes::E_UNREADABLE, message).help(help)))
    })
}

fn no_world(error: NoWorld) -> Error {
    match error {
        NoWorld::Refused(diagnostics) => {
            let first = diagnostics.into_iter().next();
            Error::Request(Box::new(
                first.unwrap_or_else(|| Diagnostic::error(codes::E_CATALOG, "the set does not compile")),
            ))
        }
        NoWorld::Compile(error) => error.into(),
        NoWorld::Index(error) => error.into(),
        NoWorld::Defect(_) => Error::Interrupted,
    }
}
