//! Schemas have to be valid JSON Schemas (the draft they name, else 2020-12 or the draft that they show to be written in), or no plan could ever be checked against them.
//! No `$ref` is ever fetched: one that points outside the schema makes it invalid.

use ambit_model::codes;
use ambit_model::diagnostic::Severity;
use ambit_model::intake::Finding;
use serde_json::Value;

use super::Offer;
use crate::canonical;
use crate::schema;

/// Most problems reported of one schema.
const MOST_PROBLEMS: usize = 5;

pub(super) fn check(offer: &Offer<'_>, findings: &mut Vec<Finding>) {
    let input = offer.tool.input_schema.as_deref();
    let output = offer.tool.output_schema.as_deref();
    for (text, pointer, is_input) in
        [(input, &offer.tool.input_pointer, true), (output, &offer.tool.output_pointer, false)]
    {
        let Some(text) = text else { continue };
        for at in schema::parse_mended(text).1 {
            findings.push(offer.finding(
                Severity::Warning,
                codes::W_SCHEMA,
                format!("{pointer}{at}"),
                "a number in quotes is no number, and is read as one",
                "take the quotes away where the tool comes from",
            ));
        }
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
    let schema = schema::parse_text(text);
    let mut found = invalid_places(&schema);
    if found.is_empty()
        && let Err(error) = schema::is_sound(&schema)
    {
        let at = error.instance_path().to_string();
        let at = if schema.pointer(&at).is_some() { at } else { String::new() };
        found.push((at, format!("the schema cannot be used: {error}")));
    }
    if found.is_empty() && is_input {
        found.extend(no_object(&schema));
    }
    found
}

/// Arguments are an object, so a schema that lets none through, or says nothing at all, is a mistake.
fn no_object(schema: &Value) -> Option<(String, String)> {
    let at = match (schema, schema.get("type")) {
        (Value::Bool(_), _) => "",
        (_, Some(Value::String(word))) if word != "object" => "/type",
        (_, Some(Value::Array(words))) if !words.iter().any(|word| word == "object") => "/type",
        _ => return None,
    };
    Some((at.to_owned(), "the arguments of a tool are an object".to_owned()))
}

/// By the draft that the schema names or implies.
fn invalid_places(schema: &Value) -> Vec<(String, String)> {
    let Ok(meta) = jsonschema::meta::validator_for(schema) else {
        return vec![("/$schema".to_owned(), "the schema names a draft that is not known".to_owned())];
    };
    let mut places: Vec<(String, String)> =
        meta.iter_errors(schema).map(|e| (e.instance_path().to_string(), e.to_string())).collect();
    if !places.is_empty() && schema::draft::implied(schema).is_some() {
        return Vec::new();
    }
    places.sort();
    places.dedup();
    let more = places.len().saturating_sub(MOST_PROBLEMS);
    places.truncate(MOST_PROBLEMS);
    if let Some((_, last)) = places.last_mut().filter(|_| more > 0) {
        last.push_str(&format!("; and {more} more like these"));
    }
    places
}
