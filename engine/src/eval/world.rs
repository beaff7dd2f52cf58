//! A set compiled as a workspace of one project, whose one user may route everything, and its answers.

use std::convert::Infallible;

use ambit_model::declaration::Settings;
use ambit_model::diagnostic::Diagnostic;
use ambit_model::digest::Digest;
use ambit_model::identity::{Principal, ProjectId, ToolId};
use ambit_model::intake::IntakeReport;
use ambit_model::route::{Ambiguity, Context, MOST_TOOLS, MOST_TURNS, Role, RouteAnswer, RouteRequest, Turn};
use ambit_model::snapshot::{Snapshot, SnapshotName};

use super::measures::Given;
use super::set::Question;
use crate::authority::{Authority, View};
use crate::compile::{self, CompileError};
use crate::index::{IndexError, Vectors};
use crate::route::{LONGEST_QUESTION, Plan, ProjectRouter};
use crate::source::SourceTree;

/// Everything is allowed: what is measured is the router, not the policies.
const OPEN: &str = include_str!("open.yaml");
const CATALOG: &str = "set";
const FILE: &str = "catalog.json";
/// Facts that hang on the day are not what is measured.
const DAY: &str = "2026-01-01";

/// Why a set cannot be measured.
#[derive(Debug, thiserror::Error)]
pub enum NoWorld {
    #[error("the catalog does not compile")]
    Refused(Vec<Diagnostic>),
    #[error(transparent)]
    Compile(#[from] CompileError),
    #[error(transparent)]
    Index(#[from] IndexError),
    #[error("a defect of this build: {0}")]
    Defect(String),
}

/// A compiled set.
pub struct Compiled {
    pub snapshot: Snapshot,
    pub report: IntakeReport,
    pub diagnostics: Vec<Diagnostic>,
}

/// Compiles a catalog file. `further` is further YAML, such as version families of changed sets.
pub fn compile(catalog: &str, further: &str) -> Result<Compiled, NoWorld> {
    let mut tree = SourceTree::default();
    tree.insert(FILE, catalog);
    tree.insert("workspace.yaml", OPEN);
    if !further.is_empty() {
        tree.insert("further.yaml", further);
    }
    let compiled = compile::prepare(&tree).finish(&Vectors::default(), DAY)?;
    match compiled.snapshot {
        Some(snapshot) => Ok(Compiled { snapshot, report: compiled.report, diagnostics: compiled.diagnostics }),
        None => Err(NoWorld::Refused(compiled.diagnostics.into_iter().filter(Diagnostic::is_error).collect())),
    }
}

/// A compiled set that can be asked.
pub struct World {
    router: ProjectRouter,
    view: View,
    name: SnapshotName,
}

impl World {
    /// `vectors` holds those of [`route::texts`].
    pub fn build(snapshot: &Snapshot, vectors: Vectors) -> Result<Self, NoWorld> {
        let defect = |error: &dyn std::fmt::Display| NoWorld::Defect(error.to_string());
        let project = ProjectId::parse("eval/all", None).map_err(|error| defect(&error))?;
        let user = Principal::parse("eval:user:one").map_err(|error| defect(&error))?;
        let digests = compile::card_digests(snapshot).map_err(|error| defect(&error))?;
        let authority =
            Authority::compile(snapshot, &digests).map_err(|_| NoWorld::Defect("its policies".to_owned()))?;
        let view = authority.view(&user, &project).map_err(|error| defect(&error))?;
        let router = ProjectRouter::build(snapshot, &project, vectors)?;
        Ok(Self { router, view, name: SnapshotName { number: 1, digest: Digest::of(b"eval") } })
    }

    /// The same tools by other weights and thresholds.
    pub fn set_settings(&mut self, settings: &Settings) {
        self.router.set_settings(settings.clone());
    }

    /// The router of the set.
    pub fn router(&self) -> &ProjectRouter {
        &self.router
    }

    /// Everybody's view, or the view without a tool.
    pub fn view(&self, without: Option<&str>) -> View {
        let Some(name) = without else { return self.view.clone() };
        let cut = self.view.withhold([ToolId::new(CATALOG, name)], |whole, _| Ok::<_, Infallible>(whole.clone()));
        cut.ok().flatten().unwrap_or_else(|| self.view.clone())
    }

    /// The texts whose vectors an answer wants.
    pub fn texts(&self, question: &Question) -> Vec<String> {
        self.router.question_texts(&asked(question))
    }

    /// Asks, as a caller would who wants the better of two near ties.
    pub fn ask(&self, question: &Question, view: &View, vectors: &Vectors) -> Result<RouteAnswer, IndexError> {
        let request = request(question);
        self.ask_by(&request, view, vectors, &self.router.plan(&request.question))
    }

    /// The same by a plan that was made elsewhere.
    pub fn ask_by(
        &self,
        request: &RouteRequest,
        view: &View,
        vectors: &Vectors,
        plan: &Plan,
    ) -> Result<RouteAnswer, IndexError> {
        self.router.route_by(&self.name, view, request, vectors, plan)
    }
}

/// What is asked of a router.
pub fn request(question: &Question) -> RouteRequest {
    RouteRequest { question: asked(question), context: context(question), ambiguity: Ambiguity::Strict, k: MOST_TOOLS }
}

/// The earlier turns of the person who asks.
fn context(question: &Question) -> Context {
    let latest = question.context.len().saturating_sub(MOST_TURNS);
    let turn = |text: &String| Turn { role: Role::User, text: text.chars().take(LONGEST_QUESTION).collect() };
    Context { turns: question.context.iter().skip(latest).map(turn).collect() }
}

/// As much of the question as is read.
fn asked(question: &Question) -> String {
    question.query.chars().take(LONGEST_QUESTION).collect()
}

/// What is counted of an answer, tools by their names.
pub fn given(answer: &RouteAnswer) -> Given {
    counted(answer, |tool| tool.name())
}

/// The same, tools by their whole ids.
pub fn given_by_id(answer: &RouteAnswer) -> Given {
    counted(answer, ToolId::as_str)
}

fn counted(answer: &RouteAnswer, called: impl Fn(&ToolId) -> &str) -> Given {
    let tools: Vec<String> = answer.tools.iter().map(|tool| called(&tool.id).to_owned()).collect();
    let mut considered: Vec<_> = answer.steps.iter().flat_map(|step| &step.candidates).collect();
    considered.sort_by(|a, b| b.score.cmp(&a.score).then_with(|| a.tool.cmp(&b.tool)));
    let mut ranking = tools.clone();
    for candidate in considered {
        if !ranking.iter().any(|known| known == called(&candidate.tool)) {
            ranking.push(called(&candidate.tool).to_owned());
        }
    }
    let said = answer.steps.iter().filter(|step| !step.implicit);
    let evidence = said.filter_map(|step| {
        let of_pick = step.candidates.iter().find(|candidate| Some(&candidate.tool) == step.tool.as_ref());
        of_pick.map(|candidate| candidate.evidence.to_f64())
    });
    let has_gap = !answer.gaps.is_empty();
    let weakest = evidence.fold(1.0, f64::min);
    let confidence = if has_gap || tools.is_empty() { 0.0 } else { weakest };
    Given { tools, ranking, has_gap, confidence, tokens: answer.tokens, ..Given::default() }
}
