//! Whether an operation is written by the book: read once more by the types of the crates `openapiv3` and `oas3`.
//! Their word is a warning. They stop at the first slip, often one that hurts nobody, such as a response without `description`.

use serde_json::{Map, Value, json};

use super::Problem;
use super::operation::Found;
use super::reader::{Reader, Version};

/// What the types have against the operation, whose parameters are given as they were resolved.
pub(super) fn check(reader: &Reader<'_>, found: &Found<'_>, parameters: &[Value]) -> Option<Problem> {
    let mut operation = found.operation.value.as_object()?.clone();
    operation.remove("callbacks");
    operation.retain(|key, _| !key.starts_with("x-"));
    operation.insert("parameters".to_owned(), json!(parameters));
    let bare = bare(&Value::Object(operation));
    let (version, error) = match reader.version {
        Version::V30 => ("3.0", serde_json::from_value::<openapiv3::Operation>(bare).err()),
        Version::V31 => ("3.1", serde_json::from_value::<oas3::spec::Operation>(bare).err()),
    };
    let message = format!("the operation is not quite OpenAPI {version}: {}", error?);
    Some(Problem::warning(&found.operation.pointer, message, "mend the document; the tool came all the same"))
}

/// The operation without schemas and examples: those are converted and judged for themselves, and the types know too few keywords.
fn bare(value: &Value) -> Value {
    match value {
        Value::Array(list) => Value::Array(list.iter().map(bare).collect()),
        Value::Object(object) => Value::Object(object.iter().filter_map(member).collect::<Map<_, _>>()),
        plain => plain.clone(),
    }
}

fn member((key, value): (&String, &Value)) -> Option<(String, Value)> {
    match key.as_str() {
        "schema" => Some((key.clone(), json!({ "type": "string" }))),
        "example" | "examples" => None,
        vendor if vendor.starts_with("x-") => None,
        _ => Some((key.clone(), bare(value))),
    }
}
