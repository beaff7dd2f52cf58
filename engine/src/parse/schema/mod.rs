//! JSON Schemas of the documents as they are written, for editors: made of the very shapes that `parse` reads.
//! Draft-07, because the YAML language server knows no later one in full; without `$ref` inside a kind, so that each stands alone.

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::body::Kind;

pub(crate) mod form;

/// The file of the schema that fits every document.
pub const WHOLE_FILE: &str = "ambit.schema.json";

const DRAFT: &str = "http://json-schema.org/draft-07/schema#";

/// Every schema by the name of its file: one for any document, and one for each kind.
pub fn files() -> Vec<(String, Value)> {
    let kinds = Kind::ALL.iter().map(|kind| (format!("{}.schema.json", kind.word()), of_kind(*kind)));
    std::iter::once((WHOLE_FILE.to_owned(), of_any())).chain(kinds).collect()
}

/// The schema of one kind of document.
pub fn of_kind(kind: Kind) -> Value {
    let mut schema = Map::new();
    schema.insert("$schema".to_owned(), json!(DRAFT));
    schema.insert("title".to_owned(), json!(kind.word()));
    schema.append(&mut body(kind));
    Value::Object(schema)
}

/// The schema of any document: `kind` decides which other keys it has, so that an editor complains of these and not of all kinds.
pub fn of_any() -> Value {
    let words: Vec<&str> = Kind::ALL.iter().map(|kind| kind.word()).collect();
    let chosen = |word: &str| {
        json!({
            "if": { "properties": { "kind": { "const": word } }, "required": ["kind"] },
            "then": { "$ref": format!("#/definitions/{word}") },
        })
    };
    let definitions: Map<String, Value> =
        Kind::ALL.iter().map(|kind| (kind.word().to_owned(), Value::Object(body(*kind)))).collect();
    json!({
        "$schema": DRAFT,
        "title": "Ambit",
        "description": "One document of a workspace; a file may hold several, parted by `---`.",
        "type": "object",
        "required": ["kind"],
        "properties": { "kind": { "description": KIND, "enum": words } },
        "allOf": words.iter().map(|word| chosen(word)).collect::<Vec<_>>(),
        "definitions": definitions,
    })
}

const KIND: &str = "What the document declares. It is the first key.";

/// The schema of a kind, `kind` itself as its first key.
fn body(kind: Kind) -> Map<String, Value> {
    let mut generator = SchemaSettings::draft07().with(|settings| settings.inline_subschemas = true).into_generator();
    let mut schema = kind.schema(&mut generator).to_value();
    tidy(&mut schema);
    let Value::Object(mut schema) = schema else { return Map::new() };
    let mut properties = Map::new();
    properties.insert("kind".to_owned(), json!({ "description": KIND, "const": kind.word() }));
    if let Some(Value::Object(mut keys)) = schema.remove("properties") {
        properties.append(&mut keys);
    }
    let mut required = vec![json!("kind")];
    if let Some(Value::Array(mut keys)) = schema.remove("required") {
        required.append(&mut keys);
    }
    schema.insert("required".to_owned(), Value::Array(required));
    schema.insert("properties".to_owned(), Value::Object(properties));
    schema
}

/// A key that may be left out is not one that may be empty, and a doc comment breaks its lines where this source does.
fn tidy(schema: &mut Value) {
    match schema {
        Value::Array(all) => all.iter_mut().for_each(tidy),
        Value::Object(keys) => {
            if let Some(Value::Array(types)) = keys.get_mut("type") {
                types.retain(|one| one != "null");
                if let [one] = types.as_slice() {
                    let one = one.clone();
                    keys.insert("type".to_owned(), one);
                }
            }
            if let Some(Value::Array(words)) = keys.get_mut("enum") {
                words.retain(|word| !word.is_null());
            }
            if let Some(Value::String(text)) = keys.get_mut("description") {
                *text = text.replace('\n', " ");
            }
            without_null(keys);
            keys.values_mut().for_each(tidy);
        }
        _ => {}
    }
}

/// `anyOf` of a shape and nothing is that shape.
fn without_null(keys: &mut Map<String, Value>) {
    let null = json!({ "type": "null" });
    let Some(Value::Array(shapes)) = keys.get_mut("anyOf") else { return };
    if !shapes.contains(&null) {
        return;
    }
    shapes.retain(|shape| *shape != null);
    if let [Value::Object(only)] = shapes.as_slice() {
        let mut only = only.clone();
        keys.remove("anyOf");
        // What is said of the key stands before what is said of the shape.
        only.retain(|key, _| !keys.contains_key(key));
        keys.append(&mut only);
    }
}

#[cfg(test)]
mod tests;
