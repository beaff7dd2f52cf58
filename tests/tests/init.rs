//! `ambit init`: what it writes compiles without a warning, passes its own tests, routes, and is formatted; nothing is overwritten.

use std::fs;

use ambit_tests::Place;

#[test]
fn what_is_written_compiles_and_routes() {
    let place = Place::empty();
    let run = place.run(&["init", "mine"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.out.contains("  mine/catalogs/notes.yaml\n"), "{run:?}");
    assert!(run.out.contains("ambit check --workspace mine\n"), "{run:?}");
    for command in [&["check", "--strict"][..], &["fmt", "--check"], &["apply", "--strict", "--message", "a beginning"]]
    {
        let run = place.run(&[command, &["--workspace", "mine"]].concat());
        assert_eq!(run.code, 0, "{command:?}: {run:?}");
    }
    let asked = ["route", "Which of my notes mention the garden?", "--as", "acme:user:ada", "--project", "desk"];
    let run = place.run(&asked);
    assert!(run.out.contains("1) notes/notes.search"), "{run:?}");
    let run = place.run(&["route", "Play some jazz in the background", "--as", "acme:user:ada", "--format", "json"]);
    assert_eq!(run.json()["gaps"][0]["cause"], "absent", "{run:?}");
    let run = place.run(&["tools", "--as", "acme:agent:helper"]);
    assert!(run.out.contains("notes/notes.create"), "{run:?}");
}

#[test]
fn every_yaml_file_names_a_schema_that_is_there() {
    let place = Place::empty();
    assert_eq!(place.run(&["init"]).code, 0, "the folder of `--workspace`");
    for file in ["workspace.yaml", "tenant.yaml", "catalogs/notes.yaml", "tests.yaml", "golden.yaml"] {
        let path = place.path(&format!("policies/{file}"));
        let text = fs::read_to_string(&path).unwrap();
        let schema = text.lines().next().unwrap().strip_prefix("# yaml-language-server: $schema=").unwrap();
        assert!(path.parent().unwrap().join(schema).is_file(), "{file}: {schema}");
    }
}

#[test]
fn nothing_is_overwritten_and_nothing_half_written() {
    let place = Place::empty();
    let listed = |folder: &str| -> Vec<_> {
        let mut names: Vec<_> =
            fs::read_dir(place.path(folder)).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    place.write("policies/golden.yaml", "# mine\n");
    let run = place.run(&["init", "--format", "json"]);
    assert_eq!((run.code, &run.json()["error"]["code"]), (2, &"E_EXISTS".into()), "{run:?}");
    assert!(run.out.contains("`policies/golden.yaml`"), "{run:?}");
    assert_eq!(listed("policies"), ["golden.yaml"]);
    place.write("other/sub/mine.cedar", "");
    let run = place.run(&["init", "other"]);
    assert!(run.code == 2 && run.err.contains("E_EXISTS") && run.err.contains("mine.cedar"), "{run:?}");
    assert_eq!(listed("other"), ["sub"]);
    // A file in the place of a folder: what was written before it is taken back.
    place.write("third/catalogs", "");
    let run = place.run(&["init", "third"]);
    assert!(run.code == 2 && run.err.contains("cannot be written"), "{run:?}");
    assert_eq!(listed("third"), ["catalogs"]);
}
