//! OpenAPI documents among the texts of a source. This is the one seam to what turns their operations into tools.

use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;
use serde_json::value::RawValue;

use super::texts::RawTool;
use crate::canonical::Members;
use crate::source::SourceFile;

/// The members by which a document says that it is one.
const MARKS: [&str; 2] = ["openapi", "swagger"];

/// Whether a value is an OpenAPI document, of whatever version.
pub(super) fn is_openapi(root: &RawValue) -> bool {
    let Ok(Members(members)) = serde_json::from_str(root.get()) else { return false };
    members.iter().any(|(key, _)| MARKS.contains(&key.as_str()))
}

/// The tools of a document.
pub(super) fn tools(file: &SourceFile, _json: &str) -> (Vec<RawTool>, Vec<Diagnostic>) {
    let problem = Diagnostic::error(codes::E_CATALOG, format!("`{}` is an OpenAPI document", file.path))
        .at(file.whole())
        .help("import takes a list of tools, or an object whose `tools` is one");
    (Vec::new(), vec![problem])
}
