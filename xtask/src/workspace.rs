//! Where this workspace and its target folder lie, as cargo sees them.
//! Asked of cargo, because variables and configuration files have a say in it.

use std::path::PathBuf;
use std::process::Command;

use serde::Deserialize;

use crate::StepError;

#[derive(Debug, Deserialize)]
pub(crate) struct Workspace {
    #[serde(rename = "workspace_root")]
    pub(crate) root: PathBuf,
    #[serde(rename = "target_directory")]
    pub(crate) target: PathBuf,
}

impl Workspace {
    pub(crate) fn find() -> Result<Self, StepError> {
        let output = Command::new("cargo")
            .args(["metadata", "--no-deps", "--format-version", "1"])
            .output()
            .map_err(|e| lost(&e.to_string()))?;
        if !output.status.success() {
            return Err(lost(String::from_utf8_lossy(&output.stderr).trim()));
        }
        serde_json::from_slice(&output.stdout).map_err(|e| lost(&e.to_string()))
    }

    /// The folder that `ambit serve --site` is given; the bundle is in `pkg` under it.
    pub(crate) fn site(&self) -> PathBuf {
        self.target.join("site")
    }
}

fn lost(why: &str) -> StepError {
    StepError::new(format!("`cargo metadata` does not say where the workspace is: {why}"), "run it in the repository")
}
