//! The API for applications. Each handler but health and ready takes the request's Caller, calls one use case, and says which snapshot answered.

mod administering;
mod asking;
mod authority;
mod blocks;
mod cards;
mod feedback;
mod health;
mod history;
mod knowledge;

use axum::extract::DefaultBodyLimit;
use axum::http::HeaderValue;
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use axum::{Json, Router};
use serde::Serialize;

use super::Shared;
use super::refusal::Refusal;

/// Largest body, in bytes: a question, or a plan of eight actions with their arguments.
pub(super) const LARGEST_BODY: usize = 1024 * 1024;

pub(super) fn router(shared: Shared) -> Router {
    Router::new()
        .route("/v1/health", get(health::health))
        .route("/v1/ready", get(health::ready))
        .route("/v1/route", post(asking::route))
        // For clients that know no version.
        .route("/route", post(asking::route))
        .route("/v1/plans/validate", post(asking::validate))
        .route("/v1/feedback", get(feedback::list).post(feedback::report))
        .route("/v1/tools", get(asking::tools))
        .route("/v1/export", post(asking::export))
        .route("/v1/knowledge/search", post(knowledge::search))
        .route("/v1/whoami", get(asking::whoami))
        .route("/v1/intake", get(history::intake))
        .route("/v1/cards", get(cards::list))
        .route("/v1/cards/show", get(cards::show))
        .route("/v1/clashes/show", get(cards::clash))
        .route("/v1/intake/try", post(history::try_description))
        .route("/v1/why", get(authority::why))
        .route("/v1/view", get(authority::view))
        .route("/v1/principals", get(authority::principals))
        .route("/v1/policies", get(authority::policies))
        .route("/v1/snapshots", get(history::list))
        .route("/v1/snapshots/diff", get(history::diff))
        .route("/v1/snapshots/{number}", get(history::show))
        .route("/v1/snapshots/{number}/rollback", post(history::rollback))
        .route("/v1/blocks", get(blocks::list).post(blocks::block))
        .route("/v1/blocks/unblock", post(blocks::unblock))
        .route("/v1/keys", get(administering::keys).post(administering::create_key))
        .route("/v1/keys/{id}/revoke", post(administering::revoke_key))
        .route("/v1/audit", get(administering::audit))
        .route("/v1/audit/verify", get(administering::verify))
        .route("/v1", any(unknown))
        .route("/v1/", any(unknown))
        .route("/v1/{*path}", any(unknown))
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .with_state(shared)
}

async fn unknown() -> Refusal {
    Refusal::of_status(axum::http::StatusCode::NOT_FOUND)
}

/// An answer of the API: its body, and which snapshot it comes from.
struct Answer<T> {
    body: T,
    snapshot: Option<i64>,
    timing: Option<String>,
}

impl<T> Answer<T> {
    fn new(snapshot: Option<i64>, body: T) -> Self {
        Self { body, snapshot, timing: None }
    }
}

impl<T: Serialize> IntoResponse for Answer<T> {
    fn into_response(self) -> Response {
        let mut response = Json(self.body).into_response();
        let headers = response.headers_mut();
        if let Some(number) = self.snapshot {
            headers.insert("x-ambit-snapshot", HeaderValue::from(number));
        }
        if let Some(Ok(timing)) = self.timing.map(|timing| HeaderValue::from_str(&timing)) {
            headers.insert("server-timing", timing);
        }
        response
    }
}
