//! `ambit vectors export` and `import`: what one machine embedded, another compiles without a model.

use ambit_tests::{Place, Run};

/// A run on a machine that has no model at all.
fn without_model(place: &Place, arguments: &[&str]) -> Run {
    let nowhere = place.path("nowhere");
    let mut command = place.command(arguments);
    command.env("AMBIT_MODELS", &nowhere).env_remove("AMBIT_RUNTIME");
    match command.output() {
        Ok(output) => output.into(),
        Err(error) => Run { code: -1, out: String::new(), err: error.to_string() },
    }
}

fn ok(run: Run) -> Run {
    assert_eq!(run.code, 0, "{run:?}");
    run
}

#[test]
fn another_data_folder_embeds_nothing_even_without_a_model() {
    let place = Place::small();
    ok(place.run(&["apply"]));
    let exported = ok(place.run(&["vectors", "export", "carried", "--format", "json"])).json();
    assert_eq!(exported["missing"], 0);
    assert_eq!(exported["winners"], 1);
    assert_eq!(without_model(&place, &["apply", "--data", "other"]).code, 2, "without the vectors it needs the model");
    let imported =
        ok(without_model(&place, &["vectors", "import", "carried", "--data", "other", "--format", "json"])).json();
    assert_eq!(imported["added"], exported["vectors"]);
    assert_eq!((&imported["different"], &imported["winners"]), (&0.into(), &1.into()));
    let checked = ok(without_model(&place, &["check", "--data", "other", "--format", "json"])).json();
    assert_eq!(checked["embedded"], 0);
    assert_eq!(checked["intake"], place.run(&["check", "--format", "json"]).json()["intake"]);
    let applied = ok(without_model(&place, &["apply", "--data", "other"]));
    assert!(!applied.out.contains("embedded"), "{applied:?}");
    let digest = |data: &str| {
        ok(place.run(&["snapshots", "--data", data, "--format", "json"])).json()["snapshots"][0]["digest"].clone()
    };
    assert_eq!(digest("other"), digest(".ambit"));
    assert!(digest("other").is_string());
}

#[test]
fn the_same_store_gives_the_same_bytes_and_an_import_can_be_repeated() {
    let place = Place::small();
    ok(place.run(&["check"]));
    for (file, more) in [("one", None), ("two", None), ("all", Some("--all"))] {
        let arguments: Vec<&str> = ["vectors", "export", file].into_iter().chain(more).collect();
        ok(place.run(&arguments));
    }
    let bytes = |file: &str| std::fs::read(place.path(file)).unwrap_or_default();
    assert!(bytes("one").starts_with(b"ambit vectors 1\n"));
    assert!(bytes("one") == bytes("two") && bytes("one") == bytes("all"), "there is nothing else in the store");
    for (added, data) in [(true, "other"), (false, "other")] {
        let done = ok(place.run(&["vectors", "import", "one", "--data", data, "--format", "json"])).json();
        assert_eq!(done["added"] != 0, added);
        assert_eq!(done["known"] == 0, added);
    }
    ok(place.run(&["vectors", "export", "back", "--all", "--data", "other"]));
    assert!(bytes("back") == bytes("one"));
}

#[test]
fn a_damaged_file_is_refused_and_nothing_of_it_is_taken() {
    let place = Place::small();
    ok(place.run(&["check"]));
    ok(place.run(&["vectors", "export", "whole"]));
    let whole = std::fs::read(place.path("whole")).unwrap_or_default();
    let cut = whole.split_at(whole.len() - 1).0;
    let mut flipped = whole.clone();
    if let Some(byte) = flipped.get_mut(whole.len() / 2) {
        *byte ^= 4;
    }
    for (name, bytes) in [("cut", cut), ("flipped", flipped.as_slice()), ("text", b"{}".as_slice())] {
        place.write(name, bytes);
        let run = place.run(&["vectors", "import", name, "--data", "other"]);
        assert_ne!(run.code, 0, "{run:?}");
        assert!(run.err.contains("E_VECTORS") && run.err.contains("at byte"), "{run:?}");
        let left = ok(place.run(&["vectors", "export", "left", "--all", "--data", "other", "--format", "json"])).json();
        assert_eq!((&left["vectors"], &left["winners"]), (&0.into(), &0.into()));
    }
    assert!(place.run(&["vectors", "import", "nowhere"]).err.contains("E_VECTORS"));
}

#[test]
fn a_vector_that_is_here_stays() {
    let place = Place::small();
    ok(place.run(&["check"]));
    ok(place.run(&["vectors", "export", "ours", "--all"]));
    // The same texts with the numbers of another machine: the runtime's name is all that the two files share otherwise.
    let sample = Place::with_sample();
    ok(sample.run(&["vectors", "export", "theirs", "--all"]));
    let theirs = std::fs::read(sample.path("theirs")).unwrap_or_default();
    place.write("theirs", theirs);
    let done = ok(place.run(&["vectors", "import", "theirs", "--format", "json"])).json();
    assert_eq!(done["different"], 0);
    ok(place.run(&["vectors", "export", "both", "--all"]));
    let sizes =
        ["ours", "theirs", "both"].map(|file| std::fs::metadata(place.path(file)).map_or(0, |found| found.len()));
    assert!(sizes[2] > sizes[0].max(sizes[1]), "{sizes:?}");
}
