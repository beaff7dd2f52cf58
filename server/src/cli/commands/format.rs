//! Formatting declarations.

use std::path::PathBuf;

use ambit_model::diagnostic::Diagnostic;
use ambit_service::format::{self, FormatRequest};
use serde_json::json;

use super::{CLEAN, Desk, FINDINGS, Said, text};

pub(super) fn run(desk: &Desk, paths: Vec<PathBuf>, check: bool, diff: bool) -> anyhow::Result<Said> {
    let paths = if paths.is_empty() { vec![desk.workspace.clone()] } else { paths };
    let dry = check || diff;
    let report = format::format_declarations(&desk.caller, &FormatRequest { paths, dry })?;
    let changed: Vec<_> =
        report.changed.iter().map(|file| json!({ "path": file.path, "diff": file.difference })).collect();
    let json = json!({ "changed": changed, "unchanged": report.unchanged, "written": !dry, "diagnostics": report.diagnostics });
    let findings = report.diagnostics.iter().any(Diagnostic::is_error) || (dry && !report.changed.is_empty());
    let code = if findings { FINDINGS } else { CLEAN };
    Ok(Said { text: text::format::report(&report, dry, diff), json, code })
}
