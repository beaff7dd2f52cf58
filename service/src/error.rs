//! What can keep a use case from being done at all. What a user wrote wrong is a Diagnostic inside a result, not one of these.

use ambit_engine::audit::ChainBroken;
use ambit_engine::authority::{AuthorityError, ViewRefused};
use ambit_engine::canonical::NotCanonical;
use ambit_engine::compile::CompileError;
use ambit_engine::diff::DiffError;
use ambit_engine::index::IndexError;
use ambit_engine::parts::Broken;
use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;

use crate::embedder::EmbedError;
use crate::store::StoreError;
use crate::workspace::WorkspaceError;

/// Why a use case could not be done.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Embed(#[from] EmbedError),
    #[error(transparent)]
    View(#[from] ViewRefused),
    #[error("{}", .0.message)]
    Request(Box<Diagnostic>),
    #[error("there is no snapshot yet")]
    NothingApplied,
    #[error("snapshot {number} cannot be read back")]
    Broken { number: i64, source: Broken },
    #[error("snapshot {number} is live already")]
    AlreadyLive { number: i64 },
    #[error("no other snapshot than {live} was ever live")]
    NothingBefore { live: i64 },
    #[error("{}", gains_words(*number, untold.is_some()))]
    Gains {
        from: i64,
        number: i64,
        /// Who gains, one line each; empty where that is not for the caller.
        gained: Vec<String>,
        #[source]
        untold: Option<Box<Error>>,
    },
    #[error(transparent)]
    Compile(#[from] CompileError),
    #[error(transparent)]
    Index(#[from] IndexError),
    #[error(transparent)]
    Authority(#[from] AuthorityError),
    #[error(transparent)]
    Diff(#[from] DiffError),
    #[error(transparent)]
    NotCanonical(#[from] NotCanonical),
    #[error("embedding was interrupted")]
    Interrupted,
    #[error("cannot listen at {address}")]
    Address { address: String, source: std::io::Error },
    #[error("no key was given, or it is not known, has expired or was revoked")]
    KeyRefused,
    #[error("the token is not one that the live snapshot accepts")]
    TokenRefused,
    #[error("the identity provider `{issuer}` cannot be reached, or does not answer as one")]
    Provider { issuer: String },
    #[error("signing in with the identity provider did not succeed")]
    SignInRefused,
    #[error("this caller may not {what}")]
    Forbidden { what: &'static str },
    #[error("only the command line on the server's data folder may {what}")]
    LocalOnly { what: &'static str },
    #[error("this caller asks as its own principal only, and in the project of its key where that has one")]
    NotItsOwn,
    #[error("nobody is named for whom to answer")]
    AsksForNobody,
    #[error("there is no such project, or nothing in it that may be used here")]
    NothingHere,
    #[error("there is more than one project that can be meant: {}", .0.join(", "))]
    WhichProject(Vec<String>),
    #[error("there is no key with the id that was given")]
    NoSuchKey,
    #[error(transparent)]
    Secret(#[from] crate::secrets::SecretError),
    #[error(transparent)]
    AuditBroken(#[from] ChainBroken),
    #[error("the live snapshot holds no such project")]
    NoSuchProject,
    #[error("a value cannot be written as JSON")]
    Unwritable(#[from] serde_json::Error),
    #[error("the operating system gives no random bytes")]
    NoRandomness(#[from] getrandom::Error),
}

/// An error and its causes as one line, each said once.
pub fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        let words = next.to_string();
        if !text.contains(&words) {
            text.push_str(": ");
            text.push_str(&words);
        }
        cause = next.source();
    }
    text
}

/// Lines about who gains that a refusal holds.
const MOST_GAINED: usize = 5;

fn gains_words(number: i64, untold: bool) -> String {
    if untold {
        return format!("who would gain by going back to snapshot {number} cannot be told");
    }
    format!("somebody may do more by snapshot {number} than by what is live")
}

fn gains_help(from: i64, number: i64, gained: &[String]) -> String {
    let shown = gained.iter().take(MOST_GAINED).cloned().collect::<Vec<_>>().join("; ");
    let more = gained.len().saturating_sub(MOST_GAINED);
    let shown = if more > 0 { format!("{shown}; and {more} more") } else { shown };
    let who = if shown.is_empty() { String::new() } else { format!("{shown}. ") };
    format!("{who}look at `ambit diff {from} {number}`, and accept it with `--accept-gains` (`accept_gains` over HTTP)")
}

impl Error {
    /// Its code, from the one table.
    pub fn code(&self) -> &str {
        match self {
            Self::Workspace(_) => codes::E_UNREADABLE,
            Self::Store(error) => error.code(),
            Self::Embed(_) => codes::E_MODEL,
            Self::View(ViewRefused::Failed(_)) => codes::E_INTERNAL,
            Self::View(ViewRefused::MayNotActFor { .. }) => codes::E_FORBIDDEN,
            Self::View(_) | Self::NoSuchProject | Self::NothingHere => codes::E_PRINCIPAL,
            Self::WhichProject(_) => codes::E_PROJECT,
            Self::TokenRefused => codes::E_TOKEN,
            Self::SignInRefused => codes::E_SIGN_IN,
            Self::Provider { .. } => codes::E_PROVIDER,
            Self::NoSuchKey => codes::E_NOT_FOUND,
            Self::AuditBroken(_) => codes::E_AUDIT,
            Self::Secret(error) => error.code(),
            Self::Request(diagnostic) => &diagnostic.code,
            Self::NothingApplied => codes::E_NO_SNAPSHOT,
            Self::Broken { .. } => codes::E_DAMAGED,
            Self::AlreadyLive { .. } => codes::E_ALREADY_LIVE,
            Self::NothingBefore { .. } => codes::E_SNAPSHOT,
            Self::Gains { .. } => codes::E_GAINS,
            Self::Address { .. } => codes::E_ADDRESS,
            Self::KeyRefused => codes::E_KEY,
            Self::Forbidden { .. } | Self::LocalOnly { .. } | Self::NotItsOwn | Self::AsksForNobody => {
                codes::E_FORBIDDEN
            }
            Self::Compile(_)
            | Self::Index(_)
            | Self::Authority(_)
            | Self::Diff(_)
            | Self::NotCanonical(_)
            | Self::Interrupted
            | Self::Unwritable(_)
            | Self::NoRandomness(_) => codes::E_INTERNAL,
        }
    }

    /// What to do about it.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::Workspace(error) => Some(error.help()),
            Self::Store(error) => Some(error.help()),
            Self::Embed(error) => Some(error.help()),
            Self::View(error) => Some(error.help()),
            Self::Request(diagnostic) => diagnostic.help.clone(),
            Self::NothingApplied => Some("run `ambit apply` first".to_owned()),
            Self::Broken { .. } => {
                Some("roll back to another snapshot, or restore the data folder from a backup".to_owned())
            }
            Self::AlreadyLive { .. } => Some("`ambit snapshots` lists the others".to_owned()),
            Self::NothingBefore { .. } => Some("`ambit snapshots` lists what was live when".to_owned()),
            Self::Gains { from, number, gained, .. } => Some(gains_help(*from, *number, gained)),
            Self::Address { .. } => {
                Some("stop what uses it, or choose another with `--listen 127.0.0.1:PORT`".to_owned())
            }
            Self::KeyRefused => {
                Some("send it as `Authorization: Bearer ambit_…`; `ambit keys create` makes one".to_owned())
            }
            Self::TokenRefused => Some(
                "docs/identity.md says what a token must be; the server's log says more under the request id"
                    .to_owned(),
            ),
            Self::Provider { .. } => Some("see whether its `/.well-known/openid-configuration` answers".to_owned()),
            Self::SignInRefused => Some("begin again at the sign-in page".to_owned()),
            Self::Forbidden { .. } => {
                Some(
                    "a policy of the live snapshot has to permit it, and the key may not be narrowed; docs/callers.md says how"
                        .to_owned(),
                )
            }
            Self::LocalOnly { .. } => Some("run `ambit` where the data folder is".to_owned()),
            Self::NotItsOwn => {
                Some("leave the project out, or use a key of that project; name a user to act for with `for`".to_owned())
            }
            Self::AsksForNobody => Some("name a principal with `--as`".to_owned()),
            Self::NothingHere => Some("name a project in which a policy permits `discover` of a tool".to_owned()),
            Self::WhichProject(_) => Some("name the project".to_owned()),
            Self::NoSuchKey => Some("`ambit keys list` lists the ids".to_owned()),
            Self::Secret(error) => Some(error.help()),
            Self::AuditBroken(ChainBroken::HeadGone(_)) => {
                Some("compare it with what `ambit apply` or `ambit audit verify` printed, and the data folder with a backup".to_owned())
            }
            Self::AuditBroken(_) => {
                Some("compare the data folder with a backup: somebody or something changed it by hand".to_owned())
            }
            Self::NoSuchProject => Some("use a key of a project that the live snapshot holds".to_owned()),
            Self::Compile(_)
            | Self::Index(_)
            | Self::Authority(_)
            | Self::Diff(_)
            | Self::NotCanonical(_)
            | Self::Interrupted
            | Self::Unwritable(_)
            | Self::NoRandomness(_) => {
                Some("this is a fault in ambit: please report it with the command you ran".to_owned())
            }
        }
    }
}
