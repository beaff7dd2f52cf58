//! What no request gets past: pages of other sites, and waiting for ever.

use std::time::Duration;

use ambit_model::codes;
use axum::extract::Request;
use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::refusal::Refusal;

/// Longest time from a request's last header to its answer, the body's arrival included.
const PATIENCE: Duration = Duration::from_secs(30);

/// Refuses unsafe methods that a browser sends from a page of another site. Programs send neither header and need a key anyway.
pub(super) async fn own_pages_only(request: Request, next: Next) -> Response {
    if *request.method() == Method::CONNECT || *request.method() == Method::TRACE {
        return Refusal::of_status(StatusCode::METHOD_NOT_ALLOWED).into_response();
    }
    let safe = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if safe || is_own(request.headers()) {
        return next.run(request).await;
    }
    let help = "send it from a page of this server, or from a program with a key and without `Origin`";
    Refusal::new(codes::E_ORIGIN, "the request comes from a page of another site", help).into_response()
}

/// `Sec-Fetch-Site` says it in every current browser (W3C Fetch Metadata); `Origin` says it in the others.
fn is_own(headers: &HeaderMap) -> bool {
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let site = text("sec-fetch-site").is_none_or(|site| matches!(site, "same-origin" | "none"));
    let origin = headers.get(ORIGIN).is_none_or(|origin| {
        let host = headers.get(HOST).and_then(|host| host.to_str().ok());
        let origin = origin.to_str().ok().and_then(|origin| origin.parse::<Uri>().ok());
        let authority = origin.as_ref().and_then(Uri::authority).map(|authority| authority.as_str());
        host.is_some() && authority == host
    });
    site && origin
}

/// Ends what takes too long.
pub(super) async fn in_time(request: Request, next: Next) -> Response {
    match tokio::time::timeout(PATIENCE, next.run(request)).await {
        Ok(response) => response,
        Err(_) => {
            let message = format!("the request was not whole, or not answered, within {} seconds", PATIENCE.as_secs());
            Refusal::new(codes::E_TIMEOUT, message, "send the whole body at once, and try again").into_response()
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderName, HeaderValue};

    use super::*;

    fn check(headers: &[(&'static str, &'static str)], expected: bool) {
        let map: HeaderMap = headers
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
            .collect();
        assert_eq!(is_own(&map), expected, "{headers:?}");
    }

    #[test]
    fn a_foreign_page_is_told_from_a_program_and_from_our_own() {
        let host = ("host", "127.0.0.1:8420");
        check(&[host], true);
        check(&[host, ("origin", "http://127.0.0.1:8420")], true);
        check(&[host, ("origin", "http://127.0.0.1:8421")], false);
        check(&[host, ("origin", "https://evil.example")], false);
        check(&[host, ("origin", "null")], false);
        check(&[host, ("sec-fetch-site", "same-origin")], true);
        check(&[host, ("sec-fetch-site", "none")], true);
        check(&[host, ("sec-fetch-site", "same-site")], false);
        check(&[host, ("sec-fetch-site", "cross-site")], false);
        check(&[host, ("origin", "http://127.0.0.1:8420"), ("sec-fetch-site", "cross-site")], false);
        check(&[("origin", "http://127.0.0.1:8420")], false);
    }
}
