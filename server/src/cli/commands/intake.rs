//! What intake found in the workspace, and how a tool would fare with another description.

use ambit_model::diagnostic::Severity;
use ambit_model::intake::IntakeReport;
use ambit_service::check;
use ambit_service::store::Store;
use serde_json::json;

use super::{CLEAN, Desk, FINDINGS, Said, text};
use crate::cli::arguments::{IntakeArguments, IntakeCommand};

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
    let whole = checked.compiled.report;
    let report = match &asked.tool {
        Some(glob) => check::report_on(&whole, glob)?,
        None => whole,
    };
    let code = if is_refused(&report) { FINDINGS } else { CLEAN };
    let shown = text::intake::Shown { all: asked.all, proposals: asked.proposals };
    Ok(Said { text: text::intake::report(&report, shown), json: json!({ "intake": report }), code })
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
