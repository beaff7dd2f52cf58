//! Small schemas and what the walk reads off them.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::*;

fn segments(path: &str) -> Vec<Segment> {
    let segment = |part: &str| if part == "*" { Segment::Every } else { Segment::Name(part.to_owned()) };
    path.split('.').map(segment).collect()
}

#[track_caller]
fn check(schema: &Value, path: &str, expected: &str) {
    let found = match path_standing(schema, &segments(path)) {
        PathStanding::Proved => "proved".to_owned(),
        PathStanding::Declared => "declared".to_owned(),
        PathStanding::Undeclared(Lost { at, known, list }) => {
            format!("{at} {}{}", known.join(","), if list { "list" } else { "" })
        }
    };
    assert_eq!(found, expected, "{path} in {schema}");
}

fn artist() -> Value {
    json!({"type": "object", "required": ["id", "artists"], "properties": {
        "id": {"type": "string", "description": "the track"},
        "title": {"type": ["string", "null"]},
        "artists": {"type": "array", "minItems": 1, "items": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}}}})
}

#[test]
fn a_path_is_proved_where_every_step_is_required() {
    let schema = artist();
    check(&schema, "id", "proved");
    check(&schema, "title", "declared");
    check(&schema, "artists.0.id", "proved");
    check(&schema, "artists.1.id", "declared");
    check(&schema, "artists.*.id", "proved");
    check(&schema, "artists", "proved");
    check(&schema, "artists.id", "1 list");
    check(&schema, "artists.00.id", "1 list");
    check(&schema, "artist", "0 artists,title,id");
    check(&schema, "id.x", "1 ");
    check(&schema, "*", "0 artists,id,title");
}

#[test]
fn a_step_whose_place_may_be_something_else_is_only_declared() {
    check(&json!({"properties": {"a": {}}, "required": ["a"]}), "a", "declared");
    check(&json!({"type": ["object", "null"], "properties": {"a": {}}, "required": ["a"]}), "a", "declared");
    check(&json!({"type": "object", "properties": {"a": false}, "required": ["a"]}), "a", "0 a");
    check(&json!({"type": "object", "properties": {"0": {}}, "required": ["0"]}), "0", "proved");
    check(&json!({"type": "array", "minItems": 1, "items": true}), "0", "proved");
    check(&json!({"type": "array"}), "0", "0 list");
    check(&json!({"type": "array", "items": [{}]}), "0", "0 list");
    check(&json!({"anyOf": [{"properties": {"a": {}}}]}), "a", "0 ");
    check(&json!(true), "a", "0 ");
    check(&Value::Null, "a", "0 ");
}

#[test]
fn local_references_and_all_of_hold_beside_their_schema() {
    let base = json!({"$defs": {"b a/se": {"type": "object", "required": ["a"], "properties": {"a": {"type": "number"}}}},
        "allOf": [{"$ref": "#/$defs/b%20a~1se"}, {"properties": {"b": {}}}], "required": ["b"], "properties": {"a": {"type": "integer"}}});
    check(&base, "a", "proved");
    check(&base, "b", "proved");
    assert_eq!(Place::root(&base).property("a").map(|place| place.types()), Some(BTreeSet::from([JsonType::Integer])));
    let tree = json!({"type": "object", "required": ["left"], "properties": {"left": {"$ref": "#"}}});
    check(&tree, &["left"; 60].join("."), "proved");
    let round = json!({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"});
    check(&round, "a", "0 ");
    check(&json!({"$ref": "https://example.com/#/a", "properties": {"a": {}}}), "a", "declared");
    let old = |dialect: &str| {
        json!({"$schema": dialect, "$ref": "#/definitions/d", "type": "object", "required": ["a"],
        "definitions": {"d": {"type": "object", "properties": {"a": {}}}}})
    };
    check(&old("http://json-schema.org/draft-07/schema#"), "a", "declared");
    check(&old("https://json-schema.org/draft/2020-12/schema"), "a", "proved");
}

#[test]
fn inputs_say_what_a_call_takes() {
    let schema = json!({"required": ["to"], "properties": {
        "to": {"type": "string", "format": "email", "description": "who"},
        "kind": {"enum": ["a", 1]},
        "one": {"const": "x", "default": "x"},
        "free": true}});
    let found = inputs(&schema);
    let input = |name: &str| found.iter().find(|input| input.name == name).cloned();
    let to = Input {
        name: "to".into(),
        required: true,
        types: BTreeSet::from([JsonType::String]),
        description: Some("who".into()),
        has_default: false,
        values: vec![],
        format: Some("email".into()),
    };
    assert_eq!(input("to"), Some(to));
    assert_eq!(
        input("kind").map(|kind| (kind.values, kind.types)),
        Some((vec!["a".into(), "1".into()], BTreeSet::from([JsonType::Integer, JsonType::String])))
    );
    assert_eq!(input("one").map(|one| (one.values, one.has_default)), Some((vec!["x".into()], true)));
    assert_eq!(input("free").map(|free| free.types.len()), Some(0));
    assert_eq!(found.len(), 4);
    assert_eq!(inputs(&json!([])), []);
}

#[test]
fn outputs_name_every_property_with_its_parent() {
    let found = outputs(&artist());
    let mut rows: Vec<(String, Option<&str>)> =
        found.iter().map(|output| (output.path.join("."), output.parent.as_deref())).collect();
    rows.sort();
    assert_eq!(
        rows,
        [
            ("artists".into(), None),
            ("artists.*.id".into(), Some("artists")),
            ("id".into(), None),
            ("title".into(), None)
        ]
    );
    assert_eq!(
        found.last().map(|last| (last.name.as_str(), last.types.clone())),
        Some(("id", BTreeSet::from([JsonType::Integer])))
    );
    let rows = outputs(&json!({"type": "array", "items": {"properties": {"id": {}}}}));
    assert_eq!(rows.iter().map(|output| output.path.join(".")).collect::<Vec<_>>(), ["*.id"]);
    assert_eq!(words(&artist()).iter().filter(|(name, _)| name == "id").count(), 2);
}

#[test]
fn a_schema_that_leads_into_itself_is_entered_once_and_a_large_one_is_cut() {
    let tree = json!({"properties": {"name": {}, "children": {"items": {"$ref": "#"}}}});
    let paths: Vec<String> = outputs(&tree).iter().map(|output| output.path.join(".")).collect();
    assert_eq!(paths.len(), 2, "{paths:?}");
    let member = |n: usize| (format!("p{n}"), json!({"$ref": format!("#/$defs/d{}", n % 20)}));
    let members: serde_json::Map<String, Value> = (0..20).map(member).collect();
    let defs: serde_json::Map<String, Value> =
        (0..20).map(|n| (format!("d{n}"), json!({"properties": members}))).collect();
    assert_eq!(outputs(&json!({"$defs": defs, "properties": members})).len(), 2_000);
    let deep = (0..40).fold(json!({}), |inner, n| json!({"properties": {format!("p{n}"): inner}}));
    assert_eq!(outputs(&deep).len(), 8);
}

#[test]
fn a_text_that_is_not_json_declares_nothing() {
    let schema = parse(&SchemaText("{".into()));
    assert!(inputs(&schema).is_empty() && outputs(&schema).is_empty());
}

#[test]
fn the_cost_of_a_check_is_counted_before_it_is_paid() {
    let check = |schema: Value, value: Value, expected: Option<u64>| {
        assert_eq!(evaluation_cost(&schema, &value, 1_000), expected, "{schema}");
    };
    check(json!({"type": "object"}), json!({"a": 1}), Some(1));
    check(json!({"properties": {"a": {}, "b": {}}}), json!({"a": 1}), Some(2));
    check(json!({"items": {"anyOf": [{}, {}]}}), json!([1, 2]), Some(7));
    check(json!({"additionalProperties": {"$ref": "#"}}), json!({"a": {"b": {}}}), Some(5));
    check(json!({"$ref": "#"}), json!({}), None);
    check(json!({"$id": "https://example.com/x", "type": "object"}), json!({}), Some(1));
    check(json!({"$defs": {"a": {"$anchor": "a"}}, "$ref": "#a"}), json!({}), None);
    check(json!({"type": "object", "examples": [{"id": "x"}]}), json!({}), Some(1));
    let old = |part: Value| json!({"$schema": "http://json-schema.org/draft-04/schema#", "id": "x", "properties": {"a": part}});
    check(old(json!({})), json!({}), Some(1));
    check(old(json!({"id": "y"})), json!({}), None);
    let branch = json!({"properties": {"a": {"$ref": "#"}}});
    let branching = json!({"anyOf": [branch, branch]});
    let deep = |depth: usize| (0..depth).fold(json!(1), |inner, _| json!({"a": inner}));
    check(branching.clone(), deep(4), Some(123));
    check(branching, deep(60), None);
}
