//! Schemas have to be valid JSON Schemas (the draft they name, else 2020-12), or no plan could ever be checked against them.
//! No `$ref` is ever fetched: one that points outside the schema makes it invalid.

use ambit_model::codes;
use ambit_model::diagnostic::Severity;
use ambit_model::intake::Finding;
use serde_json::Value;

use super::Offer;
use crate::canonical;

/// Most problems reported of one schema.
const MOST_PROBLEMS: usize = 5;

pub(super) fn check(offer: &Offer<'_>, findings: &mut Vec<Finding>) {
    let input = offer.tool.input_schema.as_deref();
    let output = offer.tool.output_schema.as_deref();
    for (text, pointer, is_input) in
        [(input, &offer.tool.input_pointer, true), (output, &offer.tool.output_pointer, false)]
    {
        let Some(text) = text else { continue };
        for (at, problem) in problems(text, is_input) {
            findings.push(offer.finding(
                Severity::Error,
                codes::E_SCHEMA,
                format!("{pointer}{at}"),
                problem,
                "mend the schema; https://json-schema.org explains each keyword",
            ));
        }
    }
}

/// Each problem with its pointer inside the schema.
fn problems(text: &str, is_input: bool) -> Vec<(String, String)> {
    if let Err(error) = canonical::sort_keys(text) {
        return vec![(String::new(), format!("the schema cannot be read: {error}"))];
    }
    let Ok(schema) = serde_json::from_str::<Value>(text) else {
        return vec![(String::new(), "the schema holds a number that is out of range".to_owned())];
    };
    let mut found = invalid_places(&schema);
    if found.is_empty()
        && let Err(error) = crate::schema::validator(&schema)
    {
        found.push((error.schema_path().to_string(), format!("the schema cannot be used: {error}")));
    }
    if found.is_empty() && is_input && schema.get("type").is_some_and(|t| t != "object") {
        found.push(("/type".to_owned(), "the arguments of a tool are an object".to_owned()));
    }
    found
}

fn invalid_places(schema: &Value) -> Vec<(String, String)> {
    let Ok(meta) = jsonschema::meta::validator_for(schema) else {
        return vec![("/$schema".to_owned(), "the schema names a draft that is not known".to_owned())];
    };
    let mut places: Vec<(String, String)> =
        meta.iter_errors(schema).map(|e| (e.instance_path().to_string(), e.to_string())).collect();
    places.sort();
    places.dedup();
    places.truncate(MOST_PROBLEMS);
    places
}
