//! The language model that plans for a measurement, where that is wanted: a project's, as the workspace declares it. Where it makes
//! no plan the local planner does, as for anybody who asks, and that is counted.

use std::time::{Duration, Instant};

use ambit_engine::authority::View;
use ambit_engine::compile;
use ambit_engine::route::{Plan, ProjectRouter};
use ambit_model::codes;
use ambit_model::declaration::Project;
use ambit_model::identity::ProjectId;
use ambit_model::llm::{Llm, LlmUse};
use ambit_model::route::RouteRequest;
use serde::Serialize;

use super::{EvalRequest, refused};
use crate::llm::Models;
use crate::route::assistant::Assistant;
use crate::secrets::SecretPlaces;
use crate::store::Store;
use crate::{Error, workspace};

/// How often a language model was asked for a plan.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Planned {
    pub by_model: usize,
    /// Questions that the local planner answered instead.
    pub fell_back: usize,
}

/// Whom plans are asked of, and how that went.
pub(super) struct Planning {
    models: Models,
    secrets: SecretPlaces,
    pub(super) planned: Planned,
}

impl Planning {
    /// Nobody was asked yet. Secrets are those of the data folder.
    pub(super) fn new(store: &Store) -> Self {
        Self { models: Models::default(), secrets: SecretPlaces::new(store.data()), planned: Planned::default() }
    }

    /// A plan for this question, and how long it was waited for; the local one where nobody is to be asked.
    pub(super) async fn plan(
        &mut self,
        whose: Option<(&ProjectId, &Llm)>,
        router: &ProjectRouter,
        view: &View,
        request: &RouteRequest,
    ) -> (Plan, Duration) {
        let Some((project, llm)) = whose else { return (router.plan(&request.question), Duration::ZERO) };
        let started = Instant::now();
        let assistant = Assistant::new(&self.models, &self.secrets, project, llm);
        let plan = assistant.plan(router, view, request, &[]).await;
        match plan {
            Some(plan) => {
                self.planned.by_model += 1;
                (plan, started.elapsed())
            }
            None => {
                self.planned.fell_back += 1;
                (router.plan(&request.question), started.elapsed())
            }
        }
    }
}

/// The model of a project that may plan.
pub(super) fn planner_of(project: &Project) -> Option<&Llm> {
    project.llm.as_ref().filter(|llm| llm.is_for(LlmUse::Planner))
}

/// A set has no project of its own: its planner is that of the one project of the workspace that has one, or of the one that is named.
pub(super) fn planner_of_workspace(request: &EvalRequest) -> Result<(ProjectId, Llm), Error> {
    let workspace = workspace::read(&request.workspace)?;
    let prepared = compile::prepare(&workspace.tree);
    let is_meant = |project: &&Project| {
        let name = request.project.as_deref();
        name.is_none_or(|name| name == project.id.project || name == project.id.to_string())
    };
    let with_one = |project: &Project| Some((project.id.clone(), planner_of(project)?.clone()));
    let mut found = prepared.projects().iter().filter(is_meant).filter_map(with_one);
    match (found.next(), found.next()) {
        (Some(found), None) => Ok(found),
        (None, _) => Err(nobody_plans(request)),
        (Some(_), Some(_)) => Err(refused(
            codes::E_REQUEST,
            "more than one project has a language model for planning".to_owned(),
            "name one with `--project TENANT/PROJECT`",
        )),
    }
}

/// Nothing would be measured but the local planner.
pub(super) fn nobody_plans(request: &EvalRequest) -> Error {
    let whose = request.project.as_ref().map_or_else(
        || format!("no project of the workspace in `{}`", request.workspace.display()),
        |project| {
            format!(
                "the project `{project}` of the workspace in `{}` does not exist, or it",
                request.workspace.display()
            )
        },
    );
    let (has, help) = match request.project {
        Some(_) => ("has no", "its Project document says `llm: { for: [planner], … }`"),
        None => ("has a", "write `llm: { for: [planner], … }` in a Project document"),
    };
    refused(codes::E_REQUEST, format!("{whose} {has} language model for planning"), help)
}
