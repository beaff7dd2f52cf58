//! A live MCP server as a source: `rmcp` speaks the protocol, and the tools are kept as the server wrote them.
//! The transports are ours and not `rmcp`'s: those parse a tool into a type, which loses the order of its keys and refuses a whole
//! page for one broken tool; and every byte of HTTP goes through the one outbound client.

mod events;
mod groups;
mod heard;
mod http;
mod oauth;
mod pages;
mod stdio;

use std::error::Error as StdError;
use std::sync::Arc;
use std::time::Duration;

use ambit_engine::import::{Input, Syntax};
use reqwest::Url;
use rmcp::model::{ClientCapabilities, ClientConfig, Implementation, ProtocolVersion};
use rmcp::service::{
    ClientInitializeError, ClientLifecycleMode, RoleClient, ServiceError, serve_client_with_lifecycle,
};
use rmcp::transport::Transport;

use super::access::{Access, Client};
use super::{Origin, Unsaid, refused};
use crate::Error;
use crate::error::chain;
use crate::outbound::{Bounds, Guarded, OutboundError};
use crate::secrets::Secret;
use groups::{Groups, Guard};
use heard::Heard;
use http::Http;
use oauth::{Authority, Denied};
use stdio::Stdio;

/// Why a server's tools could not be had.
#[derive(Debug, thiserror::Error)]
enum Trouble {
    #[error("it did not answer in time")]
    Late,
    #[error(transparent)]
    Outbound(#[from] OutboundError),
    #[error("it answers with the status {status}")]
    Status { status: u16 },
    #[error("it redirects to another address ({status}), and redirects are not followed")]
    Redirects { status: u16 },
    #[error("it wants to know who asks ({status})")]
    WhoAsks { status: u16, challenge: String },
    #[error("it does not take the token that its authorization server gave ({status})")]
    TokenRefused { status: u16 },
    #[error(transparent)]
    Denied(#[from] Denied),
    #[error("it answers with `{said}`, which is neither JSON nor a stream of events")]
    MediaType { said: String },
    #[error("what it answers is not UTF-8")]
    NotUtf8,
    #[error("what it answers is no message of MCP: {why}")]
    NoMessage { why: String },
    #[error("it ends its answer without having answered")]
    NoAnswer,
    #[error("it answers with more than {} KiB", most_bytes / 1024)]
    TooLarge { most_bytes: usize },
    #[error("it closes the connection before it answers")]
    Closed,
    #[error("it refuses: {said} ({code})")]
    Refuses { code: i32, said: String },
    #[error("what it answers to `tools/list` holds no list `tools`")]
    NoList,
    #[error("its list of tools has more than {most} pages")]
    Endless { most: usize },
    #[error("its list of tools has more than {most} tools")]
    TooMany { most: usize },
    #[error("its list of tools goes round in a circle: page {page} leads to a page before it")]
    Circle { page: usize },
    #[error("the program does not start: {why}")]
    NoStart { why: String },
    #[error("the import was interrupted")]
    Interrupted,
    #[error("it does not speak MCP: {why}")]
    Protocol { why: String },
}

impl Trouble {
    fn help(&self) -> &'static str {
        match self {
            Self::WhoAsks { .. } => {
                "`--secret NAME` sends a secret of the catalog as a bearer token; `--oauth` asks the server's authorization server for one"
            }
            Self::TokenRefused { .. } => "see whether whoever signed in, or the client, may use this server",
            Self::Denied(denied) => denied.help(),
            Self::Redirects { .. } => "name the address it leads to, once you know that you mean it",
            Self::TooLarge { .. } => "`--max-bytes` takes more",
            Self::Interrupted => "nothing was written, and the program was ended; import again",
            Self::NoStart { .. } | Self::Closed => "see whether it runs by itself, and what it says then",
            _ => "see whether the URL or the command is that of an MCP server",
        }
    }
}

/// The tools of a server that speaks Streamable HTTP, which may take the time of the bounds; a person who signs in has more.
pub(super) async fn over_http(url: &Url, bounds: Bounds, access: Access, unsaid: &Unsaid) -> Result<Input, Error> {
    let from = Origin::Server(url.clone()).from();
    let guarded = Guarded::new(bounds).map_err(|error| refused::outbound(&from, &error))?;
    let found = match access {
        Access::Nobody => listed(&guarded, url, None, unsaid).await,
        Access::Token(token) => listed(&guarded, url, Some(token), unsaid).await,
        Access::OAuth(client) => match listed(&guarded, url, None, unsaid).await {
            Err(Trouble::WhoAsks { status: 401, challenge }) => {
                authorised(&guarded, url, &challenge, &client, unsaid).await
            }
            // Who does not ask is told nothing.
            found => found,
        },
    };
    found.map(|text| input(&from, &text)).map_err(|trouble| said(&from, &trouble, bounds.within))
}

/// The list, with a token that the server's authorization server gives.
async fn authorised(
    guarded: &Guarded,
    url: &Url,
    challenge: &str,
    client: &Client,
    unsaid: &Unsaid,
) -> Result<String, Trouble> {
    let authority = Authority::of(guarded.clone(), url, challenge, unsaid.clone()).await?;
    let token = match client {
        Client::Alone { id, secret } => authority.of_client(id, secret).await?,
        Client::OfPerson { person, secret } => authority.of_person(person, secret.as_ref()).await?,
    };
    listed(guarded, url, Some(token), unsaid).await.map_err(|trouble| match trouble {
        Trouble::WhoAsks { status, .. } => Trouble::TokenRefused { status },
        other => other,
    })
}

async fn listed(guarded: &Guarded, url: &Url, token: Option<Secret>, unsaid: &Unsaid) -> Result<String, Trouble> {
    let token = token.map(Arc::new);
    let asked = tools(|| Ok(Http::new(guarded.clone(), url.clone(), token.clone(), unsaid.clone())));
    tokio::time::timeout(guarded.within(), asked).await.unwrap_or(Err(Trouble::Late))
}

/// The tools of a program that speaks MCP on its standard input and output.
pub(super) async fn over_stdio(command: &[String], bounds: Bounds) -> Result<Input, Error> {
    let from = Origin::Program(command.to_vec()).from();
    let groups = Groups::default();
    let guard = Guard(groups.clone());
    let asked = tools(|| Stdio::start(command, bounds.most_bytes, &groups));
    let found = tokio::select! {
        found = tokio::time::timeout(bounds.within, asked) => found.unwrap_or(Err(Trouble::Late)),
        () = groups::interrupted() => Err(Trouble::Interrupted),
    };
    drop(guard);
    found.map(|text| input(&from, &text)).map_err(|trouble| said(&from, &trouble, bounds.within))
}

fn input(from: &str, text: &str) -> Input {
    Input::new(from, text, Syntax::Json)
}

fn said(from: &str, trouble: &Trouble, within: Duration) -> Error {
    match trouble {
        Trouble::Outbound(error) | Trouble::Denied(Denied::Outbound(error)) => refused::outbound(from, error),
        Trouble::Late => refused::late(from, within),
        trouble => refused::source(format!("`{from}` cannot be read: {trouble}"), trouble.help()),
    }
}

/// Asks with the handshake that most servers know; one that refuses it is asked once more in the way of 2026-07-28, which has none.
async fn tools<T>(open: impl Fn() -> Result<(T, Heard), Trouble>) -> Result<String, Trouble>
where
    T: Transport<RoleClient> + 'static,
{
    let newest = ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] };
    let mut first = None;
    for lifecycle in [ClientLifecycleMode::Initialize, newest] {
        let (transport, heard) = open()?;
        let mut running = match serve_client_with_lifecycle(client(), transport, lifecycle).await {
            Ok(running) => running,
            Err(error) => {
                let answers = matches!(error, ClientInitializeError::JsonRpcError(_));
                first.get_or_insert(unready(&heard, &error));
                if answers {
                    continue;
                }
                break;
            }
        };
        let list = pages::list(running.peer(), &heard).await;
        // How the connection ends changes nothing of what was heard.
        drop(running.close().await);
        return list;
    }
    Err(first.unwrap_or(Trouble::Closed))
}

fn client() -> ClientConfig {
    ClientConfig::new(ClientCapabilities::default(), Implementation::new("ambit", env!("CARGO_PKG_VERSION")))
}

fn unready(heard: &Heard, error: &ClientInitializeError) -> Trouble {
    let known = match error {
        ClientInitializeError::TransportError { error, .. } => Some(told(error.error.as_ref())),
        ClientInitializeError::JsonRpcError(data) => Some(refuses(heard, data)),
        ClientInitializeError::ConnectionClosed(_) => Some(Trouble::Closed),
        _ => None,
    };
    heard.trouble().or(known).unwrap_or_else(|| Trouble::Protocol { why: heard.shortened(&chain(error)) })
}

fn unanswered(heard: &Heard, error: &ServiceError) -> Trouble {
    let known = match error {
        ServiceError::TransportSend(error) => Some(told(error.error.as_ref())),
        ServiceError::McpError(data) => Some(refuses(heard, data)),
        ServiceError::TransportClosed => Some(Trouble::Closed),
        _ => None,
    };
    heard.trouble().or(known).unwrap_or_else(|| Trouble::Protocol { why: heard.shortened(&chain(error)) })
}

/// What our own transports said; to a program they only fail where it is gone.
fn told(error: &(dyn StdError + 'static)) -> Trouble {
    error.downcast_ref::<http::Failed>().and_then(http::Failed::take).unwrap_or(Trouble::Closed)
}

fn refuses(heard: &Heard, data: &rmcp::ErrorData) -> Trouble {
    Trouble::Refuses { code: data.code.0, said: heard.shortened(&data.message) }
}
