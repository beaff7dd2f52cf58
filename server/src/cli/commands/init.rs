//! A first workspace.

use std::path::PathBuf;

use ambit_service::init;
use serde_json::json;

use super::{CLEAN, Desk, Said, text};

pub(super) fn run(desk: &Desk, folder: Option<PathBuf>) -> anyhow::Result<Said> {
    let folder = folder.unwrap_or_else(|| desk.workspace.clone());
    let files = init::init_workspace(&desk.caller, &folder)?;
    let written: Vec<String> = files.iter().map(|file| folder.join(file).display().to_string()).collect();
    let text = text::init::written(&folder, &written);
    Ok(Said { text, json: json!({ "folder": folder.display().to_string(), "written": written }), code: CLEAN })
}
