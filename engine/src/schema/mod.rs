//! Reading a tool's JSON Schemas: what it takes, what it returns, and whether a path into its result is declared.
//! The router and the plan validator share this one plain walk over `properties`, `items`, `allOf` and local `$ref`.

mod cost;
pub(crate) mod draft;
pub(crate) mod keywords;
mod number;
mod path;
mod place;
mod quoted;
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
    parse_mended(text).0
}

/// The same, with pointers to the numbers in quotes that were read as numbers.
pub(crate) fn parse_mended(text: &str) -> (Value, Vec<String>) {
    let mut schema = serde_json::from_str(text).or_else(|_| number::parse_in_range(text)).unwrap_or(Value::Null);
    let mended = quoted::unquote(&mut schema);
    (schema, mended)
}

/// A compiled schema to hold values against: formats are checked, patterns run in linear time, and no `$ref` is ever fetched. A
/// schema that names no draft is of 2020-12, or of the older one that it shows to be written in.
pub fn validator(schema: &Value) -> Result<jsonschema::Validator, jsonschema::ValidationError<'static>> {
    let linear = |draft| options(draft).with_pattern_options(jsonschema::PatternOptions::regex()).build(schema);
    linear(None).or_else(|error| draft::implied(schema).map_or(Err(error), |draft| linear(Some(draft))))
}

/// Whether the schema is sound: it is also where its patterns look around (ECMA-262), which never run, because that takes more than
/// linear time; arguments are then left unproved.
pub(crate) fn is_sound(schema: &Value) -> Result<(), jsonschema::ValidationError<'static>> {
    let any_pattern = || options(draft::implied(schema)).build(schema);
    validator(schema).or_else(|_| any_pattern()).map(drop)
}

/// The draft that the schema names, unless another is given.
fn options<'a>(draft: Option<jsonschema::Draft>) -> jsonschema::ValidationOptions<'a> {
    let options = jsonschema::options().should_validate_formats(true).offline();
    match draft {
        Some(draft) => options.with_draft(draft),
        None => options,
    }
}
