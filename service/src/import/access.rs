//! As whom a source is asked: as nobody, with a secret as its token, or with a token that an authorization server gives.

use std::time::Duration;

use super::{ImportRequest, Origin, Source, Unsaid, refused};
use crate::Error;
use crate::secrets::{Secret, SecretPlaces};

/// How a token for an MCP server is had (MCP 2025-11-25, Authorization). Only the command line says it: no declaration and no
/// request does.
#[derive(Clone, Debug)]
pub enum OAuth {
    /// Nobody signs in: a client proves itself with its secret, as in CI (RFC 6749, 4.4).
    Client {
        id: String,
        /// The name of the catalog's secret that is the client's.
        secret: String,
    },
    /// A person signs in with a browser (RFC 6749, 4.1).
    Person(Person),
}

/// Who signs in, and through which client.
#[derive(Clone, Debug)]
pub struct Person {
    /// A client that the authorization server knows already [default: one is registered].
    pub client: Option<String>,
    /// The name of the catalog's secret that is the client's.
    pub secret: Option<String>,
    /// The port of 127.0.0.1 that the browser comes back to; 0 is any.
    pub port: u16,
    /// How long the browser is waited for.
    pub wait: Duration,
    /// Shows the address to open.
    pub show: fn(&str),
}

/// The same for one import, with the secrets themselves.
pub(super) enum Access {
    Nobody,
    Token(Secret),
    OAuth(Client),
}

/// The client that an authorization server gives a token to.
pub(super) enum Client {
    Alone { id: String, secret: Secret },
    OfPerson { person: Person, secret: Option<Secret> },
}

impl Access {
    pub(super) fn of(
        secrets: &SecretPlaces,
        id: &str,
        origin: &Origin,
        request: &ImportRequest,
        unsaid: &Unsaid,
    ) -> Result<Self, Error> {
        let found = |name: &String| -> Result<Secret, Error> {
            let Some(tenant) = &request.tenant else {
                let message = "a secret belongs to a catalog of a tenant";
                return Err(refused::asked(message, "name the tenant with `--tenant`"));
            };
            let secret = secrets.resolve(tenant, id, name)?;
            unsaid.keep(&secret);
            Ok(secret)
        };
        match (&request.oauth, &request.secret) {
            (None, None) => Ok(Self::Nobody),
            (None, Some(_)) if matches!(request.source, Source::Stdio(_)) => {
                Err(refused::asked("a program is not given a secret", "leave `--secret` out"))
            }
            (None, Some(name)) => found(name).map(Self::Token),
            (Some(_), _) if !matches!(origin, Origin::Server(_)) => {
                let message = "only an MCP server is asked with a token of OAuth";
                Err(refused::asked(message, "name it as `mcp+https://…` or with `--mcp URL`"))
            }
            (Some(_), Some(_)) => {
                let message = "a source is asked with a secret as its token or with a token of OAuth, not with both";
                Err(refused::asked(message, "leave `--secret` out; a client's own secret is `--oauth-secret`"))
            }
            (Some(OAuth::Client { id, secret }), None) => {
                Ok(Self::OAuth(Client::Alone { id: id.clone(), secret: found(secret)? }))
            }
            (Some(OAuth::Person(person)), None) => {
                let secret = person.secret.as_ref().map(found).transpose()?;
                Ok(Self::OAuth(Client::OfPerson { person: person.clone(), secret }))
            }
        }
    }

    /// The secret that is a token itself.
    pub(super) fn token(self) -> Option<Secret> {
        match self {
            Self::Token(secret) => Some(secret),
            _ => None,
        }
    }
}

/// The name of the secret that the import uses, for the document that it writes.
pub(super) fn secret_name(request: &ImportRequest) -> Option<&str> {
    let of_client = match &request.oauth {
        Some(OAuth::Client { secret, .. }) => Some(secret),
        Some(OAuth::Person(person)) => person.secret.as_ref(),
        None => None,
    };
    request.secret.as_ref().or(of_client).map(String::as_str)
}
