//! What people read when a workspace is wrong, to the letter: one mistake a case, the report of `ambit check` in a golden file.
//! `UPDATE=1 cargo nextest run --workspace -E 'binary(golden_diagnostics)'` writes the files again; read what changed.

#![expect(clippy::unwrap_used, reason = "a workspace that cannot be written is the failure")]
#![expect(clippy::indexing_slicing, reason = "JSON values answer an unknown key with null")]

use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;
use std::process::Command;

use ambit_tests::{Place, Run, repository};
use serde_json::json;

fn folder() -> PathBuf {
    repository().join("tests/golden/diagnostics")
}

/// Compares the report of the small workspace after `spoil` with the golden file of this name; and where it was live before, what
/// is wrong now is not, and what was live stays so.
#[track_caller]
fn check(name: &str, spoil: impl FnOnce(&Place)) {
    let place = Place::small();
    assert_eq!(place.run(&["apply"]).code, 0);
    spoil(&place);
    let checked = place.run(&["check", "--no-retrieval"]);
    compare(name, &checked);
    let applied = place.run(&["apply"]);
    assert_eq!(applied.code, checked.code, "{name}: {applied:?}");
    let live = place.run(&["snapshots", "--format", "json"]).json()["live"].clone();
    assert_eq!(live, if applied.code == 0 { 2 } else { 1 }, "{name}: {applied:?}");
    assert_eq!(place.run(&["verify", "1"]).code, 0, "{name}");
}

/// With files that are added or replaced, and nothing else.
#[track_caller]
fn check_files(name: &str, files: &[(&str, &str)]) {
    check(name, |place| files.iter().for_each(|(file, text)| place.write(file, text)));
}

#[track_caller]
fn compare(name: &str, run: &Run) {
    assert!(run.err.is_empty(), "{run:?}");
    // The summary below the diagnostics says how many tools there are, and the digest of the sources.
    let (diagnostics, _) = run.out.split_once("note: not looked at").unwrap();
    let found = format!("exit {}\n\n{diagnostics}", run.code);
    let path = folder().join(format!("{name}.txt"));
    if std::env::var_os("UPDATE").is_some() {
        std::fs::create_dir_all(folder()).unwrap();
        std::fs::write(&path, &found).unwrap();
    }
    assert_eq!(found, std::fs::read_to_string(&path).unwrap_or_default(), "{}", path.display());
}

/// A project of its own, so that an extra catalog is listed.
const LAB: &str = "---\nkind: Project\nid: lab\ntenant: acme\nname: Lab\ncatalogs: [extra]\n";

#[test]
fn an_alias_bomb() {
    let mut bomb = "kind: Vocabulary\nlanguage: en\nsynonyms:\n  a: &a [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for (name, former) in ["b", "c", "d", "e", "f", "g", "h", "i"].iter().zip(["a", "b", "c", "d", "e", "f", "g", "h"])
    {
        let many = vec![format!("*{former}"); 9].join(", ");
        bomb.push_str(&format!("  {name}: &{name} [{many}]\n"));
    }
    check_files("alias_bomb", &[("policies/extra.yaml", &bomb)]);
}

#[test]
fn a_text_of_a_megabyte() {
    let long = "word ".repeat(210_000);
    let quoted = format!("kind: Group\nid: long\ntitle: Long\ndescription: \"{long}\"\nmembers: [\"*/*\"]\n");
    let block = format!("kind: Policy\nid: long\ncedar: |\n  // {long}\n  permit (principal, action, resource);\n");
    check_files("long_text", &[("policies/extra.yaml", &format!("{quoted}---\n{block}"))]);
}

#[test]
fn nesting_without_end() {
    let deep = format!("kind: Group\nid: deep\ntitle: Deep\ndescription: d\n? {}\n: x\n", "[".repeat(10_000));
    let catalog = format!("kind: Catalog\nid: extra\nfile: ../catalogs/extra.json\n{LAB}");
    let open = "[".repeat(100_000);
    let schema = format!("{}{}", "{\"not\":".repeat(100_000), "{}".to_owned() + &"}".repeat(100_000));
    let tool = format!(
        "{{\"tools\": [{{\"name\": \"drafts.create\", \"description\": \"Creates the draft of a letter.\", \"inputSchema\": {schema}}}]}}"
    );
    check("deep_nesting", |place| {
        place.write("policies/extra.yaml", format!("{deep}---\n{catalog}"));
        place.write("catalogs/extra.json", format!("{{\"tools\": {open}"));
        place.write("catalogs/drafts.json", &tool);
    });
}

#[test]
fn tabs() {
    check_files(
        "tabs",
        &[(
            "policies/extra.yaml",
            "kind: Tenant\nid: globex\nname: Globex\nusers:\n\t- id: bob\n---\nkind: Project\nid: lab\n\ttenant: acme\n",
        )],
    );
}

#[test]
fn merge_keys() {
    check_files(
        "merge_keys",
        &[(
            "policies/extra.yaml",
            "kind: Group\n<<: { id: a, title: A, description: d }\nmembers: [\"*/*\"]\n---\nkind: Catalog\nid: extra\nfile: x.json\ntools:\n  a:\n    <<: { effect: read }\n",
        )],
    );
}

#[test]
fn words_that_older_yaml_takes_for_booleans() {
    let catalog = |word: &str| {
        format!(
            "kind: Catalog\nid: extra-{word}\nfile: ../catalogs/notes.json\ntools:\n  notes.list: {{ confirmation: {word} }}\n"
        )
    };
    let test = "kind: PolicyTest\nprincipal: acme:user:ada\nproject: desk\naction: route\ntool: notes/notes.list\nexpect: yes\n";
    let family = "kind: VersionFamily\nid: f\ncurrent: 1\nmembers:\n  - { tool: notes/notes.list, version: 1, deprecated: off }\n";
    let names = "kind: Tenant\nid: no\nname: Norway\nusers: [{ id: on }, { id: off }]\n---\nkind: Vocabulary\nlanguage: no\nsynonyms: { y: [yes, on] }\n";
    let parts = ["no", "on", "Yes"].map(catalog).join("---\n");
    check_files("boolean_words", &[("policies/extra.yaml", &format!("{parts}---\n{test}---\n{family}---\n{names}"))]);
}

#[test]
fn an_error_of_cedar_beside_a_good_file() {
    check_files(
        "cedar_beside_good",
        &[
            (
                "policies/bad.cedar",
                "@id(\"bad\")\npermit (principal action, resource);\n\n@id(\"worse\")\npermit (principal in Ambit::Role::\"acme:role:chief\", action, resource) when { resource.efect == 1 };\n",
            ),
            (
                "policies/good.cedar",
                "@id(\"good\")\nforbid (principal, action, resource) when { resource.risk == Ambit::Risk::\"high\" };\n",
            ),
        ],
    );
}

#[test]
fn roles_in_a_circle() {
    check_files(
        "cyclic_roles",
        &[(
            "policies/extra.yaml",
            "kind: Tenant\nid: globex\nname: Globex\nroles:\n  - { id: a, includes: [b] }\n  - { id: b, includes: [c] }\n  - { id: c, includes: [a] }\n  - { id: self, includes: [self] }\nusers:\n  - { id: bob, roles: [a, self] }\n",
        )],
    );
}

#[test]
fn a_role_that_nobody_holds() {
    check_files(
        "role_of_nobody",
        &[(
            "policies/extra.yaml",
            "kind: Tenant\nid: globex\nname: Globex\nroles:\n  - id: auditor\n  - id: chief\n    includes: [auditor]\n  - id: clerk\nagents:\n  - { id: bot, roles: [clerk] }\n",
        )],
    );
}

#[test]
fn a_project_in_two_tenants() {
    check_files(
        "project_in_two_tenants",
        &[(
            "policies/extra.yaml",
            "kind: Tenant\nid: globex\nname: Globex\n---\nkind: Project\nid: lab\ntenant: [acme, globex]\nname: Lab\n---\nkind: Project\nid: shop\ntenant: acme\ntenant: globex\nname: Shop\n---\nkind: Project\nid: desk\ntenant: acme\nname: Desk again\n---\n# The same id in another tenant is another project.\nkind: Project\nid: desk\ntenant: globex\nname: Desk of Globex\n",
        )],
    );
}

/// What an editor or a script reads: the same as the golden text, as data.
#[test]
fn a_diagnostic_is_data_with_its_places_and_its_help() {
    let place = Place::small();
    place.write(
        "policies/extra.yaml",
        "# Grüße\nkind: Project\nid: desk\ntenant: acme\nname: Desk again\n---\nkind: Grup\nid: g\n",
    );
    let run = place.run(&["check", "--no-retrieval", "--format", "json"]);
    assert_eq!(run.code, 1, "{run:?}");
    let found = run.json()["diagnostics"].clone();
    let kind = json!({
        "severity": "error",
        "code": "E_KIND",
        "message": "no kind is named `Grup`",
        "place": { "file": "policies/extra.yaml", "line": 7, "column": 7, "length": 4, "text": "kind: Grup" },
        "help": "did you mean `Group`?",
    });
    let twice = json!({
        "severity": "error",
        "code": "E_DUPLICATE_ID",
        "message": "two of kind `Project` have the id `acme/desk`",
        "place": { "file": "policies/workspace.yaml", "line": 13, "column": 5, "length": 4, "text": "id: desk" },
        "related": [{
            "message": "the first stands here",
            "place": { "file": "policies/extra.yaml", "line": 3, "column": 5, "length": 4, "text": "id: desk" },
        }],
        "help": "give one of them another id",
    });
    assert_eq!(found[0], kind);
    assert_eq!(found[1], twice);
}

#[test]
fn globs_that_match_nothing() {
    check_files(
        "globs",
        &[(
            "policies/extra.yaml",
            "kind: Group\nid: g\ntitle: G\ndescription: d\nmembers: [\"*\", \"note/*\", \"notes/[\", \"notes/*\"]\n---\nkind: PolicyTest\nprincipal: acme:user:ada\nproject: desk\naction: route\ntool: \"letters/*\"\nexpect: deny\n",
        )],
    );
}

#[test]
fn text_that_is_not_utf_8() {
    check("not_utf_8", |place| {
        place.write("policies/extra.yaml", b"kind: Group\nid: g\ntitle: caf\xc3\xa9 caf\xe9\n");
        place.write("policies/extra.cedar", b"\xff\xfep\0e\0r\0m\0i\0t\0");
        place.write("catalogs/notes.json", b"{\"tools\": [{\"name\": \"caf\xe9\"}]}");
    });
}

#[test]
fn links_that_leave_or_lead_nowhere() {
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("group.yaml"), "kind: Group\n").unwrap();
    std::fs::write(outside.path().join("tools.json"), "{\"tools\": []}").unwrap();
    check("links", |place| {
        symlink(outside.path().join("group.yaml"), place.path("policies/away.yaml")).unwrap();
        symlink(outside.path(), place.path("policies/folder")).unwrap();
        symlink("nowhere.yaml", place.path("policies/dangling.yaml")).unwrap();
        symlink("round.yaml", place.path("policies/round.yaml")).unwrap();
        std::fs::remove_file(place.path("catalogs/notes.json")).unwrap();
        symlink(outside.path().join("tools.json"), place.path("catalogs/notes.json")).unwrap();
        std::fs::remove_file(place.path("catalogs/drafts.json")).unwrap();
        symlink("none.json", place.path("catalogs/drafts.json")).unwrap();
    });
}

#[test]
fn folders_that_are_named_like_files() {
    check("folders_as_files", |place| {
        place.write("policies/more.yaml/group.yaml", "kind: Grup\n");
        place.write("policies/FORBID.CEDAR", "@id(\"no\") forbid (principal, action, resource);");
        place.write("policies/NOTES.MD", "# Notes\n");
        std::fs::remove_file(place.path("catalogs/notes.json")).unwrap();
        std::fs::create_dir(place.path("catalogs/notes.json")).unwrap();
    });
}

/// Root passes over the rights of files, so there the command runs without that power.
#[test]
fn files_and_folders_that_may_not_be_read() {
    let place = Place::small();
    place.write("policies/closed/group.yaml", "kind: Group\n");
    place.write("policies/secret.yaml", "kind: Group\n");
    let rights = |path: &str, mode: u32| {
        std::fs::set_permissions(place.path(path), std::fs::Permissions::from_mode(mode)).unwrap();
    };
    for path in ["policies/closed", "policies/secret.yaml", "catalogs/notes.json"] {
        rights(path, 0o000);
    }
    let mut command = place.command(&["check", "--no-retrieval"]);
    if std::fs::read(place.path("policies/secret.yaml")).is_ok() {
        let mut powerless = Command::new("setpriv");
        powerless.args(["--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-dac_override,-dac_read_search"]);
        powerless.arg(command.get_program()).args(command.get_args()).current_dir(place.path(""));
        command = powerless;
    }
    let run: Run = command.output().unwrap().into();
    rights("policies/closed", 0o700);
    compare("unreadable", &run);
}

#[test]
fn acknowledgements_of_what_cannot_be_acknowledged() {
    check_files(
        "acknowledgements",
        &[(
            "policies/drafts.yaml",
            "kind: Catalog\nid: drafts\ntenant: acme\nfile: ../catalogs/drafts.json\nacknowledged:\n  - { tool: drafts.create, code: E_YAML, reason: r }\n  - { tool: drafts.create, code: E_DRIFT, reason: r }\n  - { tool: drafts.create, code: E_CATALOG, reason: r }\n  - { tool: drafts.create, code: E_DESC_VAGE, reason: r }\n  - { tool: draft.create, code: E_DESC_VAGUE, reason: r }\ntools:\n  drafts.create: { effect: write, entity: drafts, examples: [Begin a letter to the landlord] }\n",
        )],
    );
}

/// Reading, parsing, resolving, linking, Cedar, the catalog's file, and the tools in it: none hides another.
#[test]
fn one_mistake_of_each_stage_is_reported_in_one_run() {
    check("one_of_each_stage", |place| {
        place.write("policies/read.yaml", b"kind: Group # \xe9\n");
        place.write("policies/parse.yaml", "kind: Group\nid: g\ntitel: G\ndescription: d\nmembers: [\"*/*\"]\n");
        place.write(
            "policies/resolve.yaml",
            format!("kind: Tenant\nid: globex\nname: Globex\nusers: [{{ id: bob, roles: [clerk] }}]\n---\nkind: Catalog\nid: extra\nfile: ../catalogs/extra.json\n{LAB}"),
        );
        place.write("policies/link.yaml", "kind: Group\nid: h\ntitle: H\ndescription: d\nmembers: [notes/notes.lst]\n");
        place.write(
            "policies/check.cedar",
            "@id(\"c\")\npermit (principal, action, resource) when { resource.efect == 1 };\n",
        );
        place.write("catalogs/extra.json", "{\"tools\": [,]}");
        place.edit("catalogs/notes.json", "\"type\": \"array\"", "\"type\": \"arry\"");
    });
    let golden = std::fs::read_to_string(folder().join("one_of_each_stage.txt")).unwrap();
    for code in ["E_UNREADABLE", "E_UNKNOWN_KEY", "E_UNRESOLVED", "E_CEDAR", "E_CATALOG", "E_SCHEMA"] {
        assert!(golden.contains(&format!("error[{code}]")), "{code} is hidden by another");
    }
}

/// The grammar of every message: a phrase in lower case or the user's own word, no full stop, and help to go on with.
#[test]
fn every_golden_diagnostic_speaks_in_the_house_grammar() {
    let mut seen = 0;
    for entry in std::fs::read_dir(folder()).unwrap().flatten() {
        let text = std::fs::read_to_string(entry.path()).unwrap();
        for block in text.split("\n\n").filter(|block| block.contains("[E_") || block.contains("[W_")) {
            let told = |what: &str| panic_with(what, &entry.path(), block);
            let first = block.trim_start().lines().next().unwrap();
            let (head, message) = first.split_once("]: ").unwrap();
            if !(head.starts_with("error[E_") || head.starts_with("warning[W_")) {
                told("the severity is not that of the code");
            }
            if !message.starts_with(|c: char| c.is_lowercase() || c.is_ascii_digit() || c == '`') {
                told("a message begins in lower case, or with the user's word");
            }
            if message.ends_with(['.', '!', ':']) || message.to_lowercase().contains("error:") {
                told("a message is a phrase");
            }
            if message.matches('`').count() % 2 == 1 {
                told("backticks stand in pairs");
            }
            match block.lines().find_map(|line| line.trim_start().strip_prefix("= help: ")) {
                None if !message.starts_with("not valid YAML") => told("there is no help"),
                Some(help) if help.ends_with('.') || help.starts_with(char::is_uppercase) => {
                    told("help is a phrase too");
                }
                _ => {}
            }
            seen += 1;
        }
    }
    assert!(seen > 40, "only {seen} diagnostics are golden");
}

#[expect(clippy::panic, reason = "the failure of a test, with its place")]
fn panic_with(what: &str, path: &std::path::Path, block: &str) {
    panic!("{what}: {}\n{block}", path.display());
}
