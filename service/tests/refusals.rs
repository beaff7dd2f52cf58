//! Every use case asks the Caller first: a key without rights gets nothing from any of them, whatever door it came through.

#![expect(clippy::unwrap_used, reason = "a store that does not open is the failure")]

use std::collections::BTreeSet;
use std::path::Path;

use ambit_model::audit::AuditOutcome;
use ambit_model::codes;
use ambit_model::declaration::Action;
use ambit_model::export::Target;
use ambit_model::feedback::FeedbackOutcome;
use ambit_model::identity::{Principal, ProjectId};
use ambit_model::key::KeyRecord;
use ambit_model::route::{Ambiguity, RouteRequest};
use ambit_service::apply::{ApplyRequest, apply_workspace};
use ambit_service::audit::{self, AuditQuery};
use ambit_service::blocks::{NewBlock, block_tool, list_blocks, unblock_tool};
use ambit_service::caller::{Caller, Wanted};
use ambit_service::cards::CardQuery;
use ambit_service::diff::{diff_workspace, prove_snapshots};
use ambit_service::embedder::ModelPlaces;
use ambit_service::enrich::{EnrichRequest, enrich_workspace};
use ambit_service::export::export_tools;
use ambit_service::feedback::{
    FeedbackQuery, NewOutcome, SuggestRequest, list_feedback, report_outcome, suggest_examples,
};
use ambit_service::keys::{NewKey, create_key, list_keys, revoke_key};
use ambit_service::knowledge::search_knowledge;
use ambit_service::live::Live;
use ambit_service::plan::{Proposed, validate_plan};
use ambit_service::repair::{RepairRequest, propose_repairs};
use ambit_service::rollback::RollbackRequest;
use ambit_service::store::{AuditReach, FeedbackScope, Store};
use ambit_service::testing::test_workspace;
use ambit_service::vectors_file::{export_vectors, import_vectors};
use ambit_service::whoami::who_am_i;
use ambit_service::why::explain_decision;
use ambit_service::{
    Error, administers, cards, check, clashes, format, import, init, intake, policies, principals, rollback, route,
    schema, secrets, snapshots, tools, trial, watch,
};

/// A key of a principal that no policy of the sample lets administer anything, or act for anybody.
fn caller() -> Caller {
    Caller::Key(Box::new(KeyRecord {
        id: "0a".to_owned(),
        name: "without rights".to_owned(),
        principal: Principal::parse("acme:agent:stock-bot").unwrap(),
        project: Some(ProjectId::parse("acme/operations", None).unwrap()),
        tools: BTreeSet::new(),
        created_at: String::new(),
        created_by: String::new(),
        expires_at: None,
        revoked_at: None,
    }))
}

#[tokio::test]
async fn no_use_case_does_anything_for_a_caller_without_rights() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let places = ModelPlaces::resolve(None, None);
    let workspace = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../policies"));
    let local = Caller::local("test");
    apply_workspace(&local, workspace, &store, &places, ApplyRequest::default()).await.unwrap();
    let live = Live::new(store.clone(), places.clone());
    let caller = caller();
    let file = folder.path().join("vectors.ambit");
    let other_project = Wanted { project: Some("acme/finance".to_owned()), ..Wanted::default() };
    let other_user = Wanted { acting_for: Some("acme:user:planner".to_owned()), ..Wanted::default() };
    let other_self = Wanted { principal: Some("acme:user:analyst".to_owned()), ..Wanted::default() };
    let request = RouteRequest {
        question: "Show the orders".to_owned(),
        context: Default::default(),
        ambiguity: Ambiguity::Advisory,
        k: 8,
    };
    let outcome = NewOutcome {
        question: "Show the orders".to_owned(),
        step: None,
        snapshot: None,
        outcome: FeedbackOutcome::Missing,
        tool: None,
        instead: None,
    };
    let plan = Proposed { name: "plan".to_owned(), text: "{}".to_owned() };
    let new = NewKey {
        name: "more".to_owned(),
        principal: "acme:user:platform".to_owned(),
        project: None,
        tools: BTreeSet::new(),
        expires_in: None,
    };
    let block = NewBlock { tool: "mail/send_email_v2".to_owned(), reason: "why".to_owned(), until: None };
    let query = AuditQuery::default();
    let back = RollbackRequest { number: Some(1), reason: "why".to_owned(), ..RollbackRequest::default() };
    let mut answers = vec![
        ("check", said(check::check_workspace(&caller, workspace, &store, &places).await)),
        ("check without a model", said(check::check_without_retrieval(&caller, workspace))),
        ("apply", said(apply_workspace(&caller, workspace, &store, &places, ApplyRequest::default()).await)),
        ("describe declarations", said(schema::describe_declarations(&caller, None))),
        ("write schemas", said(schema::write_schemas(&caller, folder.path()))),
        ("begin a workspace", said(init::init_workspace(&caller, folder.path()))),
        (
            "import a catalog",
            said(
                import::import_catalog(
                    &caller,
                    workspace,
                    &secrets::SecretPlaces::new(folder.path()),
                    &request_to_import(),
                )
                .await,
            ),
        ),
        ("format declarations", said(format::format_declarations(&caller, &format::FormatRequest::default()))),
        ("export vectors", said(export_vectors(&caller, workspace, &store, &places, &file, true).await)),
        ("import vectors", said(import_vectors(&caller, &store, &file).await)),
        ("watch a workspace", said(watch::watch_workspace(&caller, workspace, folder.path()))),
        ("prove a change", said(prove_snapshots(&caller, &live, 1, None).await)),
        ("compare a workspace", said(diff_workspace(&caller, workspace, &store, &places, false).await)),
        ("test", said(test_workspace(&caller, workspace, &store, &places, true).await)),
        (
            "enrich a workspace",
            said(enrich_workspace(&caller, workspace, folder.path(), &EnrichRequest::default()).await),
        ),
        ("repair a clash", said(propose_repairs(&caller, workspace, &store, &places, &RepairRequest::default()).await)),
        ("list secrets", said(secrets::list_secrets(&caller, workspace, folder.path()))),
        (
            "explain a decision",
            said(explain_decision(&caller, &live, &other_self, "mail/send_email_v2", Action::Invoke).await),
        ),
        ("list policies", said(policies::list_policies(&caller, &live).await)),
        ("list principals", said(principals::list_principals(&caller, &live).await)),
        ("read a view", said(principals::read_view(&caller, &live, &other_self).await)),
        ("list snapshots", said(snapshots::list_snapshots(&caller, &live).await)),
        ("show a snapshot", said(snapshots::show_snapshot(&caller, &live, None).await)),
        ("compare snapshots", said(snapshots::diff_snapshots(&caller, &live, None, None).await)),
        ("verify a snapshot", said(snapshots::verify_snapshot(&caller, &live, None).await)),
        ("list cards", said(cards::list_cards(&caller, &live, &CardQuery::default()).await)),
        ("read a card", said(cards::read_card(&caller, &live, "mail/send_email_v2").await)),
        ("read a clash", said(clashes::read_clash(&caller, &live, "mail/send_email", "mail/send_email_v2").await)),
        ("read a trend", said(intake::read_trend(&caller, &live).await)),
        ("read the intake of a tool", said(intake::read_tool_intake(&caller, &live, "mail/send_email_v2").await)),
        ("try a description", said(trial::try_live(&caller, &live, "mail/send_email_v2", "Sends mail").await)),
        (
            "try a description in the workspace",
            said(
                trial::try_in_workspace(&caller, workspace, &store, &places, "mail/send_email_v2", "Sends mail").await,
            ),
        ),
        ("read intake", said(intake::read_intake(&caller, &live, None).await)),
        ("block a tool", said(block_tool(&caller, &live, block).await)),
        ("unblock a tool", said(unblock_tool(&caller, &live, "mail/send_email_v2", "why").await)),
        ("list blocks", said(list_blocks(&caller, &live).await)),
        ("roll back", said(rollback::rollback_snapshot(&caller, &live, &back).await)),
        ("list feedback", said(list_feedback(&caller, &live, &FeedbackQuery::default()).await)),
        (
            "suggest examples",
            said(suggest_examples(&caller, workspace, &store, &places, &SuggestRequest::default()).await),
        ),
        ("create a key", said(create_key(&caller, &live, new).await)),
        ("list keys", said(list_keys(&caller, &live).await)),
        ("revoke a key", said(revoke_key(&caller, &live, "0a").await)),
        ("read the audit", said(audit::read_audit(&caller, &live, &query).await)),
        ("verify the audit", said(audit::verify_audit(&caller, &live, None).await)),
        ("erase a payload", said(audit::erase_payload(&caller, &live, 1, "why").await)),
    ];
    let administered = answers.len();
    // In its own project too, which has no documents.
    let own = Wanted::default();
    answers.push(("search documents", said(search_knowledge(&caller, &live, &own, "Which returns?", None).await)));
    for (what, wanted) in [("another project", other_project), ("a user", other_user), ("another", other_self)] {
        answers.extend([
            (what, said(route::route_question(&caller, &live, &wanted, &request).await)),
            (what, said(route::route_locally(&caller, &live, &wanted, &request).await)),
            (what, said(route::try_question(&caller, &live, wanted.clone(), None).await.and_then(|tried| tried.found))),
            (what, said(report_outcome(&caller, &live, &wanted, &outcome).await)),
            (what, said(who_am_i(&caller, &live, &wanted).await)),
            (what, said(tools::list_tools(&caller, &live, &wanted, None).await)),
            (what, said(export_tools(&caller, &live, &wanted, Target::Mcp).await)),
            (what, said(search_knowledge(&caller, &live, &wanted, "What may be returned?", None).await)),
            (what, said(validate_plan(&caller, &live, &wanted, &plan).await)),
        ]);
    }
    for (what, code) in answers {
        assert_eq!(code, codes::E_FORBIDDEN, "{what}");
    }
    assert_eq!(store.keys().await.unwrap(), []);
    assert_eq!(store.blocks().await.unwrap(), []);
    assert_eq!(store.feedback(&FeedbackScope::Everything, None, 0, 1).await.unwrap(), []);
    let entries = store.audit(&AuditReach::Everything, None, 100).await.unwrap();
    let denied = entries.iter().filter(|entry| entry.outcome == AuditOutcome::Denied).count();
    // What belongs to the command line alone is no admin action, and one entry stands for the same act again: of reading snapshots,
    // the intake, rolling back (which blocking needs too), reading gaps (which feedback needs), managing keys, and reading the audit.
    assert!(administered > 10);
    assert_eq!(denied, 6, "each denied admin action is an entry: {entries:?}");
    assert_eq!(administers(&caller, &live).await.unwrap(), BTreeSet::new());
    audit::verify_audit(&local, &live, None).await.unwrap();
}

fn request_to_import() -> import::ImportRequest {
    import::ImportRequest {
        source: import::Source::Stdio(vec!["true".to_owned()]),
        id: None,
        tenant: None,
        to: None,
        dry: false,
        secret: None,
        oauth: None,
        allow_private: false,
        most_bytes: 1024,
        within: std::time::Duration::from_secs(5),
    }
}

fn said<T>(answer: Result<T, Error>) -> String {
    answer.err().map_or_else(|| "it was done".to_owned(), |error| error.code().to_owned())
}
