//! What formatting did, or would do.

use ambit_service::format::FormatReport;

use super::snapshots::counted;
use crate::cli::diagnostics;

/// Files left as they are, then the changes, then a count.
pub(in crate::cli) fn report(report: &FormatReport, dry: bool, diff: bool) -> String {
    let changes: String = report
        .changed
        .iter()
        .map(|file| if diff { file.difference.clone() } else { format!("{}\n", file.path) })
        .collect();
    let done = match (report.changed.len(), dry) {
        (0, _) => String::new(),
        (changed, true) => format!("{} would change; `ambit fmt` writes them", counted(changed, "file")),
        (changed, false) => format!("{} formatted", counted(changed, "file")),
    };
    let rest = match report.unchanged {
        0 => String::new(),
        unchanged => format!("{} in order", counted(unchanged, "file")),
    };
    let left = diagnostics::count(&report.diagnostics).unwrap_or_default();
    let parts: Vec<String> = [done, rest, left].into_iter().filter(|part| !part.is_empty()).collect();
    let last = if parts.is_empty() { "there is nothing to format".to_owned() } else { parts.join("; ") };
    let gap = if changes.is_empty() { "" } else { "\n" };
    format!("{}{changes}{gap}{last}\n", diagnostics::render(&report.diagnostics))
}
