//! Everything Ambit keeps: parts, snapshots, activations, vectors, gaps, feedback, keys, blocks and the audit, in one database in the
//! data folder or on a Postgres server.
//! INVARIANT: only this module names the ORM, and whatever it changes it changes in one transaction.

mod activations;
mod arriving;
mod audit;
mod blocks;
mod entity;
mod error;
mod failure;
mod feedback;
mod folder;
mod gaps;
mod keys;
mod open;
mod parts;
mod place;
mod postgres;
mod snapshots;
#[cfg(test)]
mod tests;
mod vectors;
mod winners;
mod writing;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use sea_orm::DatabaseConnection;
use tokio::sync::Mutex;

pub use activations::NewActivation;
pub use arriving::{Arrived, Arriving};
pub use audit::{AuditReach, NewAudit, SaltedEntry};
pub use error::{DatabaseFailure, StoreError};
pub use feedback::{FeedbackScope, MOST_KEPT, NewFeedback, Stored as StoredFeedback};
pub use gaps::{GapScope, NewGap, Questions, StoredGap};
pub use keys::{NewSession, OpenSession, SessionHolder};
use open::Identity;
pub use open::Secret;
pub use parts::StoredPart;
pub use place::Place;
pub use snapshots::NewSnapshot;
pub use winners::KeptWinners;

/// Makes a data folder where it is missing: private, and kept out of git.
pub(crate) fn make_data_folder(data: &Path) -> Result<(), StoreError> {
    folder::make(data)
}

/// An open store. Clones share its connections.
#[derive(Clone, Debug)]
pub struct Store {
    database: DatabaseConnection,
    place: Place,
    identity: Identity,
    /// How long to wait for another process that writes.
    patience: Duration,
    /// Whose turn it is to write: waiting here keeps the connections free for readers.
    turn: Arc<Mutex<()>>,
}

impl Store {
    /// The data folder beside or around the database.
    pub(crate) fn data(&self) -> &Path {
        self.place.data()
    }
}

/// Most values in one `IN` list or one insert; every database takes more, and the gain ends earlier.
const CHUNK: usize = 500;
