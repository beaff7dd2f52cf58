//! What is stored: the list, one snapshot, whether one is whole, and going back to an earlier one.

use ambit_service::rollback::{self, RollbackRequest};
use ambit_service::snapshots;
use serde_json::json;

use super::{CLEAN, Desk, Said, text};

pub(super) async fn list(desk: &Desk) -> anyhow::Result<Said> {
    let listed = snapshots::list_snapshots(&desk.caller, &desk.live().await?).await?;
    Ok(Said { text: text::snapshots::list(&listed), json: crate::json::snapshots(&listed), code: CLEAN })
}

pub(super) async fn show(desk: &Desk, number: Option<i64>) -> anyhow::Result<Said> {
    let (record, snapshot) = snapshots::show_snapshot(&desk.caller, &desk.live().await?, number).await?;
    let json = json!({ "record": record, "snapshot": snapshot });
    Ok(Said { text: text::snapshots::show(&record, &snapshot), json, code: CLEAN })
}

pub(super) async fn rollback(desk: &Desk, request: RollbackRequest) -> anyhow::Result<Said> {
    let done = rollback::rollback_snapshot(&desk.caller, &desk.live().await?, &request).await?;
    Ok(Said { text: text::snapshots::rolled_back(&done), json: crate::json::rolled_back(&done), code: CLEAN })
}

pub(super) async fn verify(desk: &Desk, number: Option<i64>) -> anyhow::Result<Said> {
    let (record, parts) = snapshots::verify_snapshot(&desk.caller, &desk.live().await?, number).await?;
    let json = json!({ "snapshot": record.number, "digest": record.digest, "parts": parts, "verified": true });
    Ok(Said { text: text::snapshots::verified(&record, parts), json, code: CLEAN })
}
