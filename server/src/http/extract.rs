//! What handlers take out of a request: the Caller of its key, whom it asks for, and its body, each refused with the envelope.

use ambit_model::codes;
use ambit_service::caller::Caller;
use ambit_service::{Error, keys};
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use super::Shared;
use super::frame::AskedBy;
use super::refusal::Refusal;

/// Who holds the key of a request. Every handler of the API but health and ready takes it.
pub(super) struct Key(pub(super) Caller);

impl FromRequestParts<Shared> for Key {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, shared: &Shared) -> Result<Self, Refusal> {
        let header = parts.headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
        let key = header.and_then(bearer).ok_or(Error::KeyRefused)?;
        let caller = keys::authenticate(shared.live.store(), key).await?;
        AskedBy::say(&parts.extensions, &caller);
        Ok(Self(caller))
    }
}

/// RFC 6750, 2.1; the scheme's name in any case (RFC 9110, 11.1).
fn bearer(header: &str) -> Option<&str> {
    let (scheme, key) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(key.trim())
}

/// A body that says it is JSON, as text.
pub(super) struct JsonText(pub(super) String);

impl FromRequest<Shared> for JsonText {
    type Rejection = Refusal;

    async fn from_request(request: Request, shared: &Shared) -> Result<Self, Refusal> {
        let kind = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
        let kind = kind.split(';').next().unwrap_or("").trim();
        if !kind.eq_ignore_ascii_case("application/json") {
            let kind = if kind.is_empty() { "absent".to_owned() } else { format!("`{kind}`") };
            let message = format!("the body's `Content-Type` is {kind}, and it must be `application/json`");
            return Err(Refusal::new(codes::E_MEDIA_TYPE, message, "add the header `Content-Type: application/json`"));
        }
        let bytes = Bytes::from_request(request, shared).await.map_err(|rejection| unread(&rejection))?;
        let text = String::from_utf8(bytes.into()).map_err(|_| {
            Refusal::new(codes::E_REQUEST, "the body is not UTF-8", "JSON is written in UTF-8 (RFC 8259, 8.1)")
        })?;
        Ok(Self(text))
    }
}

fn unread(rejection: &BytesRejection) -> Refusal {
    if rejection.status() == axum::http::StatusCode::PAYLOAD_TOO_LARGE {
        let message = format!("the body is larger than {} KiB", super::api::LARGEST_BODY / 1024);
        return Refusal::new(
            codes::E_TOO_LARGE,
            message,
            "send less: documents belong to the agent, not to the router",
        );
    }
    Refusal::new(codes::E_REQUEST, "the body did not arrive whole", "send it again")
}

impl JsonText {
    /// Reads it as this shape; the refusal says where it is not.
    pub(super) fn read<T: DeserializeOwned>(&self, what: &str) -> Result<T, Refusal> {
        if !self.0.trim_start().starts_with('{') {
            let message = format!("the body is not {what}: it is no JSON object");
            return Err(Refusal::new(codes::E_REQUEST, message, "docs/http.md shows its shape"));
        }
        serde_json::from_str(&self.0).map_err(|error| {
            let message = format!("the body is not {what}: {error}");
            Refusal::new(codes::E_REQUEST, message, "docs/http.md shows its shape")
        })
    }
}

/// The query of a URL, read as this shape.
pub(super) struct Query<T>(pub(super) T);

impl<T: DeserializeOwned + Send> FromRequestParts<Shared> for Query<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &Shared) -> Result<Self, Refusal> {
        let read = axum::extract::Query::<T>::try_from_uri(&parts.uri);
        read.map(|query| Self(query.0)).map_err(|rejection| {
            let why = rejection.body_text();
            let why = why.strip_prefix("Failed to deserialize query string: ").unwrap_or(&why);
            let message = format!("the query of the URL cannot be read: {why}");
            Refusal::new(codes::E_REQUEST, message, "docs/http.md lists what a query may hold")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bearer_key_is_taken_out_of_its_header() {
        assert_eq!(bearer("Bearer ambit_1_2"), Some("ambit_1_2"));
        assert_eq!(bearer("bearer  ambit_1_2 "), Some("ambit_1_2"));
        assert_eq!(bearer("Basic ambit_1_2"), None);
        assert_eq!(bearer("ambit_1_2"), None);
    }
}
