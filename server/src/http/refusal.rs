//! What a request is refused with: one envelope for all, `{code, message, help, request_id}`, from the one table of codes.

use ambit_model::codes;
use ambit_service::Error;
use axum::Json;
use axum::http::header::WWW_AUTHENTICATE;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{Html, IntoResponse, Response};
use serde::Serialize;

/// A refusal; the frame turns it into the envelope, because only there the request has its id.
#[derive(Clone, Debug)]
pub(super) struct Refusal {
    code: String,
    message: String,
    help: Option<String>,
}

/// The envelope of every refused request.
#[derive(Serialize)]
struct Envelope<'a> {
    code: &'a str,
    message: &'a str,
    help: Option<&'a str>,
    request_id: &'a str,
}

impl Refusal {
    pub(super) fn new(code: &str, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { code: code.to_owned(), message: message.into(), help: Some(help.into()) }
    }

    /// For a status that a library chose.
    pub(super) fn of_status(status: StatusCode) -> Self {
        let code = match status {
            StatusCode::NOT_FOUND => codes::E_NOT_FOUND,
            StatusCode::METHOD_NOT_ALLOWED => codes::E_METHOD,
            StatusCode::PAYLOAD_TOO_LARGE => codes::E_TOO_LARGE,
            StatusCode::UNSUPPORTED_MEDIA_TYPE => codes::E_MEDIA_TYPE,
            StatusCode::REQUEST_TIMEOUT => codes::E_TIMEOUT,
            other if other.is_server_error() => codes::E_INTERNAL,
            _ => codes::E_REQUEST,
        };
        let meaning = codes::find(code).map_or("", |entry| entry.meaning);
        Self::new(code, meaning, "docs/http.md lists what is served")
    }

    fn status(&self) -> StatusCode {
        StatusCode::from_u16(codes::status(&self.code)).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// Its code.
    pub(super) fn code(&self) -> &str {
        &self.code
    }

    /// The whole answer.
    pub(super) fn written(&self, request_id: &str) -> Response {
        let Self { code, message, help } = self;
        let body = Json(Envelope { code, message, help: help.as_deref(), request_id });
        let mut response = (self.status(), body).into_response();
        if self.status() == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }

    /// The whole answer for a person whose page cannot be made at all. Every word is from the table of codes.
    pub(super) fn page(&self, request_id: &str) -> Response {
        let meaning = codes::find(&self.code).map_or("", |entry| entry.meaning);
        let html = format!(
            "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
             content=\"width=device-width, initial-scale=1\"><title>{code} · Ambit</title><link rel=\"stylesheet\" \
             href=\"/static/tokens.css\"><link rel=\"stylesheet\" href=\"/static/ambit.css\"></head><body><main \
             class=\"main\"><div class=\"page\"><h1>{meaning}</h1><p>{code}, request {request_id}. Load the page again in a \
             while; the server's log says more.</p></div></main></body></html>",
            code = self.code,
        );
        (self.status(), Html(html)).into_response()
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        let code = error.code();
        if codes::status(code) < 500 || matches!(code, codes::E_NO_SNAPSHOT | codes::E_AUDIT) {
            return Self { code: code.to_owned(), message: error.to_string(), help: error.help() };
        }
        // What is wrong with the machine is for those who run it: paths and causes go to the log, not to whoever asks.
        tracing::error!(code, error = %ambit_service::error::chain(&error), "a request could not be answered");
        let meaning = codes::find(code).map_or("", |entry| entry.meaning);
        Self::new(code, meaning, "try again later; the server's log says more under the request id")
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = self.status().into_response();
        response.extensions_mut().insert(self);
        response
    }
}

/// A handler that panicked is a fault of ours; the request that met it hears so, and the others go on.
#[expect(clippy::needless_pass_by_value, reason = "the layer hands over the panic's value")]
pub(super) fn panicked(panic: Box<dyn std::any::Any + Send>) -> Response {
    let what = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    tracing::error!(panic = what.unwrap_or("without a message"), "a request met a fault in ambit");
    Refusal::new(codes::E_INTERNAL, "something went wrong inside ambit", "report it with the request id")
        .into_response()
}
