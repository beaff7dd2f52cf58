//! The demo of `make up`: compiles the sample workspace, makes it live, and routes three questions.
//! A route that names other tools than its golden file is a failure, so that the first thing a newcomer sees is right.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use crate::StepError;

const GOLDEN: &str = "tests/golden/up";

/// A question and the tools it must route to, in order.
#[derive(Debug, Deserialize)]
struct Golden {
    question: String,
    #[serde(rename = "as")]
    principal: String,
    project: String,
    tools: Vec<String>,
}

/// Runs the demo with this binary, in the repository.
pub(crate) fn run(binary: &Path, say: &mut dyn FnMut(&str)) -> Result<(), StepError> {
    say("$ ambit apply --message 'make up'");
    say(&ambit(binary, &["apply", "--message", "make up"])?);
    for file in golden_files()? {
        let text = std::fs::read_to_string(&file).map_err(|e| unreadable(&file, &e.to_string()))?;
        let golden: Golden = serde_json::from_str(&text).map_err(|e| unreadable(&file, &e.to_string()))?;
        let arguments = ["route", &golden.question, "--as", &golden.principal, "--project", &golden.project];
        say(&format!("$ ambit route \"{}\" --as {} --project {}", golden.question, golden.principal, golden.project));
        say(&ambit(binary, &arguments)?);
        let json = ambit(binary, &[arguments.as_slice(), &["--format", "json"]].concat())?;
        let found = tools(&json).ok_or_else(|| unreadable(&file, "the answer of `ambit route` is not JSON"))?;
        if found != golden.tools {
            let message = format!("the route names {found:?}, and {} says {:?}", file.display(), golden.tools);
            return Err(StepError::new(message, "look at it with `ambit route … --explain`"));
        }
    }
    Ok(())
}

fn tools(json: &str) -> Option<Vec<String>> {
    let answer: serde_json::Value = serde_json::from_str(json).ok()?;
    let tools = answer.get("tools")?.as_array()?;
    tools.iter().map(|tool| tool.get("id").and_then(|id| id.as_str()).map(str::to_owned)).collect()
}

fn golden_files() -> Result<Vec<PathBuf>, StepError> {
    let folder = Path::new(GOLDEN);
    let entries = std::fs::read_dir(folder).map_err(|e| unreadable(folder, &e.to_string()))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    Ok(files)
}

/// What the command prints; an exit code other than 0 is a failure.
fn ambit(binary: &Path, arguments: &[&str]) -> Result<String, StepError> {
    let run = Command::new(binary).args(arguments).output();
    let output =
        run.map_err(|e| StepError::new(format!("cannot start `{}`: {e}", binary.display()), "run `make up` again"))?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(said);
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    let message = format!("`ambit {}` ended with {}\n{said}{errors}", arguments.join(" "), output.status);
    Err(StepError::new(message, "mend what it says and run `make up` again"))
}

fn unreadable(path: &Path, why: &str) -> StepError {
    StepError::new(format!("cannot use `{}`: {why}", path.display()), "run `make up` in the root of the repository")
}
