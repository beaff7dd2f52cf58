//! A source that is a URL: one request, whose whole answer is the text.

use ambit_engine::import::{Input, Syntax};
use reqwest::StatusCode;
use reqwest::Url;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap};

use super::{Unsaid, refused};
use crate::Error;
use crate::outbound::{Bounds, Guarded, OutboundError};
use crate::secrets::Secret;

/// What is asked for.
const WANTED: &str = "application/json, application/yaml, text/yaml, text/plain;q=0.5";

/// Asks the URL, with the secret as a bearer token where one is given.
pub(super) async fn fetch(url: &Url, bounds: Bounds, token: Option<Secret>, unsaid: &Unsaid) -> Result<Input, Error> {
    let from = super::Origin::Url(url.clone()).from();
    let asked = tokio::time::timeout(bounds.within, ask(url, &from, bounds, token, unsaid)).await;
    asked.unwrap_or_else(|_| Err(refused::late(&from, bounds.within)))
}

async fn ask(url: &Url, from: &str, bounds: Bounds, token: Option<Secret>, unsaid: &Unsaid) -> Result<Input, Error> {
    let failed = |error: OutboundError| refused::outbound(from, &error);
    let guarded = Guarded::new(bounds).map_err(failed)?;
    guarded.permits(url).map_err(failed)?;
    let mut request = guarded.client().get(url.clone()).header(ACCEPT, WANTED);
    if let Some(token) = token {
        request = request.bearer_auth(token.expose());
    }
    let request = request.build().map_err(|cause| failed(OutboundError::Malformed { cause: cause.without_url() }))?;
    let mut answer = guarded.send(request).await.map_err(failed)?;
    accepted(from, answer.status)?;
    let syntax = syntax(from, &answer.headers, unsaid)?;
    let body = answer.whole().await.map_err(failed)?;
    text(from, &body).map(|text| Input::new(from, text, syntax))
}

/// Whether the status says that the body is what was asked for.
pub(super) fn accepted(from: &str, status: StatusCode) -> Result<(), Error> {
    let number = status.as_u16();
    if status.is_redirection() {
        let message = format!("`{from}` redirects to another address ({number}), and redirects are not followed");
        return Err(refused::source(message, "name the address it leads to, once you know that you mean it"));
    }
    if matches!(number, 401 | 403) {
        let message = format!("`{from}` wants to know who asks ({number})");
        return Err(refused::source(message, "`--secret NAME` sends a secret of the catalog as a bearer token"));
    }
    if !status.is_success() {
        return Err(refused::source(
            format!("`{from}` answers with the status {number}"),
            "see what it says in a browser",
        ));
    }
    Ok(())
}

/// The body as text.
pub(super) fn text<'a>(from: &str, body: &'a [u8]) -> Result<&'a str, Error> {
    std::str::from_utf8(body).map_err(|error| {
        let sound = body.get(..error.valid_up_to()).unwrap_or_default();
        let line = sound.iter().filter(|byte| **byte == b'\n').count() + 1;
        let message = format!("`{from}` is not UTF-8 from byte {} on, in line {line}", error.valid_up_to());
        refused::source(message, "a source is UTF-8 text")
    })
}

/// By what the answer says of itself, else by the ending of the path.
fn syntax(from: &str, headers: &HeaderMap, unsaid: &Unsaid) -> Result<Syntax, Error> {
    let said = media_type(headers);
    let yaml = |said: &str| said.ends_with("yaml") || said.ends_with("+yaml") || said.ends_with("yml");
    match said.as_str() {
        "" | "text/plain" | "application/octet-stream" | "binary/octet-stream" => Ok(Syntax::of(from)),
        json if json == "application/json" || json.ends_with("+json") || json == "text/json" => Ok(Syntax::Json),
        said if yaml(said) => Ok(Syntax::Yaml),
        other => {
            let other = unsaid.shortened(other);
            let message = format!("`{from}` answers with `{other}`, which is neither JSON nor YAML");
            Err(refused::source(message, "name the address of the list of tools itself"))
        }
    }
}

/// The media type without its parameters, in lower case.
pub(super) fn media_type(headers: &HeaderMap) -> String {
    let said = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    said.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}
