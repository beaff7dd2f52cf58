//! One answer, rung by rung: a plan, the route by it, one more plan where that left something open, and a choice among the tools;
//! the language model's where the project has one for it, else the local ones alone.

use std::time::{Duration, Instant};

use ambit_engine::index::Vectors;
use ambit_engine::route::{Plan, ProjectRouter, asking};
use ambit_model::digest::Digest;
use ambit_model::llm::LlmUse;
use ambit_model::route::{Planner, RouteAnswer, RouteRequest, StepStatus};

use super::assistant::Assistant;
use super::{WithoutModel, embed};
use crate::Error;
use crate::live::Live;
use crate::loaded::{AskedView, Loaded};

/// What is asked, and of what.
pub(super) struct Answering<'a> {
    pub(super) live: &'a Live,
    pub(super) loaded: &'a Loaded,
    pub(super) seen: &'a AskedView,
    pub(super) router: &'a ProjectRouter,
    pub(super) request: &'a RouteRequest,
    pub(super) assistant: Option<Assistant<'a>>,
}

/// An answer in the making, and what it took so far.
#[derive(Default)]
pub(super) struct Took {
    /// Of the question and the steps of its plans.
    pub(super) vectors: Vectors,
    pub(super) without_model: Option<WithoutModel>,
    pub(super) embedding: Duration,
    pub(super) routing: Duration,
    /// Waiting for a language model.
    pub(super) waiting: Duration,
    /// What a language model was asked for and did not give.
    missed: Vec<LlmUse>,
}

impl Answering<'_> {
    /// The answer, and what it took.
    pub(super) async fn answer(&self) -> Result<(RouteAnswer, Took), Error> {
        let mut took = Took::default();
        let planned = match self.assistant(LlmUse::Planner) {
            Some(assistant) => self.planned(assistant, &[], &mut took).await,
            None => None,
        };
        let mut plan = planned.unwrap_or_else(|| self.router.plan(&self.request.question));
        let mut answer = self.route(&plan, &mut took).await?;
        if plan.by() == Planner::Llm
            && let Some((second, better)) = self.again(&plan, &answer, &mut took).await?
        {
            (plan, answer) = (second, better);
        }
        if let Some(assistant) = self.assistant(LlmUse::Router) {
            let started = Instant::now();
            let asked = &took.vectors;
            let chosen = assistant.choose(self.router, &self.seen.view, self.request, asked, &plan).await?;
            took.waiting += started.elapsed();
            match chosen {
                Some(chosen) => answer = self.route(&chosen, &mut took).await?,
                None => took.missed.push(LlmUse::Router),
            }
        }
        answer.degraded.extend(took.missed.iter().map(|what| what.word().to_owned()));
        Ok((answer, took))
    }

    fn assistant(&self, what: LlmUse) -> Option<&Assistant<'_>> {
        self.assistant.as_ref().filter(|assistant| assistant.is_for(what))
    }

    async fn planned(&self, assistant: &Assistant<'_>, failed: &[asking::Failure], took: &mut Took) -> Option<Plan> {
        let started = Instant::now();
        let plan = assistant.plan(self.router, &self.seen.view, self.request, failed).await;
        took.waiting += started.elapsed();
        if plan.is_none() && !took.missed.contains(&LlmUse::Planner) {
            took.missed.push(LlmUse::Planner);
        }
        plan
    }

    /// The last rung: the planner is told which steps failed, once. Its plan is taken where more of it is bound and less is open.
    async fn again(
        &self,
        plan: &Plan,
        answer: &RouteAnswer,
        took: &mut Took,
    ) -> Result<Option<(Plan, RouteAnswer)>, Error> {
        let failed = asking::failures(answer);
        let Some(assistant) = self.assistant(LlmUse::Planner).filter(|_| !failed.is_empty()) else { return Ok(None) };
        let Some(second) = self.planned(assistant, &failed, took).await else { return Ok(None) };
        let second = second.after(plan);
        let other = self.route(&second, took).await?;
        let is_better = asking::failures(&other).len() < failed.len() && bound(&other) > bound(answer);
        Ok(is_better.then_some((second, other)))
    }

    /// Routes by a plan, once the texts that it adds are embedded.
    async fn route(&self, plan: &Plan, took: &mut Took) -> Result<RouteAnswer, Error> {
        let started = Instant::now();
        let known = &took.vectors;
        let mut texts = self.router.texts_of(&self.request.question, plan);
        texts.retain(|text| known.get(&Digest::of(text.as_bytes())).is_none());
        if !texts.is_empty() && took.without_model.is_none() {
            match self.loaded.embedder(self.live.store()).await? {
                Ok(embedder) => {
                    let (made, without) = embed(embedder, texts).await?;
                    took.vectors.extend(made);
                    took.without_model = without;
                }
                Err(error) => took.without_model = Some(error.into()),
            }
        }
        took.embedding += started.elapsed();
        let started = Instant::now();
        let name = self.loaded.name();
        let answer = self.router.route_by(&name, &self.seen.view, self.request, &took.vectors, plan)?;
        took.routing += started.elapsed();
        Ok(answer)
    }
}

/// Steps of the question that have a tool.
fn bound(answer: &RouteAnswer) -> usize {
    answer.steps.iter().filter(|step| !step.implicit && step.status == StepStatus::Bound).count()
}
