//! `ambit check --no-retrieval` needs no model and no data folder, says what it did not look at, and publishes nothing.

use ambit_tests::{Place, Run};
use serde_json::json;

/// A run on a machine that has no model at all.
fn without_model(place: &Place, arguments: &[&str]) -> Run {
    let nowhere = place.path("nowhere");
    let mut command = place.command(arguments);
    command.env("AMBIT_MODELS", &nowhere).env("AMBIT_RUNTIME", nowhere.join("library.so"));
    match command.output() {
        Ok(output) => output.into(),
        Err(error) => Run { code: -1, out: String::new(), err: error.to_string() },
    }
}

#[test]
fn it_needs_no_model_and_writes_nothing() {
    let place = Place::small();
    assert_eq!(without_model(&place, &["check"]).code, 2, "else it does");
    std::fs::remove_dir_all(place.path(".ambit")).unwrap_or_default();
    let run = without_model(&place, &["check", "--no-retrieval"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.out.contains("note: not looked at, for want of a model: self-retrieval, clashes\n"), "{run:?}");
    assert!(
        run.out.ends_with("no problems so far; `ambit check` without `--no-retrieval` looks at the rest\n"),
        "{run:?}"
    );
    assert!(!place.path(".ambit").exists(), "no data folder is made");
}

#[test]
fn it_says_what_was_skipped_in_every_form() {
    let place = Place::small();
    let json = without_model(&place, &["check", "--no-retrieval", "--format", "json"]).json();
    assert_eq!(json["skipped"], json!(["self_retrieval", "clashes"]));
    assert_eq!(json["embedded"], 0);
    let sarif = without_model(&place, &["check", "--no-retrieval", "--format", "sarif"]).json();
    let told = &sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"];
    assert_eq!(told.as_array().map(Vec::len), Some(2));
    assert_eq!(told[0]["level"], "note");
    assert_eq!(told[0]["message"]["text"], "not looked at, for want of a model: self-retrieval");
    let json = place.run(&["check", "--format", "json"]).json();
    assert_eq!(json["skipped"], json!([]));
}

#[test]
fn all_else_is_reported_as_before() {
    let place = Place::small();
    place.edit("policies/workspace.yaml", "catalogs: [notes, drafts]", "catalogs: [notes, draughts]");
    place.edit("catalogs/notes.json", "\"type\": \"array\"", "\"type\": \"arry\"");
    let of = |arguments: &[&str]| place.run(arguments).json()["diagnostics"].clone();
    let without = of(&["check", "--no-retrieval", "--format", "json"]);
    assert_eq!(without, of(&["check", "--format", "json"]));
    assert_eq!(place.run(&["check", "--no-retrieval"]).code, 1);
}

#[test]
fn an_apply_always_looks() {
    let run = Place::small().run(&["apply", "--no-retrieval"]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.err.contains("--no-retrieval"), "{run:?}");
}
