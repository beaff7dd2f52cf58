//! The README is true: every command marked `run` is run, and the workspace it shows compiles.

#![expect(clippy::unwrap_used, reason = "a README of another shape is the failure")]

use ambit_tests::{Place, repository};

#[test]
fn every_marked_command_runs() {
    let place = Place::with_sample();
    place.write(
        "tests/golden/plans/orders.json",
        std::fs::read(repository().join("tests/golden/plans/orders.json")).unwrap(),
    );
    assert_eq!(place.run(&["apply"]).code, 0);
    place.edit("policies/acme.yaml", "name: ", "name: The ");
    let readme = readme();
    let mut ran = 0;
    for block in readme.split("<!-- run").skip(1) {
        let expected = i32::from(block.starts_with(": 1"));
        for line in fenced(block).lines().filter(|line| !line.is_empty()) {
            let arguments = words(line.strip_prefix("ambit ").unwrap());
            let run = place.run(&arguments);
            assert_eq!(run.code, expected, "{line}: {run:?}");
            ran += 1;
        }
    }
    assert_eq!(ran, 11);
}

#[test]
fn the_smallest_workspace_compiles_and_routes() {
    let place = Place::empty();
    let readme = readme();
    place.write("policies/workspace.yaml", fenced(readme.split("<!-- workspace -->").nth(1).unwrap()));
    place.write("policies/notes.json", fenced(readme.split("<!-- catalog -->").nth(1).unwrap()));
    let run = place.run(&["apply", "--strict"]);
    assert_eq!(run.code, 0, "{run:?}");
    let run = place.run(&["route", "show my notes", "--as", "acme:user:ada", "--project", "desk"]);
    assert!(run.out.contains("1) notes/notes.list"), "{run:?}");
}

fn readme() -> String {
    std::fs::read_to_string(repository().join("README.md")).unwrap()
}

/// The first fenced block of a text.
fn fenced(text: &str) -> &str {
    let (_, rest) = text.split_once("```").unwrap();
    let (_, rest) = rest.split_once('\n').unwrap();
    rest.split_once("```").unwrap().0
}

/// A command line's words; double quotes hold one together.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for character in line.chars() {
        match character {
            '"' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            other => words.last_mut().unwrap().push(other),
        }
    }
    words
}
