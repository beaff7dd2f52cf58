//! The form of a reference: an object with exactly `$from` and `path`, and the grammar of the path.
//! Any object with `$from` is read as a reference; nothing else in an argument is.

use ambit_model::plan::ViolationCode;
use serde_json::{Map, Value};

use super::report::{Report, push, quote};
use crate::schema::Segment;

/// Most characters of a path.
const LONGEST_PATH: usize = 256;

/// A reference of the right form.
pub(super) struct Reference<'p> {
    pub(super) at: String,
    pub(super) source: &'p str,
    pub(super) path: Vec<Segment>,
    pub(super) written: &'p str,
}

/// Pointers to every reference within an argument object, relative to it.
pub(super) fn locate(arguments: &Map<String, Value>) -> Vec<(String, &Map<String, Value>)> {
    let mut found = Vec::new();
    let mut pointer = String::new();
    members(arguments, &mut pointer, &mut found);
    found
}

fn members<'p>(
    object: &'p Map<String, Value>,
    pointer: &mut String,
    found: &mut Vec<(String, &'p Map<String, Value>)>,
) {
    for (name, value) in object {
        visit(name, value, pointer, found);
    }
}

pub(super) fn visit<'p>(
    name: &str,
    value: &'p Value,
    pointer: &mut String,
    found: &mut Vec<(String, &'p Map<String, Value>)>,
) {
    let length = pointer.len();
    push(pointer, name);
    match value {
        Value::Object(object) if object.contains_key("$from") => found.push((pointer.clone(), object)),
        Value::Object(object) => members(object, pointer, found),
        Value::Array(list) => {
            for (index, item) in list.iter().enumerate() {
                visit(&index.to_string(), item, pointer, found);
            }
        }
        _ => {}
    }
    pointer.truncate(length);
}

/// Reads the two members and the path.
pub(super) fn read<'p>(at: &str, object: &'p Map<String, Value>, report: &mut Report) -> Option<Reference<'p>> {
    let mut refuse = |rule: String, help: &str| {
        report.violation(at, ViolationCode::ReferenceGrammar, rule, help);
        None
    };
    if let Some(extra) = object.keys().find(|name| !["$from", "path"].contains(&name.as_str())) {
        return refuse(
            format!("a reference has exactly `$from` and `path`, and this one {}", quote(extra)),
            "remove the other members",
        );
    }
    let (Some(source), Some(path)) =
        (object.get("$from").and_then(Value::as_str), object.get("path").and_then(Value::as_str))
    else {
        return refuse(
            "a reference has exactly `$from` and `path`, both strings".to_owned(),
            "write `{\"$from\": \"a1\", \"path\": \"items.0.id\"}`",
        );
    };
    match segments(source, path) {
        Ok(segments) => Some(Reference { at: at.to_owned(), source, path: segments, written: path }),
        Err(rule) => refuse(rule, "write names and numbers with dots between them: `items.0.id`"),
    }
}

fn segments(source: &str, path: &str) -> Result<Vec<Segment>, String> {
    if path.is_empty() {
        return if source == "item" {
            Ok(Vec::new())
        } else {
            Err("only a reference to `item` may have an empty path".to_owned())
        };
    }
    if path.chars().nth(LONGEST_PATH).is_some() {
        return Err(format!("a path has at most {LONGEST_PATH} characters"));
    }
    path.split('.').enumerate().map(|(at, part)| segment(at, part)).collect()
}

fn segment(at: usize, part: &str) -> Result<Segment, String> {
    let plain = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    match part {
        "" => Err("a path has no empty segment".to_owned()),
        "*" if at > 0 => Ok(Segment::Every),
        "*" => Err("a path does not start with `*`".to_owned()),
        _ if part.chars().all(plain) => Ok(Segment::Name(part.to_owned())),
        _ => Err(format!("{} is no segment: a segment is letters, digits, `_` and `-`, or a later `*`", quote(part))),
    }
}
