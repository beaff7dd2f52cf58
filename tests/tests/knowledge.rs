//! Documents by the real binary: compiled from a folder, found at the terminal and over the network, told in a diff, and gone with
//! the permit.

use ambit_tests::server::{make_key, served};
use ambit_tests::{Place, Run};
use serde_json::{Value, json};

const QUESTION: &str = "Who pays when damaged goods go back?";
const RETURNS: &str = "policies/knowledge/support/returns.md";

fn search(place: &Place, who: &str, project: &str, more: &[&str]) -> Run {
    place.run(&[&["knowledge", "search", QUESTION, "--as", who, "--project", project], more].concat())
}

#[track_caller]
fn applied() -> Place {
    let place = Place::with_sample();
    let run = place.run(&["apply"]);
    assert_eq!(run.code, 0, "{run:?}");
    place
}

#[test]
fn the_terminal_shows_where_a_passage_stands() {
    let place = applied();
    let run = search(&place, "acme:agent:support-bot", "support", &["--limit", "1"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.out.contains(&format!("{RETURNS}:14  Returns policy, Damaged or wrong goods\n")), "{}", run.out);
    assert!(run.out.contains("The customer pays nothing") && run.out.ends_with("\n1 passage\n"), "{}", run.out);
    let refused = search(&place, "acme:user:analyst", "support", &[]);
    assert!(refused.code == 2 && refused.err.contains("may not search documents of this project"), "{refused:?}");
}

#[test]
fn the_network_answers_as_the_terminal_does() {
    let served = served();
    let key =
        make_key(&served.place, &["--name", "desk", "--as", "acme:agent:support-bot", "--project", "acme/support"]);
    let reply =
        served.server.post("/v1/knowledge/search", &key, json!({ "question": QUESTION, "limit": 3 }).to_string());
    assert_eq!(reply.status, 200, "{}", reply.text());
    let run = search(&served.place, "acme:agent:support-bot", "support", &["--limit", "3", "--format", "json"]);
    assert_eq!(reply.json(), run.json());
    assert_eq!(reply.json()["results"][0]["path"], RETURNS);
    for (body, status, code) in [
        (json!({ "question": QUESTION, "limit": 21 }), 400, "E_LIMIT"),
        (json!({ "question": "" }), 400, "E_QUESTION"),
        (json!({ "query": QUESTION }), 400, "E_REQUEST"),
    ] {
        let reply = served.server.post("/v1/knowledge/search", &key, body.to_string());
        assert_eq!((reply.status, reply.json()["code"].as_str()), (status, Some(code)), "{body}: {}", reply.text());
    }
    let body = json!({ "question": QUESTION, "project": "finance" }).to_string();
    assert_eq!(served.server.post("/v1/knowledge/search", &served.key, body).status, 403);
}

#[test]
fn a_changed_document_is_a_line_of_the_diff_and_goes_live_with_an_apply() {
    let place = applied();
    place.edit(RETURNS, "within 60 days", "within 90 days");
    place.write("policies/knowledge/support/spares.md", "# Spare parts\n\nSpare parts are kept for ten years.\n");
    let diff = place.run(&["diff", "--format", "json"]).json();
    let sections = diff.pointer("/diff/sections").or(diff.get("sections")).and_then(Value::as_array).unwrap();
    let documents = sections.iter().find(|section| section["kind"] == "documents").unwrap();
    assert_eq!(documents["added"], json!(["acme/support:policies/knowledge/support/spares.md"]));
    assert_eq!(documents["changed"][0]["id"], format!("acme/support:{RETURNS}"));
    let applied = place.run(&["apply"]);
    assert_eq!(applied.code, 0, "{applied:?}");
    assert_eq!(place.run(&["verify"]).code, 0);
    let answer = search(&place, "acme:user:clerk", "support", &["--format", "json"]).json();
    assert!(answer["results"][0]["text"].as_str().unwrap().contains("within 90 days"), "{answer}");
}
