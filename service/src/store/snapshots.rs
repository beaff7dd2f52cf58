//! Publishing a snapshot and reading back the records kept beside the parts.
//! INVARIANT: publishing is one transaction; on any failure the former snapshot stays live and nothing is left behind.

use ambit_model::digest::Digest;
use ambit_model::intake::IntakeReport;
use ambit_model::policies::PolicyReport;
use ambit_model::snapshot::{ActivationKind, SnapshotRecord};
use sea_orm::{
    ActiveModelTrait as _, ConnectionTrait, DbErr, EntityTrait as _, QueryOrder as _, QuerySelect as _, Set,
};

use super::activations::NewActivation;
use super::audit::NewAudit;
use super::entity::snapshot::{ActiveModel, Column, Entity, Model};
use super::parts::StoredPart;
use super::writing::Writing;
use super::{Store, StoreError};

/// A compiled snapshot on its way into the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSnapshot {
    /// Names the root part, which is among `parts` or stored already.
    pub digest: Digest,
    pub source_digest: Digest,
    /// Parts that are missing or damaged in the store.
    pub parts: Vec<(Digest, StoredPart)>,
    /// RFC 3339, UTC.
    pub created_at: String,
    pub author: String,
    pub message: Option<String>,
    pub git_commit: Option<String>,
    pub tools: i64,
    pub report: IntakeReport,
    pub policies: PolicyReport,
}

const READING: &str = "read the records of the snapshots";

impl Store {
    /// Stores a snapshot and makes it live. `expected_live` is the snapshot it was compared with:
    /// where another is live by now, the answer is `Moved` and nothing changes.
    /// A caller that stops waiting does not know the outcome and asks `live`: it is all or nothing.
    pub async fn publish(
        &self,
        new: NewSnapshot,
        expected_live: Option<i64>,
        audit: NewAudit,
    ) -> Result<SnapshotRecord, StoreError> {
        let writing = self.write("publish the snapshot").await?;
        writing.expect_live(expected_live).await?;
        let record = writing.add_snapshot(new, expected_live, audit).await?;
        writing.commit().await?;
        Ok(record)
    }

    /// The record of one snapshot.
    pub async fn record(&self, number: i64) -> Result<SnapshotRecord, StoreError> {
        match Entity::find_by_id(number).one(&self.database).await.map_err(self.failed(READING))? {
            Some(row) => read(row),
            None => {
                let known = numbers(&self.database).await.map_err(self.failed(READING))?;
                Err(StoreError::NoSuchSnapshot { number, known })
            }
        }
    }

    /// The records of all snapshots, newest first.
    pub async fn records(&self) -> Result<Vec<SnapshotRecord>, StoreError> {
        let query = Entity::find().order_by_desc(Column::Number);
        let rows = query.all(&self.database).await.map_err(self.failed(READING))?;
        rows.into_iter().map(read).collect()
    }
}

impl Writing<'_> {
    async fn add_snapshot(
        &self,
        new: NewSnapshot,
        parent: Option<i64>,
        mut audit: NewAudit,
    ) -> Result<SnapshotRecord, StoreError> {
        let NewSnapshot {
            digest,
            source_digest,
            parts,
            created_at,
            author,
            message,
            git_commit,
            tools,
            report,
            policies,
        } = new;
        self.add_parts(parts).await?;
        if !self.has_part(&digest).await? {
            return Err(StoreError::NoRootPart { digest });
        }
        // Counted here, because what numbers by itself on Postgres leaves a gap where a transaction is undone.
        let last = newest_number(self.transaction()).await.map_err(self.failed())?.unwrap_or(0);
        let row = ActiveModel {
            number: Set(last.saturating_add(1)),
            digest: Set(digest.as_str().to_owned()),
            source_digest: Set(source_digest.as_str().to_owned()),
            parent: Set(parent),
            created_at: Set(created_at),
            author: Set(author),
            message: Set(message),
            git_commit: Set(git_commit),
            tools: Set(tools),
            report: Set(
                serde_json::to_string(&report).map_err(|error| StoreError::corrupt("the intake report", error))?
            ),
            policies: Set(Some(
                serde_json::to_string(&policies)
                    .map_err(|error| StoreError::corrupt("the report on policies", error))?,
            )),
            audit_head: Set(None),
        };
        let row = row.insert(self.transaction()).await.map_err(self.failed())?;
        // The entry names the number, and the record keeps the entry's hash.
        audit.payload.resource = format!("snapshot:{}", row.number);
        audit.payload.details.insert("digest".to_owned(), row.digest.clone());
        let head = self.add_audit(&audit).await?;
        let mut row = ActiveModel::from(row);
        row.audit_head = Set(Some(head.hash.as_str().to_owned()));
        let record = read(row.update(self.transaction()).await.map_err(self.failed())?)?;
        self.add_activation(applied(&record)).await?;
        Ok(record)
    }

    /// Refuses a number that was never published.
    pub(super) async fn expect_snapshot(&self, number: i64) -> Result<(), StoreError> {
        let known = numbers(self.transaction()).await.map_err(self.failed())?;
        if known.contains(&number) { Ok(()) } else { Err(StoreError::NoSuchSnapshot { number, known }) }
    }
}

fn applied(record: &SnapshotRecord) -> NewActivation {
    NewActivation {
        snapshot: record.number,
        kind: ActivationKind::Apply,
        at: record.created_at.clone(),
        by: record.author.clone(),
        reason: None,
    }
}

async fn newest_number(database: &impl ConnectionTrait) -> Result<Option<i64>, DbErr> {
    Entity::find().select_only().column(Column::Number).order_by_desc(Column::Number).into_tuple().one(database).await
}

/// All numbers, newest first.
async fn numbers(database: &impl ConnectionTrait) -> Result<Vec<i64>, DbErr> {
    Entity::find().select_only().column(Column::Number).order_by_desc(Column::Number).into_tuple().all(database).await
}

fn read(row: Model) -> Result<SnapshotRecord, StoreError> {
    let what = || format!("the record of snapshot {}", row.number);
    let digest = |text: &str| {
        Digest::parse(text).ok_or_else(|| StoreError::corrupt(what(), format!("`{text}` is not a digest")))
    };
    Ok(SnapshotRecord {
        digest: digest(&row.digest)?,
        source_digest: digest(&row.source_digest)?,
        report: serde_json::from_str(&row.report).map_err(|error| StoreError::corrupt(what(), error))?,
        policies: match &row.policies {
            // It says where policies stood, and decides nothing: what is live is used without it.
            Some(policies) => serde_json::from_str(policies).unwrap_or_default(),
            None => PolicyReport::default(),
        },
        number: row.number,
        parent: row.parent,
        created_at: row.created_at,
        author: row.author,
        message: row.message,
        git_commit: row.git_commit,
        tools: row.tools,
        audit_head: row.audit_head.as_deref().map(digest).transpose()?,
    })
}
