//! Compiling the workspace, and making it live.

use ambit_model::diagnostic::{Diagnostic, Severity};
use ambit_model::diff::Diff;
use ambit_service::apply::{self, ApplyRequest, Outcome};
use ambit_service::check::{self, Checked};
use ambit_service::store::Store;
use serde_json::json;

use super::{CLEAN, Desk, FINDINGS, Said, text};
use crate::cli::arguments::Format;
use crate::cli::sarif;

/// How a workspace is checked.
#[derive(Clone, Copy)]
pub(super) struct HowToCheck {
    /// Warnings count as errors.
    pub(super) strict: bool,
    /// Do without the model.
    pub(super) no_retrieval: bool,
    /// Ask a solver about policies that decide nothing.
    pub(super) prove: bool,
}

pub(super) async fn check(desk: &Desk, how: HowToCheck, format: Format) -> anyhow::Result<Said> {
    let mut checked = if how.no_retrieval {
        check::check_without_retrieval(&desk.caller, &desk.workspace)?
    } else {
        let store = Store::open(&desk.data).await.map_err(ambit_service::Error::from)?;
        let checked = check::check_workspace(&desk.caller, &desk.workspace, &store, &desk.places).await?;
        store.close().await.map_err(ambit_service::Error::from)?;
        checked
    };
    if how.prove {
        check::prove_idle_policies(&desk.caller, &mut checked).await?;
    }
    let code = code(&checked.diagnostics, how.strict);
    let json = if format == Format::Sarif { sarif::log(&checked, code)? } else { report(&checked) };
    Ok(Said { text: text::check::report(&checked), json, code })
}

fn report(checked: &Checked) -> serde_json::Value {
    json!({
        "source_digest": checked.compiled.source_digest,
        "tools": checked.compiled.report.accepted.len(),
        "embedded": checked.embedded,
        "skipped": checked.skipped,
        "diagnostics": checked.diagnostics,
        "intake": checked.compiled.report,
    })
}

pub(super) async fn apply(desk: &Desk, request: ApplyRequest) -> anyhow::Result<Said> {
    let store = Store::open(&desk.data).await.map_err(ambit_service::Error::from)?;
    let applied = apply::apply_workspace(&desk.caller, &desk.workspace, &store, &desk.places, request).await?;
    // The write-ahead log is folded in, so that the data folder can be copied as it lies.
    store.close().await.map_err(ambit_service::Error::from)?;
    let (result, snapshot, diff) = match &applied.outcome {
        Outcome::Published { record, diff, .. } => ("published", Some(record), diff.as_ref()),
        Outcome::Unchanged { record } => ("unchanged", Some(record), None),
        Outcome::Refused => ("refused", None, None),
    };
    let json = json!({
        "result": result,
        "snapshot": snapshot.map(|record| json!({ "number": record.number, "digest": record.digest, "source_digest": record.source_digest, "audit_head": record.audit_head })),
        "alarms": diff.map(Diff::alarms),
        "diagnostics": applied.checked.diagnostics,
        "intake": applied.checked.compiled.report,
    });
    // What was published was published: the tools that intake left out are `check`'s to say. With `--strict` nothing was.
    let code = if matches!(applied.outcome, Outcome::Refused) { FINDINGS } else { CLEAN };
    Ok(Said { text: text::check::applied(&applied), json, code })
}

fn code(diagnostics: &[Diagnostic], strict: bool) -> u8 {
    let counts = |d: &Diagnostic| d.is_error() || (strict && d.severity == Severity::Warning);
    if diagnostics.iter().any(counts) { FINDINGS } else { CLEAN }
}
