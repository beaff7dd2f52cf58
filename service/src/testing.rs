//! Testing a workspace: its PolicyTests, which every compile runs, and its GoldenRoutes, asked of the router that answers questions.
//! Nothing is published; vectors are kept, so that testing again needs no model.

use std::collections::BTreeMap;
use std::path::Path;

use ambit_engine::authority::{Authority, Places, View};
use ambit_engine::compile::card_digests;
use ambit_engine::index::Vectors;
use ambit_engine::route::{self, ProjectRouter};
use ambit_model::declaration::{Action, GoldenRoute};
use ambit_model::diagnostic::Place;
use ambit_model::digest::Digest;
use ambit_model::identity::{ProjectId, ToolId};
use ambit_model::policies::{PolicyNote, TestKind, TestOutcome};
use ambit_model::route::{Ambiguity, MOST_TOOLS, Outcome, RouteAnswer, RouteRequest};
use ambit_model::snapshot::{Snapshot, SnapshotName};

use crate::Error;
use crate::caller::Caller;
use crate::check::{Checked, check_workspace};
use crate::embedder::ModelPlaces;
use crate::store::Store;
use crate::vectors::{self, LazyEmbedder};

/// A workspace and what became of its tests.
pub struct Tested {
    pub checked: Checked,
    /// PolicyTests and GoldenRoutes, in the order of files and lines.
    pub outcomes: Vec<TestOutcome>,
    pub routes: Routes,
}

/// Whether the GoldenRoutes were asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Routes {
    Asked,
    /// Nobody wanted them; so many there are.
    LeftOut(usize),
    /// Errors other than failed PolicyTests leave nothing to ask.
    NotCompiled(usize),
}

impl Tested {
    /// The operator's policies that no test looks at.
    pub fn unreached(&self) -> impl Iterator<Item = &PolicyNote> {
        self.checked.compiled.policies.policies.iter().filter(|note| !note.tested)
    }

    /// Every test was run as far as was wanted, and passed.
    pub fn passed(&self) -> bool {
        !matches!(self.routes, Routes::NotCompiled(_)) && self.outcomes.iter().all(|outcome| outcome.passed)
    }
}

/// Compiles the workspace and runs its tests; GoldenRoutes only where they are wanted.
pub async fn test_workspace(
    caller: &Caller,
    folder: &Path,
    store: &Store,
    places: &ModelPlaces,
    with_routes: bool,
) -> Result<Tested, Error> {
    caller.local_only("test a workspace")?;
    let checked = check_workspace(caller, folder, store, places).await?;
    let compiled = &checked.compiled;
    let mut outcomes = compiled.policies.tests.clone();
    let count = compiled.golden_routes.len();
    let routes = match compiled.snapshot.as_ref().or(compiled.failed.as_ref()) {
        _ if !with_routes => Routes::LeftOut(count),
        None => Routes::NotCompiled(count),
        Some(snapshot) => {
            let mut trial = Trial::new(snapshot, Places::from(&compiled.policies), store, places).await?;
            for golden in &compiled.golden_routes {
                outcomes.push(trial.run(&golden.value, &golden.place).await?);
            }
            Routes::Asked
        }
    };
    outcomes.sort_by(|a, b| (&a.file, a.line, a.kind).cmp(&(&b.file, b.line, b.kind)));
    Ok(Tested { checked, outcomes, routes })
}

/// A compiled workspace that is asked questions.
struct Trial<'a> {
    snapshot: &'a Snapshot,
    authority: Authority,
    places: Places,
    store: &'a Store,
    embedder: LazyEmbedder,
    known: Vectors,
    routers: BTreeMap<ProjectId, ProjectRouter>,
}

impl<'a> Trial<'a> {
    async fn new(
        snapshot: &'a Snapshot,
        places: Places,
        store: &'a Store,
        models: &ModelPlaces,
    ) -> Result<Self, Error> {
        let authority = Authority::compile(snapshot, &card_digests(snapshot)?)?;
        let embedder = LazyEmbedder::new(&snapshot.settings.embedding_model, models.clone());
        let known = vectors::gather(store, &embedder, &route::texts(snapshot)).await?.vectors;
        Ok(Self { snapshot, authority, places, store, embedder, known, routers: BTreeMap::new() })
    }

    async fn run(&mut self, golden: &GoldenRoute, place: &Place) -> Result<TestOutcome, Error> {
        let instead = match self.authority.view(&golden.principal, &golden.project) {
            Ok(view) => self.ask(golden, &view).await?,
            Err(refused) => vec![refused.to_string()],
        };
        Ok(TestOutcome {
            kind: TestKind::GoldenRoute,
            file: place.file.clone(),
            line: place.line,
            says: format!("{} in {}: {}", golden.principal, golden.project, golden.question),
            passed: instead.is_empty(),
            instead,
        })
    }

    /// What was found instead of what is expected, and why.
    async fn ask(&mut self, golden: &GoldenRoute, view: &View) -> Result<Vec<String>, Error> {
        let request = RouteRequest {
            question: golden.question.clone(),
            context: Default::default(),
            ambiguity: Ambiguity::Advisory,
            k: MOST_TOOLS,
        };
        if let Err(wrong) = route::check_request(&request) {
            return Ok(vec![wrong.message]);
        }
        if !self.routers.contains_key(&golden.project) {
            let router = ProjectRouter::build(self.snapshot, &golden.project, self.known.clone())?;
            self.routers.insert(golden.project.clone(), router);
        }
        let router = self.routers.get(&golden.project).ok_or(Error::NoSuchProject)?;
        let texts = router.question_texts(&golden.question);
        let asked = vectors::gather(self.store, &self.embedder, &texts).await?.vectors;
        // It has neither before it is published, and no answer depends on them.
        let name = SnapshotName { number: 0, digest: Digest::of(b"") };
        let answer = router.route(&name, view, &request, &asked)?;
        if is_met_by(golden, &answer) {
            return Ok(Vec::new());
        }
        let mut instead = vec![format!("expected {}", expected(golden)), format!("found    {}", found(&answer))];
        let missing = golden.tools.iter().filter(|tool| !answer.tools.iter().any(|found| found.id == **tool));
        instead.extend(missing.map(|tool| self.why_not(golden, view, &answer, tool)));
        Ok(instead)
    }

    /// Why an expected tool was not found: policies, or how it came out among the candidates.
    fn why_not(&self, golden: &GoldenRoute, view: &View, answer: &RouteAnswer, tool: &ToolId) -> String {
        if !view.routes(tool) {
            let decision = self.authority.decide(&golden.principal, Action::Route, tool, &golden.project);
            let cite = |id: &String| self.places.cite(id, self.authority.reason(id));
            let by: Vec<String> = decision.policies.iter().map(cite).collect();
            let by = if by.is_empty() {
                "no policy permits it".to_owned()
            } else {
                format!("forbidden by {}", by.join(", "))
            };
            return format!("`{}` may not route `{tool}`: {by}", golden.principal);
        }
        let candidates = answer.steps.iter().flat_map(|step| &step.candidates).filter(|one| one.tool == *tool);
        match candidates.max_by_key(|one| one.score) {
            Some(one) => format!("`{tool}` was considered: score {}, {}", one.score.0, outcome(one.outcome)),
            None => format!("`{tool}` was not considered for any step"),
        }
    }
}

fn is_met_by(golden: &GoldenRoute, answer: &RouteAnswer) -> bool {
    let mut found: Vec<&ToolId> = answer.tools.iter().map(|tool| &tool.id).collect();
    let mut wanted: Vec<&ToolId> = golden.tools.iter().collect();
    if !golden.ordered {
        found.sort();
        wanted.sort();
    }
    let mut causes = answer.gaps.iter().map(|gap| gap.cause.word());
    let gap_is_right = match &golden.gap {
        Some(cause) => causes.any(|found| found == cause),
        None => causes.next().is_none(),
    };
    found == wanted && gap_is_right
}

fn expected(golden: &GoldenRoute) -> String {
    let order = if golden.ordered || golden.tools.len() < 2 { "" } else { " in any order" };
    format!("{}{order}", listed(&golden.tools, golden.gap.iter().map(String::as_str)))
}

fn found(answer: &RouteAnswer) -> String {
    let tools: Vec<ToolId> = answer.tools.iter().map(|tool| tool.id.clone()).collect();
    listed(&tools, answer.gaps.iter().map(|gap| gap.cause.word()))
}

fn listed<'a>(tools: &[ToolId], gaps: impl Iterator<Item = &'a str>) -> String {
    let tools = tools.iter().map(|tool| format!("`{tool}`"));
    let all: Vec<String> = tools.chain(gaps.map(|gap| format!("the gap `{gap}`"))).collect();
    if all.is_empty() { "nothing".to_owned() } else { all.join(", ") }
}

fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Picked => "picked",
        Outcome::TwinReserve => "in reserve for its twin",
        Outcome::VersionReserve => "in reserve for another version",
        Outcome::BelowFloor => "below the floor",
        Outcome::BelowGate => "below the gate",
        Outcome::GroupDropped => "its group was dropped",
        Outcome::Cut => "cut",
    }
}
