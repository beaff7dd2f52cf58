//! The verdict as a whole: its written form, its order, and that hidden cards make no difference.

use serde_json::json;

use super::*;

fn faulty() -> Value {
    plan(&[
        search(),
        get(json!({"customer_id": {"$from": "a1", "path": "customer_id"}}), &["a1"]),
        action(
            "a3",
            "mail/send_email",
            json!({"to": "nobody", "body": {"$from": "a1", "path": "items.0.name"}}),
            &["a1"],
        ),
    ])
}

#[test]
fn a_verdict_has_the_shape_of_the_design() {
    let verdict = world().verdict(&faulty().to_string());
    let view = Digest::of(b"view");
    let expected = json!({
        "verdict": "refused",
        "snapshot": 42,
        "view": view,
        "sound_prefix": ["a1"],
        "needs_confirmation": ["a3"],
        "references": [{"at": "/actions/2/arguments/body", "standing": "declared"}],
        "unproved": [],
        "violations": [
            {
                "at": "/actions/1/arguments/customer_id",
                "code": "reference_undeclared_path",
                "rule": "a path must be declared, and `crm/customers.search` declares no `customer_id`",
                "help": "`crm/customers.search` returns a list under `items`: run it and let a person choose (`current_selection`), or use `for_each` over `items`"
            },
            {
                "at": "/actions/2/arguments/to",
                "code": "arguments_invalid",
                "rule": "`mail/send_email` takes other arguments: `to` is not of the format `email`",
                "help": "write an e-mail address"
            }
        ]
    });
    assert_eq!(serde_json::to_value(&verdict).unwrap(), expected);
}

#[test]
fn cards_outside_discover_make_no_difference() {
    let whole = world();
    let mut cut = world();
    cut.snapshot.tools.retain(|card| cut.view.discovers(&card.id));
    assert!(cut.snapshot.tools.len() < whole.snapshot.tools.len());
    let hidden = plan(&[
        action("a1", "hidden/customers.purge", json!({"x": 1}), &[]),
        action("a2", "customers.purge", json!({}), &[]),
        action("a3", "hidden/customers.purg", json!({"y": {"$from": "a1", "path": "id"}}), &["a1"]),
    ]);
    for plan in [faulty(), hidden, plan(&[search()])] {
        let text = |world: &World| serde_json::to_string(&world.verdict(&plan.to_string())).unwrap();
        assert_eq!(text(&whole), text(&cut));
    }
}

#[test]
fn violations_are_sorted_and_none_stands_twice() {
    let verdict = world().verdict(&faulty().to_string());
    let mut sorted = verdict.violations.clone();
    sorted.sort();
    sorted.dedup();
    assert_eq!(verdict.violations, sorted);
}
