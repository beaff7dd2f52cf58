//! `ambit intake` by the real binary: what was found, how it ends, and a description that is tried; nothing is published by it.

use ambit_tests::Place;
use serde_json::Value;

const FILE: &str = "catalogs/drafts.json";
const DESCRIPTION: &str = "Creates the draft of a letter with a recipient and a text.";
const OUTPUT: &str = ", \"properties\": {\"id\": {\"type\": \"string\"}}";

/// A workspace with a tool that says no more than its name.
fn vague() -> Place {
    let place = Place::small();
    place.edit(FILE, DESCRIPTION, "Create drafts");
    place.edit(FILE, OUTPUT, "");
    place
}

#[test]
fn a_refusal_that_nobody_acknowledged_ends_with_one() {
    let place = Place::small();
    let run = place.run(&["intake"]);
    assert_eq!((run.code, run.out.as_str()), (0, "2 offered, 2 admitted, 0 refused; no refusal is open\n"));

    let place = vague();
    let run = place.run(&["intake"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.out.starts_with("E_DESC_VAGUE  error"), "{}", run.out);
    assert!(run.out.contains("  drafts/drafts.create at /description  catalogs/drafts.json:1\n"), "{}", run.out);
    assert!(run.out.contains("1 refused tool wants repair or an acknowledgement"), "{}", run.out);
    let none = place.run(&["intake", "--tool", "notes/*"]);
    assert_eq!((none.code, none.out.contains("drafts")), (0, false), "{none:?}");
    assert_eq!(place.run(&["intake", "--tool", "["]).code, 2);
    let unknown = place.run(&["intake", "--tool", "drafs/drafts.create"]);
    assert!(unknown.code == 2 && unknown.err.contains("E_UNRESOLVED"), "{unknown:?}");
    assert!(unknown.err.contains("no tool that the workspace offers fits `drafs/drafts.create`"), "{unknown:?}");

    let acknowledged =
        "acknowledged:\n  - { tool: drafts.create, code: E_DESC_VAGUE, reason: it is going away }\ntools:";
    place.edit("policies/drafts.yaml", "tools:", acknowledged);
    let run = place.run(&["intake"]);
    assert_eq!((run.code, run.out.contains("E_DESC_VAGUE")), (0, false), "{run:?}");
    let all = place.run(&["intake", "--all"]);
    assert!(all.code == 0 && all.out.contains("(acknowledged)"), "{all:?}");
    let json = place.run(&["intake", "--format", "json"]).json();
    assert_eq!(json["intake"]["refused"][0]["id"], "drafts/drafts.create");
}

#[test]
fn what_could_not_be_read_is_said_beside_what_was() {
    let place = Place::small();
    place.write(FILE, "{\"tools\": [");
    let run = place.run(&["intake"]);
    assert!(run.code == 1 && run.out.contains("E_CATALOG") && run.out.contains("1 offered"), "{run:?}");
    let json = place.run(&["intake", "--format", "json"]).json();
    assert_eq!(json["diagnostics"][0]["code"], "E_CATALOG");
}

#[test]
fn a_description_is_tried_and_nothing_is_written() {
    let place = vague();
    let before = std::fs::read_to_string(place.path(FILE)).unwrap();
    let try_it =
        |tool: &str, description: &str| place.run(&["intake", "try", "--tool", tool, "--description", description]);
    let run = try_it("drafts/drafts.create", DESCRIPTION);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.out.contains("  before  refused") && run.out.contains("  after   admitted"), "{}", run.out);
    let run = try_it("drafts/drafts.create", "The create of drafts");
    assert!(run.code == 1 && run.out.contains("it would be refused"), "{run:?}");
    let run = try_it("drafts/drafts.creat", DESCRIPTION);
    assert!(run.code == 2 && run.err.contains("did you mean `drafts/drafts.create`?"), "{run:?}");
    assert_eq!(std::fs::read_to_string(place.path(FILE)).unwrap(), before);
    assert_eq!(place.run(&["snapshots", "--format", "json"]).json()["live"], Value::Null);
}

#[test]
fn a_tool_that_is_refused_for_another_reason_is_refused_with_any_description() {
    let place = Place::small();
    let pinned = format!("{{ digest: \"sha256:{}\", effect: write,", "0".repeat(64));
    place.edit("policies/drafts.yaml", "{ effect: write,", &pinned);
    place.edit(FILE, "\"outputSchema\"", "\"result\"");
    let tool = ["intake", "try", "--tool", "drafts/drafts.create", "--description", DESCRIPTION];
    let run = place.run(&[tool.as_slice(), &["--format", "json"]].concat());
    assert_eq!(run.code, 1, "{run:?}");
    let tried = run.json();
    let codes = |side: &str| -> Vec<Value> {
        let findings = tried[side]["findings"].as_array().unwrap();
        findings.iter().map(|finding| finding["code"].clone()).collect()
    };
    assert_eq!(codes("before"), ["E_DRIFT", "W_NO_OUTPUT_SCHEMA"]);
    assert_eq!(tried["after"]["findings"], tried["before"]["findings"]);
    let run = place.run(&tool);
    assert!(run.out.contains("  after   refused") && run.out.contains("pinned digest"), "{}", run.out);
}
