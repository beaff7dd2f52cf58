//! References: grammar, source, declared paths, and `for_each`.

use ambit_model::plan::Standing::{Declared, Proved};
use serde_json::json;

use super::*;

const AT: &str = "/actions/1/arguments/customer_id";

fn reads(path: &str) -> Value {
    json!({"customer_id": {"$from": "a1", "path": path}})
}

/// A plan whose second action reads the result of a search.
fn from_search(path: &str) -> Value {
    plan(&[search(), get(reads(path), &["a1"])])
}

/// A plan whose second action reads one record.
fn from_record(path: &str) -> Value {
    let first = action("a1", "crm/customers.get", json!({"customer_id": "C-1"}), &[]);
    plan(&[first, get(reads(path), &["a1"])])
}

#[test]
fn a_declared_path_is_accepted_and_says_how_it_stands() {
    for (plan, standing) in [
        (from_search("items.0.id"), Declared),
        (from_search("items.*.id"), Proved),
        (from_search("items.*.email"), Declared),
        (from_search("total"), Declared),
        (from_record("id"), Proved),
        (from_record("address.city"), Proved),
        (from_record("address.street"), Declared),
        (from_record("orders.0"), Declared),
    ] {
        assert_eq!(standings(&check(&plan, &[])), [standing], "{plan}");
    }
}

#[test]
fn an_undeclared_path_is_refused_with_the_way_out() {
    let undeclared = [(AT, "reference_undeclared_path")];
    let list = "`crm/customers.search` returns a list under `items`: run it and let a person choose (`current_selection`), or use `for_each` over `items`";
    for (plan, expected) in [
        (from_search("customer_id"), list),
        (from_search("items.id"), list),
        (from_search("totl"), "did you mean `total`?"),
        (from_search("items.0.emial"), "did you mean `email`?"),
        (from_record("adress.city"), "did you mean `address`?"),
        (from_record("address.postcode"), "declared there are `street`, `city`"),
        (
            from_record("id.x"),
            "nothing is declared there: use a shorter path, or run the action and plan again with the value",
        ),
    ] {
        assert_eq!(help(&check(&plan, &undeclared)), expected, "{plan}");
    }
    let send = action("a1", "mail/send_email", json!({"to": "a@example.com", "body": "x"}), &[]);
    let verdict = check(&plan(&[send, get(reads("id"), &["a1"])]), &undeclared);
    assert_eq!(help(&verdict), "run it, look at its result, and plan again with the value itself");
}

#[test]
fn a_reference_keeps_to_its_grammar() {
    let grammar = [(AT, "reference_grammar")];
    for path in [
        "",
        ".",
        "a..b",
        "items[0].id",
        "$.items",
        "*",
        "*.id",
        "items. id",
        "a*",
        "items.a*",
        "a/b",
        "\"a.b\"",
        &"a".repeat(257),
    ] {
        check(&from_search(path), &grammar);
    }
    for reference in [
        json!({"$from": "a1"}),
        json!({"$from": "a1", "path": 3}),
        json!({"$from": 1, "path": "total"}),
        json!({"$from": "a1", "path": "total", "default": 1}),
        json!({"$from": {"$from": "a1", "path": "total"}, "path": "total"}),
    ] {
        check(&plan(&[search(), get(json!({"customer_id": reference}), &["a1"])]), &grammar);
    }
    let whole = json!({"$from": "a1", "path": "total"});
    check(&plan(&[search(), get(whole, &["a1"])]), &[("/actions/1/arguments", "reference_grammar")]);
    // Without `$from` it is a literal, which the input schema then refuses.
    check(&plan(&[search(), get(json!({"customer_id": {"path": "total"}}), &["a1"])]), &[(AT, "arguments_invalid")]);
}

#[test]
fn a_reference_may_stand_anywhere_in_the_arguments() {
    let deep = json!({"customer_id": "C-1", "fields": ["id", {"$from": "a1", "path": "items.0.name"}]});
    let verdict = check(&plan(&[search(), get(deep, &["a1"])]), &[]);
    assert_eq!(verdict.references.first().unwrap().at, "/actions/1/arguments/fields/1");
    let escaped = json!({"customer_id": "C-1", "a/b~c": {"$from": "a1", "path": "nope"}});
    check(&plan(&[search(), get(escaped, &["a1"])]), &[("/actions/1/arguments/a~1b~0c", "reference_undeclared_path")]);
}

#[test]
fn a_source_is_an_earlier_action_that_is_waited_for() {
    let from = |source: &str, depends_on: &[&str]| {
        plan(&[search(), get(json!({"customer_id": {"$from": source, "path": "total"}}), depends_on)])
    };
    check(&from("a1", &[]), &[(AT, "dependency_missing")]);
    check(&from("nope", &[]), &[(AT, "reference_source")]);
    check(&from("a2", &["a1"]), &[(AT, "reference_source")]);
    check(&from("item", &["a1"]), &[(AT, "reference_source")]);
    for source in ["current_selection", "selected_row"] {
        assert_eq!(standings(&check(&from(source, &[]), &[])), [Declared]);
    }
    let reader = action("a1", "crm/customers.get", json!({"customer_id": {"$from": "a2", "path": "id"}}), &[]);
    let verdict = check(
        &plan(&[reader, get(json!({"customer_id": "C-1"}), &[])]),
        &[("/actions/0/arguments/customer_id", "dependency_missing")],
    );
    assert_eq!(help(&verdict), "move `a2` before this action and add it to `depends_on`");
}

#[test]
fn a_source_that_is_refused_is_not_refused_again_at_its_readers() {
    let first = action("a1", "crm/nope", json!({}), &[]);
    let verdict = check(&plan(&[first, get(reads("id"), &["a1"])]), &[("/actions/0/tool", "unknown_tool")]);
    assert!(verdict.references.is_empty());
}

/// A look-up repeated over something, reading `path` of each item.
fn repeated(for_each: Value, path: &str) -> Value {
    let mut second = get(json!({"customer_id": {"$from": "item", "path": path}}), &["a1"]);
    second.as_object_mut().unwrap().insert("for_each".into(), for_each);
    plan(&[search(), second])
}

#[test]
fn for_each_repeats_over_a_literal_list() {
    assert_eq!(standings(&check(&repeated(json!(["C-1", "C-2"]), ""), &[])), [Proved]);
    assert_eq!(standings(&check(&repeated(json!([{"id": "C-1"}, {"id": "C-2"}]), "id"), &[])), [Proved]);
    check(&repeated(json!([{"id": "C-1"}, {"di": "C-2"}]), "id"), &[(AT, "reference_undeclared_path")]);
    check(&repeated(json!([]), ""), &[("/actions/1/for_each", "plan_shape")]);
    check(&repeated(json!(vec!["C"; 20]), ""), &[]);
    check(&repeated(json!(vec!["C"; 21]), ""), &[("/actions/1/for_each", "plan_shape")]);
    check(&repeated(json!("C-1"), ""), &[("/actions/1/for_each", "plan_shape")]);
    check(&repeated(json!([{"$from": "a1", "path": "total"}]), ""), &[("/actions/1/for_each/0", "reference_grammar")]);
}

#[test]
fn for_each_repeats_over_a_declared_collection() {
    let over = |path: &str| json!({"$from": "a1", "path": path});
    assert_eq!(standings(&check(&repeated(over("items"), "id"), &[])), [Proved, Proved]);
    assert_eq!(standings(&check(&repeated(over("items"), "email"), &[])), [Declared, Proved]);
    assert_eq!(standings(&check(&repeated(over("items.*.id"), ""), &[])), [Proved, Proved]);
    check(&repeated(over("items"), "emial"), &[(AT, "reference_undeclared_path")]);
    let verdict = check(&repeated(over("total"), "id"), &[("/actions/1/for_each", "reference_undeclared_path")]);
    assert!(verdict.references.is_empty());
    check(&repeated(over("nope"), "id"), &[("/actions/1/for_each", "reference_undeclared_path")]);
    check(&repeated(json!({"$from": "item", "path": "id"}), "id"), &[("/actions/1/for_each", "reference_source")]);
    assert_eq!(
        standings(&check(&repeated(json!({"$from": "current_selection", "path": "rows"}), "id"), &[])),
        [Declared, Declared]
    );
}

#[test]
fn the_result_of_a_repeated_action_is_a_list_of_results() {
    let third = |path: &str, for_each: Value| {
        let mut plan = repeated(for_each, "");
        let third = action("a3", "crm/customers.get", json!({"customer_id": {"$from": "a2", "path": path}}), &["a2"]);
        plan.get_mut("actions").unwrap().as_array_mut().unwrap().push(third);
        plan
    };
    let at = "/actions/2/arguments/customer_id";
    let two = json!(["C-1", "C-2"]);
    assert_eq!(standings(&check(&third("1.id", two.clone()), &[])), [Proved, Proved]);
    let verdict = check(&third("id", two.clone()), &[(at, "reference_undeclared_path")]);
    assert_eq!(help(&verdict), "put the number of the run first, from 0: `0.id`");
    check(&third("2.id", two), &[(at, "reference_undeclared_path")]);
    let ids = json!({"$from": "a1", "path": "items.*.id"});
    assert_eq!(standings(&check(&third("0.id", ids), &[])), [Proved, Proved, Declared]);
}

#[test]
fn a_result_that_is_a_list_is_entered_by_number() {
    let world = world().with(
        "crm/all",
        &json!({}),
        Some(&json!({"type": "array", "items": {"type": "object", "properties": {"id": {}}}})),
    );
    let reads = |path: &str| {
        let first = action("a1", "crm/all", json!({}), &[]);
        plan(&[first, get(json!({"customer_id": {"$from": "a1", "path": path}}), &["a1"])]).to_string()
    };
    check_in(&world, &reads("0.id"), &[]);
    let verdict = check_in(&world, &reads("id"), &[(AT, "reference_undeclared_path")]);
    assert_eq!(
        help(&verdict),
        "`crm/all` returns a list: run it and let a person choose (`current_selection`), or put the number of an item first"
    );
}
