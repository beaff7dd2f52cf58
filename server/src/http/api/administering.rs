//! Keys, and the audit of what was administered.

use ambit_model::key::KeyRecord;
use ambit_service::audit::{self as auditing, AuditQuery};
use ambit_service::keys::{self as managing, NewKey};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use super::Answer;
use crate::http::Shared;
use crate::http::extract::{Administrator, JsonText, Nothing, Query};
use crate::http::refusal::Refusal;

/// The body that makes a key.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewKeyBody {
    name: String,
    principal: String,
    project: Option<String>,
    #[serde(default)]
    tools: Vec<String>,
    expires_in: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Page {
    before: Option<i64>,
    limit: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Since {
    since: Option<String>,
}

pub(super) async fn keys(
    State(shared): State<Shared>,
    Administrator(caller): Administrator,
    _: Query<Nothing>,
) -> Result<Answer<Value>, Refusal> {
    let keys: Vec<KeyRecord> = managing::list_keys(&caller, &shared.live).await?;
    Ok(Answer::new(None, json!({ "keys": keys, "complete": true })))
}

pub(super) async fn create_key(
    State(shared): State<Shared>,
    Administrator(caller): Administrator,
    _: Query<Nothing>,
    body: JsonText,
) -> Result<Response, Refusal> {
    let wish: NewKeyBody = body.read("a new key")?;
    let new = NewKey {
        name: wish.name,
        principal: wish.principal,
        project: wish.project,
        tools: wish.tools.into_iter().collect(),
        expires_in: wish.expires_in,
    };
    let created = managing::create_key(&caller, &shared.live, new).await?;
    let body = json!({ "key": created.key, "record": created.record });
    Ok((StatusCode::CREATED, Answer::new(None, body)).into_response())
}

pub(super) async fn revoke_key(
    State(shared): State<Shared>,
    Administrator(caller): Administrator,
    Path(id): Path<String>,
    _: Query<Nothing>,
) -> Result<Answer<Value>, Refusal> {
    let record = managing::revoke_key(&caller, &shared.live, &id).await?;
    Ok(Answer::new(None, json!({ "key": record })))
}

pub(super) async fn audit(
    State(shared): State<Shared>,
    Administrator(caller): Administrator,
    Query(page): Query<Page>,
) -> Result<Answer<Value>, Refusal> {
    let query = AuditQuery { before: page.before, limit: page.limit };
    let list = auditing::read_audit(&caller, &shared.live, &query).await?;
    Ok(Answer::new(None, crate::json::audit(&list)))
}

pub(super) async fn verify(
    State(shared): State<Shared>,
    Administrator(caller): Administrator,
    Query(since): Query<Since>,
) -> Result<Answer<Value>, Refusal> {
    let verified = auditing::verify_audit(&caller, &shared.live, since.since.as_deref()).await?;
    Ok(Answer::new(None, crate::json::verified(&verified)))
}
