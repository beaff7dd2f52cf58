//! Tools as the live snapshot holds them, and two of them that clash: for whoever reads snapshots and intake reports.

use ambit_service::cards::{self as reading, CardDetails, CardList, CardQuery};
use ambit_service::clashes::{self as comparing, ClashDetails};
use axum::extract::State;
use serde::Deserialize;

use super::Answer;
use crate::http::Shared;
use crate::http::extract::{Administrator, Query};
use crate::http::refusal::Refusal;

/// What is looked for; all of it may be left out.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Search {
    #[serde(default)]
    q: String,
    #[serde(default)]
    catalog: String,
    #[serde(default)]
    page: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Which {
    tool: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pair {
    tool: String,
    rival: String,
}

pub(super) async fn list(
    State(shared): State<Shared>,
    Administrator(caller): Administrator,
    Query(Search { q, catalog, page }): Query<Search>,
) -> Result<Answer<CardList>, Refusal> {
    let query = CardQuery { words: q, catalog, page };
    let list = reading::list_cards(&caller, &shared.live, &query).await?;
    Ok(Answer::new(Some(list.snapshot.number), list))
}

pub(super) async fn show(
    State(shared): State<Shared>,
    Administrator(caller): Administrator,
    Query(which): Query<Which>,
) -> Result<Answer<CardDetails>, Refusal> {
    let details = reading::read_card(&caller, &shared.live, &which.tool).await?;
    Ok(Answer::new(Some(details.snapshot.number), details))
}

pub(super) async fn clash(
    State(shared): State<Shared>,
    Administrator(caller): Administrator,
    Query(pair): Query<Pair>,
) -> Result<Answer<ClashDetails>, Refusal> {
    let details = comparing::read_clash(&caller, &shared.live, &pair.tool, &pair.rival).await?;
    Ok(Answer::new(Some(details.snapshot), details))
}
