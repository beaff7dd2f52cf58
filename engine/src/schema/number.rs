//! Schemas with numbers that no 64-bit float holds, such as `"maximum": 1e400`: valid JSON and valid JSON Schema, so they are read
//! with the nearest number there is. Nothing that a float can hold compares otherwise with the nearest than with the number itself.

use serde::de::Error as _;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::canonical::{DEEPEST, Members};

/// The value of a JSON text; numbers out of range become the largest or smallest that there is.
pub(super) fn parse_in_range(json: &str) -> Result<Value, serde_json::Error> {
    let raw: &RawValue = serde_json::from_str(json)?;
    read(raw.get(), 0)
}

/// A raw value may nest without end; what nests deeper than a digest can be made of is not read.
fn read(json: &str, depth: usize) -> Result<Value, serde_json::Error> {
    if depth > DEEPEST {
        return Err(serde_json::Error::custom("it nests too deep"));
    }
    match json.as_bytes().first() {
        Some(b'{') => {
            let Members(members) = serde_json::from_str(json)?;
            let read = members.into_iter().map(|(key, raw)| Ok((key, read(raw.get(), depth + 1)?)));
            read.collect::<Result<Map<_, _>, _>>().map(Value::Object)
        }
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(json)?;
            items.into_iter().map(|raw| read(raw.get(), depth + 1)).collect::<Result<_, _>>().map(Value::Array)
        }
        Some(b'-' | b'0'..=b'9') => serde_json::from_str(json).or_else(|_| nearest(json)),
        _ => serde_json::from_str(json),
    }
}

fn nearest(literal: &str) -> Result<Value, serde_json::Error> {
    let parsed: f64 = literal.parse().map_err(serde_json::Error::custom)?;
    let number = serde_json::Number::from_f64(parsed.clamp(f64::MIN, f64::MAX));
    number.map(Value::Number).ok_or_else(|| serde_json::Error::custom("it is no number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_out_of_range_become_the_nearest() {
        let value = parse_in_range(r#"{"a": [1e400, -1e400, 7], "b": "1e400", "c": 18446744073709551616}"#).unwrap();
        assert_eq!(value.pointer("/a/0").and_then(Value::as_f64), Some(f64::MAX));
        assert_eq!(value.pointer("/a/1").and_then(Value::as_f64), Some(f64::MIN));
        assert_eq!(value.pointer("/a/2"), Some(&Value::from(7)));
        assert_eq!(value.pointer("/b"), Some(&Value::from("1e400")));
        assert_eq!(value.pointer("/c").and_then(Value::as_f64), Some(18_446_744_073_709_551_616.0));
        assert!(parse_in_range("{").is_err());
        let deep = format!("{}1e400{}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(parse_in_range(&deep).is_err());
    }
}
