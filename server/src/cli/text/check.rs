//! The reports of `check` and `apply`.

use ambit_model::diagnostic::Diagnostic;
use ambit_service::apply::{Applied, Outcome};
use ambit_service::check::Checked;

use crate::cli::diagnostics;

/// Every open problem, then what the workspace would give.
pub(in crate::cli) fn report(checked: &Checked) -> String {
    if !checked.skipped.is_empty() {
        return without_retrieval(checked);
    }
    let next = match (&checked.compiled.snapshot, diagnostics::count(&checked.diagnostics)) {
        (Some(_), None) => "no problems; `ambit apply` makes it live".to_owned(),
        (Some(_), Some(count)) if checked.diagnostics.iter().any(Diagnostic::is_error) => {
            format!("{count}; `ambit apply` would leave the refused tools out")
        }
        (Some(_), Some(count)) => format!("{count}; `ambit apply` makes it live"),
        (None, count) => {
            format!("{}; nothing can be applied before the errors are mended", count.unwrap_or_default())
        }
    };
    format!("{}{}\n{next}\n", diagnostics::render(&checked.diagnostics), summary(checked))
}

fn without_retrieval(checked: &Checked) -> String {
    let skipped: Vec<&str> = checked.skipped.iter().map(|skipped| skipped.words()).collect();
    let note = format!("note: not looked at, for want of a model: {}", skipped.join(", "));
    let count = diagnostics::count(&checked.diagnostics).unwrap_or_else(|| "no problems so far".to_owned());
    let next = "`ambit check` without `--no-retrieval` looks at the rest";
    format!("{}{note}\n{}\n{count}; {next}\n", diagnostics::render(&checked.diagnostics), summary(checked))
}

/// One of several reports, below the time it was made.
pub(in crate::cli) fn watched(now: &str, report: &str) -> String {
    format!("--- {now}\n{report}\n")
}

/// What an apply did.
pub(in crate::cli) fn applied(applied: &Applied) -> String {
    let checked = &applied.checked;
    let problems = diagnostics::count(&checked.diagnostics).map(|count| format!("; {count}")).unwrap_or_default();
    let last = match &applied.outcome {
        Outcome::Published { record, new_parts } => format!(
            "{}snapshot {} ({}) is live: {} tools, {new_parts} new parts{problems}",
            record.audit_head.as_ref().map(|head| format!("audit head {head}\n")).unwrap_or_default(),
            record.number,
            record.digest.short(),
            record.tools
        ),
        Outcome::Unchanged { record } => {
            format!(
                "nothing to apply: snapshot {} ({}) is live and the same{problems}",
                record.number,
                record.digest.short()
            )
        }
        Outcome::Refused => format!("nothing was applied{problems}; the live snapshot is as it was"),
    };
    format!("{}{}\n{last}\n", diagnostics::render(&checked.diagnostics), summary(checked))
}

fn summary(checked: &Checked) -> String {
    let report = &checked.compiled.report;
    let acknowledged = report.findings.iter().filter(|f| f.acknowledged).count();
    let embedded = if checked.embedded == 0 { String::new() } else { format!(", {} texts embedded", checked.embedded) };
    format!(
        "{} tools offered, {} accepted, {} refused ({acknowledged} findings acknowledged){embedded}; source {}",
        report.offered,
        report.accepted.len(),
        report.rejected(),
        checked.compiled.source_digest.short()
    )
}
