//! `ambit schema`: one kind, all kinds, and files for editors.

use ambit_tests::Place;
use serde_json::Value;

#[test]
fn a_kind_is_described_with_its_keys() {
    let place = Place::empty();
    let run = place.run(&["schema", "Project"]);
    assert_eq!(run.code, 0, "{run:?}");
    let schema = run.json();
    assert_eq!(schema["title"], "Project");
    assert_eq!(schema["properties"]["ceiling"]["enum"], serde_json::json!(["read_only", "confirm_writes", "open"]));
    assert_eq!(schema["additionalProperties"], false);
    assert!(run.out.find("\"kind\"").unwrap() < run.out.find("\"tenant\"").unwrap(), "`kind` comes first");
    let whole = place.run(&["schema", "--format", "json"]).json();
    assert_eq!(whole["properties"]["kind"]["enum"].as_array().unwrap().len(), 11);
    assert_eq!(whole["definitions"]["Project"]["properties"], schema["properties"]);
}

#[test]
fn a_kind_that_is_not_there_is_refused_with_the_nearest() {
    let run = Place::empty().run(&["schema", "Projct"]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.err.contains("E_KIND") && run.err.contains("did you mean `Project`?"), "{run:?}");
}

#[test]
fn all_are_written_into_a_folder_and_again() {
    let place = Place::empty();
    for _ in 0..2 {
        let run = place.run(&["schema", "--out", "policies/schemas"]);
        assert_eq!(run.code, 0, "{run:?}");
        assert!(run.out.contains("12 schemas written"), "{run:?}");
    }
    let read = |name: &str| -> Value {
        serde_json::from_slice(&std::fs::read(place.path(&format!("policies/schemas/{name}"))).unwrap()).unwrap()
    };
    assert_eq!(read("ambit.schema.json")["$schema"], "http://json-schema.org/draft-07/schema#");
    assert_eq!(read("GoldenRoute.schema.json")["title"], "GoldenRoute");
    assert_eq!(std::fs::read_dir(place.path("policies/schemas")).unwrap().count(), 12);
    place.write("file", "");
    let run = place.run(&["schema", "--out", "file/schemas", "--format", "json"]);
    assert_eq!((run.code, &run.json()["error"]["code"]), (2, &"E_UNWRITABLE".into()), "{run:?}");
}
