//! What handlers take out of a request: its Caller, for whom it asks, and its body, each refused with the envelope.

use ambit_model::codes;
use ambit_service::authentication::authenticate;
use ambit_service::caller::{Caller, Wanted};
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::request::Parts;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::Shared;
use super::frame::AskedBy;
use super::refusal::Refusal;

/// Whoever asks, and for whom: by the key or token of a request, and by the headers that say it.
pub(super) struct Asking {
    pub(super) caller: Caller,
    headers: ForWhom,
}

/// For whom an answer is wanted, by one of the forms in which it can be said.
#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ForWhom {
    pub(super) r#for: Option<String>,
    pub(super) project: Option<String>,
}

const FOR: &str = "x-ambit-for";
const PROJECT: &str = "x-ambit-project";

impl FromRequestParts<Shared> for Asking {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, shared: &Shared) -> Result<Self, Refusal> {
        let caller = caller(parts, shared).await?;
        let headers = ForWhom { r#for: header(parts, FOR)?, project: header(parts, PROJECT)? };
        Ok(Self { caller, headers })
    }
}

impl Asking {
    /// What headers, query and body say together; where they disagree, nobody is asked for.
    pub(super) fn wanted(&self, query: ForWhom, body: Option<ForWhom>) -> Result<Wanted, Refusal> {
        let body = body.unwrap_or_default();
        let one = |what: &str, said: [Option<String>; 3]| {
            let mut said = said.into_iter().flatten();
            let first = said.next();
            if said.all(|other| Some(&other) == first.as_ref()) {
                return Ok(first);
            }
            let message = format!("headers, query and body do not agree on `{what}`");
            Err(Refusal::new(codes::E_REQUEST, message, "say it once"))
        };
        Ok(Wanted {
            principal: None,
            acting_for: one("for", [self.headers.r#for.clone(), query.r#for, body.r#for])?,
            project: one("project", [self.headers.project.clone(), query.project, body.project])?,
        })
    }
}

/// Whoever administers. Nobody does so on behalf of another.
pub(super) struct Administrator(pub(super) Caller);

impl FromRequestParts<Shared> for Administrator {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, shared: &Shared) -> Result<Self, Refusal> {
        let caller = caller(parts, shared).await?;
        match [FOR, PROJECT].into_iter().find(|name| parts.headers.contains_key(*name)) {
            None => Ok(Self(caller)),
            Some(name) => {
                let message = format!("`{name}` is set, and whoever administers does so for itself");
                Err(Refusal::new(codes::E_REQUEST, message, "leave the header out"))
            }
        }
    }
}

async fn caller(parts: &Parts, shared: &Shared) -> Result<Caller, Refusal> {
    let header = parts.headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    let caller = authenticate(&shared.live, header.and_then(bearer)).await?;
    AskedBy::say(&parts.extensions, &caller);
    Ok(caller)
}

fn header(parts: &Parts, name: &str) -> Result<Option<String>, Refusal> {
    let mut values = parts.headers.get_all(name).into_iter();
    let Some(value) = values.next() else { return Ok(None) };
    let text = value.to_str().ok().filter(|_| values.next().is_none()).map(|text| text.trim().to_owned());
    let unread =
        || Refusal::new(codes::E_REQUEST, format!("the header `{name}` cannot be read"), "send it once, in ASCII");
    text.map(Some).ok_or_else(unread)
}

/// RFC 6750, 2.1; the scheme's name in any case (RFC 9110, 11.1).
pub(super) fn bearer(header: &str) -> Option<&str> {
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

/// A query that holds nothing.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

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
