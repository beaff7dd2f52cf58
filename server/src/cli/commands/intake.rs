//! What intake found in the workspace, and how a tool would fare with another description.

use ambit_model::codes;
use ambit_model::diagnostic::{Diagnostic, Severity};
use ambit_model::intake::IntakeReport;
use ambit_service::check;
use ambit_service::store::Store;
use serde_json::json;

use super::{CLEAN, Desk, FINDINGS, Said, text};
use crate::cli::arguments::{IntakeArguments, IntakeCommand};
use crate::cli::diagnostics;

pub(super) async fn run(desk: &Desk, asked: IntakeArguments) -> anyhow::Result<Said> {
    match asked.command {
        Some(IntakeCommand::Try { tool, description }) => try_description(desk, &tool, &description).await,
        None => report(desk, asked).await,
    }
}

async fn report(desk: &Desk, asked: IntakeArguments) -> anyhow::Result<Said> {
    let store = Store::open(&desk.data).await.map_err(ambit_service::Error::from)?;
    let checked = check::check_workspace(&desk.caller, &desk.workspace, &store, &desk.places).await?;
    store.close().await.map_err(ambit_service::Error::from)?;
    let unread: Vec<Diagnostic> = checked.diagnostics.into_iter().filter(is_unread).collect();
    let whole = checked.compiled.report;
    let report = match &asked.tool {
        Some(glob) => check::report_on(&whole, glob)?,
        None => whole,
    };
    let code = if is_refused(&report) || !unread.is_empty() { FINDINGS } else { CLEAN };
    let shown = text::intake::Shown { all: asked.all, proposals: asked.proposals };
    let said = format!("{}{}", diagnostics::render(&unread), text::intake::report(&report, shown));
    Ok(Said { text: said, json: json!({ "intake": report, "diagnostics": unread }), code })
}

/// An error outside the report: tools behind it may have been left out, so the report alone would say too much.
fn is_unread(diagnostic: &Diagnostic) -> bool {
    let stage = codes::find(&diagnostic.code).map_or("", |entry| entry.stage);
    let before_intake = matches!(stage, "read" | "parse" | "resolve") || diagnostic.code == codes::E_CATALOG;
    diagnostic.is_error() && before_intake
}

/// A tool is refused, and nobody acknowledged it.
fn is_refused(report: &IntakeReport) -> bool {
    report.findings.iter().any(|finding| finding.severity == Severity::Error && !finding.acknowledged)
}

async fn try_description(desk: &Desk, tool: &str, description: &str) -> anyhow::Result<Said> {
    let store = Store::open(&desk.data).await.map_err(ambit_service::Error::from)?;
    let tried =
        ambit_service::trial::try_in_workspace(&desk.caller, &desk.workspace, &store, &desk.places, tool, description)
            .await?;
    store.close().await.map_err(ambit_service::Error::from)?;
    let code = if tried.after.is_refused() { FINDINGS } else { CLEAN };
    Ok(Said { text: text::intake::tried(&tried), json: json!(tried), code })
}
