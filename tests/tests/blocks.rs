//! Blocks by the real binary: what one process blocks a running server stops offering, and whoever cannot name the tool hears nothing.

#![expect(clippy::indexing_slicing, clippy::unwrap_used, reason = "an answer of another shape is the failure")]

use std::collections::BTreeMap;

use ambit_tests::server::{ANALYST, Reply, Served, Server, make_key, served, until};
use ambit_tests::{Place, Run};
use serde_json::{Value, json};

const TOOL: &str = "billing/get_revenue_report";
const QUESTION: &str = "Pull last quarter's revenue and email the chart to finance.";
/// Names the tool, so that a router which only ranked it lower would still take it.
const BY_NAME: &str = "use billing/get_revenue_report for the last quarter";
const REASON: &str = "figures of the wrong year";

#[track_caller]
fn run(place: &Place, arguments: &[&str]) -> Run {
    let run = place.run(arguments);
    assert_eq!(run.code, 0, "{arguments:?}: {run:?}");
    run
}

#[track_caller]
fn block(place: &Place, tool: &str, more: &[&str]) -> Value {
    run(place, &[&["block", tool, "--reason", REASON, "--format", "json"], more].concat()).json()
}

fn listed(place: &Place) -> Value {
    run(place, &["blocks", "--format", "json"]).json()["blocks"].clone()
}

/// The command line's answer to the analyst.
fn asked(place: &Place, arguments: &[&str]) -> Value {
    place.run(&[arguments, &ANALYST, &["--format", "json"]].concat()).json()
}

fn tool_of(list: &Value, id: &str) -> Value {
    list["tools"].as_array().unwrap().iter().find(|tool| tool["id"] == id).cloned().unwrap()
}

fn plan_of(tool: &str) -> String {
    let action = json!({ "id": "a", "tool": tool, "arguments": {}, "depends_on": [], "purpose": "to see" });
    json!({ "decision": "tools", "actions": [action] }).to_string()
}

/// The rules that a verdict names with this code.
fn not_permitted(verdict: &Value) -> Vec<String> {
    let violations = verdict["violations"].as_array().unwrap().iter();
    let these = violations.filter(|violation| violation["code"] == "not_permitted");
    these.map(|violation| violation["rule"].as_str().unwrap().to_owned()).collect()
}

/// Everything that is made for a caller, by door: the bodies, byte for byte.
fn answers(server: &Server, key: &str, project: &str) -> BTreeMap<String, String> {
    let get = |path: &str| server.get(&format!("{path}?project={project}"), key);
    let post = |path: &str, body: String| server.post(&format!("{path}?project={project}"), key, body);
    let mut answers = BTreeMap::new();
    let mut keep = |door: &str, reply: Reply| {
        assert_eq!(reply.status, 200, "{door}: {}", reply.text());
        answers.insert(door.to_owned(), reply.text());
    };
    keep("tools", get("/v1/tools"));
    keep("export", post("/v1/export", json!({ "target": "mcp" }).to_string()));
    keep("whoami", get("/v1/whoami"));
    for question in [QUESTION, BY_NAME, "Which documents are there?"] {
        keep(question, post("/v1/route", json!({ "question": question }).to_string()));
    }
    keep("plan", post("/v1/plans/validate", plan_of(TOOL)));
    keep("another plan", post("/v1/plans/validate", plan_of("studio/get_document")));
    answers
}

fn json_of(answers: &BTreeMap<String, String>, door: &str) -> Value {
    serde_json::from_str(answers.get(door).unwrap()).unwrap()
}

/// Every tool that a route answer offers, ranked, holds in reserve or calls near; the words of the question are no part of that.
fn named(answer: &Value) -> String {
    let list = |of: &Value| of.as_array().cloned().unwrap_or_default();
    let steps = list(&answer["steps"]).into_iter();
    let mut all: Vec<Value> =
        steps.flat_map(|step| ["tool", "also", "reserve", "candidates"].map(|member| step[member].clone())).collect();
    all.extend(list(&answer["gaps"]).iter().map(|gap| gap["nearest"].clone()));
    all.extend([answer["tools"].clone(), answer["plan_hint"].clone()]);
    json!(all).to_string()
}

fn overlay(served: &Served) -> Value {
    served.server.route(&served.key, QUESTION).json()["overlay"].clone()
}

#[test]
fn a_running_server_stops_offering_what_another_process_blocks() {
    let served = served();
    let (server, place) = (&served.server, &served.place);
    let hr = make_key(place, &["--name", "hr", "--as", "globex:user:hr", "--project", "people"]);
    let of_all = |key: &str, project: &str| answers(server, key, project);
    let (before, others) = (of_all(&served.key, "acme/finance"), of_all(&hr, "people"));
    for question in [QUESTION, BY_NAME] {
        assert!(named(&json_of(&before, question)).contains(TOOL), "{question}");
    }
    assert!(!others["tools"].contains(TOOL), "the other caller may not name the tool");

    let made = block(place, TOOL, &["--until", "1d"]);
    assert_eq!((&made["block"]["tool"], &made["replaced"]), (&json!(TOOL), &Value::Null));
    let end = made["block"]["until"].as_str().unwrap().to_owned();
    until("the block is followed", || !overlay(&served).is_null());

    let after = of_all(&served.key, "acme/finance");
    let overlay = json_of(&after, QUESTION)["overlay"].clone();
    assert!(overlay.as_str().unwrap().starts_with("sha256:"), "{overlay}");
    for question in [QUESTION, BY_NAME] {
        let answer = json_of(&after, question);
        assert!(!named(&answer).contains(TOOL), "{question}: {answer:#}");
    }
    assert!(before["export"].contains(TOOL) && !after["export"].contains(TOOL));
    for door in ["tools", "export", "plan", "another plan"] {
        assert_eq!(json_of(&after, door)["overlay"], overlay, "{door}");
    }
    let who = json_of(&after, "whoami");
    assert_eq!(who["asks"]["overlay"], overlay);
    assert_eq!(who["asks"]["view"], json_of(&after, QUESTION)["view"]);
    assert_ne!(who["asks"]["view"], json_of(&before, "whoami")["asks"]["view"]);
    let listed = tool_of(&json_of(&after, "tools"), TOOL);
    assert_eq!([&listed["route"], &listed["invoke"]], [&json!(false), &json!(false)], "it may still be named");
    assert_eq!(listed["policies"]["invoke"], json!(["ambit/blocked"]));
    let verdict = json_of(&after, "plan");
    let rule = format!("`{TOOL}` is blocked until {end}: nobody may plan a call of it");
    assert_eq!(not_permitted(&verdict), [rule]);

    assert_eq!(of_all(&hr, "people"), others, "whoever cannot name the tool gets the same bytes");

    run(place, &["unblock", TOOL, "--reason", "mended"]);
    until("the end of the block is followed", || self::overlay(&served).is_null());
    assert_eq!(of_all(&served.key, "acme/finance"), before);
}

#[test]
fn the_command_line_obeys_blocks_and_says_why() {
    let served = served();
    let place = &served.place;
    let why = |action: &str| place.run(&[&["why", TOOL, "--action", action], ANALYST.as_slice()].concat());
    assert_eq!(why("invoke").code, 0);
    block(place, TOOL, &[]);
    let overlay = asked(place, &["tools"])["overlay"].clone();
    assert!(overlay.is_string());
    let routed = asked(place, &["route", QUESTION]);
    assert_eq!(routed["overlay"], overlay);
    assert!(!named(&routed).contains(TOOL));
    place.write("plan.json", plan_of(TOOL));
    let verdict = asked(place, &["plan", "validate", "plan.json"]);
    let rule = format!("`{TOOL}` is blocked for now: nobody may plan a call of it");
    assert_eq!((&verdict["overlay"], not_permitted(&verdict)), (&overlay, vec![rule]));
    let said = run(place, &[&["tools"], ANALYST.as_slice()].concat()).out;
    assert!(said.lines().any(|line| line.starts_with(TOOL) && line.ends_with("discover (blocked)")), "{said}");

    let denied = why("invoke");
    let unblock = format!("this would allow it:\n  - unblock it: `ambit unblock {TOOL} --reason …`\n");
    assert!(denied.code == 1 && denied.out.contains(&unblock), "{}", denied.out);
    let third = denied.out.lines().nth(2).unwrap();
    assert!(
        third.contains("blocked by local:") && third.ends_with(&format!("until it is unblocked: {REASON}")),
        "{third}"
    );
    assert_eq!(why("discover").code, 0, "it may still be named");
    let json = asked(place, &["why", TOOL]);
    assert_eq!((&json["allow"], &json["blocked"]["reason"]), (&json!(false), &json!(REASON)));
    assert_eq!(json["changes"][0]["kind"], "unblock");
    // What policies deny too needs both.
    block(place, "billing/refund_payment", &[]);
    let json = asked(place, &["why", "billing/refund_payment"]);
    let kinds: Vec<&str> = json["changes"].as_array().unwrap().iter().map(|c| c["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["unblock", "permit"]);
}

#[test]
fn a_block_ends_at_its_time_and_a_later_one_replaces_it() {
    let served = served();
    let place = &served.place;
    block(place, TOOL, &["--until", "8s"]);
    until("the block is followed", || !overlay(&served).is_null());
    until("the block has ended", || overlay(&served).is_null());
    assert!(asked(place, &["route", QUESTION])["overlay"].is_null());
    assert_eq!(listed(place)[0]["ended"], true, "it stays in the list");
    assert!(run(place, &["blocks"]).out.contains(" ended"));

    assert_eq!(block(place, TOOL, &[])["replaced"], Value::Null, "what has ended is not replaced");
    let again = run(place, &["block", TOOL, "--reason", "still", "--until", "2999-01-01T00:00:00+01:00"]).out;
    assert!(again.contains("it was already") && again.contains(REASON), "{again}");
    let blocks = listed(place);
    assert_eq!(blocks.as_array().unwrap().len(), 1);
    assert_eq!([&blocks[0]["until"], &blocks[0]["reason"]], ["2998-12-31T23:00:00Z", "still"]);
    until("the later block is followed", || !overlay(&served).is_null());
}

#[test]
fn blocks_survive_apply_and_rollback_and_are_in_the_audit() {
    let served = served();
    let place = &served.place;
    block(place, TOOL, &[]);
    until("the block is followed", || !overlay(&served).is_null());
    let first = overlay(&served);
    place.edit("policies/acme.yaml", "name: ", "name: The ");
    run(place, &["apply"]);
    until("the applied snapshot answers", || served.server.route(&served.key, QUESTION).snapshot() == Some(2));
    assert_eq!(overlay(&served), first);
    run(place, &["rollback", "1", "--reason", "the day before"]);
    until("the earlier snapshot answers", || served.server.route(&served.key, QUESTION).snapshot() == Some(1));
    assert_eq!(overlay(&served), first);
    run(place, &["unblock", TOOL, "--reason", "mended"]);

    let audit = run(place, &["audit", "--format", "json"]).json();
    let entry = |entry: &Value| {
        let payload = &entry["payload"];
        format!("{} {} {}", entry["action"], payload["resource"], payload["details"]["reason"]).replace('"', "")
    };
    let entries: Vec<String> = audit["entries"].as_array().unwrap().iter().take(4).map(entry).collect();
    let resource = format!("tool:{TOOL}");
    assert_eq!(entries.first(), Some(&format!("unblock {resource} mended")));
    assert_eq!(entries.last(), Some(&format!("block {resource} {REASON}")));
    run(place, &["audit", "verify"]);
}

#[track_caller]
fn check_refused(place: &Place, line: &[&str], code: &str, help: &str) {
    let run = place.run(&[line, &["--format", "json"]].concat());
    let error = &run.json()["error"];
    assert_eq!((run.code, &error["code"], &error["help"]), (2, &json!(code), &json!(help)), "{line:?}: {error}");
}

#[test]
fn what_is_written_wrong_is_said() {
    let served = served();
    let place = &served.place;
    let block = |tool: &'static str, reason: &'static str| ["block", tool, "--reason", reason];
    check_refused(
        place,
        &block("billing/get_revenue_reprot", "why"),
        "E_UNRESOLVED",
        "did you mean `billing/get_revenue_report`?",
    );
    check_refused(
        place,
        &block("get_revenue_report", "why"),
        "E_UNRESOLVED",
        "did you mean `billing/get_revenue_report`?",
    );
    check_refused(place, &block(TOOL, " "), "E_REASON", "say why, for whoever reads it later, in one line");
    let with = |until: &'static str| [block(TOOL, "why").as_slice(), &["--until", until]].concat();
    check_refused(place, &with("soon"), "E_VALUE", "write it as `2h`, `1d` or `2027-01-31T18:00:00Z`");
    check_refused(place, &with("2024-01-01T00:00:00Z"), "E_VALUE", "name a time ahead, or a span from now as `2h`");
    let unblock = |tool: &'static str| ["unblock", tool, "--reason", "why"];
    check_refused(place, &unblock(TOOL), "E_NOT_BLOCKED", "`ambit blocks` lists the tools that are");
    self::block(place, TOOL, &[]);
    check_refused(
        place,
        &unblock("billing/get_revenue_repor"),
        "E_NOT_BLOCKED",
        "did you mean `billing/get_revenue_report`?",
    );
    assert_eq!(place.run(&["block", TOOL]).code, 2, "a reason is wanted");
}

#[test]
fn over_the_network_whoever_may_roll_back_blocks() {
    let served = served();
    let (server, place) = (&served.server, &served.place);
    let ask = |path: &str, key: &str, body: Value| server.post(path, key, body.to_string());
    let reply = ask("/v1/blocks", &served.key, json!({ "tool": TOOL, "reason": REASON, "until": "2h" }));
    assert_eq!(reply.status, 200, "{}", reply.text());
    assert!(reply.json()["block"]["by"].as_str().unwrap().starts_with("key:"));
    assert!(!overlay(&served).is_null(), "it holds when the answer comes");
    let of_operator = server.get("/v1/blocks", &served.key).json();
    assert_eq!(of_operator["blocks"], listed(place));
    assert_eq!(
        [&of_operator["blocks"][0]["ended"], &of_operator["blocks"][0]["in_snapshot"]],
        [&json!(false), &json!(true)]
    );

    let analyst = make_key(place, &[["--name", "analyst"].as_slice(), &ANALYST].concat());
    let steward = make_key(place, &["--name", "steward", "--as", "globex:user:steward"]);
    for key in [&analyst, &steward] {
        ask("/v1/blocks", key, json!({ "tool": TOOL, "reason": "mine" })).refused(403, "E_FORBIDDEN");
        ask("/v1/blocks/unblock", key, json!({ "tool": TOOL, "reason": "mine" })).refused(403, "E_FORBIDDEN");
    }
    server.get("/v1/blocks", &analyst).refused(403, "E_FORBIDDEN");
    // A tenant's reader hears of what is in its sight, and not who blocked it and why.
    assert_eq!(server.get("/v1/blocks", &steward).json()["blocks"], json!([]));
    ask("/v1/blocks", &served.key, json!({ "tool": "people/offboard_employee", "reason": REASON }));
    let told = server.get("/v1/blocks", &steward).json();
    assert_eq!(told["blocks"].as_array().unwrap().len(), 1);
    let one = &told["blocks"][0];
    assert_eq!(
        [&one["tool"], &one["by"], &one["reason"]],
        [&json!("people/offboard_employee"), &json!("workspace"), &Value::Null]
    );

    let unblock = || ask("/v1/blocks/unblock", &served.key, json!({ "tool": TOOL, "reason": "mended" }));
    assert_eq!(unblock().json()["unblocked"]["reason"], REASON);
    assert!(overlay(&served).is_null());
    unblock().refused(404, "E_NOT_BLOCKED");
    ask("/v1/blocks", &served.key, json!({ "tool": "billing/nothing", "reason": "why" })).refused(400, "E_UNRESOLVED");
    ask("/v1/blocks", &served.key, json!({ "tool": TOOL })).refused(400, "E_REQUEST");
    ask("/v1/blocks", &served.key, json!({ "tool": "x".repeat(100_000), "reason": "why" })).refused(400, "E_VALUE");
}

#[test]
fn the_overview_shows_what_is_blocked_and_how_to_unblock_it() {
    let served = served();
    let server = &served.server;
    let form = [("content-type", "application/x-www-form-urlencoded"), ("accept", "text/html")];
    let fields = format!("key={}&next=/", served.key);
    let opened = server.send("POST", "/api/ui/sign_in", &form, Some(fields.as_bytes()));
    let cookie = opened.header("set-cookie").split(';').next().unwrap_or_default().to_owned();
    let overview = || server.send("GET", "/", &[("cookie", cookie.as_str())], None).text();
    assert!(!overview().contains("Blocked now"), "a panel that would be empty is not there");
    block(&served.place, TOOL, &["--until", "1d"]);
    let page = overview();
    for words in ["Blocked now", REASON, "until 2", &format!("ambit unblock '{TOOL}' --reason …")] {
        assert!(page.contains(words), "the page lacks `{words}`");
    }
}
