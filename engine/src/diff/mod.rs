//! What changes between two snapshots. Ceilings come first, raised ones before all else: they are what no policy can give. Then
//! who gains and who loses, then things, field by field. Order alone is no difference.

mod authority;
mod ceilings;
mod fields;
mod node;
mod prose;
mod sections;

use ambit_model::diff::{AuthorityChanges, Diff};
use ambit_model::snapshot::Snapshot;
use thiserror::Error;

use crate::authority::{Authority, AuthorityError};
use crate::canonical::NotCanonical;
use crate::compile::card_digests;

/// One of the two, compiled.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    /// What is compared, and whose names are told.
    pub snapshot: &'a Snapshot,
    /// What decides. Of a snapshot that is cut to a tenant it is the authority of the whole, for a policy that speaks of others
    /// too decides about the tenant as well; it is in no list then, and its id is told nowhere.
    pub authority: &'a Authority,
}

/// Why two snapshots cannot be compared. None of these is a user's mistake.
#[derive(Debug, Error)]
pub enum DiffError {
    /// The snapshot that is compared with.
    #[error("compile the authority of the first snapshot")]
    From(#[source] AuthorityError),
    /// The snapshot that is compared.
    #[error("compile the authority of the second snapshot")]
    To(#[source] AuthorityError),
    /// The authorities of both.
    #[error("compare who may do what")]
    Authority(#[source] AuthorityError),
    /// A stored card.
    #[error("digest the tool cards")]
    NotCanonical(#[from] NotCanonical),
    /// Something of a snapshot.
    #[error("write a value as JSON")]
    Json(#[from] serde_json::Error),
}

/// Compares two snapshots. Nothing is said of what is equal, nor of order alone.
pub fn diff(from: &Snapshot, to: &Snapshot) -> Result<Diff, DiffError> {
    if let Some(unchanged) = authority::unchanged(from, to) {
        return things(from, to, unchanged);
    }
    let compile = |snapshot: &Snapshot, failed: fn(AuthorityError) -> DiffError| {
        Authority::compile(snapshot, &card_digests(snapshot)?).map_err(failed)
    };
    let (before, after) = rayon::join(|| compile(from, DiffError::From), || compile(to, DiffError::To));
    diff_sides(Side { snapshot: from, authority: &before? }, Side { snapshot: to, authority: &after? })
}

/// The same of snapshots whose authority is compiled already.
pub fn diff_sides(from: Side<'_>, to: Side<'_>) -> Result<Diff, DiffError> {
    let changes = authority::changes(from, to).map_err(DiffError::Authority)?;
    things(from.snapshot, to.snapshot, changes)
}

fn things(from: &Snapshot, to: &Snapshot, authority: AuthorityChanges) -> Result<Diff, DiffError> {
    let ceilings = ceilings::changes(&from.projects, &to.projects);
    Ok(Diff { ceilings, authority, sections: sections::changes(from, to)? })
}
