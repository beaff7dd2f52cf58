//! A language model asked for the examples of one tool.

use std::collections::BTreeSet;

use ambit_engine::examples;
use ambit_model::card::ToolCard;

use crate::llm::{Model, NoAnswer, Question};

/// Tokens of an answer; ten examples have about five hundred.
const MOST_TOKENS: u32 = 2_000;

/// The examples that it drafts, and how many calls that took.
pub(super) async fn draft(
    model: &Model,
    card: &ToolCard,
    taken: &BTreeSet<String>,
) -> (Result<Vec<String>, NoAnswer>, usize) {
    let Ok(prompt) = examples::prompt(card) else { return (Err(NoAnswer::Client), 0) };
    let schema = examples::answer_schema();
    let question = Question { name: "examples", prompt, schema, most_tokens: MOST_TOKENS, until: None };
    model.answer(question, |said| examples::read_answer(said, card, taken)).await
}
