//! Canonical bytes, so that equal content has equal digests on every machine.
//! Typed values follow RFC 8785; a catalog's own JSON is key-sorted with its number literals kept.

use ambit_model::digest::Digest;
use serde::Serialize;
use serde_json::value::RawValue;

/// Deepest nesting of a catalog's JSON that is accepted.
pub const DEEPEST: usize = 64;

/// Why a text has no canonical form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotCanonical {
    #[error("it is not JSON: {0}")]
    Syntax(String),
    #[error("the key `{0}` stands twice in one object")]
    DuplicateKey(String),
    #[error("it nests deeper than {DEEPEST} levels")]
    TooDeep,
}

/// The RFC 8785 form of a typed value.
pub fn to_canonical<T: Serialize>(value: &T) -> Result<String, NotCanonical> {
    serde_json_canonicalizer::to_string(value).map_err(|e| NotCanonical::Syntax(e.to_string()))
}

/// The digest of a typed value's RFC 8785 form.
pub fn digest<T: Serialize>(value: &T) -> Result<Digest, NotCanonical> {
    to_canonical(value).map(|text| Digest::of(text.as_bytes()))
}

/// Sorts the keys of a JSON text by UTF-16 code units (RFC 8785, 3.2.3), drops white space and keeps number literals.
pub fn sort_keys(json: &str) -> Result<String, NotCanonical> {
    let mut out = String::with_capacity(json.len());
    write_sorted(json.trim(), 0, &mut out)?;
    Ok(out)
}

fn write_sorted(json: &str, depth: usize, out: &mut String) -> Result<(), NotCanonical> {
    if depth > DEEPEST {
        return Err(NotCanonical::TooDeep);
    }
    match json.as_bytes().first() {
        Some(b'{') => write_object(json, depth, out),
        Some(b'[') => write_array(json, depth, out),
        Some(b'"') => {
            let text: String = serde_json::from_str(json).map_err(syntax)?;
            out.push_str(&serde_json::to_string(&text).map_err(syntax)?);
            Ok(())
        }
        _ => {
            let raw: &RawValue = serde_json::from_str(json).map_err(syntax)?;
            out.push_str(raw.get());
            Ok(())
        }
    }
}

fn write_object(json: &str, depth: usize, out: &mut String) -> Result<(), NotCanonical> {
    let Members(mut members) = serde_json::from_str(json).map_err(syntax)?;
    members.sort_by(|a, b| a.0.encode_utf16().cmp(b.0.encode_utf16()));
    out.push('{');
    let mut before: Option<&str> = None;
    for (key, value) in &members {
        if before == Some(key.as_str()) {
            return Err(NotCanonical::DuplicateKey(key.clone()));
        }
        if before.is_some() {
            out.push(',');
        }
        before = Some(key);
        out.push_str(&serde_json::to_string(key).map_err(syntax)?);
        out.push(':');
        write_sorted(value.get(), depth + 1, out)?;
    }
    out.push('}');
    Ok(())
}

fn write_array(json: &str, depth: usize, out: &mut String) -> Result<(), NotCanonical> {
    let items: Vec<&RawValue> = serde_json::from_str(json).map_err(syntax)?;
    out.push('[');
    for (position, item) in items.iter().enumerate() {
        if position > 0 {
            out.push(',');
        }
        write_sorted(item.get(), depth + 1, out)?;
    }
    out.push(']');
    Ok(())
}

#[expect(clippy::needless_pass_by_value, reason = "used as a function of map_err")]
fn syntax(error: serde_json::Error) -> NotCanonical {
    NotCanonical::Syntax(error.to_string())
}

/// The members of one JSON object in file order, equal keys kept, values untouched.
pub(crate) struct Members<'a>(pub(crate) Vec<(String, &'a RawValue)>);

impl<'de> serde::Deserialize<'de> for Members<'de> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(json: &str, expected: &str) {
        let got = sort_keys(json).unwrap_or_else(|e| format!("error: {e}"));
        assert_eq!(got, expected, "for {json}");
    }

    #[test]
    fn keys_are_sorted_and_numbers_keep_their_literal() {
        check(r#"{"b": 1.0, "a": [ 1e2, {"d":null,"c":true} ]}"#, r#"{"a":[1e2,{"c":true,"d":null}],"b":1.0}"#);
        check(r#"  "\u00e9"  "#, "\"é\"");
        check("12345678901234567890123", "12345678901234567890123");
        // UTF-16 order: the surrogate pair of U+1F600 sorts before U+FFFD, though its code point is higher.
        check("{\"\u{fffd}\":1,\"\u{1f600}\":2}", "{\"\u{1f600}\":2,\"\u{fffd}\":1}");
    }

    #[test]
    fn what_has_no_canonical_form_is_said() {
        check(r#"{"a":1,"a":2}"#, "error: the key `a` stands twice in one object");
        check(r#"{"a":}"#, "error: it is not JSON: expected value at line 1 column 6");
        let deep = format!("{}1{}", "[".repeat(100), "]".repeat(100));
        check(&deep, "error: it nests deeper than 64 levels");
    }
}
