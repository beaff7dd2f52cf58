//! The demo of `make up`: compiles the sample workspace, makes it live, routes three questions, and starts the server.
//! A route that names other tools than its golden file is a failure, so that the first thing a newcomer sees is right.

use std::env;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use crate::StepError;
use crate::workspace::Workspace;

const GOLDEN: &str = "tests/golden/up";
/// Where `ambit serve` listens unless it is told otherwise.
const ADDRESS: &str = "http://127.0.0.1:8420";
const PRINCIPAL: &str = "acme:user:analyst";
/// Who may look at everything in the sample workspace.
const OPERATOR: &str = "acme:user:platform";

/// A question and the tools it must route to, in order.
#[derive(Debug, Deserialize)]
struct Golden {
    question: String,
    #[serde(rename = "as")]
    principal: String,
    project: String,
    tools: Vec<String>,
}

/// Everything but the server, in the repository.
pub(crate) fn demo(binary: &Path, say: &mut dyn FnMut(&str)) -> Result<(), StepError> {
    say("$ ambit apply --message 'make up'");
    say(&ambit(binary, &["apply", "--message", "make up"])?);
    for file in golden_files()? {
        route(binary, &file, say)?;
    }
    make_key(binary, say)?;
    let data = data_folder();
    say(&format!("the sample workspace is live in {}, with ambit = {}", data.display(), binary.display()));
    Ok(())
}

/// The demo, then the server in the place of this process, so that signals and exit code are its own.
pub(crate) fn serve(binary: &Path, say: &mut dyn FnMut(&str)) -> Result<(), StepError> {
    let site = Workspace::find()?.site();
    demo(binary, say)?;
    say(&invitation(&first_key()));
    let mut server = Command::new(binary);
    server.arg("serve").arg("--site").arg(site);
    Err(unstartable(binary, &become_program(&mut server)))
}

/// `AMBIT_DATA` as the binary reads it.
fn data_folder() -> PathBuf {
    env::var_os("AMBIT_DATA").filter(|folder| !folder.is_empty()).map_or(".ambit".into(), PathBuf::from)
}

fn first_key() -> PathBuf {
    data_folder().join("admin.key")
}

fn route(binary: &Path, file: &Path, say: &mut dyn FnMut(&str)) -> Result<(), StepError> {
    let text = std::fs::read_to_string(file).map_err(|e| unreadable(file, &e.to_string()))?;
    let golden: Golden = serde_json::from_str(&text).map_err(|e| unreadable(file, &e.to_string()))?;
    let arguments = ["route", &golden.question, "--as", &golden.principal, "--project", &golden.project];
    say(&format!("$ ambit route \"{}\" --as {} --project {}", golden.question, golden.principal, golden.project));
    say(&ambit(binary, &arguments)?);
    let json = ambit(binary, &[arguments.as_slice(), &["--format", "json"]].concat())?;
    let found = tools(&json).ok_or_else(|| unreadable(file, "the answer of `ambit route` is not JSON"))?;
    if found == golden.tools {
        return Ok(());
    }
    let message = format!("the route names {found:?}, and {} says {:?}", file.display(), golden.tools);
    Err(StepError::new(message, "look at it with `ambit route … --explain`"))
}

/// Makes the key to sign in with, once: `ambit` writes the first key beside its data, for nobody else to read.
fn make_key(binary: &Path, say: &mut dyn FnMut(&str)) -> Result<(), StepError> {
    if has_key(&ambit(binary, &["keys", "list", "--format", "json"])?) {
        return Ok(());
    }
    say(&format!("$ ambit keys create --name 'make up' --as {OPERATOR}"));
    say(&ambit(binary, &["keys", "create", "--name", "make up", "--as", OPERATOR])?);
    Ok(())
}

fn has_key(listed: &str) -> bool {
    let listed: serde_json::Value = serde_json::from_str(listed).unwrap_or_default();
    let keys = listed.get("keys").and_then(|keys| keys.as_array()).map(Vec::as_slice).unwrap_or_default();
    !keys.is_empty()
}

fn invitation(key: &Path) -> String {
    let key = key.display();
    format!(
        "the pages and the HTTP API open at {ADDRESS} (Ctrl-C ends them); sign in with the key in {key}
try in another terminal, in this folder:
  curl --silent {ADDRESS}/v1/route --header \"Authorization: Bearer $(cat {key})\" \\
    --header 'Content-Type: application/json' --data '{{\"project\": \"finance\", \"question\": \"Which invoices are overdue?\"}}'
  ambit route \"Which invoices are overdue?\" --as {PRINCIPAL} --project finance --explain
  ambit snapshots"
    )
}

/// Runs the program in the place of this one; what comes back is why it could not be started.
#[cfg(unix)]
fn become_program(program: &mut Command) -> io::Error {
    use std::os::unix::process::CommandExt as _;
    program.exec()
}

#[cfg(not(unix))]
fn become_program(program: &mut Command) -> io::Error {
    match program.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(cause) => cause,
    }
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
    let output = Command::new(binary).args(arguments).output().map_err(|e| unstartable(binary, &e))?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(said);
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    let message = format!("`ambit {}` ended with {}\n{said}{errors}", arguments.join(" "), output.status);
    Err(StepError::new(message, "mend what it says and run `make up` again"))
}

fn unstartable(binary: &Path, cause: &io::Error) -> StepError {
    StepError::new(format!("cannot start `{}`: {cause}", binary.display()), "run `make up` again")
}

fn unreadable(path: &Path, why: &str) -> StepError {
    StepError::new(format!("cannot use `{}`: {why}", path.display()), "run `make up` in the root of the repository")
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    /// A program in the place of `ambit`.
    fn program(folder: &Path, script: &str) -> PathBuf {
        let path = folder.join("ambit");
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    #[test]
    fn the_first_key_is_made_once() {
        let folder = tempfile::tempdir().unwrap();
        let keys = folder.path().join("keys.json");
        let script = format!(
            "case \"$2\" in list) cat {0} 2>/dev/null || true ;; *) echo \"$@\" && echo '{{\"keys\": [{{\"name\": \"make up\"}}]}}' >{0} ;; esac",
            keys.display()
        );
        let binary = program(folder.path(), &script);
        let mut said = Vec::new();
        for _ in 0..2 {
            make_key(&binary, &mut |text: &str| said.push(text.trim().to_owned())).unwrap();
        }
        assert_eq!(
            said,
            [
                "$ ambit keys create --name 'make up' --as acme:user:platform",
                "keys create --name make up --as acme:user:platform"
            ]
        );
    }

    #[test]
    fn what_ambit_says_before_it_fails_is_shown() {
        let folder = tempfile::tempdir().unwrap();
        let binary = program(folder.path(), "echo 'error: no such project' >&2; exit 2");
        let error = make_key(&binary, &mut |_| {}).unwrap_err();
        assert!(error.message.contains("error: no such project"), "{error:?}");
    }

    #[test]
    fn the_invitation_can_be_pasted() {
        let text = invitation(Path::new(".ambit/admin.key"));
        assert!(text.contains("Bearer $(cat .ambit/admin.key)\" \\\n"), "{text}");
        assert!(text.contains("'{\"project\": \"finance\", \"question\": \"Which invoices are overdue?\"}'"), "{text}");
    }
}
