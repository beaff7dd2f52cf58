//! Arguments against input schemas, alone and with references in them.

use serde_json::json;

use super::*;

#[track_caller]
fn searched(arguments: Value, at: &str, expected_help: &str) {
    let plan = plan(&[action("a1", "crm/customers.search", arguments, &[])]);
    let verdict = check(&plan, &[(&format!("/actions/0/arguments{at}"), "arguments_invalid")]);
    assert_eq!(help(&verdict), expected_help);
}

#[test]
fn an_error_says_what_to_do() {
    searched(json!({}), "", "add `query`, a string");
    searched(json!({"query": 3}), "/query", "give a string");
    searched(json!({"query": "A"}), "/query", "give at least 2 characters");
    searched(json!({"query": "Ada", "limit": "5"}), "/limit", "give an integer");
    searched(json!({"query": "Ada", "limit": 5.5}), "/limit", "give an integer");
    searched(json!({"query": "Ada", "limit": 0}), "/limit", "give at least 1");
    searched(json!({"query": "Ada", "limit": 51}), "/limit", "give at most 50");
    searched(
        json!({"query": "Ada", "status": "activ"}),
        "/status",
        "did you mean `active`? use one of `active`, `closed`",
    );
    searched(json!({"query": "Ada", "since": "yesterday"}), "/since", "write a date: `2026-01-31`");
    searched(json!({"query": "Ada", "limt": 5}), "/limt", "did you mean `limit`?");
    searched(json!({"query": "Ada", "zzz": 5}), "/zzz", "remove it; known are `query`, `limit`, `status`, `since`");
}

#[test]
fn all_errors_of_one_action_are_listed() {
    let plan = plan(&[action("a1", "crm/customers.search", json!({"limit": 0, "x": 1, "y": 2}), &[])]);
    let verdict = check(
        &plan,
        &[
            ("/actions/0/arguments", "arguments_invalid"),
            ("/actions/0/arguments/limit", "arguments_invalid"),
            ("/actions/0/arguments/x", "arguments_invalid"),
            ("/actions/0/arguments/y", "arguments_invalid"),
        ],
    );
    let rule = &verdict.violations.first().unwrap().rule;
    assert_eq!(rule, "`crm/customers.search` takes other arguments: `query` is missing");
}

#[test]
fn values_of_arguments_are_never_repeated() {
    let plan = plan(&[action(
        "a1",
        "crm/customers.search",
        json!({"query": ["s3cret"], "status": "s3cret", "since": "s3cret"}),
        &[],
    )]);
    let verdict = world().verdict(&plan.to_string());
    assert_eq!(verdict.violations.len(), 3);
    assert!(!serde_json::to_string(&verdict).unwrap().contains("s3cret"));
}

/// Arguments of a tool with this schema, in which `R` stands for a good reference.
#[track_caller]
fn with_reference(schema: Value, arguments: &str, expected: &[(&str, &str)], unproved: &[&str]) {
    let world = world().with("x/y", &schema, None);
    let second = action("a2", "x/y", json!("ARGUMENTS"), &["a1"]);
    let reference = json!({"$from": "a1", "path": "total"}).to_string();
    let arguments = arguments.replace('R', &reference);
    let plan = plan(&[search(), second]).to_string().replace("\"ARGUMENTS\"", &arguments);
    let root = "/actions/1/arguments";
    let expected: Vec<(String, &str)> = expected.iter().map(|(at, code)| (format!("{root}{at}"), *code)).collect();
    let expected: Vec<(&str, &str)> = expected.iter().map(|(at, code)| (at.as_str(), *code)).collect();
    let verdict = check_in(&world, &plan, &expected);
    let unproved: Vec<String> = unproved.iter().map(|at| format!("{root}{at}")).collect();
    assert_eq!(verdict.unproved, unproved);
}

const INVALID: &str = "arguments_invalid";

#[test]
fn a_reference_is_never_judged_as_a_value() {
    let strict = json!({"properties": {"a": {"type": "string", "minLength": 40, "pattern": "^x", "enum": ["x"]}}});
    with_reference(strict, r#"{"a": R}"#, &[], &[]);
    with_reference(json!({"properties": {"a": false}}), r#"{"a": R}"#, &[], &[]);
    with_reference(
        json!({"properties": {"a": {"items": {"type": "integer"}}}}),
        r#"{"a": [1, R, "x"]}"#,
        &[("/a/2", INVALID)],
        &[],
    );
    with_reference(json!({"properties": {"a": {"additionalProperties": false}}}), r#"{"a": R}"#, &[], &[]);
}

#[test]
fn what_a_reference_could_mend_is_unproved_and_not_refused() {
    let any = json!({"anyOf": [{"properties": {"a": {"type": "string"}}}, {"properties": {"a": {"type": "integer"}}}]});
    with_reference(any, r#"{"a": R}"#, &[], &[""]);
    with_reference(json!({"properties": {"a": {"uniqueItems": true}}}), r#"{"a": [R, R]}"#, &[], &["/a"]);
    with_reference(json!({"properties": {"a": {"const": [1]}}}), r#"{"a": [R]}"#, &[], &["/a"]);
    with_reference(json!({"properties": {"a": {"contains": {"const": 1}}}}), r#"{"a": [R]}"#, &[], &["/a"]);
    let condition = json!({"if": {"properties": {"a": {"const": 1}}}, "else": {"required": ["b"]}});
    with_reference(condition, r#"{"a": R}"#, &[], &[""]);
}

#[test]
fn what_no_value_could_mend_is_refused_beside_a_reference() {
    with_reference(json!({"required": ["b"]}), r#"{"a": R}"#, &[("", INVALID)], &[]);
    with_reference(
        json!({"properties": {"a": {}}, "additionalProperties": false}),
        r#"{"b": R}"#,
        &[("/b", INVALID)],
        &[],
    );
    with_reference(json!({"minProperties": 2}), r#"{"a": R}"#, &[("", INVALID)], &[]);
    with_reference(json!({"properties": {"a": {"type": "string"}}}), r#"{"a": [R]}"#, &[("/a", INVALID)], &[]);
    let forms = json!({"anyOf": [{"required": ["b"]}, {"required": ["c"]}]});
    with_reference(forms, r#"{"a": R}"#, &[("", INVALID)], &[]);
    let nested = json!({"properties": {"p": {"anyOf": [{"required": ["b"]}, {"required": ["c"]}]}}});
    with_reference(nested, r#"{"p": {"a": R}}"#, &[("/p", INVALID)], &[]);
}

#[test]
fn forms_are_described() {
    let world =
        world().with("x/y", &json!({"anyOf": [{"required": ["b"]}, {"properties": {"a": {"type": "string"}}}]}), None);
    let verdict = check_in(
        &world,
        &plan(&[action("a1", "x/y", json!({"a": 1}), &[])]).to_string(),
        &[("/actions/0/arguments", INVALID)],
    );
    assert_eq!(help(&verdict), "mend one of these: (1) `b` is missing; (2) `a` must be a string, and is an integer");
}

#[test]
fn a_schema_that_cannot_be_compiled_leaves_the_arguments_unproved() {
    for schema in [
        json!({"$ref": "https://example.com/other.json"}),
        json!({"$ref": "file:///etc/passwd"}),
        json!({"properties": {"a": {"pattern": "(?=look)ahead"}}}),
        json!({"type": "nonsense"}),
        json!({"$schema": "https://example.com/dialect"}),
    ] {
        with_reference(schema, "{}", &[], &[""]);
    }
}

#[test]
fn references_in_a_schema_are_followed() {
    let schema = json!({"$defs": {"n": {"type": "integer"}}, "properties": {"a": {"$ref": "#/$defs/n"}}});
    with_reference(schema, r#"{"a": "x"}"#, &[("/a", INVALID)], &[]);
}
