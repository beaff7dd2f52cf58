//! Activations: the append-only list of which snapshot was live when, by whom and why.
//! INVARIANT: the newest activation is what is live; going back is a new activation of an old number.

use ambit_model::snapshot::{Activation, ActivationKind, SnapshotRecord};
use sea_orm::{ActiveModelTrait as _, ConnectionTrait, DbErr, EntityTrait as _, QueryOrder as _, Set};

use super::audit::NewAudit;
use super::entity::activation::{ActiveModel, Column, Entity, Model};
use super::writing::Writing;
use super::{Store, StoreError};

/// An activation on its way into the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewActivation {
    /// The number of a published snapshot.
    pub snapshot: i64,
    pub kind: ActivationKind,
    /// RFC 3339, UTC.
    pub at: String,
    pub by: String,
    pub reason: Option<String>,
}

const READING: &str = "read which snapshot is live";

impl Store {
    /// Makes a stored snapshot live. Where another than `expected_live` is live by now, the answer
    /// is `Moved` and nothing changes.
    pub async fn activate(
        &self,
        new: NewActivation,
        expected_live: Option<i64>,
        audit: &NewAudit,
    ) -> Result<Activation, StoreError> {
        let writing = self.write("activate the snapshot").await?;
        writing.expect_snapshot(new.snapshot).await?;
        writing.expect_live(expected_live).await?;
        let activation = writing.add_activation(new).await?;
        writing.add_audit(audit).await?;
        writing.commit().await?;
        Ok(activation)
    }

    /// The activation that made live what is live; nothing before the first publish. Cheap enough to ask all the time.
    pub async fn newest_activation(&self) -> Result<Option<Activation>, StoreError> {
        self.present()?;
        newest(&self.database).await.map_err(self.failed(READING))?.map(read).transpose()
    }

    /// What is live, and since when; nothing before the first publish.
    pub async fn live(&self) -> Result<Option<(SnapshotRecord, Activation)>, StoreError> {
        let Some(activation) = self.newest_activation().await? else { return Ok(None) };
        // No transaction around the two reads: a record never changes.
        let record = self.record(activation.snapshot).await?;
        Ok(Some((record, activation)))
    }

    /// All activations, newest first.
    pub async fn activations(&self) -> Result<Vec<Activation>, StoreError> {
        let query = Entity::find().order_by_desc(Column::Sequence);
        let rows = query.all(&self.database).await.map_err(self.failed(READING))?;
        rows.into_iter().map(read).collect()
    }
}

impl Writing<'_> {
    /// Refuses where another snapshot is live than the one that the caller looked at.
    pub(super) async fn expect_live(&self, expected: Option<i64>) -> Result<(), StoreError> {
        let newest = newest(self.transaction()).await.map_err(self.failed())?;
        let found = newest.map(|row| row.snapshot);
        if found == expected { Ok(()) } else { Err(StoreError::Moved { expected, found }) }
    }

    /// Appends one line to the list.
    pub(super) async fn add_activation(&self, new: NewActivation) -> Result<Activation, StoreError> {
        // Counted here, because what numbers by itself on Postgres leaves a gap where a transaction is undone.
        let last = newest(self.transaction()).await.map_err(self.failed())?.map_or(0, |row| row.sequence);
        let row = ActiveModel {
            sequence: Set(last.saturating_add(1)),
            snapshot: Set(new.snapshot),
            kind: Set(word(new.kind).to_owned()),
            at: Set(new.at),
            by: Set(new.by),
            reason: Set(new.reason),
        };
        read(row.insert(self.transaction()).await.map_err(self.failed())?)
    }
}

async fn newest(database: &impl ConnectionTrait) -> Result<Option<Model>, DbErr> {
    Entity::find().order_by_desc(Column::Sequence).one(database).await
}

fn word(kind: ActivationKind) -> &'static str {
    match kind {
        ActivationKind::Apply => "apply",
        ActivationKind::Rollback => "rollback",
    }
}

fn read(row: Model) -> Result<Activation, StoreError> {
    let kind = [ActivationKind::Apply, ActivationKind::Rollback]
        .into_iter()
        .find(|kind| word(*kind) == row.kind)
        .ok_or_else(|| {
            StoreError::corrupt(
                format!("activation {}", row.sequence),
                format!("`{}` is no kind of activation", row.kind),
            )
        })?;
    Ok(Activation { sequence: row.sequence, snapshot: row.snapshot, kind, at: row.at, by: row.by, reason: row.reason })
}
