//! What can keep a use case from being done at all. What a user wrote wrong is a Diagnostic inside a result, not one of these.

use ambit_engine::authority::{AuthorityError, ViewRefused};
use ambit_engine::canonical::NotCanonical;
use ambit_engine::compile::CompileError;
use ambit_engine::index::IndexError;
use ambit_engine::parts::Broken;
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
    #[error(transparent)]
    Compile(#[from] CompileError),
    #[error(transparent)]
    Index(#[from] IndexError),
    #[error(transparent)]
    Authority(#[from] AuthorityError),
    #[error(transparent)]
    NotCanonical(#[from] NotCanonical),
    #[error("embedding was interrupted")]
    Interrupted,
}

impl Error {
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
            Self::Compile(_) | Self::Index(_) | Self::Authority(_) | Self::NotCanonical(_) | Self::Interrupted => {
                Some("this is a fault in ambit: please report it with the command you ran".to_owned())
            }
        }
    }
}
