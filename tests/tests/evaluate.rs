//! `ambit eval`: the router against questions whose tools are known.

use ambit_tests::Place;
use serde_json::{Value, json};

const TOOLS: [(&str, &str); 6] = [
    ("get_weather", "Returns the weather forecast of a city for the next days."),
    ("list_invoices", "Lists the invoices of a customer with amount and due date."),
    ("send_email", "Sends an e-mail with a subject and a body to a recipient."),
    ("create_ticket", "Opens a support ticket with a title and a text."),
    ("search_flights", "Searches flights between two airports on a day."),
    ("convert_currency", "Converts an amount of money from one currency to another."),
];

const QUESTIONS: [(&str, &[&str]); 5] = [
    ("Will it rain in Turin tomorrow? I need the forecast.", &["get_weather"]),
    ("Which invoices of Northwind are due?", &["list_invoices"]),
    ("Find a flight from Milan to Oslo on Friday", &["search_flights"]),
    ("How much is 100 euro in Swiss francs?", &["convert_currency"]),
    ("List the invoices of Northwind, then send an email to Ada about them", &["list_invoices", "send_email"]),
];

/// A place with a set in `set`.
fn place() -> Place {
    let place = Place::empty();
    let tools: Vec<Value> = TOOLS
        .iter()
        .map(|(name, description)| json!({ "name": name, "description": description, "inputSchema": { "type": "object" } }))
        .collect();
    place.write("set/catalog.json", json!({ "tools": tools }).to_string());
    let lines: Vec<String> = QUESTIONS
        .iter()
        .map(|(query, gold)| {
            json!({ "id": query, "query": query, "gold": gold, "ordered": gold.len() > 1 }).to_string()
        })
        .collect();
    place.write("set/queries.jsonl", lines.join("\n"));
    place
}

fn share(of: &Value, path: &str) -> f64 {
    let found = of.pointer(path).and_then(Value::as_f64);
    assert!(found.is_some(), "no {path} in {of}");
    found.unwrap_or_default()
}

#[test]
fn a_set_is_measured_single_and_multi() {
    let place = place();
    let run = place.run(&["eval", "set", "--format", "json"]);
    assert_eq!(run.code, 0, "{run:?}");
    let of = run.json();
    assert_eq!((&of["set"], &of["tools"], &of["accepted"]), (&json!("set"), &json!(6), &json!(6)));
    assert_eq!((&of["single"]["n"], &of["multi"]["n"]), (&json!(4), &json!(1)));
    assert!(share(&of, "/single/recall_at_8") >= 0.99 && share(&of, "/single/exact_set") >= 0.74, "{of}");
    assert_eq!(of["single"]["exact_sequence"], Value::Null);
    assert!(of["multi"]["exact_sequence"].is_number());
    for part in
        ["ndcg_at_5", "precision", "mean_tools", "abstention_recall", "tokens_ratio", "p50_ms", "p99_ms", "embed_share"]
    {
        assert!(share(&of["single"], &format!("/{part}")) >= 0.0, "{part}");
    }
    let sure = &of["single"]["ci95"]["exact_set"];
    assert!(share(sure, "/0") < share(&of, "/single/exact_set") + 1e-9 && share(sure, "/1") <= 1.0);
}

#[test]
fn the_order_of_tools_changes_no_number() {
    let place = place();
    let numbers = |arguments: &[&str]| {
        let mut of = place.run(arguments).json();
        for kind in ["single", "multi"] {
            for timed in ["p50_ms", "p99_ms", "embed_share"] {
                of[kind][timed] = Value::Null;
            }
        }
        of
    };
    let plain = numbers(&["eval", "set", "--format", "json"]);
    assert_eq!(numbers(&["eval", "set", "--shuffle", "7", "--format", "json"]), plain);
}

#[test]
fn a_changed_set_has_another_truth() {
    let place = place();
    let eval = |more: &[&str]| place.run(&[&["eval", "set", "--format", "json"], more].concat()).json();
    let dropped = eval(&["--drop-tool", "send_email"]);
    assert_eq!(
        (&dropped["tools"], &dropped["single"]["n"]),
        (&json!(5), &json!(5)),
        "what wants none is a single question"
    );
    let swapped = eval(&["--swap-tool", "get_weather"]);
    assert!(share(&swapped, "/single/exact_set") >= 0.74, "another name for the same tool is found: {swapped}");
    let bumped = eval(&["--version-bump", "get_weather", "--add-distractors", "40"]);
    assert_eq!(bumped["tools"], json!(47));
    assert!(share(&bumped, "/single/exact_set") >= 0.74, "the current version is taken: {bumped}");
    let opaque = eval(&["--opaque-names"]);
    assert_eq!(opaque["leaks"], json!(0));
    let unknown = place.run(&["eval", "set", "--drop-tool", "nothing"]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.err.contains("E_UNRESOLVED"), "{}", unknown.err);
}

#[test]
fn baselines_and_ablation_stand_in_the_same_table() {
    let place = place();
    let run = place.run(&["eval", "set", "--baselines", "--ablate"]);
    assert_eq!(run.code, 0, "{run:?}");
    for row in [
        "router",
        "without semantic",
        "without bm25",
        "top-5 similarity",
        "top-5 BM25",
        "top-5 fusion",
        "all tools in the prompt",
    ] {
        assert!(run.out.contains(row), "{row} in {}", run.out);
    }
    let run = place.run(&["eval", "set", "--baselines", "--format", "markdown"]);
    assert!(run.out.contains("| `router` | single |"), "{}", run.out);
}

#[test]
fn the_golden_routes_of_a_workspace_are_measured_too() {
    let place = Place::with_sample();
    let of = place.run(&["eval", "--format", "json"]).json();
    assert!(share(&of, "/single/exact_set") > 0.9, "{of}");
}

#[test]
fn what_cannot_be_read_is_said_with_its_place() {
    let place = place();
    place.write("set/queries.jsonl", "{\"query\": \"Will it rain?\", \"gold\": [\"get_weather\", \"nowhere\"]}\nnonsense\n{\"query\": \" \", \"gold\": []}\n");
    let run = place.run(&["eval", "set", "--format", "json"]);
    let of = run.json();
    assert_eq!((of["diagnostics"].as_array().map(Vec::len), &of["unknown_gold"]), (Some(2), &json!(1)), "{of}");
    assert_eq!(of["diagnostics"][0]["place"]["line"], json!(2));
    place.write("set/catalog.json", "[1, 2");
    let run = place.run(&["eval", "set"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("E_CATALOG"), "{}", run.err);
    let run = place.run(&["eval", "nowhere"]);
    assert_eq!(run.code, 2, "{run:?}");
    let run = place.run(&["eval", "set", "--format", "sarif"]);
    assert_eq!(run.code, 2, "{run:?}");
}
