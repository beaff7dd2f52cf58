//! Reading a tool's JSON Schemas: what it takes, what it returns, and whether a path into its result is declared.
//! The router and the plan validator share this one plain walk over `properties`, `items`, `allOf` and local `$ref`.

mod cost;
mod path;
mod place;
mod rows;
#[cfg(test)]
mod tests;
mod walk;

use ambit_model::card::SchemaText;
use serde_json::Value;

pub use cost::evaluation_cost;
pub use path::{Lost, PathStanding, Segment, follow, path_standing};
pub use place::{JsonType, Place};
pub use rows::{collection, row_fields};
pub use walk::{Input, Output, inputs, outputs, words};

/// The schema as a value. Cards passed intake, so a text that is not JSON does not occur; it would declare nothing.
pub fn parse(text: &SchemaText) -> Value {
    parse_text(&text.0)
}

/// The same of a text that is no card's yet.
pub fn parse_text(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or(Value::Null)
}

/// A compiled schema to hold values against: formats are checked, patterns run in linear time, and no `$ref` is ever fetched.
pub fn validator(schema: &Value) -> Result<jsonschema::Validator, jsonschema::ValidationError<'static>> {
    let options = jsonschema::options().with_pattern_options(jsonschema::PatternOptions::regex());
    options.should_validate_formats(true).offline().build(schema)
}
