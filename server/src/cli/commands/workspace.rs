//! Compiling the workspace, and making it live.

use ambit_model::diagnostic::{Diagnostic, Severity};
use ambit_service::apply::{self, ApplyRequest, Outcome};
use ambit_service::check;
use ambit_service::store::Store;
use serde_json::json;

use super::{CLEAN, Desk, FINDINGS, Said, text};

pub(super) async fn check(desk: &Desk, strict: bool) -> anyhow::Result<Said> {
    let store = Store::open(&desk.data).await.map_err(ambit_service::Error::from)?;
    let checked = check::check_workspace(&desk.caller, &desk.workspace, &store, &desk.places).await?;
    store.close().await.map_err(ambit_service::Error::from)?;
    let json = json!({
        "source_digest": checked.compiled.source_digest,
        "tools": checked.compiled.report.accepted.len(),
        "embedded": checked.embedded,
        "diagnostics": checked.diagnostics,
        "intake": checked.compiled.report,
    });
    Ok(Said { text: text::check::report(&checked), json, code: code(&checked.diagnostics, strict) })
}

pub(super) async fn apply(
    desk: &Desk,
    message: Option<String>,
    accept_loss: Vec<String>,
    strict: bool,
) -> anyhow::Result<Said> {
    let store = Store::open(&desk.data).await.map_err(ambit_service::Error::from)?;
    let request = ApplyRequest { message, accept_loss: accept_loss.into_iter().collect(), strict };
    let applied = apply::apply_workspace(&desk.caller, &desk.workspace, &store, &desk.places, request).await?;
    // The write-ahead log is folded in, so that the data folder can be copied as it lies.
    store.close().await.map_err(ambit_service::Error::from)?;
    let (result, snapshot) = match &applied.outcome {
        Outcome::Published { record, .. } => ("published", Some(record)),
        Outcome::Unchanged { record } => ("unchanged", Some(record)),
        Outcome::Refused => ("refused", None),
    };
    let json = json!({
        "result": result,
        "snapshot": snapshot.map(|record| json!({ "number": record.number, "digest": record.digest, "source_digest": record.source_digest, "audit_head": record.audit_head })),
        "diagnostics": applied.checked.diagnostics,
        "intake": applied.checked.compiled.report,
    });
    let refused = matches!(applied.outcome, Outcome::Refused);
    let code = if refused { FINDINGS } else { code(&applied.checked.diagnostics, strict) };
    Ok(Said { text: text::check::applied(&applied), json, code })
}

fn code(diagnostics: &[Diagnostic], strict: bool) -> u8 {
    let counts = |d: &Diagnostic| d.is_error() || (strict && d.severity == Severity::Warning);
    if diagnostics.iter().any(counts) { FINDINGS } else { CLEAN }
}
