//! Why there is no token for an MCP server, and what to do about it.

use std::time::Duration;

use crate::outbound::OutboundError;

/// The words by which an authorization server says why not: RFC 6749, 4.1.2.1 and 5.2; RFC 7591, 3.2.2; RFC 8707, 2.
const KNOWN: [&str; 15] = [
    "access_denied",
    "invalid_client",
    "invalid_client_metadata",
    "invalid_grant",
    "invalid_redirect_uri",
    "invalid_request",
    "invalid_scope",
    "invalid_software_statement",
    "invalid_target",
    "server_error",
    "temporarily_unavailable",
    "unapproved_software_statement",
    "unauthorized_client",
    "unsupported_grant_type",
    "unsupported_response_type",
];

/// `it` is the MCP server.
#[derive(Debug, thiserror::Error)]
pub(in crate::import::mcp) enum Denied {
    #[error(transparent)]
    Outbound(#[from] OutboundError),
    #[error("its authorization server did not answer in time")]
    Late,
    #[error("it wants a token, and does not say who gives one")]
    NoMetadata,
    #[error("what it says of its authorization server lies at an address that is not asked")]
    Pointer,
    #[error("what it says of its authorization server does not hold: {why}")]
    Metadata { why: String },
    #[error("what it says of its authorization server is about another resource, `{named}`")]
    Resource { named: String },
    #[error("no authorization server that it names says of itself how it is asked: `{servers}`")]
    Nowhere { servers: String },
    #[error("its authorization server should be `{expected}`, and calls itself `{received}`")]
    Issuer { expected: String, received: String },
    #[error("its authorization server should be `{expected}`, and does not say who it is")]
    NoIssuer { expected: String },
    #[error("its authorization server does not say that it takes PKCE with S256")]
    NoPkce,
    #[error("its authorization server registers no clients")]
    NoRegistration,
    #[error("its authorization server answers a registration with no client")]
    NotRegistered,
    #[error("its authorization server takes no client secret")]
    Method,
    #[error("`{host}` redirects to another address ({status}), and redirects are not followed")]
    Redirects { host: String, status: u16 },
    #[error("`{host}` gives nothing: it answers with {}{status}", code.map(|code| format!("`{code}`, ")).unwrap_or_default())]
    Refused { host: String, status: u16, code: Option<&'static str> },
    #[error("its authorization server answers with no bearer token")]
    NoToken,
    #[error("this machine cannot be come back to at port {port}: {why}")]
    NoPort { port: u16, why: String },
    #[error("nobody signed in within {} s", wait.as_secs())]
    NobodyCame { wait: Duration },
    #[error("the browser came back with the answer to another question: its `state` is not the one that was sent")]
    State,
    #[error("the browser came back with no answer: `{missing}` is not there, or more than once")]
    NoAnswer { missing: &'static str },
    #[error("its authorization server lets nobody in{}", code.map(|code| format!(": `{code}`")).unwrap_or_default())]
    NotGranted { code: Option<&'static str> },
}

impl Denied {
    pub(in crate::import::mcp) fn help(&self) -> &'static str {
        match self {
            Self::NoMetadata | Self::Method => "`--secret NAME` sends a secret of the catalog as a bearer token",
            Self::Pointer => "one in your own network has to be named by its name, not by its address",
            Self::Nowhere { .. } => {
                "they have to publish metadata by RFC 8414 or OpenID Connect; one in your own network is named by its name, not by its address"
            }
            Self::NoPkce => "without PKCE a code can be stolen; `--oauth-client` with `--oauth-secret` needs no code",
            Self::NoRegistration | Self::NotRegistered => {
                "register a client there by hand, and name it with `--oauth-client`"
            }
            Self::Refused { code: Some("invalid_client" | "unauthorized_client"), .. } => {
                "see whether `--oauth-client` is right, its secret too, and whether it may do this"
            }
            Self::NoPort { .. } => "choose another with `--oauth-port`",
            Self::NobodyCame { .. } => "`--oauth-wait SECONDS` waits longer",
            Self::State | Self::NoAnswer { .. } | Self::NotGranted { .. } => {
                "import again, and sign in on the page that is shown then"
            }
            _ => "whoever runs the server or its authorization server has to mend it",
        }
    }
}

/// The word, where it is one of the standards'.
pub(super) fn known(code: &str) -> Option<&'static str> {
    KNOWN.into_iter().find(|known| *known == code)
}
