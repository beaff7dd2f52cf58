//! Tools that are blocked for now.

use ambit_service::blocks::{self, NewBlock};

use super::{CLEAN, Desk, Said, text};

pub(super) async fn block(desk: &Desk, new: NewBlock) -> anyhow::Result<Said> {
    let blocked = blocks::block_tool(&desk.caller, &desk.live().await?, new).await?;
    Ok(Said { text: text::blocks::blocked(&blocked), json: crate::json::blocked(&blocked), code: CLEAN })
}

pub(super) async fn unblock(desk: &Desk, tool: &str, reason: &str) -> anyhow::Result<Said> {
    let block = blocks::unblock_tool(&desk.caller, &desk.live().await?, tool, reason).await?;
    Ok(Said { text: text::blocks::unblocked(&block), json: crate::json::unblocked(&block), code: CLEAN })
}

pub(super) async fn list(desk: &Desk) -> anyhow::Result<Said> {
    let listed = blocks::list_blocks(&desk.caller, &desk.live().await?).await?;
    Ok(Said { text: text::blocks::list(&listed), json: crate::json::blocks(&listed), code: CLEAN })
}
