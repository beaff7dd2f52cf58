//! What a language model is asked for when it drafts examples. What a catalog says of itself stands in a block of data, as JSON, in
//! which no line can end it; the model is told so, and its answer is checked like any other foreign text.

use ambit_model::card::ToolCard;
use minijinja::{Environment, context};

use super::{FEWEST, LONGEST, MOST, SHORTEST, WANTED};
use crate::schema;

/// The template; a change of it is a change of [`VERSION`].
const TEMPLATE: &str = include_str!("prompt.txt");
/// Part of what an answer is kept by: another prompt is another question.
pub const VERSION: u32 = 1;
/// Most characters of a description that are sent.
const MOST_DESCRIPTION: usize = 600;
/// Most inputs that are named.
const MOST_INPUTS: usize = 20;

/// What is sent: the task, and the data it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    pub system: String,
    pub user: String,
    pub version: u32,
}

/// The template is part of the program: a defect of this crate, never the user's fault.
#[derive(Debug, thiserror::Error)]
#[error("the prompt cannot be written")]
pub struct PromptError(#[from] minijinja::Error);

/// The prompt for one tool.
pub fn prompt(card: &ToolCard) -> Result<Prompt, PromptError> {
    let system = Environment::new().render_str(
        TEMPLATE,
        context! { wanted => WANTED, fewest => FEWEST, most => MOST, shortest => SHORTEST, longest => LONGEST },
    )?;
    Ok(Prompt { system: system.trim().to_owned(), user: data(card), version: VERSION })
}

/// What a model is told of an answer that could not be taken.
pub fn repair(why: &str) -> String {
    format!("That answer cannot be used: {why}. Answer again, with the JSON object alone.")
}

/// The tool as one line of JSON. `<` is escaped, so that nothing inside can look like the end of the block.
fn data(card: &ToolCard) -> String {
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
    let tool = serde_json::json!({
        "id": plain(&card.id.to_string(), 120),
        "entity": plain(&card.facts.entity.value, 60),
        "operation": card.facts.operation.value,
        "inputs": inputs,
        "description": plain(&card.description, MOST_DESCRIPTION),
    });
    format!("<data>\n{}\n</data>", tool.to_string().replace('<', "\\u003c"))
}

/// The beginning of a text, without what hides.
fn plain(text: &str, most: usize) -> String {
    let shown = |c: &char| *c == '\n' || !(c.is_control() || ambit_model::hidden::may_hide(*c));
    text.chars().filter(shown).map(|c| if c == '\n' { ' ' } else { c }).take(most).collect()
}
