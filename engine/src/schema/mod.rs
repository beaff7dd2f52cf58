//! Reading a tool's JSON Schemas: what it takes, what it returns, and whether a path into its result is declared.
//! The router and the plan validator share this one plain walk over `properties`, `items`, `allOf` and local `$ref`.

mod cost;
mod path;
mod place;
#[cfg(test)]
mod tests;
mod walk;

use ambit_model::card::SchemaText;
use serde_json::Value;

pub use cost::evaluation_cost;
pub use path::{Lost, PathStanding, Segment, follow, path_standing};
pub use place::{JsonType, Place};
pub use walk::{Input, Output, inputs, outputs, words};

/// The schema as a value. Cards passed intake, so a text that is not JSON does not occur; it would declare nothing.
pub fn parse(text: &SchemaText) -> Value {
    serde_json::from_str(&text.0).unwrap_or(Value::Null)
}
