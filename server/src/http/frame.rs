//! The frame of every answer: a request id, the headers that keep browsers strict, the envelope of refusals, one line in the log.

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use ambit_service::caller::Caller;
use axum::extract::Request;
use axum::http::header::{
    ACCEPT, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{Extensions, HeaderMap, HeaderName, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::Response;
use tracing::Instrument as _;

use super::refusal::Refusal;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Random bytes of a request id.
const ID_BYTES: usize = 8;

/// Who asks, for the log; said once, by whatever finds out, however the request ends.
#[derive(Clone, Default)]
pub(super) struct AskedBy(Arc<OnceLock<String>>);

impl AskedBy {
    /// Says who it is.
    pub(super) fn say(extensions: &Extensions, caller: &Caller) {
        if let Some(asked) = extensions.get::<Self>() {
            // The first word stands: a request has one caller.
            let _ = asked.0.set(caller.label());
        }
    }
}

/// Names the request, lets it be answered, and finishes the answer.
pub(super) async fn finish(mut request: Request, next: Next) -> Response {
    let id = request_id();
    let asked = AskedBy::default();
    request.extensions_mut().insert(asked.clone());
    let html =
        request.headers().get(ACCEPT).and_then(|kinds| kinds.to_str().ok()).is_some_and(|k| k.contains("text/html"));
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let told = without_secrets(&path);
    let started = Instant::now();
    let span = tracing::info_span!("request", id);
    let mut response = next.run(request).instrument(span).await;
    let refusal = refusal_of(&response, &path);
    if let Some(refusal) = &refusal {
        let for_a_person = html && method == Method::GET && !path.starts_with("/v1");
        let refused = if for_a_person { refusal.page(&id) } else { refusal.written(&id) };
        let kept = std::mem::replace(&mut response, refused);
        let headers = kept.headers().iter().filter(|(name, _)| *name != CONTENT_TYPE && *name != "content-length");
        response.headers_mut().extend(headers.map(|(name, value)| (name.clone(), value.clone())));
    }
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    let is_page = response.headers().get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    make_strict(response.headers_mut(), if is_page { PLAIN_PAGE } else { NO_PAGE });
    tracing::info!(
        id,
        %method,
        path = told,
        status = response.status().as_u16(),
        milliseconds = started.elapsed().as_secs_f64() * 1000.0,
        code = refusal.as_ref().map_or("", Refusal::code),
        caller = asked.0.get().map_or("", String::as_str),
        "answered"
    );
    response
}

/// A refusal of ours; for the API also what a library refused in words of its own.
fn refusal_of(response: &Response, path: &str) -> Option<Refusal> {
    let ours = response.extensions().get::<Refusal>().cloned();
    let status = response.status();
    let failed = status.is_client_error() || status.is_server_error();
    let json =
        response.headers().get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    ours.or_else(|| (failed && !json && path.starts_with("/v1")).then(|| Refusal::of_status(status)))
}

/// What is no page may load nothing.
const NO_PAGE: &str = "default-src 'none'; frame-ancestors 'none'";
/// A page that is not the dashboard's, and so without its policy, may have our stylesheets.
const PLAIN_PAGE: &str = "default-src 'none'; style-src 'self'; frame-ancestors 'none'";

fn make_strict(headers: &mut HeaderMap, policy: &'static str) {
    let mut set = |name: HeaderName, value| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    set(CONTENT_SECURITY_POLICY, policy);
    set(CACHE_CONTROL, "no-store");
    set(X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(REFERRER_POLICY, "same-origin");
    set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    set(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
}

/// Longest part of a path that the log holds whole.
const LONGEST_PART: usize = 40;

/// Somebody may put a key or a token into a path: parts that are as long as one are cut.
fn without_secrets(path: &str) -> String {
    let cut = |part: &str| {
        if part.len() <= LONGEST_PART { part.to_owned() } else { part.chars().take(8).chain(['…']).collect() }
    };
    path.split('/').map(cut).collect::<Vec<_>>().join("/")
}

/// Random, so that nobody can tell how many requests there were; without randomness the answer is still given.
fn request_id() -> String {
    let mut random = [0; ID_BYTES];
    match getrandom::fill(&mut random) {
        Ok(()) => hex::encode(random),
        Err(_) => "unnamed".to_owned(),
    }
}
