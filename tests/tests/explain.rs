//! `ambit explain`, and its examples: each is tried in a small workspace and causes exactly the code that it explains.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "an example that cannot be read has failed")]

use std::collections::BTreeSet;

use ambit_tests::{Place, Run, binary};
use serde_json::Value;

/// Codes that only a model can find.
const OF_RETRIEVAL: [&str; 2] = ["E_SELF_RETRIEVAL", "W_SELF_RETRIEVAL"];

/// One fenced block of a page.
struct Block {
    language: String,
    /// The file that it is, where it is one.
    file: Option<String>,
    text: String,
}

fn blocks(text: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut parts = text.split("\n```");
    // Before the first fence, then inside and outside by turns.
    parts.next();
    while let (Some(inside), _) = (parts.next(), parts.next()) {
        let (information, text) = inside.split_once('\n').unwrap();
        let (language, file) = information.split_once(' ').unwrap_or((information, ""));
        let file = (!file.is_empty()).then(|| file.to_owned());
        found.push(Block { language: language.to_owned(), file, text: format!("{text}\n") });
    }
    found
}

/// The blocks of the example, and those that mend it.
fn parts(page: &Value) -> (Vec<Block>, Vec<Block>) {
    let text = page["text"].as_str().unwrap();
    let (example, mended) = text.split_once("### How to mend it").unwrap();
    (blocks(example), blocks(mended))
}

fn pages() -> Vec<Value> {
    let listed = Place::empty().run(&["explain", "--format", "json"]).json();
    listed["codes"].as_array().unwrap().clone()
}

fn write(place: &Place, blocks: &[Block]) {
    for block in blocks {
        if let Some(file) = &block.file {
            place.write(file, &block.text);
        }
    }
}

/// The codes of a check; a model is asked only where the code needs one.
fn found(place: &Place, code: &str) -> BTreeSet<String> {
    let mut arguments = vec!["check", "--format", "json"];
    if !OF_RETRIEVAL.contains(&code) {
        arguments.push("--no-retrieval");
    }
    codes_of(&place.run(&arguments))
}

fn codes_of(run: &Run) -> BTreeSet<String> {
    let said = run.json();
    let told = said["diagnostics"].as_array().cloned().unwrap_or_default();
    let messages = told.iter().chain(said.get("error")).filter_map(|one| one["message"].as_str());
    for message in messages {
        let begins = message.starts_with(|c: char| c.is_lowercase() || c.is_ascii_digit() || c == '`');
        assert!(begins && !message.ends_with('.'), "not a phrase in lower case: {message}");
    }
    let codes = told.iter().map(|diagnostic| diagnostic["code"].as_str().unwrap().to_owned());
    codes.chain(said["error"]["code"].as_str().map(str::to_owned)).collect()
}

#[test]
fn the_small_workspace_has_no_finding() {
    assert_eq!(found(&Place::small(), ""), BTreeSet::new());
}

#[test]
fn an_example_of_files_causes_its_code_and_what_mends_it_ends_it() {
    let mut tried = 0;
    for page in pages() {
        let code = page["code"].as_str().unwrap();
        let (example, mended) = parts(&page);
        if example.iter().all(|block| block.file.is_none()) {
            continue;
        }
        let place = Place::small();
        write(&place, &example);
        let mut codes = found(&place, code);
        if OF_RETRIEVAL.contains(&code) {
            // The other tool of a clash has its own finding.
            assert!(codes.remove(code), "{code}: {codes:?}");
            assert!(codes.iter().all(|code| OF_RETRIEVAL.contains(&code.as_str())), "{code}: {codes:?}");
        } else {
            assert_eq!(codes, BTreeSet::from([code.to_owned()]), "the example of {code}");
        }
        if mended.iter().any(|block| block.file.is_some()) {
            write(&place, &mended);
            assert!(!found(&place, code).contains(code), "the mended example of {code} still has it");
        }
        tried += 1;
    }
    assert!(tried > 30, "only {tried} pages have files");
}

#[test]
fn an_example_of_commands_ends_with_its_code() {
    let tools = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(binary(), tools.path().join("ambit")).unwrap();
    let path = format!("{}:{}", tools.path().display(), std::env::var("PATH").unwrap());
    let applied = Place::small();
    assert_eq!(applied.run(&["apply"]).code, 0);
    for page in pages() {
        let code = page["code"].as_str().unwrap();
        let (example, _) = parts(&page);
        let Some(block) = example.iter().find(|block| block.language == "console") else { continue };
        let script: Vec<&str> = block.text.lines().map(|line| line.strip_prefix("$ ").unwrap()).collect();
        let place = Place::small();
        // Every script begins where the workspace was applied once.
        let copied =
            std::process::Command::new("cp").arg("-r").arg(applied.path(".ambit")).arg(place.path("")).status();
        assert!(copied.unwrap().success());
        let mut shell = std::process::Command::new("sh");
        shell
            .current_dir(place.path(""))
            .args(["-ec", &script.join("\n")])
            .env("PATH", &path)
            .env("AMBIT_FORMAT", "json");
        let run: Run = shell.output().unwrap().into();
        assert_ne!(run.code, 0, "{code}: {run:?}");
        assert!(codes_of(&run).contains(code), "{code}: {run:?}");
    }
}

#[test]
fn a_page_is_printed_with_its_facts() {
    let run = Place::empty().run(&["explain", "e_reason"]);
    assert_eq!(run.code, 0);
    assert!(run.out.starts_with("E_REASON: An act has no reason"), "{}", run.out);
    assert!(run.out.contains("error of the stage `apply`, HTTP 400\n"), "{}", run.out);
    assert!(run.out.contains("### How to mend it"));
    let json = Place::empty().run(&["explain", "W_UNUSED", "--format", "json"]).json();
    assert_eq!(
        (&json["stage"], &json["severity"], &json["status"]),
        (&"resolve".into(), &"warning".into(), &Value::Null)
    );
}

#[test]
fn without_a_code_all_are_listed_by_stage() {
    let run = Place::empty().run(&["explain"]);
    assert_eq!(run.code, 0);
    let stages: Vec<&str> = run.out.lines().filter(|line| !line.contains(' ') && !line.is_empty()).collect();
    assert_eq!(stages[..5], ["read", "parse", "resolve", "check", "intake"]);
    assert!(run.out.trim_end().ends_with("`ambit explain CODE` says more of one"));
}

#[test]
fn an_unknown_code_is_refused_with_the_nearest() {
    let run = Place::empty().run(&["explain", "E_UNRESOLVD"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert_eq!(run.err, "error[E_REQUEST]: no code is named `E_UNRESOLVD`\n  = help: did you mean `E_UNRESOLVED`?\n\n");
    let run = Place::empty().run(&["explain", "42"]);
    assert!(run.err.contains("help: `ambit explain` lists all codes"), "{run:?}");
}
