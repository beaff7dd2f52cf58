//! Proposing repairs of a clash.

use ambit_service::repair::{self, RepairRequest};
use ambit_service::store::Store;
use serde_json::json;

use super::{CLEAN, Desk, FINDINGS, Said, text};

/// Ends with 1 where nothing helps.
pub(super) async fn run(desk: &Desk, request: RepairRequest) -> anyhow::Result<Said> {
    let store = Store::open(&desk.data).await.map_err(ambit_service::Error::from)?;
    let repairs = repair::propose_repairs(&desk.caller, &desk.workspace, &store, &desk.places, &request).await?;
    store.close().await.map_err(ambit_service::Error::from)?;
    let json = json!({
        "before": repairs.before,
        "proposals": repairs.proposals,
        "tried": repairs.tried,
        "addition": repairs.addition,
        "written": repairs.written,
        "diagnostics": repairs.diagnostics,
    });
    let clash = repairs.before.iter().any(|standing| standing.first < standing.of);
    let unwritten = request.write && !repairs.written;
    let code = if clash && (repairs.proposals.is_empty() || unwritten) { FINDINGS } else { CLEAN };
    Ok(Said { text: text::repair::report(&repairs), json, code })
}
