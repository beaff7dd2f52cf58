//! Whose pages these are: the session's cookie becomes the visitor; who has none is asked to sign in.

use ambit_app::visitor::{SESSION_COOKIE, Visitor};
use ambit_service::sessions;
use axum::extract::{Request, State};
use axum::http::header::{COOKIE, LOCATION, REFERER};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Redirect, Response};
use cookie::Cookie;

use super::Shared;
use super::frame::AskedBy;
use super::refusal::Refusal;

/// Where nobody has to be signed in.
const OPEN: &[&str] = &["/sign-in", "/api/ui/sign_in", "/api/ui/sign_out", "/api/ui/frame", "/theme"];

/// Opens the visitor's session for the page, and keeps every redirect on this server.
pub(super) async fn open(State(shared): State<Shared>, mut request: Request, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    if path.starts_with("/static/") || path.starts_with("/pkg/") {
        return next.run(request).await;
    }
    let session = cookie(request.headers(), SESSION_COOKIE);
    let found = match &session {
        Some(session) => sessions::find(&shared.live, session).await,
        None => Ok(None),
    };
    let caller = match found {
        Ok(caller) => caller,
        Err(error) => return Refusal::from(error).into_response(),
    };
    if caller.is_none() && !OPEN.contains(&path.as_str()) {
        return ask_to_sign_in(&request);
    }
    if let Some(caller) = &caller {
        AskedBy::say(request.extensions(), caller);
    }
    let secure = shared.is_secure(request.headers());
    request.extensions_mut().insert(Visitor { live: shared.live.clone(), caller, session, secure });
    let mut response = next.run(request).await;
    keep_own(response.headers_mut());
    response
}

fn ask_to_sign_in(request: &Request) -> Response {
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        let next: String = request.uri().path_and_query().map(|path| encode(path.as_str())).unwrap_or_default();
        return Redirect::to(&format!("/sign-in?next={next}")).into_response();
    }
    // A form of a page whose session has ended.
    if request
        .headers()
        .get("accept")
        .is_some_and(|kinds| kinds.to_str().is_ok_and(|kinds| kinds.contains("text/html")))
    {
        let next = request.headers().get(REFERER).and_then(own).unwrap_or_default();
        return Redirect::to(&format!("/sign-in?next={}", encode(&next))).into_response();
    }
    (StatusCode::UNAUTHORIZED, axum::Json(ambit_model::codes::E_KEY)).into_response()
}

/// Everything that could end a query's value, as RFC 3986, 2.1 writes it.
pub(super) fn encode(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => char::from(byte).to_string(),
            other => format!("%{other:02X}"),
        })
        .collect()
}

/// The framework sends plain forms back to their page by its whole address: only the path is kept.
fn keep_own(headers: &mut HeaderMap) {
    let Some(location) = headers.get(LOCATION) else { return };
    let path = own(location).unwrap_or_else(|| "/".to_owned());
    if let Ok(path) = HeaderValue::from_str(&path) {
        headers.insert(LOCATION, path);
    }
}

fn own(address: &HeaderValue) -> Option<String> {
    let uri: Uri = address.to_str().ok()?.parse().ok()?;
    let path = uri.path_and_query()?.as_str();
    Some(ambit_app::answers::own_path(path).to_owned())
}

/// The value of a cookie.
pub(super) fn cookie(headers: &HeaderMap, name: &str) -> Option<String> {
    let lines = headers.get_all(COOKIE).into_iter().filter_map(|line| line.to_str().ok());
    let mut cookies = lines.flat_map(|line| Cookie::split_parse(line.to_owned())).flatten();
    cookies.find(|cookie| cookie.name() == name).map(|cookie| cookie.value().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_redirect_stays_on_this_server() {
        let check = |address: &'static str, expected: &str| {
            let mut headers = HeaderMap::from_iter([(LOCATION, HeaderValue::from_static(address))]);
            keep_own(&mut headers);
            assert_eq!(headers.get(LOCATION).and_then(|l| l.to_str().ok()), Some(expected), "{address}");
        };
        check("/snapshots", "/snapshots");
        check("http://127.0.0.1:8420/sign-in?__err=x", "/sign-in?__err=x");
        check("https://evil.example/intake", "/intake");
        check("https://evil.example//other.example", "/");
    }

    #[test]
    fn a_query_survives_inside_a_query() {
        assert_eq!(encode("/intake?catalog=crm&code=E_NAME"), "/intake%3Fcatalog%3Dcrm%26code%3DE_NAME");
    }
}
