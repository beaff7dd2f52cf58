//! Signing in and out, and the frame that shows who is there.

use std::collections::BTreeSet;

use ambit_model::hidden::visible;
use ambit_model::identity::{Principal, ProjectId};
use ambit_service::caller::Caller;
use ambit_service::{administers, sessions};
use axum::http::HeaderValue;
use axum::http::header::SET_COOKIE;
use leptos::prelude::use_context;
use leptos_axum::ResponseOptions;

use super::{refuse, rows, visitor};
use crate::data::{Frame, Live, SignedIn};
use crate::problem::Problem;
use crate::visitor::{SESSION_COOKIE, Visitor};

pub(crate) async fn frame() -> Result<Frame, Problem> {
    let visitor = visitor()?;
    let mut signed_in = visitor.caller.as_ref().and_then(who);
    let live = if signed_in.is_some() { live(&visitor).await? } else { None };
    if let (Some(caller), Some(signed_in)) = (&visitor.caller, &mut signed_in) {
        // Where that cannot be told, the page below says why; the menu is short then.
        signed_in.may = administers(caller, &visitor.live).await.unwrap_or_default();
    }
    Ok(Frame { signed_in, live, version: env!("CARGO_PKG_VERSION").to_owned() })
}

/// Nobody signs in as the command line.
fn who(caller: &Caller) -> Option<SignedIn> {
    let known = |name: &str, principal: &Principal, project: Option<&ProjectId>| SignedIn {
        name: visible(name),
        key: None,
        issuer: None,
        principal: principal.to_string(),
        project: project.map(ToString::to_string),
        may: BTreeSet::new(),
    };
    match caller {
        Caller::Key(key) => {
            let own = known(&key.name, &key.principal, key.project.as_ref());
            Some(SignedIn { key: Some(key.id.clone()), ..own })
        }
        Caller::Person(person) => {
            let own = known(&person.principal.name, &person.principal, None);
            Some(SignedIn { issuer: Some(visible(&person.issuer)), ..own })
        }
        Caller::Local { .. } => None,
    }
}

/// What answers now, and since when; the chip says nothing where the store is away, so that the page is still there.
async fn live(visitor: &Visitor) -> Result<Option<Live>, Problem> {
    let Some(loaded) = visitor.live.loaded() else { return Ok(None) };
    let since = match visitor.live.store().newest_activation().await {
        Ok(Some(activation)) if activation.snapshot == loaded.record.number => activation.at,
        _ => loaded.record.created_at.clone(),
    };
    Ok(Some(Live { number: loaded.record.number, digest: loaded.record.digest.short(), since: rows::moment(&since) }))
}

pub(crate) async fn sign_in(key: &str, next: &str) -> Result<(), Problem> {
    let visitor = visitor()?;
    let former = visitor.session.as_deref();
    let cookie = sessions::sign_in(&visitor.live, key, former).await.map_err(|e| refuse(&e))?;
    set_cookie(&visitor, &cookie, sessions::SECONDS);
    leptos_axum::redirect(own_path(next));
    Ok(())
}

pub(crate) async fn sign_out() -> Result<(), Problem> {
    let visitor = visitor()?;
    if let Some(session) = &visitor.session {
        sessions::sign_out(visitor.live.store(), session).await.map_err(|e| refuse(&e))?;
    }
    set_cookie(&visitor, "", 0);
    leptos_axum::redirect("/sign-in");
    Ok(())
}

/// A path of this server: never another host, nor a script.
pub fn own_path(next: &str) -> &str {
    let path = next.split('?').next().unwrap_or(next);
    let own = path.starts_with('/')
        && !["//", "/.", "%"].iter().any(|odd| path.contains(odd))
        && next.chars().all(|c| c.is_ascii_graphic() && !matches!(c, '\\' | '"' | '<' | '>'));
    if own { next } else { "/" }
}

fn set_cookie(visitor: &Visitor, value: &str, seconds: u64) {
    let cookie = session_cookie(SESSION_COOKIE, value, seconds, "/", visitor.secure);
    if let (Some(response), Ok(cookie)) = (use_context::<ResponseOptions>(), HeaderValue::from_str(&cookie)) {
        response.append_header(SET_COOKIE, cookie);
    }
}

/// A cookie that no script reads, and that no other site's form or frame sends along.
pub fn session_cookie(name: &str, value: &str, seconds: u64, path: &str, secure: bool) -> String {
    let secure = if secure { "; Secure" } else { "" };
    format!("{name}={value}; Path={path}; HttpOnly; SameSite=Lax; Max-Age={seconds}{secure}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_own_paths_are_gone_on_to() {
        for own in ["/", "/intake?catalog=crm", "/snapshots/3/rollback"] {
            assert_eq!(own_path(own), own);
        }
        for foreign in [
            "",
            "https://evil.example",
            "//evil.example",
            "/\\evil.example",
            "javascript:alert(1)",
            "/.//evil.example/x",
            "/%2e//evil.example/x",
            "/a//evil.example",
            "/a\r\nb",
        ] {
            assert_eq!(own_path(foreign), "/", "{foreign:?}");
        }
    }
}
