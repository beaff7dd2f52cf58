//! Whether the process lives, and whether it can answer. They need no key and say nothing else.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use crate::http::Shared;
use crate::http::refusal::Refusal;

/// How long the store may take to say that it is there.
const PATIENCE: Duration = Duration::from_secs(2);

pub(super) async fn health() -> Json<Value> {
    Json(json!({ "status": "ok" }))
}

/// A snapshot is loaded, and the store answers.
pub(super) async fn ready(State(shared): State<Shared>) -> Result<Json<Value>, Refusal> {
    shared.live.is_ready(PATIENCE).await?;
    Ok(Json(json!({ "status": "ready" })))
}
