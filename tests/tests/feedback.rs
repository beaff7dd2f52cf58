//! Feedback by the real binary: an application reports what became of a route, whoever may read gaps lists it, and examples that are
//! suggested from it change nothing until somebody writes and applies them.

#![expect(clippy::unwrap_used, reason = "an answer of another shape is the failure")]

use ambit_tests::server::{ANALYST, make_key, served};
use ambit_tests::{Place, Run};
use serde_json::{Value, json};

const TOOL: &str = "billing/get_revenue_report";
const OTHER: &str = "billing/list_overdue_invoices";
const QUESTION: &str = "show how the turnover went last autumn";
const DECLARED: &str = "policies/catalogs/billing.yaml";

#[track_caller]
fn run(place: &Place, arguments: &[&str]) -> Run {
    let run = place.run(arguments);
    assert_eq!(run.code, 0, "{arguments:?}: {run:?}");
    run
}

fn declared(place: &Place) -> String {
    std::fs::read_to_string(place.path(DECLARED)).unwrap()
}

#[test]
fn applications_report_and_whoever_may_read_gaps_lists() {
    let served = served();
    let (server, place) = (&served.server, &served.place);
    let analyst = make_key(place, &[["--name", "analyst"].as_slice(), &ANALYST].concat());
    let say = |body: Value| server.post("/v1/feedback", &analyst, body.to_string());
    let reply = say(json!({
        "question": "Show invoice INV-20931", "project": "finance", "snapshot": 1, "step": "show it",
        "outcome": "wrong", "tool": TOOL, "instead": OTHER,
    }));
    assert_eq!((reply.status, reply.snapshot()), (201, Some(1)), "{}", reply.text());
    let kept = reply.json()["feedback"].clone();
    let of = |members: [&str; 6]| members.map(|member| kept[member].as_str().unwrap_or("").to_owned());
    let told = of(["project", "principal", "outcome", "tool", "instead", "questions"]);
    assert_eq!(told, ["acme/finance", "acme:user:analyst", "wrong", TOOL, OTHER, "typed"]);
    assert!(!kept.to_string().contains("20931"), "{kept}");

    // Whoever reports does not read, and who administers one tenant does not read of another.
    server.get("/v1/feedback", &analyst).refused(403, "E_FORBIDDEN");
    let listed = server.get("/v1/feedback", &served.key).json();
    assert_eq!((&listed["feedback"], &listed["complete"]), (&json!([kept]), &json!(true)));
    let count = |query: &str| {
        let reply = server.get(&format!("/v1/feedback?{query}"), &served.key);
        assert_eq!(reply.status, 200, "{}", reply.text());
        reply.json()["feedback"].as_array().unwrap().len()
    };
    assert_eq!(count(&format!("project=acme%2Ffinance&tool={OTHER}")), 1);
    assert_eq!((count("project=acme%2Fsupport"), count("tool=billing%2Fnothing"), count("page=2")), (0, 0, 0));
    server.get("/v1/feedback?page=0", &served.key).refused(400, "E_LIMIT");
    server.get("/v1/feedback?pages=1", &served.key).refused(400, "E_REQUEST");
    let on_the_command_line = run(place, &["feedback", "--format", "json"]).json();
    assert_eq!(on_the_command_line["feedback"], listed["feedback"]);
    let text = run(place, &["feedback", "--tool", TOOL]);
    assert!(text.out.contains(TOOL) && text.out.contains("1 report on page 1"), "{text:?}");
}

#[test]
fn what_is_not_offered_is_answered_like_what_is_not_there() {
    let served = served();
    let server = &served.server;
    let analyst = make_key(&served.place, &[["--name", "analyst"].as_slice(), &ANALYST].concat());
    let say = |body: Value| server.post("/v1/feedback", &analyst, body.to_string());
    let of = |tool: &str| json!({ "question": QUESTION, "outcome": "used", "tool": tool });
    let mut said = Vec::new();
    for tool in ["people/offboard_employee", "people/offboard_employxx"] {
        let reply = say(of(tool));
        reply.refused(400, "E_UNRESOLVED");
        let body = reply.json();
        assert!(!body["help"].as_str().unwrap().contains("people/"), "{body}");
        said.push(body["message"].as_str().unwrap().replace(tool, "TOOL"));
    }
    assert_eq!(said.first(), said.last());
    for (body, code) in [
        (json!({ "question": QUESTION, "outcome": "used" }), "E_VALUE"),
        (json!({ "question": QUESTION, "outcome": "missing", "tool": TOOL }), "E_VALUE"),
        (json!({ "question": QUESTION, "outcome": "used", "tool": "x".repeat(100_000) }), "E_VALUE"),
        (json!({ "question": "", "outcome": "missing" }), "E_QUESTION"),
        (json!({ "question": "a".repeat(10_000), "outcome": "missing" }), "E_QUESTION"),
        (json!({ "question": QUESTION, "outcome": "good", "tool": TOOL }), "E_REQUEST"),
        (json!({ "question": QUESTION, "outcome": "missing", "by": "me" }), "E_REQUEST"),
    ] {
        say(body).refused(400, code);
    }
    say(json!({ "question": QUESTION, "outcome": "missing", "snapshot": 9999 })).refused(404, "E_SNAPSHOT");
    let listed = server.get("/v1/feedback", &served.key).json();
    assert_eq!(listed["feedback"], json!([]), "what is refused is not kept");
}

fn report(place: &Place, question: &str) {
    let asked = ["feedback", "report", "--question", question, "--outcome", "used", "--tool", TOOL];
    run(place, &[asked.as_slice(), &ANALYST].concat());
}

#[test]
fn a_suggestion_is_shown_with_what_comes_of_it_and_written_only_where_that_is_asked_for() {
    let place = Place::with_sample();
    run(&place, &["apply"]);
    let before = declared(&place);
    let live = run(&place, &["show", "--format", "json"]).json();
    let suggest = |more: &[&str]| run(&place, &[&["feedback", "suggest", "--format", "json"], more].concat()).json();

    report(&place, QUESTION);
    report(&place, "show it for INV-20931");
    report(&place, "show it for INV-20932");
    let once = suggest(&[]);
    assert_eq!((&once["read"], &once["tools"], &once["evaluation"]), (&json!(3), &json!([]), &Value::Null));
    assert_eq!(once["left_out"], json!({ "rare": 1, "masked": 1 }), "one was asked once, one as kept stands for two");

    report(&place, QUESTION);
    let found = suggest(&[]);
    let example = json!({ "question": QUESTION, "used": 2, "wrong": 0, "projects": ["acme/finance"] });
    assert_eq!(found["tools"], json!([{ "tool": TOOL, "examples": [example] }]));
    assert_eq!(found["changed"][0]["path"], DECLARED);
    let line = format!("+      - \"{QUESTION}\" # proposed");
    assert!(found["changed"][0]["diff"].as_str().unwrap().lines().any(|one| one == line), "{found:#}");
    let evaluation = &found["evaluation"];
    let asked = |when: &str| evaluation[when]["retrieval"]["asked"].as_i64().unwrap();
    assert_eq!(asked("after"), asked("before") + 1);
    assert!(evaluation["before"]["golden"]["asked"].as_i64().unwrap() > 0, "{evaluation:#}");
    assert_eq!(declared(&place), before, "it is only shown");
    let text = run(&place, &["feedback", "suggest", "--tool", "billing/*"]);
    for words in [line.as_str(), "GoldenRoutes that are right", "1 example for 1 tool"] {
        assert!(text.out.contains(words), "no `{words}`: {text:?}");
    }
    assert_eq!(suggest(&["--tool", "mail/*"])["tools"], json!([]));
    assert_eq!(suggest(&["--project", "acme/support"])["read"], 0);

    let place = &place;
    let written = place.run(&["feedback", "suggest", "--write", "--format", "json"]);
    let told = written.json();
    if told["worse"] == json!(true) {
        assert_eq!((written.code, declared(place)), (1, before), "what makes something worse is not written");
        return;
    }
    assert_eq!((written.code, &told["written"]), (0, &json!(true)), "{written:?}");
    assert!(declared(place).contains(&format!("- \"{QUESTION}\" # proposed")));
    assert_eq!(run(place, &["show", "--format", "json"]).json(), live, "what is live is as it was");
    let again = run(place, &["feedback", "suggest", "--format", "json"]).json();
    assert_eq!((&again["tools"], &again["left_out"]["known"]), (&json!([]), &json!(1)));
}
