//! What became of routes: reporting it, listing it, and examples that are suggested from it.

use ambit_model::diagnostic::Diagnostic;
use ambit_service::feedback::{self, FeedbackQuery, NewOutcome, SuggestRequest};
use ambit_service::store::Store;
use serde_json::json;

use super::{CLEAN, Desk, FINDINGS, Said, text, wanted};
use crate::cli::arguments::{FeedbackArguments, FeedbackCommand, FeedbackReport};

pub(super) async fn run(desk: &Desk, asked: FeedbackArguments) -> anyhow::Result<Said> {
    let FeedbackArguments { command, project, tool, page } = asked;
    match command {
        None => list(desk, FeedbackQuery { project, tool, page }).await,
        Some(FeedbackCommand::Report(reported)) => report(desk, reported).await,
        Some(FeedbackCommand::Suggest { project, tool, write }) => {
            suggest(desk, SuggestRequest { project, tool, write }).await
        }
    }
}

async fn list(desk: &Desk, query: FeedbackQuery) -> anyhow::Result<Said> {
    let listed = feedback::list_feedback(&desk.caller, &desk.live().await?, &query).await?;
    Ok(Said { text: text::feedback::list(&listed), json: serde_json::to_value(&listed)?, code: CLEAN })
}

async fn report(desk: &Desk, asked: FeedbackReport) -> anyhow::Result<Said> {
    let FeedbackReport { asker, question, outcome, tool, instead, step, snapshot } = asked;
    let new = NewOutcome { question, step, snapshot, outcome: outcome.into(), tool, instead };
    let reported = feedback::report_outcome(&desk.caller, &desk.live().await?, &wanted(asker), &new).await?;
    Ok(Said { text: text::feedback::reported(&reported), json: crate::json::reported(&reported), code: CLEAN })
}

/// Ends with 1 where lines that were to be written are not.
async fn suggest(desk: &Desk, request: SuggestRequest) -> anyhow::Result<Said> {
    let store = Store::open_existing(&desk.data).await.map_err(ambit_service::Error::from)?;
    let found = feedback::suggest_examples(&desk.caller, &desk.workspace, &store, &desk.places, &request).await?;
    store.close().await.map_err(ambit_service::Error::from)?;
    let changed: Vec<_> =
        found.changed.iter().map(|file| json!({ "path": file.path, "diff": file.difference })).collect();
    let json = json!({
        "read": found.read,
        "tools": found.tools,
        "left_out": found.left_out,
        "changed": changed,
        "evaluation": found.compared,
        "worse": found.compared.as_ref().is_some_and(feedback::Compared::is_worse),
        "written": found.written,
        "diagnostics": found.diagnostics,
    });
    let unwritten = request.write && !found.tools.is_empty() && !found.written;
    let failed = unwritten || found.diagnostics.iter().any(Diagnostic::is_error);
    let code = if failed { FINDINGS } else { CLEAN };
    Ok(Said { text: text::feedback::suggestions(&found, request.write), json, code })
}
