//! The reports of `check` and `apply`.

use ambit_model::diagnostic::Diagnostic;
use ambit_model::diff::Diff;
use ambit_service::apply::{Applied, Outcome};
use ambit_service::check::Checked;

use super::diff::ceiling_word;
use super::snapshots::counted;
use crate::cli::bundle::shown;
use crate::cli::diagnostics;

/// Names in a line about who gains.
const FEW: usize = 4;

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
        Outcome::Published { record, new_parts, diff } => format!(
            "{}{}snapshot {} ({}) is live: {} tools, {new_parts} new parts{problems}",
            diff.as_ref().map(widened).unwrap_or_default(),
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

/// The ceilings that were raised, and who gained, in a line each.
fn widened(diff: &Diff) -> String {
    let raised = diff
        .ceilings
        .iter()
        .filter(|change| change.is_alarming())
        .map(|change| format!("{} ({} -> {})", change.project, ceiling_word(change.from), ceiling_word(change.to)));
    let classes = diff
        .authority
        .classes
        .iter()
        .filter(|class| !class.gains.is_empty())
        .map(|class| format!("{} in {} ({})", class.class, class.project, counted(class.gains.len(), "tool")));
    let reaches = diff.authority.reaches.iter().filter(|reach| !reach.gains.is_empty());
    let reaches = reaches.map(|reach| format!("{} (administration)", reach.who));
    let line = |what: &str, names: Vec<String>| {
        if names.is_empty() { String::new() } else { format!("{what}: {}\n", shown(&names, FEW)) }
    };
    line("ceilings raised", raised.collect()) + &line("who gains", classes.chain(reaches).collect())
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
