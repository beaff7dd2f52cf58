//! MCP over Streamable HTTP (2025-06-18 and later) as a transport of `rmcp`: each message is a POST, and its answer is JSON or a stream
//! of events that is read until the answer was in it.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, WWW_AUTHENTICATE};
use reqwest::{Request, Url};
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::service::RoleClient;
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::sync::mpsc;

use super::Trouble;
use super::events::Events;
use super::heard::Heard;
use crate::import::Unsaid;
use crate::import::fetch::media_type;
use crate::outbound::{Answer, Guarded, OutboundError};
use crate::secrets::Secret;

const JSON: &str = "application/json";
pub(super) const EVENTS: &str = "text/event-stream";
/// By which a server knows its session again.
const SESSION: &str = "mcp-session-id";
/// The version that both agreed on.
const VERSION: &str = "mcp-protocol-version";
/// What is asked, for whoever passes the message on (2026-07-28).
const METHOD: &str = "mcp-method";
/// Where a message of 2026-07-28 holds its version.
const VERSION_IN_META: &str = "/params/_meta/io.modelcontextprotocol~1protocolVersion";

/// How long a server may take to end a session.
const LEAVING: Duration = Duration::from_secs(2);

/// One connection in rmcp's sense.
pub(super) struct Http {
    line: Line,
    incoming: mpsc::UnboundedReceiver<ServerJsonRpcMessage>,
}

/// What sending needs.
#[derive(Clone)]
struct Line {
    guarded: Guarded,
    url: Url,
    token: Option<Arc<Secret>>,
    session: Arc<Mutex<Session>>,
    heard: Heard,
    outgoing: mpsc::UnboundedSender<ServerJsonRpcMessage>,
}

/// What the server said of itself when it was greeted.
#[derive(Clone, Debug, Default)]
struct Session {
    id: Option<String>,
    version: Option<String>,
}

/// Why a message was not answered; who asked takes the reason out of it.
pub(super) struct Failed(Mutex<Option<Trouble>>, String);

impl Failed {
    pub(super) fn take(&self) -> Option<Trouble> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl fmt::Debug for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.1)
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.1)
    }
}

impl std::error::Error for Failed {}

impl From<Trouble> for Failed {
    fn from(trouble: Trouble) -> Self {
        let words = trouble.to_string();
        Self(Mutex::new(Some(trouble)), words)
    }
}

impl Http {
    pub(super) fn new(guarded: Guarded, url: Url, token: Option<Arc<Secret>>, unsaid: Unsaid) -> (Self, Heard) {
        let (outgoing, incoming) = mpsc::unbounded_channel();
        let heard = Heard::new(unsaid);
        let line = Line { guarded, url, token, session: Arc::default(), heard: heard.clone(), outgoing };
        (Self { line, incoming }, heard)
    }
}

impl Transport<RoleClient> for Http {
    type Error = Failed;

    fn send(&mut self, message: ClientJsonRpcMessage) -> impl Future<Output = Result<(), Failed>> + Send + 'static {
        let line = self.line.clone();
        async move { line.post(&message).await.map_err(Failed::from) }
    }

    fn receive(&mut self) -> impl Future<Output = Option<ServerJsonRpcMessage>> + Send {
        self.incoming.recv()
    }

    async fn close(&mut self) -> Result<(), Failed> {
        self.line.leave().await;
        Ok(())
    }
}

impl Line {
    async fn post(&self, message: &ClientJsonRpcMessage) -> Result<(), Trouble> {
        let unwritable = |error: serde_json::Error| Trouble::NoMessage { why: error.to_string() };
        let value = serde_json::to_value(message).map_err(unwritable)?;
        let asks = value.get("id").filter(|_| value.get("method").is_some()).map(word);
        let mut answer = self.guarded.send(self.request(&value)?).await?;
        let status = answer.status.as_u16();
        self.remember_session(&answer.headers);
        match status {
            202 | 204 => return if asks.is_some() { Err(Trouble::NoAnswer) } else { Ok(()) },
            300..=399 => return Err(Trouble::Redirects { status }),
            401 | 403 => return Err(Trouble::WhoAsks { status, challenge: challenge(&answer.headers) }),
            _ => {}
        }
        let said = media_type(&answer.headers);
        let answered = match said.as_str() {
            JSON => self.hear_whole(&mut answer, asks.as_deref()).await,
            EVENTS if answer.status.is_success() => self.hear_events(&mut answer, asks.as_deref()).await,
            _ if !answer.status.is_success() => return Err(Trouble::Status { status }),
            // A notification wants no answer, and some servers say so with an empty one of no type.
            _ if asks.is_none() => return Ok(()),
            _ => return Err(Trouble::MediaType { said: self.heard.shortened(&said) }),
        };
        match answered {
            Ok(true) => Ok(()),
            Ok(false) if asks.is_none() => Ok(()),
            // An error status may come with an error of JSON-RPC, which says more; without one the status says it.
            _ if !answer.status.is_success() => Err(Trouble::Status { status }),
            Ok(false) => Err(Trouble::NoAnswer),
            Err(trouble) => Err(trouble),
        }
    }

    fn request(&self, message: &Value) -> Result<Request, Trouble> {
        let session = self.session();
        let version = message.pointer(VERSION_IN_META).and_then(Value::as_str).map(str::to_owned).or(session.version);
        let mut request = self.guarded.client().post(self.url.clone());
        request = request.header(ACCEPT, format!("{JSON}, {EVENTS}")).header(CONTENT_TYPE, JSON);
        let method = message.get("method").and_then(Value::as_str).map(str::to_owned);
        for (name, value) in [(VERSION, version), (SESSION, session.id), (METHOD, method)] {
            request = value.into_iter().fold(request, |request, value| request.header(name, value));
        }
        if let Some(token) = &self.token {
            request = request.bearer_auth(token.expose());
        }
        let malformed = |cause: reqwest::Error| OutboundError::Malformed { cause: cause.without_url() };
        Ok(request.body(message.to_string()).build().map_err(malformed)?)
    }

    /// Whether the answer to the request was in it.
    async fn hear_whole(&self, answer: &mut Answer, asks: Option<&str>) -> Result<bool, Trouble> {
        let body = answer.whole().await?;
        if asks.is_none() {
            return Ok(false);
        }
        self.hear(&body, asks)
    }

    /// The same of a stream, which may go on after the answer: then nobody listens any more.
    async fn hear_events(&self, answer: &mut Answer, asks: Option<&str>) -> Result<bool, Trouble> {
        let mut events = Events::default();
        while let Some(bytes) = answer.chunk().await? {
            for data in events.feed(&bytes) {
                if self.hear(&data, asks)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Hands a message on; whether it answers the request.
    fn hear(&self, message: &[u8], asks: Option<&str>) -> Result<bool, Trouble> {
        let text = std::str::from_utf8(message).map_err(|_| Trouble::NotUtf8)?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let parsed = self.heard.message(text)?;
        let id = match &parsed {
            ServerJsonRpcMessage::Response(response) => {
                self.remember_version(text);
                Some(response.id.to_string())
            }
            // An error need not say which request it answers.
            ServerJsonRpcMessage::Error(error) => {
                error.id.as_ref().map(ToString::to_string).or_else(|| asks.map(str::to_owned))
            }
            _ => None,
        };
        // Where nobody listens any more, nobody asked.
        drop(self.outgoing.send(parsed));
        Ok(asks.is_some() && id.as_deref() == asks)
    }

    fn session(&self) -> Session {
        self.session.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn remember_session(&self, headers: &HeaderMap) {
        let id = headers.get(SESSION).and_then(|id| id.to_str().ok());
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        session.id = session.id.take().or_else(|| id.map(str::to_owned));
    }

    /// The answer to a greeting says which version is spoken from now on.
    fn remember_version(&self, answer: &str) {
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        if session.version.is_none() {
            let answer: Value = serde_json::from_str(answer).unwrap_or_default();
            session.version = answer.pointer("/result/protocolVersion").and_then(Value::as_str).map(str::to_owned);
        }
    }

    /// Ends the session on the server, where it has one; a server need not allow that.
    async fn leave(&self) {
        let session = self.session();
        let Some(id) = session.id else { return };
        let mut request = self.guarded.client().delete(self.url.clone()).header(SESSION, id);
        request = session.version.into_iter().fold(request, |request, version| request.header(VERSION, version));
        if let Some(token) = &self.token {
            request = request.bearer_auth(token.expose());
        }
        if let Ok(request) = request.build() {
            // The tools are here already: a server that hangs now keeps nobody.
            drop(tokio::time::timeout(LEAVING, self.guarded.send(request)).await);
        }
    }
}

/// What the server says of whom it wants to know (RFC 9110, 11.6.1).
fn challenge(headers: &HeaderMap) -> String {
    let values = headers.get_all(WWW_AUTHENTICATE).iter();
    values.filter_map(|value| value.to_str().ok()).collect::<Vec<_>>().join(", ")
}

/// An id as a word, whether it is a number or a text.
fn word(id: &Value) -> String {
    id.as_str().map_or_else(|| id.to_string(), str::to_owned)
}
