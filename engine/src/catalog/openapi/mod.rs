//! OpenAPI documents as catalogs: one tool per operation, in the shape of MCP, so that import can write a file that people review.
//! INVARIANT: nothing is invented and nothing renamed; what cannot be said, or cannot be read, is a problem that names its place.

mod book;
mod content;
mod document;
mod name;
mod operation;
mod parameters;
mod place;
mod reader;
mod schema;
mod servers;

use std::collections::BTreeMap;

use ambit_model::diagnostic::Severity;
use serde_json::Value;

pub use document::document;

use operation::{Found, Offered};
use reader::Reader;

/// Something of a document that has to be known. An `Error` leaves its operation out; a `Warning` and a `Note` do not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// RFC 6901, into the document.
    pub pointer: String,
    pub severity: Severity,
    pub message: String,
    pub help: String,
}

impl Problem {
    fn error(pointer: impl Into<String>, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), severity: Severity::Error, message: message.into(), help: help.into() }
    }

    fn warning(pointer: impl Into<String>, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(pointer, message, help) }
    }

    fn note(pointer: impl Into<String>, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { severity: Severity::Note, ..Self::error(pointer, message, help) }
    }
}

/// The tools of an OpenAPI 3.0 or 3.1 document, by path and method, and every problem, by its place. The same document gives the
/// same bytes, whatever the order of its keys.
pub fn tools(document: &Value) -> (Vec<Value>, Vec<Problem>) {
    let document = document::sorted(document);
    let reader = match Reader::of(&document) {
        Ok(reader) => reader,
        Err(problem) => return (Vec::new(), vec![*problem]),
    };
    let mut problems = reader.notes();
    let mut offered = Vec::new();
    for found in reader.operations(&mut problems) {
        let (tool, mut said) = operation::read(&reader, &found);
        problems.append(&mut said);
        offered.extend(tool.map(|tool| (found, tool)));
    }
    let tools = alone(offered, &mut problems).iter().map(document::sorted).collect();
    problems.sort();
    problems.dedup();
    (tools, problems)
}

/// Leaves out the operations that share a name: which is meant cannot be known, and none is renamed.
fn alone(offered: Vec<(Found<'_>, Offered)>, problems: &mut Vec<Problem>) -> Vec<Value> {
    let mut named: BTreeMap<&str, Vec<&Found<'_>>> = BTreeMap::new();
    for (found, tool) in &offered {
        named.entry(tool.name.as_str()).or_default().push(found);
    }
    named.retain(|_, of| of.len() > 1);
    for (name, of) in &named {
        let spoken: Vec<String> = of.iter().map(|found| format!("`{}`", found.spoken())).collect();
        let message = format!("the name `{name}` is that of {}, and none of them is taken", spoken.join(" and "));
        let help = "give each operation an `operationId` of its own";
        problems.extend(of.iter().map(|found| Problem::error(found.name_pointer(), &message, help)));
    }
    let twice: Vec<String> = named.into_keys().map(str::to_owned).collect();
    offered.into_iter().filter(|(_, tool)| !twice.contains(&tool.name)).map(|(_, tool)| tool.definition).collect()
}

#[cfg(test)]
mod schema_tests;
#[cfg(test)]
mod tests;
