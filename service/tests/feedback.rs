//! Feedback by its use cases: what is kept and in which form, which tools may be named, and that what was said changes no answer and
//! no declaration until somebody writes it.

#![expect(clippy::unwrap_used, reason = "a store that does not open, or a name that is none, is the failure")]

use std::collections::BTreeSet;
use std::path::Path;

use ambit_model::codes;
use ambit_model::feedback::FeedbackOutcome;
use ambit_model::identity::{Principal, ProjectId};
use ambit_model::key::KeyRecord;
use ambit_service::apply::{ApplyRequest, apply_workspace};
use ambit_service::caller::{Caller, Wanted};
use ambit_service::embedder::ModelPlaces;
use ambit_service::feedback::{
    FeedbackQuery, LeftOut, NewOutcome, SuggestRequest, list_feedback, report_outcome, suggest_examples,
};
use ambit_service::live::Live;
use ambit_service::store::Store;

const POLICIES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../policies");
const REVENUE: &str = "billing/get_revenue_report";
/// A tool of another tenant.
const THEIRS: &str = "people/offboard_employee";

async fn served(folder: &Path) -> Live {
    let store = Store::open(folder).await.unwrap();
    let places = ModelPlaces::resolve(None, None);
    let local = Caller::local("test");
    apply_workspace(&local, Path::new(POLICIES), &store, &places, ApplyRequest::default()).await.unwrap();
    Live::new(store, places)
}

fn analyst() -> Caller {
    Caller::Key(Box::new(KeyRecord {
        id: "0a".to_owned(),
        name: "an application".to_owned(),
        principal: Principal::parse("acme:user:analyst").unwrap(),
        project: Some(ProjectId::parse("acme/finance", None).unwrap()),
        tools: BTreeSet::new(),
        created_at: String::new(),
        created_by: String::new(),
        expires_at: None,
        revoked_at: None,
    }))
}

fn used(question: &str, tool: &str) -> NewOutcome {
    NewOutcome {
        question: question.to_owned(),
        step: None,
        snapshot: None,
        outcome: FeedbackOutcome::Used,
        tool: Some(tool.to_owned()),
        instead: None,
    }
}

#[tokio::test]
async fn what_is_reported_is_kept_by_type_and_read_by_who_may() {
    let folder = tempfile::tempdir().unwrap();
    let live = served(folder.path()).await;
    let (caller, wanted) = (analyst(), Wanted::default());
    let asked =
        NewOutcome { step: Some("mail it to ann@example.com".to_owned()), ..used("Show invoice INV-20931", REVENUE) };
    let kept = report_outcome(&caller, &live, &wanted, &asked).await.unwrap().feedback;
    assert_eq!((kept.snapshot, kept.project.to_string()), (1, "acme/finance".to_owned()));
    let words = format!("{:?} {:?}", kept.question, kept.step);
    assert!(!words.contains("20931") && !words.contains("ann@") && words.contains("<email>"), "{words}");

    let local = Caller::local("test");
    let all = list_feedback(&local, &live, &FeedbackQuery::default()).await.unwrap();
    assert_eq!((all.feedback, all.page, all.complete), (vec![kept.clone()], 1, true));
    let of = |project: Option<&str>, tool: Option<&str>| FeedbackQuery {
        project: project.map(str::to_owned),
        tool: tool.map(str::to_owned),
        page: None,
    };
    let count = async |query: FeedbackQuery| list_feedback(&local, &live, &query).await.unwrap().feedback.len();
    assert_eq!(count(of(Some("acme/finance"), Some(REVENUE))).await, 1);
    assert_eq!(count(of(Some("acme/support"), None)).await, 0);
    assert_eq!(count(of(None, Some("mail/send_email_v2"))).await, 0);
    let refused = list_feedback(&caller, &live, &FeedbackQuery::default()).await.unwrap_err();
    assert_eq!(refused.code(), codes::E_FORBIDDEN, "who reports does not read what others reported");
    let refused = list_feedback(&local, &live, &FeedbackQuery { page: Some(0), ..of(None, None) }).await.unwrap_err();
    assert_eq!(refused.code(), codes::E_LIMIT);
}

#[tokio::test]
async fn a_tool_out_of_sight_is_answered_like_none_and_nothing_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let live = served(folder.path()).await;
    let (caller, wanted) = (analyst(), Wanted::default());
    let mut said = Vec::new();
    // Of the same length, so that neither is nearer to what is in sight.
    for tool in [THEIRS, "people/offboard_employxx"] {
        let refused = report_outcome(&caller, &live, &wanted, &used("Show the turnover", tool)).await.unwrap_err();
        assert_eq!(refused.code(), codes::E_UNRESOLVED);
        assert!(!refused.help().unwrap().contains(THEIRS));
        said.push(refused.to_string().replace(tool, "TOOL"));
    }
    assert_eq!(said.first(), said.last());
    let instead = NewOutcome {
        outcome: FeedbackOutcome::Wrong,
        instead: Some(THEIRS.to_owned()),
        ..used("Show the turnover", REVENUE)
    };
    let slips = [
        (instead, codes::E_UNRESOLVED),
        (used(" ", REVENUE), codes::E_QUESTION),
        (NewOutcome { tool: None, ..used("Show the turnover", REVENUE) }, codes::E_VALUE),
        (NewOutcome { instead: Some(REVENUE.to_owned()), ..used("Show the turnover", REVENUE) }, codes::E_VALUE),
        (NewOutcome { outcome: FeedbackOutcome::Missing, ..used("Show the turnover", REVENUE) }, codes::E_VALUE),
        (NewOutcome { snapshot: Some(99), ..used("Show the turnover", REVENUE) }, codes::E_SNAPSHOT),
    ];
    for (slip, code) in slips {
        let refused = report_outcome(&caller, &live, &wanted, &slip).await.unwrap_err();
        assert_eq!(refused.code(), code, "{slip:?}");
    }
    let all = list_feedback(&Caller::local("test"), &live, &FeedbackQuery::default()).await.unwrap();
    assert_eq!(all.feedback, []);
}

#[tokio::test]
async fn a_suggestion_changes_nothing_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let live = served(folder.path()).await;
    let (caller, wanted) = (analyst(), Wanted::default());
    let before = live.current().await.unwrap().record.digest.clone();
    let declared = std::fs::read_dir(POLICIES).unwrap().map(|entry| std::fs::read(entry.unwrap().path()).ok());
    let declared: Vec<_> = declared.collect();
    for question in
        ["show how the turnover went last autumn", "show how the turnover went last autumn", "show it for <1>"]
    {
        report_outcome(&caller, &live, &wanted, &used(question, REVENUE)).await.unwrap();
    }
    let places = ModelPlaces::resolve(None, None);
    let (local, request) = (Caller::local("test"), SuggestRequest::default());
    let found = suggest_examples(&local, Path::new(POLICIES), live.store(), &places, &request).await.unwrap();
    assert_eq!((found.read, found.written), (3, false));
    let proposed: Vec<_> = found.tools.iter().flat_map(|tool| &tool.examples).collect();
    let told: Vec<_> =
        proposed.iter().map(|example| (example.question.as_str(), example.used, example.wrong)).collect();
    assert_eq!(told, [("show how the turnover went last autumn", 2, 0)]);
    assert_eq!(found.left_out.get(&LeftOut::Rare), Some(&1));
    let patch: String = found.changed.iter().map(|file| file.difference.as_str()).collect();
    assert!(patch.contains("show how the turnover went last autumn") && patch.contains("# proposed"), "{patch}");
    let compared = found.compared.unwrap();
    assert_eq!(compared.after.retrieval.asked, compared.before.retrieval.asked + 1);
    assert!(compared.before.compiles && compared.before.golden.is_some());

    let now = std::fs::read_dir(POLICIES).unwrap().map(|entry| std::fs::read(entry.unwrap().path()).ok());
    assert_eq!(declared, now.collect::<Vec<_>>());
    live.refresh().await.unwrap();
    assert_eq!(live.current().await.unwrap().record.digest, before);
    let elsewhere = SuggestRequest { project: Some("acme/support".to_owned()), ..SuggestRequest::default() };
    let found = suggest_examples(&local, Path::new(POLICIES), live.store(), &places, &elsewhere).await.unwrap();
    assert_eq!((found.read, found.tools.len(), found.compared), (0, 0, None));
}
