//! Bad input gets a clear message and the right exit code, and leaves the live snapshot as it was.

#![expect(clippy::indexing_slicing, reason = "JSON values answer an unknown key with null")]

use ambit_tests::{Place, Run};

/// The smallest workspace that compiles.
const SMALL: &str = "\
kind: Workspace
name: small
root: ..
---
kind: Tenant
id: acme
name: Acme
users:
  - id: ada
---
kind: Project
id: desk
tenant: acme
name: Desk
catalogs: [notes]
---
kind: Catalog
id: notes
tenant: acme
file: ../catalogs/notes.json
tools:
  notes.list: { effect: read, examples: [Show my notes] }
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
  permit (principal in Ambit::Tenant::\"acme\", action, resource in Ambit::Group::\"notes\");
";

const NOTES: &str = r#"{"tools": [{"name": "notes.list", "description": "Lists the notes that a person wrote down, newest first.",
  "inputSchema": {"type": "object"}, "outputSchema": {"type": "object", "properties": {"items": {"type": "array"}}}}]}"#;

fn small() -> Place {
    let place = Place::empty();
    place.write("policies/small.yaml", SMALL);
    place.write("catalogs/notes.json", NOTES);
    place
}

fn applied() -> Place {
    let place = small();
    let run = place.run(&["apply"]);
    assert_eq!(run.code, 0, "{run:?}");
    place
}

fn live(place: &Place) -> serde_json::Value {
    place.run(&["snapshots", "--format", "json"]).json()["live"].clone()
}

/// The run ends with this code, says each of these, and snapshot 1 is live as before.
#[track_caller]
fn check(place: &Place, run: &Run, code: i32, says: &[&str]) {
    let said = format!("{}{}", run.out, run.err);
    assert_eq!(run.code, code, "{said}");
    for word in says {
        assert!(said.contains(word), "`{word}` is not in: {said}");
    }
    assert!(!said.contains("panicked"), "{said}");
    assert_eq!(live(place), 1);
}

#[track_caller]
fn check_edit(file: &str, from: &str, to: &str, says: &[&str]) {
    let place = applied();
    place.edit(file, from, to);
    for command in ["check", "apply"] {
        check(&place, &place.run(&[command]), 1, says);
    }
}

#[test]
fn a_tab() {
    check_edit("policies/small.yaml", "users:\n  - id", "users:\n\t- id", &["error[E_YAML]", "policies/small.yaml:9:"]);
}

#[test]
fn an_unknown_key() {
    check_edit(
        "policies/small.yaml",
        "catalogs: [notes]",
        "catalog: [notes]",
        &["error[E_UNKNOWN_KEY]", "policies/small.yaml:15:1", "`catalogs`"],
    );
}

#[test]
fn a_duplicate_key() {
    check_edit(
        "policies/small.yaml",
        "catalogs: [notes]",
        "catalogs: [notes]\ntenant: other",
        &["error[E_DUPLICATE_KEY]", "policies/small.yaml:16:1"],
    );
}

#[test]
fn an_unresolved_group() {
    check_edit(
        "policies/small.yaml",
        "Ambit::Group::\"notes\"",
        "Ambit::Group::\"note\"",
        &["error[E_UNRESOLVED]", "policies/small.yaml:33:", "`notes`"],
    );
}

#[test]
fn a_cedar_syntax_error() {
    check_edit(
        "policies/small.yaml",
        "action, resource in",
        "action resource in",
        &["error[E_CEDAR]", "policies/small.yaml:33:"],
    );
}

#[test]
fn a_catalog_that_is_not_json() {
    check_edit("catalogs/notes.json", "\"tools\": [", "\"tools\" [", &["error[E_CATALOG]", "catalogs/notes.json:1:"]);
}

#[test]
fn a_catalog_that_is_missing() {
    let place = applied();
    std::fs::remove_file(place.path("catalogs/notes.json")).unwrap();
    check(&place, &place.run(&["apply"]), 1, &["error[E_PATH]", "policies/small.yaml:20:", "there is no such file"]);
}

#[test]
fn a_tool_without_name_is_left_out_and_said() {
    let place = applied();
    place.edit("catalogs/notes.json", "{\"tools\": [", "{\"tools\": [{\"description\": \"nameless\"}, ");
    let run = place.run(&["check"]);
    check(&place, &run, 1, &["error[E_NAME]", "`notes/#1`", "catalogs/notes.json:1:12"]);
    let run = place.run(&["apply", "--format", "json"]);
    assert_eq!(run.code, 0, "what could be applied is; the exit code of `check` says that a tool was refused");
    assert_eq!(run.json()["result"], "unchanged", "the other tool is as it was");
}

#[test]
fn a_tool_that_would_vanish() {
    let place = applied();
    place.edit("catalogs/notes.json", "\"type\": \"object\"}, \"out", "\"type\": \"objekt\"}, \"out");
    check(
        &place,
        &place.run(&["apply"]),
        1,
        &["error[E_SCHEMA]", "error[E_WOULD_VANISH]", "--accept-loss notes/notes.list"],
    );
}

#[test]
fn a_definition_that_drifted() {
    let digest = format!("sha256:{}", "0".repeat(64));
    let pinned = format!("notes.list: {{ effect: read, digest: \"{digest}\",");
    check_edit(
        "policies/small.yaml",
        "notes.list: { effect: read,",
        &pinned,
        &["error[E_DRIFT]", "policies/small.yaml:22:"],
    );
}

#[test]
fn an_empty_workspace() {
    let place = applied();
    std::fs::remove_file(place.path("policies/small.yaml")).unwrap();
    check(&place, &place.run(&["apply"]), 1, &["error[E_WORKSPACE]"]);
}

#[test]
fn a_workspace_that_is_not_there() {
    let place = applied();
    check(
        &place,
        &place.run(&["check", "--workspace", "nowhere"]),
        2,
        &["there is no workspace folder `nowhere`", "--workspace"],
    );
}

#[test]
fn a_rollback_to_a_number_that_is_not_there() {
    let place = applied();
    check(&place, &place.run(&["rollback", "7", "--reason", "x"]), 2, &["there is no snapshot `7`"]);
    check(&place, &place.run(&["rollback", "1", "--reason", "x"]), 2, &["live already"]);
    check(&place, &place.run(&["rollback", "1", "--reason", " "]), 2, &["the reason is empty"]);
    check(&place, &place.run(&["show", "7"]), 2, &["there is no snapshot `7`"]);
}

#[test]
fn questions_that_are_empty_or_too_long() {
    let place = applied();
    let ask = |question: &str| place.run(&["route", question, "--as", "acme:user:ada", "--project", "desk"]);
    check(&place, &ask(""), 2, &["the question is empty", "help:"]);
    check(&place, &ask("  \n "), 2, &["the question is empty"]);
    check(&place, &ask(&"notes ".repeat(1_700)), 2, &["the question has 10200 characters", "at most 4000"]);
}

#[test]
fn a_question_in_another_language_says_that_it_is_degraded() {
    let place = applied();
    let question = "Bitte zeigen Sie mir alle Notizen, die ich gestern Nachmittag aufgeschrieben habe.";
    let run = place.run(&["route", question, "--as", "acme:user:ada", "--project", "desk"]);
    check(&place, &run, 0, &["degraded: language"]);
}

#[test]
fn principals_and_projects_that_are_not_there() {
    let place = applied();
    let ask = |principal: &str, project: &str| {
        place.run(&["route", "show my notes", "--as", principal, "--project", project])
    };
    check(&place, &ask("ada", "desk"), 2, &["`ada` is not a principal", "tenant:user:name"]);
    check(&place, &ask("acme:user:bob", "desk"), 2, &["`acme:user:bob`"]);
    check(&place, &ask("acme:user:ada", "other"), 2, &["`acme/other`"]);
    check(&place, &ask("acme:user:ada", "globex/desk"), 2, &["`globex/desk`"]);
}

#[test]
fn a_missing_model_says_how_to_get_it() {
    let place = applied();
    place.edit("policies/small.yaml", "Show my notes", "Show my notes please");
    let nowhere = place.path("nowhere");
    let mut apply = place.command(&["apply"]);
    let run: Run = apply.env("AMBIT_MODELS", &nowhere).output().unwrap().into();
    check(&place, &run, 2, &["nowhere", "make setup"]);
    let mut route = place.command(&["route", "show my notes", "--as", "acme:user:ada", "--project", "desk"]);
    let run: Run = route.env("AMBIT_MODELS", &nowhere).output().unwrap().into();
    check(&place, &run, 0, &["1) notes/notes.list", "degraded: words_only", "make setup"]);
}

#[test]
fn a_runtime_library_that_is_none_says_how_to_get_it() {
    let place = applied();
    place.edit("policies/small.yaml", "Show my notes", "Show my notes please");
    place.write("library.so", "not a library");
    let mut apply = place.command(&["apply"]);
    let run: Run = apply.env("AMBIT_RUNTIME", place.path("library.so")).output().unwrap().into();
    check(&place, &run, 2, &["library.so", "make setup"]);
}

#[test]
fn a_data_folder_that_cannot_be_written() {
    let place = applied();
    place.write("file", "in the way");
    check(&place, &place.run(&["apply", "--data", "file/data"]), 2, &["file/data", "--data"]);
}

#[test]
fn a_database_that_is_a_text_file() {
    let place = applied();
    place.write(
        "other/ambit.db",
        "this is no database, but it is long enough to be one if one does not look".repeat(100),
    );
    for command in [["apply", "--data", "other"], ["snapshots", "--data", "other"]] {
        check(&place, &place.run(&command), 2, &["is not a database"]);
    }
}

#[test]
fn nothing_applied_yet() {
    let place = small();
    for command in
        [vec!["snapshots"], vec!["verify"], vec!["route", "notes", "--as", "acme:user:ada", "--project", "desk"]]
    {
        let run = place.run(&command);
        assert_eq!(run.code, 2, "{run:?}");
        assert!(run.err.contains("ambit apply"), "{run:?}");
        assert!(!place.path(".ambit").exists(), "a command that only reads makes no folder");
    }
}

#[test]
fn a_plan_that_is_not_json() {
    let place = applied();
    place.write("plan.json", "{\n \"decision\": tools}");
    let run = place.run(&["plan", "validate", "plan.json", "--as", "acme:user:ada", "--project", "desk"]);
    check(&place, &run, 2, &["error[E_VALUE]: the plan is not JSON", "plan.json:2:", "help: "]);
    check(
        &place,
        &place.run(&["plan", "validate", "none.json", "--as", "acme:user:ada", "--project", "desk"]),
        2,
        &["cannot read `none.json`"],
    );
}

#[test]
fn errors_are_json_where_json_is_asked_for() {
    let place = applied();
    let run = place.run(&["rollback", "7", "--reason", "x", "--format", "json"]);
    let error = &run.json()["error"];
    assert_eq!(error["message"], "there is no snapshot `7`");
    assert!(error["help"].is_string());
}

#[test]
fn a_stored_part_that_was_changed_is_found() {
    let place = applied();
    let database = place.path(".ambit/ambit.db");
    let bytes = std::fs::read(&database).unwrap();
    let needle = b"Lists the notes that a person";
    let found: Vec<usize> =
        bytes.windows(needle.len()).enumerate().filter(|(_, window)| window == needle).map(|(at, _)| at).collect();
    assert!(!found.is_empty(), "the part lies in the main file");
    let mut changed = bytes.clone();
    found.into_iter().for_each(|at| changed[at] = b'M');
    std::fs::write(&database, changed).unwrap();
    check(&place, &place.run(&["verify"]), 2, &["snapshot 1 cannot be read back", "because: the part"]);
    // What cannot be read cannot be compared; an apply says so, and with the operator's word it stores everything whole.
    check(&place, &place.run(&["apply"]), 1, &["error[E_WOULD_VANISH]", "--accept-loss '*'"]);
    let run = place.run(&["apply", "--accept-loss", "*"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(place.run(&["verify"]).code, 0);
}

#[test]
fn a_database_of_a_newer_version() {
    let place = applied();
    let database = place.path(".ambit/ambit.db");
    let bytes = std::fs::read(&database).unwrap();
    // The newest migration becomes one that this build does not know, wherever its name stands.
    let prefix = b"m20";
    let name =
        |window: &&[u8]| window.starts_with(prefix) && window[3..9].iter().all(u8::is_ascii_digit) && window[9] == b'_';
    let newest = bytes.windows(16).filter(name).max().unwrap().to_vec();
    let mut later = newest.clone();
    later[1..9].copy_from_slice(b"20991231");
    let mut changed = bytes.clone();
    for at in (0..bytes.len() - newest.len()).filter(|at| bytes[*at..].starts_with(&newest)) {
        changed[at..at + newest.len()].copy_from_slice(&later);
    }
    std::fs::write(&database, &changed).unwrap();
    for command in [vec!["apply"], vec!["snapshots"], vec!["check"]] {
        let run = place.run(&command);
        assert_eq!(run.code, 2, "{run:?}");
        assert!(run.err.starts_with("error[E_STORE]: the database in `"), "{run:?}");
        assert!(
            run.err.contains("was made by a newer ambit\n  = help: use the ambit that made it (it added `m20991231_"),
            "{run:?}"
        );
    }
    assert_eq!(std::fs::read(&database).unwrap(), changed, "it is left as it was");
    std::fs::write(&database, bytes).unwrap();
    assert_eq!(live(&place), 1);
}

/// A file system of 2 MiB. There is room to open the database, and none to publish. Only root mounts one; others do so in a
/// namespace of their own, where they are root.
#[test]
fn a_full_disk() {
    const ROOM: u64 = 48 * 1024;
    const MOUNT: [&str; 6] = ["mount", "-t", "tmpfs", "-o", "size=2m", "none"];
    const ALONE: [&str; 4] = ["unshare", "--user", "--map-root-user", "--mount"];
    let place = applied();
    let disk = place.path("disk");
    std::fs::create_dir(&disk).unwrap();
    let did = |arguments: &[&str]| {
        let status = std::process::Command::new(arguments[0]).args(&arguments[1..]).arg(&disk).status();
        status.is_ok_and(|status| status.success())
    };
    if !did(&MOUNT) {
        if !did(&[ALONE.as_slice(), &MOUNT].concat()) {
            return lacking("no file system can be mounted here, not even in a namespace of one's own");
        }
        let mut alone = std::process::Command::new(ALONE[0]);
        alone.args(&ALONE[1..]).arg(std::env::current_exe().unwrap()).args(["--exact", "a_full_disk", "--nocapture"]);
        assert!(alone.status().unwrap().success(), "see above");
        return;
    }
    let from = place.path(".ambit");
    let copied = did(&["cp", "-r", from.to_str().unwrap()]);
    let ballast = disk.join("ballast");
    let full = std::fs::write(&ballast, vec![0_u8; 4 * 1024 * 1024]).is_err();
    let filled = std::fs::File::options().write(true).open(&ballast).unwrap();
    filled.set_len(filled.metadata().unwrap().len() - ROOM).unwrap();
    place.edit("policies/small.yaml", "title: Notes", "title: All notes");
    let run = place.run(&["apply", "--data", "disk/.ambit"]);
    let live = place.run(&["snapshots", "--format", "json", "--data", "disk/.ambit"]);
    drop(filled);
    std::fs::remove_file(&ballast).unwrap();
    let freed = place.run(&["apply", "--data", "disk/.ambit"]);
    assert!(did(&["umount"]) && copied && full);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.err.starts_with("error[E_STORE]: the disk of the database in `"), "{run:?}");
    assert!(
        run.err.contains("` is full\n  = help: make room on it, then run the command again: nothing was changed"),
        "{run:?}"
    );
    assert_eq!(live.json()["live"], 1, "what was live stays live: {live:?}");
    assert_eq!(freed.code, 0, "with room again it is applied: {freed:?}");
}

/// The limit of a process, which every machine has.
#[test]
fn a_file_that_may_not_grow() {
    let place = applied();
    place.edit("policies/small.yaml", "title: Notes", "title: All notes");
    let script = "trap '' XFSZ; ulimit -f 64; exec \"$0\" apply";
    let mut shell = place.command::<&str>(&[]);
    let binary = shell.get_program().to_owned();
    shell = std::process::Command::new("sh");
    let run: Run = shell.current_dir(place.path("")).args(["-c", script]).arg(binary).output().unwrap().into();
    check(&place, &run, 2, &["error[E_STORE]: ", "is sound and has room"]);
}

/// No failure at a desk.
#[expect(clippy::print_stderr, reason = "a test that was not done has to say so")]
fn lacking(what: &str) {
    assert!(std::env::var_os("CI").is_none(), "{what}, and CI fills a disk");
    eprintln!("skipped: {what}");
}

#[test]
fn nothing_that_might_forbid_is_skipped_without_a_word() {
    let place = applied();
    place.write("policies/.shared/forbid.cedar", "@id(\"no\") forbid (principal, action, resource);");
    std::os::unix::fs::symlink(".shared", place.path("policies/shared")).unwrap();
    check(&place, &place.run(&["apply"]), 1, &["error[E_UNREADABLE]", "links to folders are not followed"]);
}

#[test]
fn a_file_that_is_no_file() {
    let place = applied();
    place.edit("policies/small.yaml", "file: ../catalogs/notes.json", "file: ../catalogs/pipe.json");
    let made = std::process::Command::new("mkfifo").arg(place.path("catalogs/pipe.json")).status().unwrap();
    assert!(made.success());
    check(&place, &place.run(&["apply"]), 1, &["error[E_PATH]", "it is no plain file"]);
}

#[test]
fn cedar_that_nests_without_end() {
    let deep = format!("{}true{}", "(".repeat(5_000), ")".repeat(5_000));
    let from = "resource in Ambit::Group::\"notes\");";
    check_edit(
        "policies/small.yaml",
        from,
        &format!("resource in Ambit::Group::\"notes\") when {{ {deep} }};"),
        &["error[E_CEDAR]", "nests deeper than 64 brackets"],
    );
}

#[test]
fn a_name_that_hides_or_forges() {
    for name in ["notes\u{200b}.list", "notes\u{202e}list", "a`2)delete_all"] {
        let place = applied();
        let tool =
            format!("{{\"tools\": [{{\"name\": \"{name}\", \"description\": \"Another tool that lists notes.\"}}, ");
        place.edit("catalogs/notes.json", "{\"tools\": [", &tool);
        check(&place, &place.run(&["check"]), 1, &["error[E_NAME]", "hidden characters or signs"]);
    }
}

#[test]
fn a_name_never_widens_authority() {
    let place = applied();
    place.edit(
        "policies/small.yaml",
        "action, resource in Ambit::Group::\"notes\");",
        "action, resource)\n  when { resource.operation == Ambit::Operation::\"list\" };",
    );
    let run = place.run(&["check"]);
    check(&place, &run, 1, &["error[E_FACT_INFERRED]", "`notes/notes.list`", "write `operation:`"]);
}
