//! What is stored: snapshots and what differs between them, the intake report, and going back to an earlier one.

use ambit_model::codes;
use ambit_service::rollback::{self as rolling, RollbackRequest};
use ambit_service::trial::{self, Tried};
use ambit_service::{intake as reports, snapshots};
use axum::extract::{Path, State};
use serde::Deserialize;
use serde_json::{Value, json};

use super::Answer;
use crate::http::Shared;
use crate::http::extract::{Administrator, JsonText, Nothing, Query};
use crate::http::refusal::Refusal;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pair {
    from: Option<i64>,
    to: Option<i64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Which {
    snapshot: Option<i64>,
}

/// The body of a rollback.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GoBack {
    reason: String,
    /// The snapshot that must be live now; where another is, nothing changes.
    from: Option<i64>,
    /// It may give somebody more than now.
    #[serde(default)]
    accept_gains: bool,
}

pub(super) async fn list(
    State(shared): State<Shared>,
    Administrator(caller): Administrator,
    _: Query<Nothing>,
) -> Result<Answer<Value>, Refusal> {
    let listed = snapshots::list_snapshots(&caller, &shared.live).await?;
    Ok(Answer::new(listed.live, crate::json::snapshots(&listed)))
}

pub(super) async fn show(
    State(shared): State<Shared>,
    Administrator(caller): Administrator,
    Path(number): Path<String>,
    _: Query<Nothing>,
) -> Result<Answer<Value>, Refusal> {
    let number = if number == "live" { None } else { Some(read(&number)?) };
    let (record, snapshot) = snapshots::show_snapshot(&caller, &shared.live, number).await?;
    Ok(Answer::new(Some(record.number), json!({ "record": record, "snapshot": snapshot })))
}

pub(super) async fn diff(
    State(shared): State<Shared>,
    Administrator(caller): Administrator,
    Query(pair): Query<Pair>,
) -> Result<Answer<Value>, Refusal> {
    let compared = snapshots::diff_snapshots(&caller, &shared.live, pair.from, pair.to).await?;
    Ok(Answer::new(Some(compared.to.number), crate::json::diff(&compared.into())))
}

pub(super) async fn intake(
    State(shared): State<Shared>,
    Administrator(caller): Administrator,
    Query(which): Query<Which>,
) -> Result<Answer<Value>, Refusal> {
    let record = reports::read_intake(&caller, &shared.live, which.snapshot).await?;
    let body = json!({ "snapshot": record.number, "digest": record.digest, "complete": true, "intake": record.report });
    Ok(Answer::new(Some(record.number), body))
}

/// The body of a trial.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Try {
    tool: String,
    description: String,
}

pub(super) async fn try_description(
    State(shared): State<Shared>,
    Administrator(caller): Administrator,
    _: Query<Nothing>,
    body: JsonText,
) -> Result<Answer<Tried>, Refusal> {
    let Try { tool, description } = body.read("a trial")?;
    Ok(Answer::new(None, trial::try_live(&caller, &shared.live, &tool, &description).await?))
}

pub(super) async fn rollback(
    State(shared): State<Shared>,
    Administrator(caller): Administrator,
    Path(number): Path<String>,
    _: Query<Nothing>,
    body: JsonText,
) -> Result<Answer<Value>, Refusal> {
    let number = read(&number)?;
    let GoBack { reason, from, accept_gains } = body.read("a rollback")?;
    let request = RollbackRequest { number: Some(number), reason, expected: from, accept_gains };
    let done = rolling::rollback_snapshot(&caller, &shared.live, &request).await?;
    // Whoever hears this answer may ask at once; where the snapshot cannot be loaded, the log says so and the old one answers.
    if let Err(error) = shared.live.refresh().await {
        drop(Refusal::from(error));
    }
    Ok(Answer::new(Some(number), crate::json::rolled_back(&done)))
}

fn read(number: &str) -> Result<i64, Refusal> {
    number.parse().map_err(|_| {
        let message = format!("there is no snapshot `{number}`");
        Refusal::new(codes::E_SNAPSHOT, message, "`GET /v1/snapshots` lists their numbers")
    })
}
