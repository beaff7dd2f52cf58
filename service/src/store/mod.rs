//! Everything Ambit keeps: parts, snapshots, activations, vectors, gaps, keys, blocks and the audit, in one database in the data folder.
//! INVARIANT: only this module names the ORM, and whatever it changes it changes in one transaction.

mod activations;
mod audit;
mod blocks;
mod entity;
mod error;
mod folder;
mod gaps;
mod keys;
mod open;
mod parts;
mod snapshots;
#[cfg(test)]
mod tests;
mod vectors;
mod writing;

use std::path::PathBuf;
use std::sync::Arc;

use sea_orm::DatabaseConnection;
use tokio::sync::Mutex;

pub use activations::NewActivation;
pub use audit::{AuditReach, NewAudit, SaltedEntry};
pub use error::{DatabaseFailure, StoreError};
pub use gaps::{GapScope, NewGap, Questions, StoredGap};
pub use keys::{NewSession, OpenSession, SessionHolder};
pub use open::Secret;
pub use parts::StoredPart;
pub use snapshots::NewSnapshot;

/// An open data folder. Clones share its connections.
#[derive(Clone, Debug)]
pub struct Store {
    database: DatabaseConnection,
    /// The data folder, for messages.
    data: PathBuf,
    /// Device and inode of the database file.
    identity: (u64, u64),
    /// Whose turn it is to write: waiting here keeps the connections free for readers.
    turn: Arc<Mutex<()>>,
}

/// Most values in one `IN` list or one insert; every database takes more, and the gain ends earlier.
const CHUNK: usize = 500;
