//! Rolling back: to what was live before, never to more authority than now without a word, and whatever else is gone or broken.

#![expect(clippy::indexing_slicing, reason = "an answer of another shape is the failure")]

use ambit_tests::server::{apply, served};
use ambit_tests::{Place, Run};
use serde_json::{Value, json};

const ACME: &str = "policies/acme.yaml";
const GLOBEX: &str = "policies/globex.yaml";
const REASON: [&str; 2] = ["--reason", "the day before"];

/// Snapshot 1 is open for people of Globex, 2 is not.
fn lowered() -> Place {
    let place = Place::with_sample();
    place.edit(GLOBEX, "ceiling: confirm_writes", "ceiling: open");
    apply(&place);
    place.edit(GLOBEX, "ceiling: open", "ceiling: confirm_writes");
    apply(&place);
    place
}

fn back(place: &Place, more: &[&str]) -> Run {
    place.run(&[["rollback"].as_slice(), &REASON, more].concat())
}

#[track_caller]
fn check(place: &Place, run: &Run, code: i32, live: i64, says: &[&str]) {
    let said = format!("{}{}", run.out, run.err);
    assert_eq!(run.code, code, "{said}");
    for word in says {
        assert!(said.contains(word), "`{word}` is not in: {said}");
    }
    let listed = place.run(&["snapshots", "--format", "json"]).json();
    assert_eq!(listed["live"], live, "{said}");
}

#[test]
fn without_a_number_it_is_what_was_live_before() {
    let place = Place::with_sample();
    apply(&place);
    let only = ["no other snapshot than 1 was ever live"];
    check(&place, &back(&place, &[]), 2, 1, &only);
    for name in ["name: The ", "name: All The "] {
        place.edit(ACME, "name: ", name);
        apply(&place);
    }
    check(&place, &back(&place, &[]), 0, 2, &["snapshot 2", "is live again, 3 no longer"]);
    check(&place, &back(&place, &[]), 0, 3, &["is live again, 2 no longer"]);
    check(&place, &back(&place, &["1"]), 0, 1, &["is live again, 3 no longer"]);
    check(&place, &back(&place, &["1"]), 2, 1, &["live already"]);
    check(&place, &back(&place, &[]), 0, 3, &["is live again, 1 no longer"]);
}

#[test]
fn more_authority_than_now_wants_a_word() {
    let place = lowered();
    let raised = "the ceiling of globex/people is raised from confirm_writes to open";
    check(&place, &back(&place, &[]), 2, 2, &[raised, "--accept-gains", "ambit diff 2 1"]);
    let refused = back(&place, &["--format", "json"]).json();
    assert_eq!(refused["error"]["code"], "E_GAINS");
    std::fs::remove_dir_all(place.path("catalogs")).unwrap();
    std::fs::remove_dir_all(place.path("policies")).unwrap();
    let mut command = place.command(&[["rollback", "--accept-gains"].as_slice(), &REASON].concat());
    let run = Run::from(command.env("AMBIT_MODELS", "nowhere").env("AMBIT_RUNTIME", "nowhere").output().unwrap());
    check(&place, &run, 0, 1, &[raised, "snapshot 1"]);
    let audit = place.run(&["audit", "--format", "json"]).json();
    let details = &audit["entries"][0]["payload"]["details"];
    assert_eq!(details, &json!({ "from": "2", "reason": "the day before", "gains": "accepted" }));
    // The other way takes away only.
    check(&place, &back(&place, &[]), 0, 2, &["is live again, 1 no longer"]);
}

#[test]
fn away_from_a_damaged_snapshot_too() {
    let place = Place::with_sample();
    apply(&place);
    place.edit("catalogs/mail.anthropic.json", "\"description\": \"", "\"description\": \"Now and then and ever: ");
    apply(&place);
    let database = place.path(".ambit/ambit.db");
    let mut bytes = std::fs::read(&database).unwrap();
    let needle = b"Now and then and ever";
    let found: Vec<usize> =
        bytes.windows(needle.len()).enumerate().filter(|(_, window)| window == needle).map(|(at, _)| at).collect();
    assert!(!found.is_empty(), "the part lies in the main file");
    found.into_iter().for_each(|at| bytes[at] = b'M');
    std::fs::write(&database, bytes).unwrap();
    assert_eq!(place.run(&["verify"]).code, 2);
    let untold = ["who would gain by going back to snapshot 1 cannot be told", "snapshot 2 cannot be read back"];
    check(&place, &back(&place, &[]), 2, 2, &untold);
    check(&place, &back(&place, &["--accept-gains"]), 0, 1, &["snapshot 1", "is live again"]);
    assert_eq!(place.run(&["verify"]).code, 0);
}

#[test]
fn over_the_network_it_is_the_same() {
    let served = served();
    served.place.edit(GLOBEX, "ceiling: confirm_writes", "ceiling: open");
    apply(&served.place);
    let post = |number: i64, body: Value| {
        served.server.post(&format!("/v1/snapshots/{number}/rollback"), &served.key, body.to_string())
    };
    let down = post(1, json!({ "reason": "less" }));
    assert_eq!((down.status, &down.json()["gained"]), (200, &json!([])), "{}", down.text());
    let refused = post(2, json!({ "reason": "more", "from": 1 }));
    refused.refused(409, "E_GAINS");
    assert!(refused.text().contains("the ceiling of globex/people is raised"), "{}", refused.text());
    post(2, json!({ "reason": "more", "from": 1, "accept_gains": false })).refused(409, "E_GAINS");
    post(2, json!({ "reason": "more", "accept_gains": "yes" })).refused(400, "E_REQUEST");
    let up = post(2, json!({ "reason": "more", "from": 1, "accept_gains": true }));
    assert_eq!(up.status, 200, "{}", up.text());
    assert!(up.json()["gained"][0].as_str().unwrap().contains("globex/people"), "{}", up.text());
}

#[test]
fn a_policy_that_gives_more_wants_a_word_too() {
    let place = Place::with_sample();
    apply(&place);
    // Only who looks up stock loses by it, and gets it back by going back.
    place.edit(
        "policies/acme.cedar",
        "[Ambit::Operation::\"search\", Ambit::Operation::\"check\"]",
        "[Ambit::Operation::\"search\"]",
    );
    for file in ["policies/tests.yaml", "policies/golden.yaml"] {
        std::fs::remove_file(place.path(file)).unwrap();
    }
    apply(&place);
    check(&place, &back(&place, &[]), 2, 2, &["inventory/check_stock", "--accept-gains"]);
    check(&place, &back(&place, &["--accept-gains"]), 0, 1, &["in acme/operations: inventory/check_stock"]);
}
