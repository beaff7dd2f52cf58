//! `ambit diff`: what a change does is said before it is live, in which words, with which exit code; and a saved diff is applied as it was.

#![expect(clippy::indexing_slicing, reason = "an answer of another shape is the failure")]

use std::os::unix::fs::PermissionsExt as _;
use std::process::Stdio;

use ambit_tests::{Place, Run};
use serde_json::{Value, json};

const WORKSPACE: &str = "\
kind: Workspace
name: small
root: ..
---
kind: Tenant
id: acme
name: Acme
roles:
  - id: writer
users:
  - id: ada
    roles: [writer]
  - id: bob
---
kind: Project
id: desk
tenant: acme
name: Desk
catalogs: [notes]
ceiling: read_only
---
kind: Catalog
id: notes
tenant: acme
file: ../catalogs/notes.json
tools:
  notes.list: { effect: read, operation: list, examples: [Show my notes] }
  notes.add: { effect: write, operation: create, examples: [Write this down] }
---
kind: Group
id: notes
title: Notes
description: What people wrote down.
members: [\"notes/*\"]
---
kind: Policy
id: everybody-reads
cedar: |
  permit (principal in Ambit::Tenant::\"acme\", action, resource in Ambit::Group::\"notes\")
  when { resource.effect == Ambit::Effect::\"read\" };
";

const WRITERS: &str = "\
---
kind: Policy
id: writers-add
cedar: |
  permit (principal in Ambit::Role::\"acme:role:writer\", action, resource in Ambit::Group::\"notes\");
";

const NOTES: &str = r#"{"tools": [
  {"name": "notes.list", "description": "Lists the notes that a person wrote down, newest first.",
   "inputSchema": {"type": "object"}, "outputSchema": {"type": "object", "properties": {"items": {"type": "array"}}}},
  {"name": "notes.add", "description": "Writes down a new note for whoever asks.",
   "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}}, "outputSchema": {"type": "object"}}]}"#;

const FILE: &str = "policies/small.yaml";

fn small() -> Place {
    let place = Place::empty();
    place.write(FILE, WORKSPACE);
    place.write("catalogs/notes.json", NOTES);
    place
}

fn applied() -> Place {
    let place = small();
    done(&place, &["apply", "--message", "first"]);
    place
}

#[track_caller]
fn done(place: &Place, arguments: &[&str]) -> Run {
    let run = place.run(arguments);
    assert_eq!(run.code, 0, "{arguments:?}: {run:?}");
    run
}

/// The run ends with this code and says each of these.
#[track_caller]
fn check(place: &Place, arguments: &[&str], code: i32, says: &[&str]) -> Run {
    let run = place.run(arguments);
    let said = format!("{}{}", run.out, run.err);
    assert_eq!(run.code, code, "{arguments:?}: {said}");
    for word in says {
        assert!(said.contains(word), "`{word}` is not in: {said}");
    }
    run
}

fn raise(place: &Place) {
    place.edit(FILE, "ceiling: read_only", "ceiling: open");
}

fn live(place: &Place) -> Value {
    place.run(&["snapshots", "--format", "json"]).json()["live"].clone()
}

#[test]
fn before_the_first_apply_everything_is_new() {
    let place = small();
    let run = check(&place, &["diff"], 0, &["nothing is live yet -> the workspace", "tools: 2 added", "makes it live"]);
    assert!(run.out.contains("ceiling of acme/desk new: none -> read_only"), "{}", run.out);
    let json = done(&place, &["diff", "--format", "json"]).json();
    assert_eq!((&json["from"]["number"], &json["from"]["digest"]), (&Value::Null, &Value::Null));
    let compiled = done(&place, &["check", "--format", "json"]).json();
    assert_eq!(json["to"]["source_digest"], compiled["source_digest"]);
    assert_eq!(done(&place, &["snapshots", "--format", "json"]).json()["snapshots"], json!([]), "nothing is published");
}

#[test]
fn order_alone_is_no_difference() {
    let place = applied();
    check(&place, &["diff", "--exit-code", "--fail-on", "gains,ceiling,effect,loss"], 0, &["they hold the same"]);
    let mut documents: Vec<&str> = WORKSPACE.split("---\n").collect();
    documents.reverse();
    place.write(
        FILE,
        documents.join("---\n").replace("members: [\"notes/*\"]", "members: [\"notes/*\", \"notes/notes.add\"]"),
    );
    let run = check(&place, &["diff", "--exit-code", "--format", "json"], 0, &[]);
    assert_eq!(run.json()["equal"], true, "{run:?}");
}

#[test]
fn a_raised_ceiling_is_the_first_line() {
    let place = applied();
    raise(&place);
    place.edit(FILE, "title: Notes", "title: All notes");
    let run = check(&place, &["diff"], 0, &["groups: 1 changed (notes)", "projects: 1 changed (acme/desk)"]);
    assert!(run.out.starts_with("ceiling of acme/desk RAISED: read_only -> open\n"), "{}", run.out);
    assert!(!run.out.contains("All notes"), "fields are for `--full`: {}", run.out);
    check(&place, &["diff", "--full"], 0, &["title: Notes -> All notes"]);
    let run =
        check(&place, &["diff", "--format", "markdown"], 0, &["| `acme/desk` | `read_only` | `open` | **raised** |"]);
    assert!(run.out.starts_with("<!-- ambit diff -->\n## Ambit: 1 ceiling raised"), "{}", run.out);
    let run = done(&place, &["apply"]);
    assert!(run.out.contains("ceilings raised: acme/desk (read_only -> open)\n"), "{}", run.out);
    check(&place, &["diff", "1", "2"], 0, &["ceiling of acme/desk RAISED", "snapshot 1 (", "-> snapshot 2 ("]);
    check(&place, &["diff", "1"], 0, &["ceiling of acme/desk RAISED", "snapshot 1 (", "-> snapshot 2 ("]);
}

#[test]
fn exit_codes_are_what_was_asked_for() {
    let place = applied();
    raise(&place);
    check(&place, &["diff"], 0, &[]);
    check(&place, &["diff", "--exit-code"], 1, &[]);
    check(&place, &["diff", "--fail-on", "ceiling"], 1, &["stopped by --fail-on: ceiling\n"]);
    let run = check(&place, &["diff", "--fail-on", "effect,ceiling", "--format", "json"], 1, &[]);
    assert_eq!(run.json()["stopped_by"], json!(["ceiling"]));
    check(
        &place,
        &["diff", "--fail-on", "ceiling", "--format", "markdown"],
        1,
        &["**Stopped by `--fail-on`:** ceiling\n"],
    );
    check(&place, &["diff", "--fail-on", "everything"], 2, &["invalid value"]);
    check(
        &place,
        &["check", "--format", "markdown"],
        2,
        &["only `ambit diff` and `ambit eval` answer in this `--format`"],
    );
    check(&place, &["diff", "7"], 2, &["there is no snapshot `7`"]);
    check(&place, &["diff", "--workspace", "nowhere"], 2, &[]);
    place.edit(FILE, "catalogs: [notes]", "catalogs: [note]");
    check(&place, &["diff"], 1, &["error[E_UNRESOLVED]", "nothing can be compared"]);
    check(&place, &["diff", "--format", "markdown"], 1, &["## Ambit: the workspace does not compile", "E_UNRESOLVED"]);
}

#[test]
fn what_apply_would_refuse_is_said_by_diff() {
    let place = applied();
    place.edit("catalogs/notes.json", "Writes down a new note for whoever asks.", "");
    let lost = ["error[E_WOULD_VANISH]", "--accept-loss notes/notes.add", "tools: 1 removed (notes/notes.add)"];
    check(&place, &["diff"], 0, &lost);
    check(&place, &["diff", "--format", "markdown"], 0, &["`ambit apply` would refuse it", "`E_WOULD_VANISH`"]);
    let mistyped = ["error[E_LOSS]: `notes/note.add` is not lost", "did you mean `--accept-loss notes/notes.add`?"];
    check(&place, &["apply", "--accept-loss", "notes/note.add"], 1, &mistyped);
    let still_there = ["apply", "--accept-loss", "notes/notes.add", "--accept-loss", "notes/notes.list"];
    check(&place, &still_there, 1, &["error[E_LOSS]: `notes/notes.list` is not lost"]);
    assert_eq!(live(&place), 1);
    // A tool that intake refuses is `check`'s to say: this was published.
    let accepted = ["apply", "--accept-loss", "notes/notes.add"];
    check(&place, &["check"], 1, &["E_DESC_MISSING"]);
    check(&place, &accepted, 0, &["E_DESC_MISSING", "snapshot 2"]);
    check(&place, &accepted, 0, &["nothing to apply"]);
    place.edit(FILE, "title: Notes", "title: All notes");
    check(&place, &["apply", "--strict"], 1, &["nothing was applied"]);
    check(&place, &accepted, 1, &["this apply loses no tool"]);
}

#[test]
fn a_saved_diff_is_applied_as_it_was_or_not_at_all() {
    let place = applied();
    raise(&place);
    done(&place, &["diff", "--out", "change.json"]);
    let path = place.path("change.json");
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let saved: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!((&saved["version"], &saved["base"]["number"]), (&json!(1), &json!(1)));

    place.edit(FILE, "title: Notes", "title: Other notes");
    check(
        &place,
        &["apply", "--diff", "change.json"],
        1,
        &["error[E_DIFF]", "another than the saved diff was made of"],
    );
    place.edit(FILE, "title: Other notes", "title: Notes");
    let run = check(&place, &["apply", "--diff", "change.json", "--format", "json"], 0, &[]);
    assert_eq!(run.json()["snapshot"]["digest"], saved["target"]);
    assert!(run.json()["alarms"][0].is_string(), "{run:?}");

    // What it leads to is live by now: by this very apply.
    check(&place, &["apply", "--diff", "change.json"], 2, &["what the saved diff leads to is live already"]);
    // And another base is no base of it.
    place.edit(FILE, "title: Notes", "title: Newer notes");
    done(&place, &["apply"]);
    let moved = ["the diff was made against snapshot 1, and snapshot 3 is live by now", "ambit diff --out FILE"];
    check(&place, &["apply", "--diff", "change.json"], 2, &moved);
    let run = check(&place, &["apply", "--diff", "change.json", "--format", "json"], 2, &[]);
    assert_eq!(run.json()["error"]["code"], "E_MOVED");

    place.write("change.json", r#"{"version": 9}"#);
    check(&place, &["apply", "--diff", "change.json"], 2, &["E_DIFF", "has version 9"]);
    check(&place, &["apply", "--diff", "nowhere.json"], 2, &["E_DIFF", "cannot be read"]);
    check(&place, &["diff", "1", "2", "--out", "change.json"], 2, &["cannot be used with"]);
    assert_eq!(live(&place), 3);
}

#[test]
fn a_saved_diff_of_another_data_folder_is_refused() {
    let place = applied();
    raise(&place);
    done(&place, &["diff", "--out", "change.json"]);
    place.edit(FILE, "name: Desk", "name: Table");
    done(&place, &["apply", "--data", "other"]);
    check(&place, &["apply", "--data", "other", "--diff", "change.json"], 2, &["E_DIFF", "another data folder's"]);
}

#[test]
fn a_comment_holds_nothing_of_what_a_tool_says_of_itself() {
    let place = applied();
    let attack =
        "Writes down a note. </details> <img src=x onerror=alert(1)> @octocat `` ``` | x | [a](http://evil.example)";
    place.edit("catalogs/notes.json", "Writes down a new note for whoever asks.", attack);
    let run = check(&place, &["diff", "--format", "markdown"], 0, &["````text\n"]);
    let (before, inside) = run.out.split_once("````text\n").unwrap();
    let (inside, after) = inside.split_once("\n````\n").unwrap();
    assert!(inside.contains("@octocat") && inside.contains("</details>"), "{inside}");
    for outside in [before, after] {
        assert!(!outside.contains("octocat") && !outside.contains("<img") && !outside.contains("evil"), "{outside}");
    }
    assert!(after.starts_with("\n</details>\n"), "{after}");
}

/// Two applies at once: one wins, the other is told which snapshot moved. Both look at what is live long before either is done.
#[test]
fn of_two_applies_at_once_one_is_told_what_moved() {
    let place = applied();
    place.write("others/small.yaml", WORKSPACE);
    let mut moved = 0;
    for round in 0..5 {
        for (folder, name) in [("policies", "Here"), ("others", "There")] {
            place.write(
                &format!("{folder}/small.yaml"),
                WORKSPACE.replace("name: Desk", &format!("name: {name} {round}")),
            );
        }
        let before = live(&place).as_i64().unwrap();
        let start = |folder: &str| {
            let mut command = place.command(&["apply", "--workspace", folder]);
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        };
        let both = [start("policies"), start("others")];
        let runs = both.map(|child| Run::from(child.wait_with_output().unwrap()));
        let won = runs.iter().filter(|run| run.code == 0).count();
        assert!(won >= 1, "{runs:?}");
        for run in runs.iter().filter(|run| run.code != 0) {
            let says = format!("snapshot {} is live, where snapshot {before} was expected", before + 1);
            assert!(run.code == 2 && run.err.contains(&says), "{run:?}");
            moved += 1;
        }
        assert_eq!(live(&place).as_i64().unwrap(), before + i64::try_from(won).unwrap());
        done(&place, &["verify"]);
    }
    assert!(moved > 0, "none of five pairs met");
}

#[test]
fn a_new_permit_names_who_gains_and_by_which_policy() {
    let place = applied();
    raise(&place);
    place.write(FILE, format!("{}{WRITERS}", WORKSPACE.replace("ceiling: read_only", "ceiling: open")));
    let run = check(
        &place,
        &["diff"],
        0,
        &["acme/desk", "acme:role:writer", "+ discover, route, invoke: notes/notes.add (write)", "writers-add"],
    );
    assert!(!run.out.contains("acme:user:bob"), "bob gains nothing: {}", run.out);
    check(&place, &["diff", "--fail-on", "gains"], 1, &["stopped by --fail-on: gains"]);
    check(&place, &["diff", "--fail-on", "loss"], 0, &[]);
    check(
        &place,
        &["diff", "--format", "markdown"],
        0,
        &["### Who gains", "`notes/notes.add` (write)", "`writers-add`"],
    );
    let json = done(&place, &["diff", "--format", "json"]).json();
    assert_eq!(json["alarms"], json!(["gains", "ceiling"]));
    assert_eq!(json["diff"]["authority"]["classes"][0]["gains"][0]["tool"], "notes/notes.add");
    check(&place, &["apply"], 0, &["who gains: ", "acme:role:writer", "in acme/desk (1 tool)"]);
}

#[test]
fn losses_and_effects_are_alarms_of_their_own() {
    let place = small();
    place.write(FILE, format!("{}{WRITERS}", WORKSPACE.replace("ceiling: read_only", "ceiling: open")));
    done(&place, &["apply"]);
    place.edit(FILE, "notes.add: { effect: write", "notes.add: { effect: destructive");
    check(&place, &["diff", "--fail-on", "effect"], 1, &["effect of notes/notes.add: write -> destructive"]);
    place.write(FILE, WORKSPACE.replace("ceiling: read_only", "ceiling: open"));
    check(&place, &["diff", "--fail-on", "loss"], 1, &["- discover, route, invoke: notes/notes.add (write)"]);
    check(&place, &["diff", "--fail-on", "gains,ceiling,effect"], 0, &["1 loses"]);
}

/// Whom a provider lets in, and roles that come together, are authority too.
#[test]
fn what_providers_and_combined_roles_give_is_a_gain() {
    let place = Place::with_sample();
    for file in ["policies/tests.yaml", "policies/golden.yaml"] {
        std::fs::remove_file(place.path(file)).unwrap();
    }
    let provider = "identity:\n  - issuer: https://login.example.com\n    audience: [ambit]\n    when: { org: globex, team: core }\n    \
                    user: { claim: sub }\n    roles: { claim: groups, map: { a: hr, b: payroll } }\n";
    place.edit("policies/globex.yaml", "agents:", &format!("{provider}agents:"));
    let four_eyes = "@id(\"four-eyes\")\n@reason(\"two people\")\nforbid (principal in Ambit::Role::\"globex:role:hr\", action in \
                     Ambit::Action::\"use\", resource == Ambit::Tool::\"people/export_payroll\")\nwhen { principal in \
                     Ambit::Role::\"globex:role:payroll\" };\n";
    let policies = std::fs::read_to_string(place.path("policies/globex.cedar")).unwrap();
    place.write("policies/globex.cedar", format!("{policies}\n{four_eyes}"));
    assert_eq!(place.run(&["apply"]).code, 0, "{:?}", place.run(&["check"]));
    let check = |file: &str, from: &str, to: &str, said: &str| {
        let before = std::fs::read_to_string(place.path(file)).unwrap();
        place.edit(file, from, to);
        let run = place.run(&["diff", "--fail-on", "gains"]);
        assert_eq!(run.code, 1, "{said}: {run:?}");
        assert!(run.out.contains(said), "`{said}` is not in: {}", run.out);
        place.write(file, before);
    };
    let tenant = "policies/globex.yaml";
    check(tenant, "{ org: globex, team: core }", "{ org: globex }", "tokens without `core` in `team`");
    check(
        tenant,
        "{ claim: sub }",
        "{ claim: sub, principals: { eve: \"user:steward\" } }",
        "`eve` is globex:user:steward",
    );
    check(tenant, "{ claim: sub }", "{ claim: sub, undeclared: true }", "users who are not declared");
    check(tenant, "audience: [ambit]", "audience: [ambit, other]", "tokens made for `other`");
    check("policies/globex.cedar", four_eyes, "", "people/export_payroll");
}
