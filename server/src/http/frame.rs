//! The frame of every answer: a request id, the headers that keep browsers strict, the envelope of refusals, one line in the log.

use std::time::Instant;

use axum::extract::Request;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use tracing::Instrument as _;

use super::refusal::Refusal;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Random bytes of a request id.
const ID_BYTES: usize = 8;

/// Who asked, for the log; put into the answer by whatever found out.
#[derive(Clone)]
pub(super) struct AskedBy(pub(super) String);

/// Names the request, lets it be answered, and finishes the answer.
pub(super) async fn finish(request: Request, next: Next) -> Response {
    let id = request_id();
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let started = Instant::now();
    let span = tracing::info_span!("request", id);
    let mut response = next.run(request).instrument(span).await;
    if let Some(refusal) = refusal_of(&response, &path) {
        let refused = refusal.written(&id);
        let kept = std::mem::replace(&mut response, refused);
        let headers = kept.headers().iter().filter(|(name, _)| *name != CONTENT_TYPE && *name != "content-length");
        response.headers_mut().extend(headers.map(|(name, value)| (name.clone(), value.clone())));
        response.extensions_mut().extend(kept.extensions().clone());
    }
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    make_strict(response.headers_mut());
    let caller = response.extensions().get::<AskedBy>().map(|asked| asked.0.clone()).unwrap_or_default();
    tracing::info!(
        id,
        %method,
        path,
        status = response.status().as_u16(),
        milliseconds = started.elapsed().as_secs_f64() * 1000.0,
        caller,
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

fn make_strict(headers: &mut HeaderMap) {
    let mut set = |name: HeaderName, value| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    set(CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'");
    set(CACHE_CONTROL, "no-store");
    set(X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(REFERRER_POLICY, "same-origin");
    set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    set(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
}

/// Random, so that nobody can tell how many requests there were; without randomness the answer is still given.
fn request_id() -> String {
    let mut random = [0; ID_BYTES];
    match getrandom::fill(&mut random) {
        Ok(()) => hex::encode(random),
        Err(_) => "unnamed".to_owned(),
    }
}
