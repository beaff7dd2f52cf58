//! What became of routes: applications report it, and whoever may read gaps lists it.

use ambit_model::feedback::FeedbackOutcome;
use ambit_service::feedback::{self as reporting, FeedbackList, FeedbackQuery, NewOutcome};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;

use super::Answer;
use crate::http::Shared;
use crate::http::extract::{Administrator, Asking, ForWhom, JsonText, Query};
use crate::http::refusal::Refusal;

/// The body of a report.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Report {
    question: String,
    project: Option<String>,
    r#for: Option<String>,
    snapshot: Option<i64>,
    step: Option<String>,
    outcome: FeedbackOutcome,
    tool: Option<String>,
    instead: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Which {
    project: Option<String>,
    tool: Option<String>,
    page: Option<usize>,
}

pub(super) async fn report(
    State(shared): State<Shared>,
    asking: Asking,
    Query(for_whom): Query<ForWhom>,
    body: JsonText,
) -> Result<Response, Refusal> {
    let Report { question, project, r#for, snapshot, step, outcome, tool, instead } = body.read("feedback")?;
    let wanted = asking.wanted(for_whom, Some(ForWhom { r#for, project }))?;
    let new = NewOutcome { question, step, snapshot, outcome, tool, instead };
    let reported = reporting::report_outcome(&asking.caller, &shared.live, &wanted, &new).await?;
    let answer = Answer::new(Some(reported.live.number), crate::json::reported(&reported));
    Ok((StatusCode::CREATED, answer).into_response())
}

pub(super) async fn list(
    State(shared): State<Shared>,
    Administrator(caller): Administrator,
    Query(which): Query<Which>,
) -> Result<Answer<FeedbackList>, Refusal> {
    let Which { project, tool, page } = which;
    let query = FeedbackQuery { project, tool, page };
    Ok(Answer::new(None, reporting::list_feedback(&caller, &shared.live, &query).await?))
}
