//! Every use case asks the Caller first: a key without rights gets nothing from any of them, whatever door it came through.

#![expect(clippy::unwrap_used, reason = "a store that does not open is the failure")]

use std::path::Path;

use ambit_model::codes;
use ambit_model::identity::{Principal, ProjectId};
use ambit_model::key::{Asker, KeyRecord};
use ambit_model::route::{Ambiguity, RouteRequest};
use ambit_service::apply::{ApplyRequest, apply_workspace};
use ambit_service::caller::Caller;
use ambit_service::embedder::ModelPlaces;
use ambit_service::keys::{NewKey, create_key, first_admin_key, list_keys, revoke_key};
use ambit_service::live::Live;
use ambit_service::plan::{Proposed, validate_plan};
use ambit_service::store::Store;
use ambit_service::{Error, check, intake, rollback, route, snapshots, tools};

fn asker(principal: &str, project: &str) -> Asker {
    Asker { principal: Principal::parse(principal).unwrap(), project: ProjectId::parse(project, None).unwrap() }
}

/// A key that asks for one principal and administers nothing.
fn caller() -> Caller {
    Caller::Key(Box::new(KeyRecord {
        id: "0a".to_owned(),
        name: "without rights".to_owned(),
        admin: false,
        asker: Some(asker("acme:agent:bot", "acme/support")),
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
    let live = Live::new(store.clone(), places.clone());
    let (caller, workspace) = (caller(), Path::new("policies"));
    let other = asker("acme:user:analyst", "acme/finance");
    let request = RouteRequest { question: "Show the orders".to_owned(), ambiguity: Ambiguity::Advisory, k: 8 };
    let plan = Proposed { name: "plan".to_owned(), text: "{}".to_owned() };
    let new = NewKey { name: "more".to_owned(), admin: true, ..NewKey::default() };
    let answers = [
        ("check", said(check::check_workspace(&caller, workspace, &store, &places).await)),
        ("apply", said(apply_workspace(&caller, workspace, &store, &places, ApplyRequest::default()).await)),
        ("list snapshots", said(snapshots::list_snapshots(&caller, &store).await)),
        ("show a snapshot", said(snapshots::show_snapshot(&caller, &store, None).await)),
        ("compare snapshots", said(snapshots::diff_snapshots(&caller, &store, None, None).await)),
        ("verify a snapshot", said(snapshots::verify_snapshot(&caller, &store, None).await)),
        ("read intake", said(intake::read_intake(&caller, &store, None).await)),
        ("roll back", said(rollback::rollback_snapshot(&caller, &store, 1, "why", None).await)),
        ("create a key", said(create_key(&caller, &live, new).await)),
        ("create the first key", said(first_admin_key(&caller, &store).await)),
        ("list keys", said(list_keys(&caller, &store).await)),
        ("revoke a key", said(revoke_key(&caller, &store, "0a").await)),
        ("route for another", said(route::route_question(&caller, &live, &other, &request).await)),
        ("try for another", said(route::try_question(&caller, &live, &other, None).await)),
        ("list the tools of another", said(tools::list_tools(&caller, &live, &other, None).await)),
        ("validate for another", said(validate_plan(&caller, &live, &other, &plan).await)),
    ];
    for (what, code) in answers {
        assert_eq!(code, codes::E_FORBIDDEN, "{what}");
    }
    assert_eq!(store.keys().await.unwrap(), []);
}

fn said<T>(answer: Result<T, Error>) -> String {
    answer.err().map_or_else(|| "it was done".to_owned(), |error| error.code().to_owned())
}
