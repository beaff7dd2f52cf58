//! What `rmcp` asks on the way to a token, asked by the one outbound client.
//! INVARIANT: no redirect is followed; and of what an authorization server says only known words are repeated, for it can say again
//! whatever it was sent, secrets too.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use openidconnect::{HttpRequest, HttpResponse};
use reqwest::header::LOCATION;
use reqwest::{Method, Request, Url};
use rmcp::transport::auth::{
    AuthError, OAuthHttpClient, OAuthHttpClientFuture, OAuthHttpRequest, ProtectedResourceMetadataInvalidReason,
};
use serde_json::Value;

use super::denied::{Denied, known};
use crate::import::Unsaid;
use crate::import::fetch::media_type;
use crate::import::mcp::http::EVENTS;
use crate::outbound::{Guarded, OutboundError};

/// Asks for one MCP server.
pub(super) struct Asking {
    guarded: Guarded,
    url: Url,
    unsaid: Unsaid,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    /// Why nothing more comes of it: `rmcp` keeps only words of it, and of some errors none.
    denied: Option<Denied>,
    /// What the MCP server calls itself where it publishes that (RFC 9728, 2); `rmcp` keeps it to itself.
    resource: Option<String>,
}

impl OAuthHttpClient for Asking {
    fn execute(&self, request: OAuthHttpRequest) -> OAuthHttpClientFuture<'_> {
        Box::pin(async move {
            self.ask(request.request).await.map_err(|denied| {
                let words = denied.to_string();
                self.seen().denied.get_or_insert(denied);
                words.into()
            })
        })
    }
}

impl Asking {
    pub(super) fn new(guarded: Guarded, url: Url, unsaid: Unsaid) -> Self {
        Self { guarded, url, unsaid, seen: Mutex::default() }
    }

    /// The MCP server.
    pub(super) fn url(&self) -> &Url {
        &self.url
    }

    pub(super) fn within(&self) -> Duration {
        self.guarded.within()
    }

    pub(super) fn permits(&self, url: &Url) -> Result<(), Denied> {
        Ok(self.guarded.permits(url)?)
    }

    /// What a token is asked for (RFC 8707): what the server calls itself, else its URL.
    pub(super) fn resource(&self) -> String {
        self.seen().resource.clone().unwrap_or_else(|| self.url.to_string())
    }

    pub(super) fn unsaid(&self) -> &Unsaid {
        &self.unsaid
    }

    /// Why `rmcp` gave up.
    pub(super) fn denied(&self, error: AuthError) -> Denied {
        let shortened = |text: &str| self.unsaid.shortened(text);
        if let Some(denied) = self.seen().denied.take() {
            return denied;
        }
        match error {
            AuthError::ProtectedResourceMetadataInvalid { reason, .. } => match *reason {
                ProtectedResourceMetadataInvalidReason::ResourceMismatch { permitted, .. } => {
                    Denied::Resource { named: shortened(permitted.as_str()) }
                }
                reason => Denied::Metadata { why: shortened(&reason.to_string()) },
            },
            AuthError::AuthorizationServersUnavailable { authorization_servers, .. } => {
                self.nowhere(&authorization_servers)
            }
            AuthError::AuthorizationServerMismatch { expected_issuer, received_issuer } => {
                Denied::Issuer { expected: shortened(&expected_issuer), received: shortened(&received_issuer) }
            }
            AuthError::AuthorizationServerMissingIssuer { expected_issuer } => {
                Denied::NoIssuer { expected: shortened(&expected_issuer) }
            }
            AuthError::DiscoveryRequestFailed { url, .. } => {
                Denied::Metadata { why: format!("`{}` answers with an error", shortened(url.as_str())) }
            }
            AuthError::PkceUnsupported => Denied::NoPkce,
            AuthError::RegistrationFailed(_) => Denied::NotRegistered,
            AuthError::TokenExchangeFailed(_) | AuthError::ClientCredentialsError(_) => Denied::NoToken,
            // What is left is about URLs in the metadata that are none.
            _ => Denied::Metadata { why: "something in it is not as it should be".to_owned() },
        }
    }

    /// No authorization server that was named could be had, of which one may be none to ask.
    fn nowhere(&self, servers: &[String]) -> Denied {
        let urls = servers.iter().filter_map(|server| Url::parse(server).ok());
        let refused = urls.map(|url| self.guarded.permits(&url)).find_map(Result::err);
        refused
            .map_or_else(|| Denied::Nowhere { servers: self.unsaid.shortened(&servers.join("`, `")) }, Denied::Outbound)
    }

    async fn ask(&self, request: HttpRequest) -> Result<HttpResponse, Denied> {
        let malformed = |cause: reqwest::Error| OutboundError::Malformed { cause: cause.without_url() };
        let request = Request::try_from(request).map_err(malformed)?;
        let host = self.unsaid.shortened(request.url().host_str().unwrap_or_default());
        let posts = request.method() == Method::POST;
        let mut answer = self.guarded.send(request).await?;
        // The MCP server itself may be asked for a challenge, and may begin to tell something without end.
        let body = if media_type(&answer.headers) == EVENTS { Vec::new() } else { answer.whole().await? };
        let status = answer.status;
        if posts && status.is_redirection() {
            return Err(Denied::Redirects { host, status: status.as_u16() });
        }
        if posts && !status.is_success() {
            return Err(Denied::Refused { host, status: status.as_u16(), code: error_code(&body) });
        }
        if !posts && status.is_success() {
            self.note_resource(&body);
        }
        let mut whole = HttpResponse::new(body);
        *whole.status_mut() = status;
        *whole.headers_mut() = std::mem::take(&mut answer.headers);
        // `rmcp` would follow it on the same host. Nothing that is looked for stands behind one.
        whole.headers_mut().remove(LOCATION);
        Ok(whole)
    }

    /// By the same rule as `rmcp`'s: the server itself, or what it lies below.
    fn note_resource(&self, body: &[u8]) {
        let Ok(Value::Object(document)) = serde_json::from_slice::<Value>(body) else { return };
        let Some(resource) = document.get("resource").and_then(Value::as_str) else { return };
        let above = Url::parse(resource).is_ok_and(|resource| {
            let rest = self.url.path().strip_prefix(resource.path().trim_end_matches('/'));
            resource.origin() == self.url.origin() && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        });
        if above {
            self.seen().resource = Some(resource.to_owned());
        }
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn error_code(body: &[u8]) -> Option<&'static str> {
    let said: Value = serde_json::from_slice(body).unwrap_or_default();
    said.get("error").and_then(Value::as_str).and_then(known)
}
