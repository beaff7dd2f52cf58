//! Searching documents by the sample workspace: who may is answered with the passage, and who may not hears nothing of any.

#![expect(clippy::unwrap_used, reason = "a sample that does not compile is the failure")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ambit_model::codes;
use ambit_model::identity::{Principal, ToolId};
use ambit_model::key::KeyRecord;
use ambit_service::Error;
use ambit_service::apply::{ApplyRequest, Outcome, apply_workspace};
use ambit_service::blocks::{NewBlock, block_tool};
use ambit_service::caller::{Caller, Wanted};
use ambit_service::embedder::ModelPlaces;
use ambit_service::knowledge::{Searched, search_knowledge};
use ambit_service::live::Live;
use ambit_service::store::Store;
use ambit_service::testing::test_workspace;
use ambit_service::tools::list_tools;
use ambit_service::why::explain_decision;

const QUESTION: &str = "What is our returns policy for damaged goods?";
const TOOL: &str = "knowledge.acme.support/knowledge.search";

fn sample() -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../policies")).to_owned()
}

/// A data folder in which the sample is live.
async fn applied(folder: &tempfile::TempDir) -> Store {
    let store = Store::open(folder.path()).await.unwrap();
    let places = ModelPlaces::resolve(None, None);
    let applied = apply_workspace(&local(), &sample(), &store, &places, ApplyRequest::default()).await.unwrap();
    assert!(matches!(applied.outcome, Outcome::Published { .. }), "{:#?}", applied.checked.diagnostics);
    store
}

fn local() -> Caller {
    Caller::local("test")
}

fn key(principal: &str) -> Caller {
    Caller::Key(Box::new(KeyRecord {
        id: "0a".to_owned(),
        name: "a test".to_owned(),
        principal: Principal::parse(principal).unwrap(),
        project: None,
        tools: BTreeSet::new(),
        created_at: String::new(),
        created_by: String::new(),
        expires_at: None,
        revoked_at: None,
    }))
}

fn wanted(project: &str) -> Wanted {
    Wanted { project: Some(project.to_owned()), ..Wanted::default() }
}

fn best(searched: &Searched) -> (String, String) {
    let best = searched.answer.results.first().unwrap();
    (best.path.clone(), best.heading.clone())
}

/// The code and the words of a refusal.
fn said(answer: Result<Searched, Error>) -> (String, String) {
    answer.err().map(|error| (error.code().to_owned(), error.to_string())).unwrap()
}

#[tokio::test]
async fn who_may_invoke_it_finds_the_passage_and_nobody_else_hears_of_any() {
    let folder = tempfile::tempdir().unwrap();
    let live = Live::new(applied(&folder).await, ModelPlaces::resolve(None, None));
    let bot = key("acme:agent:support-bot");
    let search = async |caller: &Caller, project: &str, limit| {
        search_knowledge(caller, &live, &wanted(project), QUESTION, limit).await
    };
    let found = search(&bot, "support", None).await.unwrap();
    assert_eq!(best(&found), ("policies/knowledge/support/returns.md".to_owned(), "Damaged or wrong goods".to_owned()));
    assert_eq!((found.answer.degraded.len(), found.answer.results.len()), (0, 5));
    let again = search(&bot, "acme/support", Some(2)).await.unwrap();
    assert_eq!(found.answer.results.get(..2), Some(again.answer.results.as_slice()));
    let of_clerk = search(&key("acme:user:clerk"), "support", None).await.unwrap();
    assert_eq!(of_clerk.answer.results, found.answer.results);

    // Without `invoke`, and in a project without documents: one refusal, whatever else is wrong with the request.
    let analyst = key("acme:user:analyst");
    let refused = said(search(&analyst, "support", None).await);
    assert_eq!(refused.0, codes::E_FORBIDDEN);
    assert_eq!(said(search(&analyst, "support", Some(0)).await), refused);
    assert_eq!(said(search(&analyst, "finance", None).await), refused);
    let listed = list_tools(&analyst, &live, &wanted("support"), None).await.unwrap();
    assert!(listed.tools.iter().all(|tool| tool.id.as_str() != TOOL));

    // Another tenant's project is answered like one that is nobody's.
    let stranger = key("globex:user:hr");
    let theirs = said(search(&stranger, "acme/support", None).await);
    assert_eq!(theirs, said(search(&stranger, "acme/nowhere", None).await));
    assert_eq!(theirs.0, codes::E_PRINCIPAL);

    // Who may is told what is wrong with the request.
    for limit in [0, 21] {
        assert_eq!(said(search(&bot, "support", Some(limit)).await).0, codes::E_LIMIT);
    }
    let empty = search_knowledge(&bot, &live, &wanted("support"), " ", None).await;
    assert_eq!(said(empty).0, codes::E_QUESTION);

    let wanted_by_bot = Wanted { principal: Some("acme:agent:support-bot".to_owned()), ..wanted("acme/support") };
    let why = explain_decision(&local(), &live, &wanted_by_bot, TOOL, ambit_model::declaration::Action::Invoke).await;
    assert!(why.unwrap().explained.allow);

    // A block counts at once.
    let block = NewBlock { tool: TOOL.to_owned(), reason: "wrong rules".to_owned(), until: None };
    block_tool(&local(), &live, block).await.unwrap();
    let live = Live::new(live.store().clone(), ModelPlaces::resolve(None, None));
    let blocked = search_knowledge(&bot, &live, &wanted("support"), QUESTION, None).await;
    assert_eq!(said(blocked), refused);
}

#[tokio::test]
async fn without_a_model_words_decide_and_the_answer_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let store = applied(&folder).await;
    let nowhere = ModelPlaces::resolve(Some(folder.path().join("no-models")), Some(folder.path().join("no-runtime")));
    let live = Live::new(store, nowhere);
    let bot = key("acme:agent:support-bot");
    let found = search_knowledge(&bot, &live, &wanted("support"), QUESTION, None).await.unwrap();
    assert_eq!(found.answer.degraded, ["words_only"]);
    assert!(found.without_model.is_some());
    assert_eq!(best(&found).0, "policies/knowledge/support/returns.md");
}

#[tokio::test]
async fn the_sample_routes_to_it_and_tests_who_may() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let tested = test_workspace(&local(), &sample(), &store, &ModelPlaces::resolve(None, None), true).await.unwrap();
    let of_it: Vec<_> =
        tested.outcomes.iter().filter(|test| test.says.contains("knowledge") || test.says.contains(QUESTION)).collect();
    assert_eq!(of_it.len(), 4, "{of_it:#?}");
    let failed: Vec<_> = tested.outcomes.iter().filter(|test| !test.passed).collect();
    assert!(failed.is_empty(), "{failed:#?}");
    assert!(ToolId::parse(TOOL).is_some());
}
