//! Tools that are blocked for now: the list, blocking one, and taking a block back.

use ambit_service::blocks::{self as blocking, NewBlock};
use axum::extract::State;
use serde::Deserialize;
use serde_json::Value;

use super::Answer;
use crate::http::Shared;
use crate::http::extract::{Administrator, JsonText, Nothing, Query};
use crate::http::refusal::Refusal;

/// The body that blocks a tool.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BlockBody {
    tool: String,
    reason: String,
    until: Option<String>,
}

/// The body that takes a block back. It is no part of a path: a tool's name may hold slashes, and a reason is no query.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UnblockBody {
    tool: String,
    reason: String,
}

pub(super) async fn list(
    State(shared): State<Shared>,
    Administrator(caller): Administrator,
    _: Query<Nothing>,
) -> Result<Answer<Value>, Refusal> {
    let listed = blocking::list_blocks(&caller, &shared.live).await?;
    Ok(Answer::new(None, crate::json::blocks(&listed)))
}

pub(super) async fn block(
    State(shared): State<Shared>,
    Administrator(caller): Administrator,
    _: Query<Nothing>,
    body: JsonText,
) -> Result<Answer<Value>, Refusal> {
    let BlockBody { tool, reason, until } = body.read("a block")?;
    let blocked = blocking::block_tool(&caller, &shared.live, NewBlock { tool, reason, until }).await?;
    follow(&shared).await;
    Ok(Answer::new(None, crate::json::blocked(&blocked)))
}

pub(super) async fn unblock(
    State(shared): State<Shared>,
    Administrator(caller): Administrator,
    _: Query<Nothing>,
    body: JsonText,
) -> Result<Answer<Value>, Refusal> {
    let UnblockBody { tool, reason } = body.read("the end of a block")?;
    let block = blocking::unblock_tool(&caller, &shared.live, &tool, &reason).await?;
    follow(&shared).await;
    Ok(Answer::new(None, crate::json::unblocked(&block)))
}

/// Whoever hears the answer may ask at once; where the store cannot be read now, the log says so and it is followed later.
async fn follow(shared: &Shared) {
    if let Err(error) = shared.live.refresh().await {
        drop(Refusal::from(error));
    }
}
