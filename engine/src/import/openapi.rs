//! OpenAPI documents among the texts of a source. This is the one seam to what turns their operations into tools.
//! An operation that cannot be turned into one is left out with a warning, so that the others come in.

use ambit_model::codes;
use ambit_model::diagnostic::{Diagnostic, Severity};
use serde_json::value::RawValue;

use super::texts::{RawTool, ordered};
use crate::canonical::Members;
use crate::catalog::openapi::{self, Problem};
use crate::catalog::without_meta;
use crate::source::SourceFile;

/// The members by which a document says that it is one.
const MARKS: [&str; 2] = ["openapi", "swagger"];

/// Whether a value is an OpenAPI document, of whatever version.
pub(super) fn is_openapi(root: &RawValue) -> bool {
    let Ok(Members(members)) = serde_json::from_str(root.get()) else { return false };
    members.iter().any(|(key, _)| MARKS.contains(&key.as_str()))
}

/// The tools of a document, one an operation.
pub(super) fn tools(file: &SourceFile) -> (Vec<RawTool>, Vec<Diagnostic>) {
    let document = match openapi::document(&file.text) {
        Ok(document) => document,
        Err(problem) => return (Vec::new(), vec![diagnostic(file, &problem, true)]),
    };
    let (tools, problems) = openapi::tools(&document);
    let none = tools.is_empty();
    let tell = |problem: &&Problem| problem.severity != Severity::Note;
    let problems = problems.iter().filter(tell).map(|problem| diagnostic(file, problem, none)).collect();
    let raw = |tool: serde_json::Value| RawTool { json: ordered(&tool), start: None, is_openapi: true };
    (tools.into_iter().map(raw).collect(), problems)
}

fn diagnostic(file: &SourceFile, problem: &Problem, none: bool) -> Diagnostic {
    let message = match problem.pointer.as_str() {
        "" => format!("`{}`: {}", file.path, problem.message),
        pointer => format!("`{}` at `{pointer}`: {}", file.path, problem.message),
    };
    let diagnostic = if none && problem.severity == Severity::Error {
        Diagnostic::error(codes::E_CATALOG, message)
    } else {
        Diagnostic::warning(codes::W_SOURCE, message)
    };
    diagnostic.at(without_meta(file, file.whole())).help(problem.help.as_str())
}
