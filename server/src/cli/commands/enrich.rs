//! Proposing example questions.

use std::time::Duration;

use ambit_model::diagnostic::Diagnostic;
use ambit_service::enrich::{self, EnrichRequest};
use serde_json::json;

use super::{CLEAN, Desk, FINDINGS, Said, text};
use crate::cli::arguments::EnrichArguments;

pub(super) async fn run(desk: &Desk, asked: EnrichArguments) -> anyhow::Result<Said> {
    let EnrichArguments { catalog, tool, all, write, patience } = asked;
    let request = EnrichRequest { catalog, tool, all, write, patience: Duration::from_secs(patience.max(1)) };
    let enriched = enrich::enrich_workspace(&desk.caller, &desk.workspace, desk.data.data(), &request).await?;
    let changed: Vec<_> =
        enriched.changed.iter().map(|file| json!({ "path": file.path, "diff": file.difference })).collect();
    let json = json!({
        "tools": enriched.tools,
        "changed": changed,
        "written": enriched.written,
        "calls": enriched.calls,
        "diagnostics": enriched.diagnostics,
    });
    let code = if enriched.diagnostics.iter().any(Diagnostic::is_error) { FINDINGS } else { CLEAN };
    Ok(Said { text: text::enrich::report(&enriched), json, code })
}
