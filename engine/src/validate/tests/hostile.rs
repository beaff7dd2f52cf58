//! Plans written to break the validator: they are refused, quickly, and nothing of a prefix is lost.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use serde_json::json;

use super::*;

/// Far more than is needed: it fails on quadratic work, not on a busy machine.
const PATIENCE: Duration = Duration::from_secs(5);

#[track_caller]
fn refused(plan: &str, expected: &[(&str, &str)]) -> Verdict {
    let begun = Instant::now();
    let verdict = check_in(&world(), plan, expected);
    assert!(begun.elapsed() < PATIENCE, "{:?}", begun.elapsed());
    assert!(serde_json::to_string(&verdict).unwrap().len() < 1_000_000);
    verdict
}

fn with_arguments(arguments: &str) -> String {
    let plan = plan(&[action("a1", "crm/customers.search", json!("ARGUMENTS"), &[])]).to_string();
    plan.replace("\"ARGUMENTS\"", arguments)
}

#[test]
fn what_is_not_json_is_a_diagnostic_with_its_place() {
    let world = world();
    let found: Vec<(u32, u32, String)> =
        ["", "{\n \"decision\": tools}", "{} x", "{\"ä\": \"\\ud800\"}", "{\"a\": 1e999}", "{\"a\": 01}", "{\"a\"}"]
            .into_iter()
            .map(|text| {
                let diagnostic = validate(text, &world.context()).unwrap_err();
                let place = diagnostic.place.unwrap();
                assert_eq!(place.file, "<plan>");
                (place.line, place.column, diagnostic.message)
            })
            .collect();
    let expected = [
        (1, 1, "the plan is not JSON: EOF while parsing a value"),
        (2, 15, "the plan is not JSON: expected ident"),
        (1, 4, "the plan is not JSON: trailing characters"),
        (1, 14, "the plan is not JSON: unexpected end of hex escape"),
        (1, 11, "the plan is not JSON: number out of range"),
        (1, 8, "the plan is not JSON: invalid number"),
        (1, 5, "the plan is not JSON: expected `:`"),
    ];
    let found: Vec<(u32, u32, &str)> =
        found.iter().map(|(line, column, message)| (*line, *column, message.as_str())).collect();
    assert_eq!(found, expected);
}

#[test]
fn deep_nesting_is_refused_where_it_begins_to_be_deep() {
    let deep = format!("{{\"query\": {}1{}}}", "[".repeat(10_000), "]".repeat(10_000));
    let verdict =
        refused(&with_arguments(&deep), &[(&format!("/actions/0/arguments/query{}", "/0".repeat(60)), "plan_shape")]);
    assert!(verdict.sound_prefix.is_empty());
    let objects = format!("{}1{}", "{\"a\":".repeat(100_000), "}".repeat(100_000));
    refused(
        &objects,
        &[("", "plan_shape"), ("", "plan_shape"), ("/a", "plan_shape"), (&"/a".repeat(64), "plan_shape")],
    );
    validate(&"[".repeat(1_000_000), &world().context()).unwrap_err();
}

#[test]
fn many_actions_cost_no_more_than_eight() {
    let mut actions = vec![search()];
    actions.resize(10_000, json!({"id": 1}));
    let verdict = world().verdict(&plan(&actions).to_string());
    assert_eq!(verdict.sound_prefix, ["a1"]);
    let valid: Vec<Value> = (0..10_000)
        .map(|n| action(&format!("a{n}"), "crm/customers.get", json!({"customer_id": n.to_string()}), &[]))
        .collect();
    refused(&plan(&valid).to_string(), &[("/actions", "too_many_actions")]);
}

#[test]
fn long_texts_are_judged_and_not_repeated() {
    let long = "x".repeat(1_000_000);
    refused(&with_arguments(&json!({"query": long}).to_string()), &[]);
    refused(
        &with_arguments(&json!({"query": "Ada", "status": long}).to_string()),
        &[("/actions/0/arguments/status", "arguments_invalid")],
    );
    refused(
        &with_arguments(&format!("{{\"query\": \"Ada\", \"{long}\": 1}}")),
        &[("/actions/0/arguments", "plan_shape")],
    );
    let tool = plan(&[action("a1", &long, json!({}), &[])]).to_string();
    refused(&tool, &[("/actions/0/tool", "unknown_tool")]);
    let path = json!({"query": {"$from": long, "path": "a"}}).to_string();
    refused(&with_arguments(&path), &[("/actions/0/arguments/query", "reference_source")]);
}

#[test]
fn many_values_are_refused_without_reading_on() {
    let many = format!("{{\"query\": [{}]}}", vec!["1"; 500_000].join(","));
    let verdict = world().verdict(&with_arguments(&many));
    assert_eq!(verdict.violations.len(), 1);
    assert!(verdict.sound_prefix.is_empty());
}

#[test]
fn many_violations_are_cut_and_the_rest_counted() {
    let many: Vec<String> = (0..5_000).map(|n| format!("\"m{n:05}\": 1")).collect();
    let begun = Instant::now();
    let verdict = world().verdict(&with_arguments(&format!("{{\"query\": \"Ada\", {}}}", many.join(","))));
    assert!(begun.elapsed() < PATIENCE);
    assert_eq!(verdict.violations.len(), 257);
    assert_eq!(
        verdict.violations.first().unwrap().rule,
        "a verdict lists at most 256 violations; 4744 more were found"
    );
}

#[test]
fn a_member_that_stands_twice_is_refused() {
    let verdict = refused(
        &with_arguments(r#"{"query": "Ada", "query": "Bob"}"#),
        &[("/actions/0/arguments/query", "plan_shape")],
    );
    assert!(verdict.sound_prefix.is_empty());
    let twice = format!("{{\"decision\": \"tools\", \"actions\": [{}], \"actions\": []}}", search());
    assert!(refused(&twice, &[("/actions", "plan_shape")]).sound_prefix.is_empty());
    let many = format!("{{\"decision\": \"answer\", \"actions\": [] {}}}", ", \"actions\": []".repeat(50_000));
    refused(&many, &[("", "plan_shape"), ("/actions", "plan_shape")]);
}

#[test]
fn schemas_that_refer_to_themselves_do_not_hang() {
    let round = json!({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"});
    let tree = json!({"type": "object", "properties": {"left": {"$ref": "#"}, "right": {"$ref": "#"}}});
    let world = world().with("x/round", &round, Some(&round)).with("x/tree", &tree, Some(&tree));
    let first = action("a1", "x/round", json!({"n": 1}), &[]);
    let second = action("a2", "x/tree", json!({"left": {"right": {"left": {"$from": "a1", "path": "n"}}}}), &["a1"]);
    let third = action("a3", "x/tree", json!({"left": {"$from": "a2", "path": "left.right.left.left"}}), &["a2"]);
    check_in(
        &world,
        &plan(&[first, second, third]).to_string(),
        &[("/actions/1/arguments/left/right/left", "reference_undeclared_path")],
    );
}

/// Any JSON, with words of plans among the names and texts.
fn any_json() -> impl Strategy<Value = Value> {
    let words = proptest::sample::select(vec![
        "decision",
        "actions",
        "tools",
        "id",
        "tool",
        "arguments",
        "depends_on",
        "purpose",
        "for_each",
        "$from",
        "path",
        "a1",
        "item",
        "current_selection",
        "crm/customers.search",
        "crm/customers.get",
        "query",
        "customer_id",
        "items.0.id",
        "",
        "~/",
        "ä",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        words.clone().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 64, 8, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Value::Array),
            prop::collection::btree_map(words.clone().prop_map(str::to_owned), inner, 0..8)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Actions that are nearly right, so that prefixes of every length occur.
fn any_action() -> impl Strategy<Value = Value> {
    let id = prop_oneof![Just("a1"), Just("a2"), Just("a3"), Just("A")];
    let tool = prop_oneof![4 => Just("crm/customers.search"), 4 => Just("crm/customers.get"), 1 => Just("mail/send_email"), 1 => Just("nope")];
    let path = prop_oneof![Just("items.0.id"), Just("id"), Just("total"), Just(""), Just("0.id")];
    let source = prop_oneof![Just("a1"), Just("a2"), Just("item"), Just("current_selection")];
    let value = prop_oneof![
        any::<String>().prop_map(Value::from),
        (source, path).prop_map(|(source, path)| json!({"$from": source, "path": path})),
        any_json(),
    ];
    let on = prop::collection::vec(prop_oneof![Just("a1"), Just("a2")], 0..3);
    let each = prop_oneof![
        6 => Just(None),
        1 => Just(Some(json!(["x", "y"]))),
        1 => Just(Some(json!({"$from": "a1", "path": "items"}))),
    ];
    (id, tool, value, on, each).prop_map(|(id, tool, value, on, each)| {
        let name = if tool.ends_with("get") { "customer_id" } else { "query" };
        let mut action = action(id, tool, json!({}), &on);
        action.get_mut("arguments").unwrap().as_object_mut().unwrap().insert(name.into(), value);
        action.as_object_mut().unwrap().extend(each.map(|each| ("for_each".to_owned(), each)));
        action
    })
}

proptest! {
    #[test]
    fn any_json_gets_a_verdict(value in any_json()) {
        let world = world();
        prop_assert!(validate(&value.to_string(), &world.context()).is_ok());
        let verdict = world.verdict(&plan(&[value.clone(), action("a2", "crm/customers.get", value, &[])]).to_string());
        prop_assert!(!verdict.violations.is_empty());
    }

    #[test]
    fn any_text_gets_an_answer(text in ".{0,200}") {
        let _ = validate(&text, &world().context());
    }

    #[test]
    fn a_sound_prefix_is_sound_alone_and_is_the_longest(actions in prop::collection::vec(any_action(), 1..5)) {
        let world = world();
        let verdict = world.verdict(&plan(&actions).to_string());
        let sound = verdict.sound_prefix.len();
        for length in 1..=actions.len() {
            let prefix = world.verdict(&plan(actions.get(..length).unwrap()).to_string());
            prop_assert_eq!(prefix.verdict == VerdictWord::Accepted, length <= sound);
        }
    }
}

/// `levels` definitions, each of which asks twice for the next.
fn doubling(levels: usize) -> Value {
    let one = |n: usize| {
        let next = json!({"$ref": format!("#/$defs/d{}", n + 1)});
        (format!("d{n}"), json!({"allOf": [next, next]}))
    };
    let mut definitions: serde_json::Map<String, Value> = (0..levels).map(one).collect();
    definitions.insert(format!("d{levels}"), json!({"type": "object"}));
    json!({"$defs": definitions, "$ref": "#/$defs/d0"})
}

/// `length` definitions, each of which is the next.
fn chain(length: usize) -> Value {
    let one = |n: usize| (format!("d{n}"), json!({"$ref": format!("#/$defs/d{}", n + 1)}));
    let mut definitions: serde_json::Map<String, Value> = (0..length).map(one).collect();
    definitions.insert(format!("d{length}"), json!({"type": "object"}));
    json!({"$defs": definitions, "$ref": "#/$defs/d0"})
}

#[test]
fn a_schema_that_would_take_for_ever_leaves_the_arguments_unproved() {
    let branch = json!({"properties": {"a": {"$ref": "#"}}});
    let branching = json!({"type": "object", "anyOf": [branch, branch]});
    let deep = (0..55).fold(json!(1), |inner, _| json!({"a": inner}));
    for (schema, arguments) in [(branching.clone(), deep), (doubling(60), json!({})), (chain(20_000), json!({}))] {
        let world = world().with("x/y", &schema, None);
        let begun = Instant::now();
        let verdict = check_in(&world, &plan(&[action("a1", "x/y", arguments, &[])]).to_string(), &[]);
        assert!(begun.elapsed() < PATIENCE, "{:?}", begun.elapsed());
        assert_eq!(verdict.unproved, ["/actions/0/arguments"]);
    }
    let world = world().with("x/y", &branching, None);
    let shallow = plan(&[action("a1", "x/y", json!({"a": {"a": 1}}), &[])]).to_string();
    check_in(&world, &shallow, &[("/actions/0/arguments", "arguments_invalid")]);
}
