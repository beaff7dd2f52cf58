//! A project's language model as it helps with a question: it plans steps and chooses tools, where the project says so. Whatever it
//! does wrong, there is nothing instead, and the local planner or rank answers.
//! INVARIANT: it is sent what the engine makes of the caller's view, and nothing where a project does not name the use.

use std::time::{Duration, Instant};

use ambit_engine::authority::View;
use ambit_engine::index::Vectors;
use ambit_engine::prompt::Prompt;
use ambit_engine::route::asking::{self, Failure};
use ambit_engine::route::{Plan, ProjectRouter};
use ambit_model::identity::ProjectId;
use ambit_model::llm::{Llm, LlmUse};
use ambit_model::route::RouteRequest;

use crate::Error;
use crate::llm::{Models, NoAnswer, Question};
use crate::secrets::SecretPlaces;

/// How long a model may be waited for in one answer, whatever is asked of it: well below the 30 seconds of a request.
const WHOLE: Duration = Duration::from_secs(16);
/// With less time left nothing is asked any more.
const TOO_LITTLE: Duration = Duration::from_secs(1);
/// Tokens of an answer; twelve steps have about a thousand.
const MOST_TOKENS: u32 = 3_000;

/// Whom a question can be put to, and for how long.
pub(crate) struct Assistant<'a> {
    pub(crate) models: &'a Models,
    pub(crate) secrets: &'a SecretPlaces,
    pub(crate) project: &'a ProjectId,
    pub(crate) llm: &'a Llm,
    until: Instant,
}

impl<'a> Assistant<'a> {
    /// Its time begins now.
    pub(crate) fn new(models: &'a Models, secrets: &'a SecretPlaces, project: &'a ProjectId, llm: &'a Llm) -> Self {
        Self { models, secrets, project, llm, until: Instant::now() + WHOLE }
    }

    /// It may be asked for this.
    pub(crate) fn is_for(&self, what: LlmUse) -> bool {
        self.llm.is_for(what)
    }

    /// A plan for the question, about the whole of it again where steps of another failed.
    pub(crate) async fn plan(
        &self,
        router: &ProjectRouter,
        view: &View,
        request: &RouteRequest,
        failed: &[Failure],
    ) -> Option<Plan> {
        let Ok(Some(prompt)) = router.planner_prompt(view, &request.question, failed) else {
            tracing::warn!(project = %self.project, "the question is too long for the language model, so the local planner answers");
            return None;
        };
        let read = |said: &str| asking::read_plan(said).and_then(|steps| router.planned(view, request, &steps));
        self.ask(prompt, "plan", asking::plan_schema(), read).await
    }

    /// The plan with tools that were chosen for its steps.
    pub(crate) async fn choose(
        &self,
        router: &ProjectRouter,
        view: &View,
        request: &RouteRequest,
        asked: &Vectors,
        plan: &Plan,
    ) -> Result<Option<Plan>, Error> {
        let shown = router.present(view, request, asked, plan)?;
        let Ok(prompt) = router.router_prompt(&request.question, plan, &shown) else { return Ok(None) };
        let picked = self.ask(prompt, "choice", asking::choice_schema(), asking::read_choice).await;
        Ok(picked.and_then(|picked| router.choose(plan, &shown, &picked)))
    }

    async fn ask<T>(
        &self,
        prompt: Prompt,
        name: &str,
        schema: serde_json::Value,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Option<T> {
        match self.answer(prompt, name, schema, read).await {
            Ok(answer) => Some(answer),
            Err(why) => {
                let why = why.to_string();
                tracing::warn!(project = %self.project, asked_for = name, why, "the language model did not help with a question");
                None
            }
        }
    }

    async fn answer<T>(
        &self,
        prompt: Prompt,
        name: &str,
        schema: serde_json::Value,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Result<T, NoAnswer> {
        if self.until.saturating_duration_since(Instant::now()) < TOO_LITTLE {
            return Err(NoAnswer::TooLate);
        }
        let model = self.models.of(self.project, self.llm, self.secrets)?;
        let question = Question { name, prompt, schema, most_tokens: MOST_TOKENS, until: Some(self.until) };
        let (answer, _) = model.answer(question, read).await;
        self.models.heard(self.project, answer.as_ref().err());
        answer
    }
}
