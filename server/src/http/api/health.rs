//! Whether the process lives, and whether it can answer. They need no key and say nothing else.

use std::time::Duration;

use ambit_model::codes;
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
    let store = tokio::time::timeout(PATIENCE, shared.live.store().newest_activation()).await;
    if !matches!(store, Ok(Ok(_))) {
        let help = "see the server's log; it goes on by itself when the data folder is back";
        return Err(Refusal::new(codes::E_STORE, "the data folder does not answer", help));
    }
    if shared.live.loaded().is_none() {
        return Err(Refusal::new(codes::E_NO_SNAPSHOT, "no snapshot is live yet", "run `ambit apply`"));
    }
    Ok(Json(json!({ "status": "ready" })))
}
