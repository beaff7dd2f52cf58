//! Every GoldenRoute of the sample workspace, and every one in another language, routes as it says, through the real binary.

#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "JSON values answer an unknown key with null; a file that is away or of another shape is the failure"
)]

use ambit_tests::{Place, repository};
use serde::Deserialize;

#[derive(Debug, Deserialize)]
struct Golden {
    kind: String,
    question: String,
    principal: String,
    project: String,
    #[serde(default)]
    tools: Vec<String>,
    gap: Option<String>,
    #[serde(default = "yes")]
    ordered: bool,
}

fn yes() -> bool {
    true
}

#[test]
fn every_golden_route_holds() {
    let place = Place::with_sample();
    assert_eq!(place.run(&["apply"]).code, 0);
    check(&place, "policies/golden.yaml", 25);
}

/// The tools are described in English; the model knows no other language, and the routes say so.
#[test]
fn questions_in_other_languages_route_too() {
    let place = Place::with_sample();
    assert_eq!(place.run(&["apply"]).code, 0);
    for language in ["german", "italian"] {
        check(&place, &format!("tests/golden/routes/{language}.yaml"), 20);
    }
}

/// Asks every route of a file, which holds at least so many.
#[track_caller]
fn check(place: &Place, file: &str, least: usize) {
    let text = std::fs::read_to_string(repository().join(file)).unwrap();
    let goldens: Vec<Golden> =
        serde_yaml::Deserializer::from_str(&text).map(|document| Golden::deserialize(document).unwrap()).collect();
    assert!(goldens.len() >= least && goldens.iter().all(|golden| golden.kind == "GoldenRoute"));
    let wrong: Vec<String> = goldens.iter().filter_map(|golden| ask(place, golden)).collect();
    assert!(wrong.is_empty(), "{file}: {} of {} routes differ:\n{}", wrong.len(), goldens.len(), wrong.join("\n"));
}

/// What differs, if anything.
fn ask(place: &Place, golden: &Golden) -> Option<String> {
    let run = place.run(&[
        "route",
        &golden.question,
        "--as",
        &golden.principal,
        "--project",
        &golden.project,
        "--format",
        "json",
    ]);
    let answer = run.json();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let mut found: Vec<String> = answer["tools"].as_array()?.iter().map(|tool| text(&tool["id"])).collect();
    let mut expected = golden.tools.clone();
    if !golden.ordered {
        found.sort();
        expected.sort();
    }
    let causes: Vec<String> = answer["gaps"].as_array()?.iter().map(|gap| text(&gap["cause"])).collect();
    let gap_is_right = golden.gap.as_ref().map_or(causes.is_empty(), |gap| causes.contains(gap));
    (found != expected || !gap_is_right).then(|| {
        format!("{}\n  expected {expected:?} {:?}\n  found    {found:?} {causes:?}", golden.question, golden.gap)
    })
}
