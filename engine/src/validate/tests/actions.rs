//! Shape, tools, dependencies and repeats.

use serde_json::json;

use super::*;
use crate::authority::under_blocks;

#[test]
fn a_plan_of_the_right_shape_is_accepted() {
    let verdict = check(&plan(&[search(), get(json!({"customer_id": "C-1"}), &["a1"])]), &[]);
    assert_eq!(verdict.sound_prefix, ["a1", "a2"]);
    check(&json!({"decision": "answer", "actions": []}), &[]);
    check(&json!({"decision": "insufficient", "actions": []}), &[]);
    let mut bare = search();
    bare.as_object_mut().unwrap().remove("depends_on");
    check(&plan(&[bare]), &[]);
}

#[test]
fn every_fault_of_the_shape_is_found_at_once() {
    check(&json!([]), &[("", "plan_shape")]);
    check(&json!({}), &[("", "plan_shape"), ("", "plan_shape")]);
    check(
        &json!({"decision": "tool", "actions": [], "mode": 1}),
        &[("/decision", "plan_shape"), ("/mode", "plan_shape")],
    );
    check(&json!({"decision": 1, "actions": {}}), &[("/actions", "plan_shape"), ("/decision", "plan_shape")]);
    check(&json!({"decision": "tools", "actions": []}), &[("/actions", "plan_shape")]);
    check(&json!({"decision": "answer", "actions": [search()]}), &[("/actions", "plan_shape")]);
    check(&plan(&[json!("a1"), json!(null)]), &[("/actions/0", "plan_shape"), ("/actions/1", "plan_shape")]);
    check(&plan(&[json!({})]), &[("/actions/0", "plan_shape"); 4]);
    check(
        &plan(&[
            json!({"id": "A 1", "tool": 3, "arguments": [], "depends_on": ["x", 1], "purpose": " ", "dependson": []}),
        ]),
        &[
            ("/actions/0/arguments", "plan_shape"),
            ("/actions/0/depends_on/0", "dependency_unknown"),
            ("/actions/0/depends_on/1", "plan_shape"),
            ("/actions/0/dependson", "plan_shape"),
            ("/actions/0/id", "plan_shape"),
            ("/actions/0/purpose", "plan_shape"),
            ("/actions/0/tool", "plan_shape"),
        ],
    );
}

#[test]
fn ids_and_purposes_keep_to_their_form() {
    let with = |member: &str, value: &str| {
        let mut action = search();
        *action.get_mut(member).unwrap() = json!(value);
        plan(&[action])
    };
    for id in ["a", "0", "a-b_c", &"a".repeat(64)] {
        check(&with("id", id), &[]);
    }
    for id in ["", "A", "-a", "a.b", "ä", &"a".repeat(65), "item", "current_selection", "selected_row"] {
        check(&with("id", id), &[("/actions/0/id", "plan_shape")]);
    }
    check(&with("purpose", &"ä".repeat(160)), &[]);
    check(&with("purpose", &"ä".repeat(161)), &[("/actions/0/purpose", "plan_shape")]);
    check(&with("purpose", ""), &[("/actions/0/purpose", "plan_shape")]);
}

#[test]
fn unknown_members_are_answered_with_the_nearest_name() {
    let mut mistyped = search();
    mistyped.as_object_mut().unwrap().insert("argument".into(), json!({}));
    assert_eq!(help(&check(&plan(&[mistyped]), &[("/actions/0/argument", "plan_shape")])), "did you mean `arguments`?");
    assert_eq!(
        help(&check(&json!({"decision": "tols", "actions": []}), &[("/decision", "plan_shape")])),
        "did you mean `tools`?"
    );
}

fn calls(tool: &str, expected: &[(&str, &str)]) -> Verdict {
    check(&plan(&[action("a1", tool, json!({}), &[])]), expected)
}

#[test]
fn a_tool_must_be_known_and_permitted() {
    calls("billing/delete_invoice", &[("/actions/0/tool", "not_read_only")]);
    let verdict = calls("billing/report", &[("/actions/0/tool", "not_permitted")]);
    assert_eq!(
        verdict.violations.first().unwrap().rule,
        "policy does not let you plan a call of `billing/report`: nothing permits `route`"
    );
    let verdict = calls("crm/customer.search", &[("/actions/0/tool", "unknown_tool")]);
    assert_eq!(help(&verdict), "did you mean `crm/customers.search`?");
    let verdict = calls("customers.search", &[("/actions/0/tool", "unknown_tool")]);
    assert_eq!(help(&verdict), "write the canonical id: `crm/customers.search`");
    let verdict = calls("send_emal", &[("/actions/0/tool", "unknown_tool")]);
    assert_eq!(help(&verdict), "did you mean `mail/send_email`?");
    calls("", &[("/actions/0/tool", "unknown_tool")]);
}

#[test]
fn a_routed_tool_that_cannot_be_called_is_not_permitted() {
    let mut world = world();
    let id = ToolId::parse("crm/customers.search").unwrap();
    world.allow(id, capability(true, false, false));
    check_in(&world, &plan(&[search()]).to_string(), &[("/actions/0/tool", "not_permitted")]);
}

#[test]
fn a_blocked_tool_is_refused_until_its_time() {
    let mut world = world();
    let at = ("/actions/0/tool", "not_permitted");
    let mut blocked = |until: Option<&str>| {
        let id = ToolId::parse("crm/customers.search").unwrap();
        let block = Block {
            tool: id.clone(),
            reason: "it answers too much".into(),
            until: until.map(str::to_owned),
            at: "2026-11-30T09:00:00Z".into(),
            by: "local:ann".into(),
        };
        let (view, overlay) = under_blocks(&super::world().view, &[block]).unwrap().unwrap();
        (world.view, world.blocks) = (view, overlay.blocks);
        let verdict = check_in(&world, &plan(&[search()]).to_string(), &[at]);
        verdict.violations.first().unwrap().rule.clone()
    };
    let said = "nobody may plan a call of it";
    assert_eq!(blocked(None), format!("`crm/customers.search` is blocked for now: {said}"));
    let until = Some("2026-12-01T00:00:00Z");
    assert_eq!(blocked(until), format!("`crm/customers.search` is blocked until 2026-12-01T00:00:00Z: {said}"));
}

#[test]
fn a_hidden_tool_is_answered_as_one_that_does_not_exist() {
    let hidden = calls("hidden/customers.purge", &[("/actions/0/tool", "unknown_tool")]);
    let absent = calls("hidden/customers.burge", &[("/actions/0/tool", "unknown_tool")]);
    let text = |verdict: &Verdict| serde_json::to_string(verdict).unwrap();
    assert_eq!(text(&hidden).replace("purge", "burge"), text(&absent));
    assert!(!help(&calls("hidden/customers.purg", &[("/actions/0/tool", "unknown_tool")])).contains("hidden"));
}

#[test]
fn tools_that_want_a_confirmation_are_listed() {
    let send = action("a2", "mail/send_email", json!({"to": "a@example.com", "body": "x"}), &[]);
    assert_eq!(check(&plan(&[search(), send]), &[]).needs_confirmation, ["a2"]);
}

/// Actions that depend on each other as given, each calling the same tool with arguments of its own.
fn depends(edges: &[(&str, &[&str])]) -> Value {
    let one = |(index, (id, on)): (usize, &(&str, &[&str]))| {
        action(id, "crm/customers.get", json!({"customer_id": index.to_string()}), on)
    };
    plan(&edges.iter().enumerate().map(one).collect::<Vec<_>>())
}

#[test]
fn actions_depend_only_on_earlier_ones() {
    check(&depends(&[("a", &[]), ("b", &["a"]), ("c", &["a", "b"])]), &[]);
    check(&depends(&[("a", &["nope"])]), &[("/actions/0/depends_on/0", "dependency_unknown")]);
    let later = check(&depends(&[("a", &["b"]), ("b", &[])]), &[("/actions/0/depends_on/0", "dependency_unknown")]);
    assert_eq!(help(&later), "move `b` before this action");
    check(&depends(&[("a", &["a"])]), &[("/actions/0/depends_on/0", "dependency_cycle")]);
    check(&depends(&[("a", &["b"]), ("b", &["a"])]), &[("/actions/0/depends_on/0", "dependency_cycle")]);
    check(&depends(&[("a", &["c"]), ("b", &["a"]), ("c", &["b"])]), &[("/actions/0/depends_on/0", "dependency_cycle")]);
    let typo =
        check(&depends(&[("first", &[]), ("b", &["frist"])]), &[("/actions/1/depends_on/0", "dependency_unknown")]);
    assert_eq!(help(&typo), "did you mean `first`?");
    check(&depends(&[("a", &["current_selection"])]), &[("/actions/0/depends_on/0", "dependency_unknown")]);
}

#[test]
fn no_id_and_no_call_stands_twice() {
    check(&depends(&[("a", &[]), ("a", &[])]), &[("/actions/1/id", "duplicate_action")]);
    let again = action("a2", "crm/customers.search", json!({"query": "Ada"}), &[]);
    check(&plan(&[search(), again]), &[("/actions/1", "duplicate_action")]);
    let eight: Vec<(String, &[&str])> = (0..9).map(|n| (format!("a{n}"), &[] as &[&str])).collect();
    let eight: Vec<(&str, &[&str])> = eight.iter().map(|(id, on)| (id.as_str(), *on)).collect();
    check(&depends(eight.get(..8).unwrap()), &[]);
    let verdict = check(&depends(&eight), &[("/actions", "too_many_actions")]);
    assert_eq!(verdict.sound_prefix.len(), 8);
}

#[test]
fn the_sound_prefix_ends_before_the_first_fault() {
    let prefix = |plan: &Value| world().verdict(&plan.to_string()).sound_prefix;
    assert_eq!(prefix(&plan(&[search(), get(json!({}), &[])])), ["a1"]);
    assert!(prefix(&plan(&[get(json!({}), &[]), search()])).is_empty());
    assert!(prefix(&json!({"decision": "answer", "actions": [search()]})).is_empty());
    assert!(prefix(&json!({"actions": [search()]})).is_empty());
    assert_eq!(prefix(&json!({"decision": "tools", "actions": [search()], "extra": 1})), ["a1"]);
}
