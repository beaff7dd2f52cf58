//! Exports by the real binary: what leaves is what may be offered, under names that lead back, and what was left out is named.

#![expect(clippy::unwrap_used, reason = "an answer of another shape is the failure")]

use std::collections::BTreeSet;

use ambit_tests::server::{ANALYST, make_key, served};
use serde_json::{Value, json};

fn texts<'a>(list: &'a Value, pointer: &str) -> BTreeSet<&'a str> {
    list.as_array().unwrap().iter().map(|each| each.pointer(pointer).unwrap().as_str().unwrap()).collect()
}

#[test]
fn what_may_be_offered_is_exported_to_each_target() {
    let served = served();
    let asked = |arguments: &[&str]| served.place.run(&[arguments, &ANALYST].concat());
    let list = asked(&["tools", "--format", "json"]).json();
    let routed: Vec<Value> = list["tools"].as_array().unwrap().iter().filter(|t| t["route"] == true).cloned().collect();
    let routed = json!(routed);
    for (target, tools, name) in [
        ("openai", "", "/function/name"),
        ("openai-responses", "", "/name"),
        ("anthropic", "", "/name"),
        ("mcp", "/tools", "/name"),
    ] {
        let whole = asked(&["export", "--to", target, "--format", "json"]).json();
        let alone = asked(&["export", "--to", target]);
        assert_eq!(alone.json(), whole["definitions"], "{target}");
        let names = whole["names"].as_object().unwrap();
        assert_eq!(
            texts(whole["definitions"].pointer(tools).unwrap(), name),
            names.keys().map(String::as_str).collect()
        );
        assert_eq!(names.values().map(|id| id.as_str().unwrap()).collect::<BTreeSet<_>>(), texts(&routed, "/id"));
        assert_eq!(whole["view"], list["view"]);
        assert!(alone.err.contains(" tools exported; "), "{alone:?}");
    }
    let notes = asked(&["export", "--to", "anthropic"]).err;
    assert!(notes.contains("is left out: only MCP describes what a tool answers"), "{notes}");
}

#[test]
fn the_api_exports_the_same() {
    let served = served();
    let printed = served.place.run(&[&["export", "--to", "openai", "--format", "json"][..], &ANALYST].concat()).json();
    let key = make_key(&served.place, &[&["--name", "exporter"][..], &ANALYST[..2]].concat());
    let body = json!({ "target": "openai", "project": "finance" }).to_string();
    let reply = served.server.post("/v1/export", &key, body);
    assert_eq!((reply.status, reply.json()["definitions"].clone()), (200, printed["definitions"].clone()));
    assert!(reply.text().contains("\"parameters\": {"), "schemas keep the text of their file");
    served.server.post("/v1/export", &key, r#"{"target": "cobol"}"#).refused(400, "E_REQUEST");
    served.server.post("/v1/export", &key, "{}").refused(400, "E_REQUEST");
}
