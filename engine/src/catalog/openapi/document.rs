//! The text of a document, JSON or YAML, as a value whose keys are sorted.
//! Aliases are followed, as people write them in such documents, but only so far.

use serde_json::Value;
use serde_saphyr::Options;

use super::Problem;
use crate::canonical;
use crate::catalog::yaml::unread;

/// Most keys, values, lists and mappings of a YAML document: some three times the largest public API.
const MAX_NODES: usize = 2_000_000;
/// Most of them that come out of aliases, so that ten lines do not become a million.
const MAX_REPLAYED: usize = 100_000;
/// Deepest nesting; `serde_json` has the same limit.
const MAX_DEPTH: usize = 128;

/// Reads JSON, else YAML.
pub fn document(text: &str) -> Result<Value, Box<Problem>> {
    let text = text.trim_start_matches('\u{feff}');
    match serde_json::from_str(text) {
        Ok(value) => once_each(text).map(|()| sorted(&value)),
        Err(error) if text.trim_start().starts_with(['{', '[']) => {
            yaml(text).map(|value| sorted(&value)).map_err(|_| not_json(&error))
        }
        Err(_) => yaml(text).map(|value| sorted(&value)).map_err(|error| not_yaml(&error)),
    }
}

/// The same with the keys of every object in order, so that the order of a document's keys changes no byte of what is made of it.
pub(super) fn sorted(value: &Value) -> Value {
    let text = canonical::sort_keys(&value.to_string()).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_else(|_| value.clone())
}

/// JSON readers take the last of two equal keys, and reviewers read the first.
fn once_each(text: &str) -> Result<(), Box<Problem>> {
    match canonical::sort_keys(text) {
        Err(error @ canonical::NotCanonical::DuplicateKey(_)) => {
            Err(Box::new(Problem::error("", error.to_string(), "keep one of the two")))
        }
        _ => Ok(()),
    }
}

fn yaml(text: &str) -> Result<Value, serde_saphyr::Error> {
    serde_saphyr::from_str_with_options(text, options())
}

fn options() -> Options {
    serde_saphyr::options! {
        strict_booleans: true,
        with_snippet: false,
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: MAX_REPLAYED },
        budget: serde_saphyr::budget! {
            max_depth: MAX_DEPTH,
            max_nodes: MAX_NODES,
            max_events: 3 * MAX_NODES,
        },
    }
}

fn not_json(error: &serde_json::Error) -> Box<Problem> {
    let message = format!("the document is not JSON: {error}");
    Box::new(Problem::error("", message, "an OpenAPI document is JSON or YAML"))
}

fn not_yaml(error: &serde_saphyr::Error) -> Box<Problem> {
    let (why, help) = unread(error);
    Box::new(Problem::error("", format!("the document cannot be read as YAML: {why}"), help))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let read = document(text).map_or_else(|problem| format!("error: {}", problem.message), |v| v.to_string());
        assert!(read.starts_with(expected), "{read}\nfor {text}");
    }

    #[test]
    fn json_and_yaml_are_read_alike() {
        check("\u{feff}{\"b\": 1, \"a\": [true]}", r#"{"a":[true],"b":1}"#);
        check("b: 1\na:\n  - true\n", r#"{"a":[true],"b":1}"#);
        check("{b: 1, a: [true]}", r#"{"a":[true],"b":1}"#);
        check("200: {x: &x {a: 'no'}, y: *x, z: no}", r#"{"200":{"x":{"a":"no"},"y":{"a":"no"},"z":"no"}}"#);
    }

    #[test]
    fn what_is_neither_is_said() {
        check("{\"a\": ", "error: the document is not JSON: EOF while parsing a value at line 1 column 6");
        check("{\"a\": 1, \"a\": 2}", "error: the key `a` stands twice in one object");
        check("a: [", "error: the document cannot be read as YAML: ");
        check("a: 1\na: 2", "error: the document cannot be read as YAML: ");
        let bomb: String =
            (1..9).map(|n| format!("a{n}: &a{n} [{}]\n", vec![format!("*a{}", n - 1); 20].join(","))).collect();
        check(&format!("a0: &a0 [x]\n{bomb}"), "error: the document cannot be read as YAML: ");
    }
}
