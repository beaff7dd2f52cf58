//! What applications ask before a turn of their agent: which tools, for this question; and whether a plan holds.

use std::time::Duration;

use ambit_model::export::{Target, ToolExport};
use ambit_model::listed::ToolList;
use ambit_model::plan::Verdict;
use ambit_model::route::{Ambiguity, Context, FormattedDefinition, MOST_TOOLS, RouteAnswer, RouteRequest, ToolFormat};
use ambit_service::export::export_tools;
use ambit_service::plan::Proposed;
use ambit_service::whoami::who_am_i;
use ambit_service::{plan, route as routing, tools as listing};
use axum::extract::State;
use serde::Deserialize;
use serde_json::Value;

use super::Answer;
use crate::http::Shared;
use crate::http::extract::{Asking, ForWhom, JsonText, Query};
use crate::http::refusal::Refusal;

/// The body of a route request.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    question: String,
    project: Option<String>,
    r#for: Option<String>,
    #[serde(default)]
    ambiguity: Ambiguity,
    #[serde(default)]
    context: Context,
    #[serde(default = "most_tools")]
    k: usize,
}

fn most_tools() -> usize {
    MOST_TOOLS
}

/// The body of an export.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Exports {
    target: Target,
    r#for: Option<String>,
    project: Option<String>,
}

/// In which form tools are wanted, and for whom.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Form {
    format: Option<ToolFormat>,
    r#for: Option<String>,
    project: Option<String>,
}

impl Form {
    fn for_whom(&self) -> ForWhom {
        ForWhom { r#for: self.r#for.clone(), project: self.project.clone() }
    }
}

pub(super) async fn route(
    State(shared): State<Shared>,
    asking: Asking,
    Query(form): Query<Form>,
    body: JsonText,
) -> Result<Answer<RouteAnswer<FormattedDefinition>>, Refusal> {
    let asked: Asked = body.read("a route request")?;
    let wanted = asking.wanted(form.for_whom(), Some(ForWhom { r#for: asked.r#for, project: asked.project }))?;
    let request =
        RouteRequest { question: asked.question, context: asked.context, ambiguity: asked.ambiguity, k: asked.k };
    let routed = routing::route_question(&asking.caller, &shared.live, &wanted, &request).await?;
    let number = routed.answer.snapshot.number;
    let (embed, route) = (milliseconds(routed.embedding), milliseconds(routed.routing));
    let mut timing = format!("embed;dur={embed};desc=\"{} texts\", route;dur={route}", routed.embedded);
    if !routed.waiting.is_zero() {
        timing.push_str(&format!(", llm;dur={}", milliseconds(routed.waiting)));
    }
    let answer = routing::in_format(routed.answer, form.format.unwrap_or_default());
    Ok(Answer { timing: Some(timing), ..Answer::new(Some(number), answer) })
}

fn milliseconds(took: Duration) -> String {
    format!("{:.1}", took.as_secs_f64() * 1000.0)
}

pub(super) async fn validate(
    State(shared): State<Shared>,
    asking: Asking,
    Query(for_whom): Query<ForWhom>,
    JsonText(text): JsonText,
) -> Result<Answer<Verdict>, Refusal> {
    let wanted = asking.wanted(for_whom, None)?;
    let plan = Proposed { name: "body".to_owned(), text };
    let verdict = plan::validate_plan(&asking.caller, &shared.live, &wanted, &plan).await?;
    Ok(Answer::new(Some(verdict.snapshot), verdict))
}

pub(super) async fn tools(
    State(shared): State<Shared>,
    asking: Asking,
    Query(form): Query<Form>,
) -> Result<Answer<ToolList<FormattedDefinition>>, Refusal> {
    let wanted = asking.wanted(form.for_whom(), None)?;
    let list = listing::list_tools(&asking.caller, &shared.live, &wanted, form.format).await?;
    Ok(Answer::new(Some(list.snapshot.number), list))
}

pub(super) async fn export(
    State(shared): State<Shared>,
    asking: Asking,
    Query(for_whom): Query<ForWhom>,
    body: JsonText,
) -> Result<Answer<ToolExport>, Refusal> {
    let Exports { target, r#for, project } = body.read("an export")?;
    let wanted = asking.wanted(for_whom, Some(ForWhom { r#for, project }))?;
    let exported = export_tools(&asking.caller, &shared.live, &wanted, target).await?;
    Ok(Answer::new(Some(exported.snapshot.number), exported))
}

pub(super) async fn whoami(
    State(shared): State<Shared>,
    asking: Asking,
    Query(for_whom): Query<ForWhom>,
) -> Result<Answer<Value>, Refusal> {
    let wanted = asking.wanted(for_whom, None)?;
    let who = who_am_i(&asking.caller, &shared.live, &wanted).await?;
    Ok(Answer::new(Some(who.snapshot.number), crate::json::whoami(&who)))
}
