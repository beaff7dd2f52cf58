//! The server's side of [`crate::data`]: each function calls one use case with the visitor's Caller and makes what the page shows.

mod audit;
mod authority;
mod clashes;
mod intake;
mod keys;
mod overview;
mod route;
mod rows;
mod sign;
mod tools;

pub(crate) use audit::audit;
pub(crate) use authority::authority;
pub(crate) use clashes::{clash, clashes};
pub(crate) use intake::{intake, tool_intake};
pub(crate) use keys::{create_key, key, keys, revoke_key};
pub(crate) use overview::overview;
pub(crate) use route::route;
pub(crate) use sign::{frame, sign_in, sign_out};
pub use sign::{own_path, session_cookie};
pub(crate) use tools::{card, tools};

use ambit_model::codes;
use ambit_model::hidden::visible;
use ambit_service::caller::Caller;
use ambit_service::live::Live;
use ambit_service::rollback::{self as rolling, RollbackRequest};
use ambit_service::snapshots::Compared;
use ambit_service::{Error, snapshots as stored};
use axum::http::header::ACCEPT;
use axum::http::request::Parts;
use axum::http::{Method, StatusCode};
use leptos::prelude::use_context;
use leptos_axum::ResponseOptions;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::data::{DiffPage, SnapshotsPage};
use crate::parts::difference::{counts, difference};
use crate::parts::made::Made;
use crate::problem::Problem;
use crate::visitor::Visitor;

/// What a page shows, with every hidden character as its escape: others wrote most of it.
fn shown<T: Serialize + DeserializeOwned>(page: &T) -> Result<T, Problem> {
    let value = serde_json::to_value(page).and_then(|value| serde_json::from_value(seen(value)));
    value.map_err(|error| refuse(&error.into()))
}

fn seen(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(visible(&text)),
        Value::Array(items) => items.into_iter().map(seen).collect(),
        Value::Object(members) => members.into_iter().map(|(key, member)| (visible(&key), seen(member))).collect(),
        other => other,
    }
}

/// The visitor and its Caller; without a session there is nothing to see.
fn signed_in() -> Result<(Live, Caller), Problem> {
    let visitor = visitor()?;
    match visitor.caller {
        Some(caller) => Ok((visitor.live, caller)),
        None => Err(refuse(&Error::KeyRefused)),
    }
}

fn visitor() -> Result<Visitor, Problem> {
    Visitor::current().ok_or_else(|| Problem::new(codes::E_INTERNAL))
}

/// What somebody wrote into a field, without white space around it; nothing where it was left empty.
fn given(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// The code of an error, which also becomes the status of the answer.
fn refuse(error: &Error) -> Problem {
    refused(noted(error).code())
}

/// The code of an error, for a part of a page. What is our fault goes to the log with its causes.
fn noted(error: &Error) -> Problem {
    if codes::status(error.code()) >= 500 {
        tracing::error!(code = error.code(), error = %ambit_service::error::chain(error), "a page could not be answered");
    }
    Problem::new(error.code())
}

/// The same of a code alone.
fn refused(code: &str) -> Problem {
    let status = StatusCode::from_u16(codes::status(code));
    if let (Some(response), Ok(status)) = (use_context::<ResponseOptions>(), status)
        && !is_form()
    {
        response.set_status(status);
    }
    Problem::new(code)
}

/// A form without a script: its refusal travels in the address of the page that the browser is sent back to.
fn is_form() -> bool {
    use_context::<Parts>().is_some_and(|parts| {
        let accept = parts.headers.get(ACCEPT).and_then(|kinds| kinds.to_str().ok());
        parts.method == Method::POST && accept.is_some_and(|kinds| kinds.contains("text/html"))
    })
}

pub(crate) async fn snapshots() -> Result<SnapshotsPage, Problem> {
    let (live, caller) = signed_in()?;
    let listed = stored::list_snapshots(&caller, &live).await.map_err(|e| refuse(&e))?;
    shown(&SnapshotsPage {
        live: listed.live,
        snapshots: listed.records.iter().map(|record| rows::snapshot(record, listed.live)).collect(),
        activations: listed.activations.iter().map(rows::activation).collect(),
    })
}

pub(crate) async fn diff(from: Option<i64>, to: Option<i64>) -> Result<DiffPage, Problem> {
    let (live, caller) = signed_in()?;
    shown(&compared(&live, &caller, from, to).await.map_err(|e| refuse(&e))?)
}

pub(crate) async fn rollback_preview(number: i64) -> Result<DiffPage, Problem> {
    let (live, caller) = signed_in()?;
    let listed = stored::list_snapshots(&caller, &live).await.map_err(|e| refuse(&e))?;
    match listed.live {
        Some(now) if now == number => Err(refuse(&Error::AlreadyLive { number })),
        now => shown(&compared(&live, &caller, now, Some(number)).await.map_err(|e| refuse(&e))?),
    }
}

async fn compared(live: &Live, caller: &Caller, from: Option<i64>, to: Option<i64>) -> Result<DiffPage, Error> {
    let Compared { from, to, diff } = stored::diff_snapshots(caller, live, from, to).await?;
    let listed = stored::list_snapshots(caller, live).await?;
    Ok(DiffPage {
        from: rows::snapshot(&from, listed.live),
        to: rows::snapshot(&to, listed.live),
        counts: counts(&diff),
        widens: diff.widens(),
        difference: Made::of(difference(diff)),
        numbers: listed.records.iter().map(|record| record.number).collect(),
    })
}

pub(crate) async fn rollback(
    number: i64,
    from: i64,
    reason: String,
    confirmed: bool,
    accept_gains: bool,
) -> Result<(), Problem> {
    let (live, caller) = signed_in()?;
    if !confirmed {
        return Err(refused(codes::E_CONFIRM));
    }
    let request = RollbackRequest { number: Some(number), reason, expected: Some(from), accept_gains };
    let done = rolling::rollback_snapshot(&caller, &live, &request).await;
    done.map_err(|e| refuse(&e))?;
    // The page that follows shows what is live by now; where it cannot be loaded, the server goes on with what it has.
    if let Err(error) = live.refresh().await {
        refuse(&error);
    }
    leptos_axum::redirect("/snapshots");
    Ok(())
}
