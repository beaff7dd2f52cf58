//! Blocks: what was blocked or unblocked, and what is blocked now.

use ambit_model::overlay::{Block, ListedBlock};
use ambit_service::blocks::Blocked;

use super::snapshots::counted;

/// A new block, and the one that it replaces.
pub(in crate::cli) fn blocked(blocked: &Blocked) -> String {
    let Blocked { block, replaced } = blocked;
    let mut text = format!("{} is blocked {}: {}\n", block.tool, ends(block.until.as_deref()), block.reason);
    if let Some(Block { by, until, reason, .. }) = replaced {
        text.push_str(&format!(
            "  it was already, by {by} {}: {reason}; that block is replaced\n",
            ends(until.as_deref())
        ));
    }
    text.push_str("  a running server follows within a second, and an apply or a rollback changes nothing about it\n");
    format!("{text}\n`ambit unblock {} --reason …` takes it back\n", block.tool)
}

/// A block that is gone.
pub(in crate::cli) fn unblocked(block: &Block) -> String {
    format!("{} is not blocked any more; policies decide about it again\n  {}\n", block.tool, by(block))
}

/// `blocked by local:ann until …: reason`.
pub(in crate::cli) fn by(block: &Block) -> String {
    format!("blocked by {} {}: {}", block.by, ends(block.until.as_deref()), block.reason)
}

/// By tool; what has ended or waits for its tool says so.
pub(in crate::cli) fn list(blocks: &[ListedBlock]) -> String {
    let mut text =
        String::from("tool                                      until                    by                reason\n");
    for block in blocks {
        let until = match (&block.until, block.ended) {
            (None, _) => "it is unblocked".to_owned(),
            (Some(at), false) => at.clone(),
            (Some(at), true) => format!("{at} ended"),
        };
        let reason = block.reason.as_deref().unwrap_or("");
        let lacking = if block.in_snapshot { "" } else { " (not in the live snapshot)" };
        text.push_str(&format!("{:<40}  {until:<23}  {:<16}  {reason}{lacking}\n", block.tool, block.by));
    }
    format!("{text}\n{}; `ambit unblock TOOL --reason …` takes one back\n", counted(blocks.len(), "block"))
}

fn ends(until: Option<&str>) -> String {
    until.map_or_else(|| "until it is unblocked".to_owned(), |at| format!("until {at}"))
}
