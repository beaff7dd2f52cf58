//! Where the secrets that the workspace names are; their values are never read out.

use ambit_service::secrets::{self, SecretState};
use serde_json::json;

use super::{CLEAN, Desk, FINDINGS, Said, text};

pub(super) fn list(desk: &Desk) -> anyhow::Result<Said> {
    let listed = secrets::list_secrets(&desk.caller, &desk.workspace, desk.data.data())?;
    let code = if listed.iter().all(SecretState::is_there) { CLEAN } else { FINDINGS };
    let text = text::secrets::list(&listed);
    Ok(Said { text, json: json!({ "secrets": listed, "complete": true }), code })
}
