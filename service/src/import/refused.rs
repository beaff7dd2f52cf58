//! Why a source cannot be imported from, as what the command line says: the source by its name, without what may be a secret in it.

use std::time::Duration;

use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;

use crate::Error;
use crate::error::chain;
use crate::outbound::OutboundError;

/// The source does not do what it should.
pub(super) fn source(message: impl Into<String>, help: &str) -> Error {
    Error::Request(Box::new(Diagnostic::error(codes::E_SOURCE, message).help(help)))
}

/// The source says again what it was sent.
pub(super) fn secret(from: &str) -> Error {
    source(
        format!("what `{from}` offers holds a secret of this import"),
        "renew the secret, and tell whoever runs the source: it would show it to everybody who reads its tools; nothing was written",
    )
}

/// The request cannot be met as it stands.
pub(super) fn asked(message: impl Into<String>, help: &str) -> Error {
    Error::Request(Box::new(Diagnostic::error(codes::E_REQUEST, message).help(help)))
}

/// Something is there that would be overwritten.
pub(super) fn exists(message: impl Into<String>, help: &str) -> Error {
    Error::Request(Box::new(Diagnostic::error(codes::E_EXISTS, message).help(help)))
}

/// The time is up.
pub(super) fn late(from: &str, within: Duration) -> Error {
    let message = format!("`{from}` did not answer within {} s", within.as_secs());
    source(message, "see whether it is up; `--within SECONDS` waits longer")
}

/// The client refused to ask, or got no answer.
pub(super) fn outbound(from: &str, error: &OutboundError) -> Error {
    let help = match error {
        OutboundError::NotPublic(_) => "where you mean a machine of your own network, say `--allow-private`",
        OutboundError::Plain { .. } => {
            "use https; with `--allow-private`, this machine itself may be asked with http too"
        }
        OutboundError::TooLarge { .. } => "`--max-bytes` takes more",
        OutboundError::NoAnswer { cause, .. } if cause.is_timeout() => {
            "see whether it is up; `--within SECONDS` waits longer"
        }
        _ => "see whether it is up and whether this machine reaches it",
    };
    source(format!("`{from}` cannot be read: {}", chain(error)), help)
}
