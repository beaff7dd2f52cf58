//! Parts: compiled pieces under the digest of their content, shared by all snapshots that hold them.
//! INVARIANT: a part's content never changes. Publishing writes only parts that are missing or damaged, so it can only repair.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::digest::Digest;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ColumnTrait as _, EntityTrait as _, QueryFilter as _, QuerySelect as _, Set};

use super::entity::part::{ActiveModel, Column, Entity};
use super::writing::Writing;
use super::{CHUNK, Store, StoreError};

/// A compiled piece as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredPart {
    /// What kind of piece it is: `tool`, `policy`, `root`.
    pub kind: String,
    pub body: String,
}

const READING: &str = "read the parts of a snapshot";

impl Store {
    /// The parts of these digests; what is not stored is absent from the answer.
    pub async fn parts(&self, digests: &[Digest]) -> Result<BTreeMap<Digest, StoredPart>, StoreError> {
        let mut found = BTreeMap::new();
        for some in digests.chunks(CHUNK) {
            let query = Entity::find().filter(Column::Digest.is_in(some.iter().map(Digest::as_str)));
            for row in query.all(&self.database).await.map_err(self.failed(READING))? {
                found.insert(digest(&row.digest)?, StoredPart { kind: row.kind, body: row.body });
            }
        }
        Ok(found)
    }

    /// Which of these digests are stored.
    pub async fn known_parts(&self, digests: &[Digest]) -> Result<BTreeSet<Digest>, StoreError> {
        let mut known = BTreeSet::new();
        for some in digests.chunks(CHUNK) {
            let query = Entity::find()
                .select_only()
                .column(Column::Digest)
                .filter(Column::Digest.is_in(some.iter().map(Digest::as_str)))
                .into_tuple::<String>();
            for text in query.all(&self.database).await.map_err(self.failed(READING))? {
                known.insert(digest(&text)?);
            }
        }
        Ok(known)
    }
}

impl Writing<'_> {
    /// Adds parts; a body that stands under the same digest already is replaced.
    pub(super) async fn add_parts(&self, parts: Vec<(Digest, StoredPart)>) -> Result<(), StoreError> {
        // One statement may not replace a row twice.
        let parts: BTreeMap<Digest, StoredPart> = parts.into_iter().collect();
        let mut rest = parts.into_iter().map(row).peekable();
        while rest.peek().is_some() {
            let some: Vec<ActiveModel> = rest.by_ref().take(CHUNK).collect();
            let replace = OnConflict::column(Column::Digest).update_columns([Column::Kind, Column::Body]).to_owned();
            let insert = Entity::insert_many(some).on_conflict(replace);
            insert.exec_without_returning(self.transaction()).await.map_err(self.failed())?;
        }
        Ok(())
    }

    /// Whether a part is stored, or was added by this writer.
    pub(super) async fn has_part(&self, digest: &Digest) -> Result<bool, StoreError> {
        let query = Entity::find_by_id(digest.as_str()).select_only().column(Column::Digest).into_tuple::<String>();
        let found = query.one(self.transaction()).await.map_err(self.failed())?;
        Ok(found.is_some())
    }
}

fn row((digest, part): (Digest, StoredPart)) -> ActiveModel {
    ActiveModel { digest: Set(digest.as_str().to_owned()), kind: Set(part.kind), body: Set(part.body) }
}

fn digest(text: &str) -> Result<Digest, StoreError> {
    Digest::parse(text).ok_or_else(|| StoreError::corrupt("a part", format!("`{text}` is not a digest")))
}
