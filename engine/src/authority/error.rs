//! Why a snapshot's authority could not be compiled. None of these is a user's mistake: `check` has reported those.
//! A stored snapshot that fails here was made by another version, or was changed.

use ambit_model::identity::ToolId;
use thiserror::Error;

/// What was being done when it failed.
#[derive(Debug, Error)]
pub enum AuthorityError {
    /// The Cedar schema.
    #[error("read the Cedar schema: {0}")]
    Schema(String),
    /// One policy, by its id.
    #[error("read policy `{id}`: {cause}")]
    Policy { id: String, cause: String },
    /// The policies together, against the schema.
    #[error("hold the policies against the Cedar schema: {0}")]
    Validation(String),
    /// Principals, projects and tools as Cedar entities.
    #[error("build the Cedar entities: {0}")]
    Entities(String),
    /// A card's digest was not handed in.
    #[error("compile `{0}`: its card has no digest")]
    MissingDigest(ToolId),
}
