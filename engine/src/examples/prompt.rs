//! What a language model is asked for when it drafts examples. What a catalog says of itself is data; the model is told so, and its
//! answer is checked like any other foreign text.

use ambit_model::card::ToolCard;
use minijinja::context;

use super::{FEWEST, LONGEST, MOST, SHORTEST, WANTED};
use crate::prompt::{Prompt, PromptError, plain};
use crate::schema;

/// The template; a change of it is a change of [`VERSION`].
const TEMPLATE: &str = include_str!("prompt.txt");
/// Part of what an answer is kept by: another prompt is another question.
pub const VERSION: u32 = 1;
/// Most characters of a description that are sent.
const MOST_DESCRIPTION: usize = 600;
/// Most inputs that are named.
const MOST_INPUTS: usize = 20;

/// The prompt for one tool.
pub fn prompt(card: &ToolCard) -> Result<Prompt, PromptError> {
    let given = context! { wanted => WANTED, fewest => FEWEST, most => MOST, shortest => SHORTEST, longest => LONGEST };
    Prompt::new(TEMPLATE, given, &data(card))
}

/// The tool, as far as it is said.
fn data(card: &ToolCard) -> serde_json::Value {
    let mut inputs = schema::inputs(&schema::parse(&card.input_schema));
    inputs.sort_by(|a, b| (!a.required, &a.name).cmp(&(!b.required, &b.name)));
    let inputs: Vec<serde_json::Value> = inputs
        .into_iter()
        .take(MOST_INPUTS)
        .map(|input| {
            let values: Vec<String> = input.values.iter().take(8).map(|value| plain(value, 40)).collect();
            serde_json::json!({ "name": plain(&input.name, 60), "required": input.required, "values": values })
        })
        .collect();
    serde_json::json!({
        "id": plain(&card.id.to_string(), 120),
        "entity": plain(&card.facts.entity.value, 60),
        "operation": card.facts.operation.value,
        "inputs": inputs,
        "description": plain(&card.description, MOST_DESCRIPTION),
    })
}
