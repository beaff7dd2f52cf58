//! Signing in with an identity provider: off to it, and back with a code that it exchanges for who somebody is.
//! INVARIANT: nothing of an attempt is kept here. A cookie of 256 random bits holds it together: state, nonce and verifier are made
//! of it, so what comes back counts only in the browser that set out.

use ambit_app::answers::{own_path, session_cookie};
use ambit_app::visitor::SESSION_COOKIE;
use ambit_service::Error;
use ambit_service::identity::Callback;
use ambit_service::sessions;
use ambit_service::sign_in::{self as signing_in, Begun, Return};
use axum::Router;
use axum::extract::{Path, State};
use axum::http::header::{CONTENT_TYPE, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, Uri};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use serde::Deserialize;

use super::Shared;
use super::extract::Query;
use super::session::{cookie, encode};

/// What holds an attempt together, and where it goes on in the end.
const ATTEMPT_COOKIE: &str = "ambit_sign_in";
/// How long a person may take at the provider.
const ATTEMPT_SECONDS: u64 = 10 * 60;
const HTML: &str = "text/html; charset=utf-8";

pub(super) fn router(shared: Shared) -> Router {
    Router::new()
        .route("/sign-in/with", get(leave))
        .route("/sign-in/{tenant}/callback", get(come_back))
        .with_state(shared)
}

#[derive(Deserialize)]
struct Wish {
    tenant: String,
    #[serde(default)]
    next: String,
}

/// Sends the browser to the tenant's provider. By a page and not by a redirect: a form may lead to no other site.
async fn leave(State(shared): State<Shared>, headers: HeaderMap, Query(wish): Query<Wish>) -> Response {
    let Begun { address, secret } = match signing_in::begin(&shared.live, &wish.tenant, &shared.public_url).await {
        Ok(begun) => begun,
        Err(error) => return refused(&error),
    };
    let mut response = ([(CONTENT_TYPE, HTML)], farewell(&address)).into_response();
    let attempt = format!("{secret}.{}", encode(short(own_path(&wish.next))).replace('/', "%2F"));
    set(&mut response, shared.is_secure(&headers), ATTEMPT_COOKIE, &attempt, ATTEMPT_SECONDS, "/sign-in");
    response
}

/// Back from the provider. An attempt is over, however it ended.
async fn come_back(State(shared): State<Shared>, Path(tenant): Path<String>, headers: HeaderMap, uri: Uri) -> Response {
    let attempt = cookie(&headers, ATTEMPT_COOKIE).unwrap_or_default();
    let (secret, next) = attempt.split_once('.').unwrap_or_default();
    let former = cookie(&headers, SESSION_COOKIE);
    let secure = shared.is_secure(&headers);
    let back = Return {
        tenant: &tenant,
        secret,
        public_url: &shared.public_url,
        callback: callback(uri.query().unwrap_or_default()),
        former: former.as_deref(),
    };
    let mut response = match signing_in::finish(&shared.live, &shared.secrets, back).await {
        Ok(session) => {
            let mut response = Redirect::to(own_path(&decode(next))).into_response();
            set(&mut response, secure, SESSION_COOKIE, &session, sessions::SECONDS, "/");
            response
        }
        Err(error) => refused(&error),
    };
    set(&mut response, secure, ATTEMPT_COOKIE, "", 0, "/sign-in");
    response
}

/// Longest path to go on to; a browser drops a cookie that is much longer.
const LONGEST_NEXT: usize = 1024;

fn short(next: &str) -> &str {
    if next.len() <= LONGEST_NEXT { next } else { "/" }
}

/// What the provider sent along; members that it sends twice, or that are not ours, are left out.
fn callback(query: &str) -> Callback {
    let one = |name: &str| {
        let mut values = query.split('&').filter_map(|pair| pair.split_once('=')).filter(|(key, _)| *key == name);
        let (_, first) = values.next()?;
        values.next().is_none().then(|| decode(first))
    };
    Callback { code: one("code"), state: one("state"), iss: one("iss"), error: one("error") }
}

/// RFC 3986, 2.1, with `+` for a space as forms write it.
fn decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        match byte {
            b'+' => bytes.push(b' '),
            b'%' => {
                let pair = [rest.next().unwrap_or(b'?'), rest.next().unwrap_or(b'?')];
                bytes.extend(std::str::from_utf8(&pair).ok().and_then(|pair| u8::from_str_radix(pair, 16).ok()));
            }
            other => bytes.push(other),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Back to the sign-in page, with a code and no words. What is our fault goes to the log with its causes.
fn refused(error: &Error) -> Response {
    let code = error.code();
    if ambit_model::codes::status(code) >= 500 {
        tracing::error!(code, error = %ambit_service::error::chain(error), "somebody could not sign in");
    }
    let page = "/sign-in?problem=";
    let body = format!(
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" \
         content=\"0;url={page}{code}\"><title>Sign in · Ambit</title></head><body><p><a href=\"{page}{code}\">Back to the \
         sign-in page</a></p></body></html>"
    );
    let status = axum::http::StatusCode::from_u16(ambit_model::codes::status(code));
    (status.unwrap_or_default(), [(CONTENT_TYPE, HTML)], body).into_response()
}

fn farewell(address: &str) -> String {
    let address = address.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;");
    format!(
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\"><meta http-equiv=\"refresh\" content=\"0;url={address}\"><title>Sign in · \
         Ambit</title><link rel=\"stylesheet\" href=\"/static/tokens.css\"><link rel=\"stylesheet\" href=\"/static/ambit.css\">\
         </head><body><main class=\"main\"><div class=\"page\"><h1>Signing in</h1><p><a href=\"{address}\">Go on to your \
         provider's sign-in page</a></p></div></main></body></html>"
    )
}

fn set(response: &mut Response, secure: bool, name: &str, value: &str, seconds: u64, path: &str) {
    let cookie = session_cookie(name, value, seconds, path, secure);
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_provider_sends_is_read_once() {
        let back = callback("code=a%2Bb&state=s&iss=https%3A%2F%2Flogin.example&session_state=x");
        assert_eq!((back.code.as_deref(), back.state.as_deref()), (Some("a+b"), Some("s")));
        assert_eq!(back.iss.as_deref(), Some("https://login.example"));
        assert_eq!(callback("code=a&code=b").code, None);
        assert_eq!(callback("").state, None);
    }

    #[test]
    fn a_path_travels_through_the_cookie() {
        for path in ["/route?q=a+b%20c&project=acme/finance", "/"] {
            assert_eq!(decode(&encode(path).replace('/', "%2F")), path);
        }
    }
}
