//! Numbers in quotes: `"maximum": "50"` is no valid JSON Schema and common in public ones. It is read as the number that it says,
//! here alone, so that intake, routing and validation read one schema.

use serde_json::{Number, Value};

/// Keywords whose value is a number (JSON Schema 2020-12, validation, 6.2 to 6.5).
const NUMERIC: &[&str] = &[
    "maximum",
    "minimum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "multipleOf",
    "maxLength",
    "minLength",
    "maxItems",
    "minItems",
    "maxProperties",
    "minProperties",
];
/// Keywords whose value is data, and no schema.
const DATA: &[&str] = &["default", "enum", "const", "examples", "example"];

/// Takes the quotes away; the pointers to the numbers that had them, in order.
pub(super) fn unquote(schema: &mut Value) -> Vec<String> {
    let mut found = Vec::new();
    walk(schema, "", &mut found);
    found
}

fn walk(value: &mut Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            items.iter_mut().enumerate().for_each(|(n, item)| walk(item, &format!("{at}/{n}"), found));
        }
        Value::Object(members) => {
            for (key, value) in members.iter_mut().filter(|(key, _)| !DATA.contains(&key.as_str())) {
                let at = format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
                match number(key, value) {
                    Some(number) => {
                        *value = Value::Number(number);
                        found.push(at);
                    }
                    None => walk(value, &at, found),
                }
            }
        }
        _ => {}
    }
}

fn number(key: &str, value: &Value) -> Option<Number> {
    let text = value.as_str().filter(|_| NUMERIC.contains(&key))?;
    serde_json::from_str(text.trim()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(schema: &str, mended: &str, expected: &[&str]) {
        let mut value: Value = serde_json::from_str(schema).unwrap();
        assert_eq!(unquote(&mut value), expected, "for {schema}");
        assert_eq!(value.to_string(), mended);
    }

    #[test]
    fn numbers_lose_their_quotes_and_texts_stay() {
        check(r#"{"maximum":"50","minLength":" 2 "}"#, r#"{"maximum":50,"minLength":2}"#, &["/maximum", "/minLength"]);
        check(
            r#"{"properties":{"a/b":{"minimum":"-0.5"}}}"#,
            r#"{"properties":{"a/b":{"minimum":-0.5}}}"#,
            &["/properties/a~1b/minimum"],
        );
        for same in
            [r#"{"maximum":"many"}"#, r#"{"default":{"maximum":"50"}}"#, r#"{"title":"50"}"#, r#"{"maximum":50}"#]
        {
            check(same, same, &[]);
        }
    }
}
