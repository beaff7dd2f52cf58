//! Searching the documents of a project, as its tool `knowledge.search` does.

use ambit_model::knowledge::KnowledgeAnswer;
use ambit_service::knowledge::search_knowledge;
use axum::extract::State;
use serde::Deserialize;

use super::Answer;
use crate::http::Shared;
use crate::http::extract::{Asking, ForWhom, JsonText, Query};
use crate::http::refusal::Refusal;

/// The body of a search.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    question: String,
    project: Option<String>,
    r#for: Option<String>,
    limit: Option<usize>,
}

pub(super) async fn search(
    State(shared): State<Shared>,
    asking: Asking,
    Query(for_whom): Query<ForWhom>,
    body: JsonText,
) -> Result<Answer<KnowledgeAnswer>, Refusal> {
    let asked: Asked = body.read("a search of documents")?;
    let wanted = asking.wanted(for_whom, Some(ForWhom { r#for: asked.r#for, project: asked.project }))?;
    let searched = search_knowledge(&asking.caller, &shared.live, &wanted, &asked.question, asked.limit).await?;
    Ok(Answer::new(Some(searched.answer.snapshot.number), searched.answer))
}
