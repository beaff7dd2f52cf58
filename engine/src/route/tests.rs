//! Routes over the small sample workspace: what is picked, what is held back, what is missing, and what never shows.

use std::sync::LazyLock;

use ambit_model::digest::Digest;
use ambit_model::identity::ProjectId;
use ambit_model::route::{Ambiguity, Outcome, RouteAnswer, RouteRequest, StepStatus};
use ambit_model::snapshot::{Snapshot, SnapshotName};
use proptest::prelude::*;

use super::ProjectRouter;
use crate::authority::View;
use crate::index::Vectors;
use crate::sample;

const DESK: &str = "acme/desk";

fn ask_with(snapshot: &Snapshot, view: &View, request: &RouteRequest, model: bool) -> RouteAnswer {
    let project = ProjectId::parse(DESK, None).unwrap();
    let known = if model { sample::vectors(super::texts(snapshot)) } else { Vectors::default() };
    let router = ProjectRouter::build(snapshot, &project, known).unwrap();
    let asked = if model { sample::vectors(router.question_texts(&request.question)) } else { Vectors::default() };
    let name = SnapshotName { number: 1, digest: Digest::of(b"any") };
    router.route(&name, view, request, &asked).unwrap()
}

/// Compiled once; a property asks it many times.
static SNAPSHOT: LazyLock<Snapshot> = LazyLock::new(|| sample::snapshot().unwrap());

fn view_of(snapshot: &Snapshot) -> View {
    sample::view(snapshot, "acme:agent:bot", DESK).unwrap()
}

fn request(question: &str) -> RouteRequest {
    RouteRequest { question: question.to_owned(), context: Default::default(), ambiguity: Ambiguity::Strict, k: 8 }
}

fn ask_as(principal: &str, question: &str) -> RouteAnswer {
    let snapshot = sample::snapshot().unwrap();
    let view = sample::view(&snapshot, principal, DESK).unwrap();
    ask_with(&snapshot, &view, &request(question), true)
}

/// The plan hint, then each gap as `cause: text`.
#[track_caller]
fn check(question: &str, expected: &[&str]) {
    let answer = ask_as("acme:agent:bot", question);
    let mut lines = vec![answer.plan_hint.clone()];
    lines.extend(answer.gaps.iter().map(|gap| format!("{}: {}", gap.cause.word(), gap.text)));
    assert_eq!(lines, expected, "for {question}\n{}", serde_json::to_string_pretty(&answer.steps).unwrap());
}

#[test]
fn a_step_gets_the_tool_that_fits() {
    check("Wipes persons by their name: search persons", &["1) people.search"]);
    check("Sum up the revenue of the quarter", &["1) bills.report"]);
}

#[test]
fn what_is_silently_needed_goes_in_front() {
    check("Show the bills of Byron", &["1) people.search 2) bills.list"]);
    check("Draw a chart as a picture", &["1) bills.report 2) draw_chart"]);
    check(
        "Sum up the revenue of the quarter and mail the chart to the team",
        &["1) bills.report 2) draw_chart 3) send_mail_v2"],
    );
}

#[test]
fn an_identifier_in_the_question_needs_no_search() {
    check("Show the bills of person P-1042", &["1) bills.list"]);
}

#[test]
fn the_current_version_answers_unless_a_word_pins_another() {
    check("Send a mail to the team", &["1) send_mail_v2"]);
    check("Send a mail to the team with the legacy mailer", &["1) send_mail"]);
    let answer = ask_as("acme:agent:bot", "Send a mail to the team");
    let reserve: Vec<&str> = answer.steps[0].reserve.iter().map(|tool| tool.as_str()).collect();
    assert_eq!(reserve, ["office/send_mail"]);
    assert!(answer.steps[0].candidates.iter().any(|c| c.outcome == Outcome::VersionReserve));
}

#[test]
fn the_preferred_twin_answers() {
    let answer = ask_as("acme:agent:bot", "Find persons in the old register by their name");
    assert_eq!(answer.steps[0].tool.as_ref().map(|t| t.as_str()), Some("office/people.search"));
    assert_eq!(answer.steps[0].reserve.iter().map(|t| t.as_str()).collect::<Vec<_>>(), ["office/people.find"]);
}

#[test]
fn a_name_wins_at_once_and_a_plain_word_does_not() {
    check("use people.find for the quarter's revenue", &["1) people.find"]);
    check("call office/draw_chart", &["1) bills.report 2) draw_chart"]);
}

#[test]
fn what_nothing_fits_is_a_gap_and_a_question_back() {
    check("Bake a cake", &["", "absent: Bake a cake"]);
    let answer = ask_as("acme:agent:bot", "Bake a cake");
    assert!(answer.question.is_some() && answer.tools.is_empty());
    assert_eq!(answer.tokens.handed, 0);
}

#[test]
fn what_must_not_be_done_is_no_step() {
    check("Do not send a mail, just sum up the revenue of the quarter", &["1) bills.report"]);
}

#[test]
fn an_agent_explains_without_a_tool() {
    let answer = ask_as("acme:agent:bot", "Sum up the revenue of the quarter and explain it");
    let statuses: Vec<StepStatus> = answer.steps.iter().map(|step| step.status).collect();
    assert_eq!(statuses, [StepStatus::Bound, StepStatus::AgentNative]);
}

#[test]
fn a_list_of_identifiers_repeats_the_call() {
    check("Show the bills of P-10, P-11 and P-12", &["1) bills.list ×3"]);
}

#[test]
fn steps_past_the_limit_say_so() {
    let snapshot = sample::snapshot().unwrap();
    let view = sample::view(&snapshot, "acme:agent:bot", DESK).unwrap();
    let question = "Sum up the revenue of the quarter and mail the chart to the team";
    let answer = ask_with(&snapshot, &view, &RouteRequest { k: 2, ..request(question) }, true);
    assert_eq!(answer.plan_hint, "1) bills.report 2) draw_chart");
    assert!(!answer.complete);
    assert_eq!(answer.gaps.iter().map(|gap| gap.cause.word()).collect::<Vec<_>>(), ["limit"]);
    assert_eq!(answer.steps.len(), 3);
}

#[test]
fn without_vectors_words_decide_and_say_so() {
    let snapshot = sample::snapshot().unwrap();
    let view = sample::view(&snapshot, "acme:agent:bot", DESK).unwrap();
    let answer = ask_with(&snapshot, &view, &request("Sums up the revenue of a quarter as figures by month"), false);
    assert_eq!(answer.plan_hint, "1) bills.report");
    assert_eq!(answer.degraded, ["words_only"]);
}

#[test]
fn words_of_another_language_lead_to_tools_described_in_english() {
    for question in ["Mostra i ricavi del trimestre", "Zeig mir den Umsatz vom letzten Quartal"] {
        let answer = ask_as("acme:agent:bot", question);
        assert_eq!(answer.steps[0].tool.as_ref().map(|t| t.as_str()), Some("office/bills.report"), "for {question}");
        assert_eq!(answer.degraded, ["language"], "for {question}");
    }
}

#[test]
fn a_model_of_many_languages_degrades_nothing() {
    let mut snapshot = sample::snapshot().unwrap();
    snapshot.settings.embedding_languages = vec!["any".to_owned()];
    let view = sample::view(&snapshot, "acme:agent:bot", DESK).unwrap();
    let answer = ask_with(&snapshot, &view, &request("Zeig mir den Umsatz vom letzten Quartal"), true);
    assert!(answer.degraded.is_empty(), "{:?}", answer.degraded);
}

#[test]
fn the_ceiling_and_the_policies_bound_what_is_offered() {
    check("Wipe the whole disk for good", &["", "absent: Wipe the whole disk for good"]);
    let secret = "Read the secret bills of the board";
    let of_ada = ask_as("acme:user:ada", secret);
    assert_eq!(of_ada.plan_hint, "1) secrets.read");
    let of_bot = serde_json::to_string(&ask_as("acme:agent:bot", secret)).unwrap();
    assert!(!of_bot.contains("secrets.read") && !of_bot.contains("vault"), "{of_bot}");
}

const PHRASES: &[&str] = &[
    "show the bills of Byron",
    "mail the chart to the team",
    "read the secret bills of the board",
    "wipe the disk",
    "use secrets.read",
    "sum up the revenue",
    "people.find",
    "explain it",
    "P-10 and P-11",
    "with the legacy mailer",
    "mostrami le fatture di Byron",
    "zeig mir den Umsatz",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Cards outside `discover`, deleted and not recompiled, change no byte of any answer.
    #[test]
    fn deleted_cards_outside_the_view_change_nothing(
        picked in prop::collection::vec(0..PHRASES.len(), 1..4),
        joints in prop::collection::vec(prop::sample::select(vec![" and ", ", then ", ". "]), 3),
        model: bool,
        strict: bool,
        drop_all: bool,
    ) {
        let question: String = picked.iter().zip(&joints).map(|(at, joint)| format!("{}{joint}", PHRASES[*at])).collect();
        let whole = &*SNAPSHOT;
        let view = view_of(whole);
        let mut cut = whole.clone();
        cut.tools.retain(|card| view.discovers(&card.id) || (!drop_all && card.id.name().starts_with('w')));
        prop_assert!(cut.tools.len() < whole.tools.len());
        let ambiguity = if strict { Ambiguity::Strict } else { Ambiguity::Advisory };
        let request = RouteRequest { question, context: Default::default(), ambiguity, k: 8 };
        let bytes = |snapshot: &Snapshot| {
            serde_json::to_string(&ask_with(snapshot, &view_of(snapshot), &request, model)).unwrap()
        };
        prop_assert_eq!(bytes(whole), bytes(&cut));
    }

    /// Any text at all gets an answer within the limits.
    #[test]
    fn any_question_is_answered(question in ".{1,200}", k in 1_usize..=8) {
        let view = view_of(&SNAPSHOT);
        let answer = ask_with(&SNAPSHOT, &view, &RouteRequest { k, ..request(&question) }, true);
        prop_assert!(answer.tools.len() <= k);
        prop_assert!(answer.tools.iter().all(|tool| view.routes(&tool.id)));
    }
}
