//! Searching the documents of a project.

use ambit_service::knowledge::search_knowledge;

use super::{CLEAN, Desk, Said, text, wanted};
use crate::cli::arguments::KnowledgeCommand;

pub(super) async fn run(desk: &Desk, command: KnowledgeCommand) -> anyhow::Result<Said> {
    let KnowledgeCommand::Search { question, asker, limit } = command;
    let live = desk.live().await?;
    let searched = search_knowledge(&desk.caller, &live, &wanted(asker), &question, limit).await?;
    Ok(Said { text: text::knowledge::passages(&searched), json: serde_json::to_value(&searched.answer)?, code: CLEAN })
}
