//! Non-interference: with the cards outside the caller's `discover` set deleted from the snapshot, and nothing compiled anew, every
//! answer to that caller is the same byte for byte. Shown for one principal of the sample, with the real model.

#![expect(clippy::unwrap_used, reason = "a sample that does not compile is the failure")]

use std::path::Path;

use ambit_engine::authority::{Authority, View};
use ambit_engine::compile::card_digests;
use ambit_engine::index::Vectors;
use ambit_engine::route::{ProjectRouter, texts};
use ambit_engine::validate::{PlanContext, validate};
use ambit_model::digest::Digest;
use ambit_model::identity::{Principal, ProjectId};
use ambit_model::route::{Ambiguity, RouteRequest};
use ambit_model::snapshot::{Snapshot, SnapshotName};
use ambit_service::caller::Caller;
use ambit_service::check::check_workspace;
use ambit_service::embedder::{self, DEFAULT_MODEL, ModelPlaces};
use ambit_service::store::Store;

const QUESTIONS: &[&str] = &[
    "Pull last quarter's revenue and email the chart to finance.",
    "Show the orders for Northwind Supplies",
    "Which tickets will miss their promised response time this afternoon?",
    "Close ticket T-12 and delete the customer",
    "use people/search_employees to find Jonas",
    "Play some jazz in the background",
    "stock of bolts, the calendar of Ada, an invoice, payroll, a chart",
    "Zeigen Sie mir bitte alle offenen Rechnungen dieses Kunden aus dem letzten Quartal",
];

const PLAN: &str = r#"{"decision": "tools", "actions": [
    {"id": "a", "tool": "people/search_employees", "arguments": {}, "depends_on": [], "purpose": "another tenant"},
    {"id": "b", "tool": "crm/customers.serch", "arguments": {}, "depends_on": [], "purpose": "a typing mistake"},
    {"id": "c", "tool": "billing/get_revenue_report", "arguments": {"x": 1}, "depends_on": ["b"], "purpose": "a tool"}]}"#;

#[tokio::test]
async fn deleting_what_a_caller_cannot_discover_changes_no_answer() {
    let whole = sample().await;
    let principal = Principal::parse("acme:agent:support-bot").unwrap();
    let project = ProjectId::parse("acme/support", None).unwrap();
    let view = view(&whole, &principal, &project);
    let mut cut = whole.clone();
    cut.tools.retain(|card| view.discovers(&card.id));
    assert!(
        cut.tools.len() + 20 < whole.tools.len(),
        "much must be out of the caller's sight for this to say anything"
    );
    let model = embedder::open(DEFAULT_MODEL, &ModelPlaces::resolve(None, None)).unwrap();
    let embed = |texts: Vec<String>| -> Vectors {
        let made = model.embed(&texts).unwrap();
        texts.iter().map(|text| Digest::of(text.as_bytes())).zip(made).collect()
    };
    let answers = |snapshot: &Snapshot| -> Vec<String> {
        let view = self::view(snapshot, &principal, &project);
        let router = ProjectRouter::build(snapshot, &project, embed(texts(snapshot))).unwrap();
        let name = SnapshotName { number: 1, digest: Digest::of(b"any") };
        let mut answers: Vec<String> = QUESTIONS
            .iter()
            .flat_map(|question| [Ambiguity::Advisory, Ambiguity::Strict].map(|ambiguity| (question, ambiguity)))
            .map(|(question, ambiguity)| {
                let request =
                    RouteRequest { question: (*question).to_owned(), context: Default::default(), ambiguity, k: 8 };
                let asked = embed(router.question_texts(question));
                serde_json::to_string(&router.route(&name, &view, &request, &asked).unwrap()).unwrap()
            })
            .collect();
        let context = PlanContext { snapshot: 1, snapshot_data: snapshot, view: &view, blocks: &[] };
        answers.push(serde_json::to_string(&validate(PLAN, &context).unwrap()).unwrap());
        let capabilities: std::collections::BTreeMap<_, _> = view.capabilities().collect();
        answers.push(serde_json::to_string(&(&view.digest, capabilities)).unwrap());
        answers
    };
    let (of_whole, of_cut) = (answers(&whole), answers(&cut));
    assert_eq!(of_whole, of_cut);
    for answer in &of_whole {
        for card in whole.tools.iter().filter(|card| !view.discovers(&card.id)) {
            let asked_for = PLAN.contains(card.id.as_str()) || QUESTIONS.iter().any(|q| q.contains(card.id.as_str()));
            assert!(asked_for || !answer.contains(card.id.as_str()), "{} shows in {answer}", card.id);
        }
    }
}

fn view(snapshot: &Snapshot, principal: &Principal, project: &ProjectId) -> View {
    let authority = Authority::compile(snapshot, &card_digests(snapshot).unwrap()).unwrap();
    authority.view(principal, project).unwrap()
}

async fn sample() -> Snapshot {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("policies");
    let checked =
        check_workspace(&Caller::local("test"), &workspace, &store, &ModelPlaces::resolve(None, None)).await.unwrap();
    checked.compiled.snapshot.unwrap()
}
