//! What a language model answered, read as what was asked for and held against it: foreign text, until it is.

use std::collections::BTreeSet;

use ambit_model::card::ToolCard;
use ambit_model::hidden::is_plain_line;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{clean, names, words_of};
use crate::prompt::without_fence;

/// Fewest and most examples of an answer.
pub const FEWEST: usize = 6;
pub const MOST: usize = 10;
/// Fewest and most characters of an example.
pub const SHORTEST: usize = 8;
pub const LONGEST: usize = 160;

/// What people type in sentences beside letters, digits and plain punctuation.
const HARMLESS: [char; 11] = ['"', '(', ')', '€', '$', '£', ';', '+', '’', '#', '–'];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    examples: Vec<String>,
}

/// The JSON Schema of the answer, for providers that can be held to one. Lengths are checked here: not every provider knows them.
pub fn answer_schema() -> Value {
    json!({
        "type": "object",
        "properties": { "examples": { "type": "array", "items": { "type": "string" } } },
        "required": ["examples"],
        "additionalProperties": false,
    })
}

/// The examples of an answer, or what is wrong with it, in words that a model can mend it by. `taken` holds the examples that
/// other tools have.
pub fn read_answer(text: &str, card: &ToolCard, taken: &BTreeSet<String>) -> Result<Vec<String>, String> {
    let answer: Answer = serde_json::from_str(without_fence(text))
        .map_err(|_| "it is not the JSON object that was asked for".to_owned())?;
    let count = answer.examples.len();
    if !(FEWEST..=MOST).contains(&count) {
        return Err(format!("it holds {count} examples, not {FEWEST} to {MOST}"));
    }
    let mut seen = BTreeSet::new();
    answer
        .examples
        .iter()
        .map(|example| {
            let example = example.trim();
            fit(example, card, taken)?;
            if seen.insert(words_of(example)) {
                Ok(example.to_owned())
            } else {
                Err("two of its examples are the same".to_owned())
            }
        })
        .collect()
}

fn fit(example: &str, card: &ToolCard, taken: &BTreeSet<String>) -> Result<(), String> {
    let length = example.chars().count();
    let plain = example.replace(HARMLESS, " ");
    let wrong = if !is_plain_line(example) {
        "an example holds characters that cannot be seen"
    } else if !(SHORTEST..=LONGEST).contains(&length) {
        "an example is too short or too long"
    } else if ["://", "www."].iter().any(|mark| example.to_lowercase().contains(mark)) {
        "an example holds the address of a web page"
    } else if is_placeholder(example) {
        "an example holds a placeholder"
    } else if names(example, card.id.name()) {
        "an example holds the tool's name"
    } else if !clean::is_plain(&plain) {
        "an example holds mark-up"
    } else if taken.contains(&example.to_lowercase()) {
        "an example is the example of another tool already"
    } else {
        return Ok(());
    };
    Err(wrong.to_owned())
}

/// `[customer]`, `<id>`, `{date}`, `XXX`: something that nobody would type.
fn is_placeholder(text: &str) -> bool {
    text.contains(['[', ']', '<', '>', '{', '}']) || text.to_lowercase().contains("xxx")
}
