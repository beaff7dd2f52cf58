//! `ambit check --format sarif` is SARIF 2.1.0, held against the schema of its standard and read back by its own types.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a log that lacks a member has failed the test")]

use std::collections::BTreeSet;

use ambit_tests::{Place, Run};
use serde_json::Value;
use serde_sarif::sarif::Sarif;

/// A workspace with an error that has a related place, one without a place in a file's text, and an acknowledged finding.
fn place() -> Place {
    let place = Place::small();
    place.write(
        "policies/ä b.yaml",
        "kind: Project\nid: desk\ntenant: acme\nname: \"ö\"\n---\nkind: Tenant\nid: globex\nname: G\nroles: [{ id: ä, iid: x }]\n",
    );
    place.edit("catalogs/drafts.json", "Creates the draft of a letter with a recipient and a text.", "Create drafts");
    place.edit("catalogs/drafts.json", ", \"properties\": {\"id\": {\"type\": \"string\"}}", "");
    place.edit(
        "policies/drafts.yaml",
        "tools:",
        "acknowledged:\n  - { tool: drafts.create, code: E_DESC_VAGUE, reason: it is going away }\ntools:",
    );
    place
}

fn log(place: &Place) -> (Run, Value) {
    let run = place.run(&["check", "--no-retrieval", "--format", "sarif"]);
    let log = run.json();
    (run, log)
}

fn result<'a>(log: &'a Value, code: &str) -> &'a Value {
    log["runs"][0]["results"].as_array().unwrap().iter().find(|result| result["ruleId"] == code).unwrap()
}

/// The schema lies beside the types that are made from it. One of its patterns has a bracket too many, and `helpUri` may be
/// relative here: code scanning shows it as it is.
fn schema() -> Value {
    let metadata = cargo_metadata::MetadataCommand::new().exec().unwrap();
    let types = metadata.packages.iter().find(|package| package.name.as_str() == "serde-sarif").unwrap();
    let text = std::fs::read_to_string(types.manifest_path.with_file_name("src").join("schema.json")).unwrap();
    let mut schema: Value = serde_json::from_str(&text.replace("{2}]?$", "{2}$")).unwrap();
    schema["definitions"]["reportingDescriptor"]["properties"]["helpUri"]["format"] = "uri-reference".into();
    schema
}

#[test]
fn the_log_holds_against_the_schema_and_is_read_back() {
    let (run, log) = log(&place());
    assert_eq!(run.code, 1, "{run:?}");
    let validator = ambit_engine::schema::validator(&schema()).unwrap();
    let errors: Vec<String> = validator.iter_errors(&log).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert_eq!(errors, Vec::<String>::new());
    let read: Sarif = serde_json::from_value(log.clone()).unwrap();
    assert_eq!(serde_json::to_value(read).unwrap(), log);
}

#[test]
fn every_result_has_its_rule() {
    let (_, log) = log(&place());
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    for result in run["results"].as_array().unwrap() {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
    }
    for rule in rules {
        let id = rule["id"].as_str().unwrap();
        assert_eq!(rule["helpUri"], format!("docs/codes.md#{}", id.to_lowercase()));
        assert!(rule["help"]["text"].as_str().unwrap().contains("How to mend it"), "{id}");
        assert!(!rule["fullDescription"]["text"].as_str().unwrap().is_empty(), "{id}");
        let level = match id.get(..2) {
            Some("W_") => "warning",
            Some("N_") => "note",
            _ => "error",
        };
        assert_eq!(rule["defaultConfiguration"]["level"], level);
    }
    assert_eq!(run["automationDetails"]["id"], "ambit/check/");
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);
    assert_eq!(run["invocations"][0]["exitCode"], 1);
}

#[test]
fn places_are_characters_below_the_root() {
    let place = place();
    let (_, log) = log(&place);
    let unknown = &result(&log, "E_UNKNOWN_KEY")["locations"][0]["physicalLocation"];
    assert_eq!(unknown["artifactLocation"]["uri"], "policies/%C3%A4%20b.yaml");
    assert_eq!(unknown["artifactLocation"]["uriBaseId"], "%SRCROOT%");
    let region = &unknown["region"];
    assert_eq!(
        (&region["startLine"], &region["startColumn"], &region["endColumn"]),
        (&9.into(), &18.into(), &21.into())
    );
    let root = place.path("").canonicalize().unwrap();
    let base = &log["runs"][0]["originalUriBaseIds"]["%SRCROOT%"]["uri"];
    assert_eq!(*base, format!("file://{}/", root.display().to_string().trim_end_matches('/')));
    let twice = result(&log, "E_DUPLICATE_ID");
    assert_eq!(twice["relatedLocations"][0]["message"]["text"], "the first stands here");
    assert!(twice["message"]["text"].as_str().unwrap().contains("\nhelp: give one of them another id"));
}

#[test]
fn what_is_acknowledged_is_suppressed() {
    let (_, log) = log(&place());
    let vague = result(&log, "E_DESC_VAGUE");
    assert_eq!(vague["suppressions"][0]["status"], "accepted");
    let results = log["runs"][0]["results"].as_array().unwrap();
    let open: BTreeSet<&str> =
        results.iter().filter(|r| r["suppressions"].is_null()).map(|r| r["ruleId"].as_str().unwrap()).collect();
    assert!(!open.contains("E_DESC_VAGUE"), "{open:?}");
}

#[test]
fn a_clean_workspace_has_an_empty_list_of_results() {
    let (run, log) = log(&Place::small());
    assert_eq!(run.code, 0);
    assert_eq!(log["runs"][0]["results"], serde_json::json!([]));
}

#[test]
fn only_check_answers_in_this_form() {
    let place = Place::small();
    for command in [vec!["apply"], vec!["snapshots"], vec!["tools", "--as", "acme:user:ada"], vec!["explain"]] {
        let run = place.run(&[command.as_slice(), &["--format", "sarif"]].concat());
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{run:?}");
        assert!(run.err.starts_with("error[E_REQUEST]: only `ambit check` answers in this `--format`"), "{run:?}");
        assert!(!place.path(".ambit").exists());
    }
    // What keeps it from running at all is said to a person.
    let run = place.run(&["check", "--no-retrieval", "--format", "sarif", "--workspace", "nowhere"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""), "{run:?}");
    assert!(run.err.contains("there is no workspace folder"), "{run:?}");
}
