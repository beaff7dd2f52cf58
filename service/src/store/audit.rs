//! The audit: appended in the transaction of the act that it tells of, and read page by page.
//! INVARIANT: an entry is never changed, but that its payload and salt can be erased together.

use ambit_engine::audit::{ERASE, Header, beginning, hash, payload_digest};
use ambit_model::audit::{AuditEntry, AuditHead, AuditOutcome, AuditPayload};
use ambit_model::digest::Digest;
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ActiveModelTrait as _, ColumnTrait as _, Condition, ConnectionTrait, DbErr, EntityTrait as _, ExprTrait as _,
    PaginatorTrait as _, QueryFilter as _, QueryOrder as _, QuerySelect as _, Set,
};

use super::entity::audit::{ActiveModel, Column, Entity, Model};
use super::entity::refusal;
use super::writing::Writing;
use super::{Store, StoreError};

/// An entry on its way into the audit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAudit {
    /// RFC 3339, UTC.
    pub at: String,
    /// Whose it is; absent where it concerns the whole workspace.
    pub tenant: Option<String>,
    pub action: String,
    pub outcome: AuditOutcome,
    pub payload: AuditPayload,
    /// Random, so that an erased payload cannot be guessed back from its digest.
    pub salt: String,
}

/// Whose entries to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AuditReach {
    Everything,
    Tenant(String),
}

/// A stored entry and the salt of its payload, which only verifying needs.
pub struct SaltedEntry {
    pub entry: AuditEntry,
    pub salt: Option<String>,
}

const READING: &str = "read the audit";

impl Store {
    /// Appends an entry of its own, for an act that was refused.
    pub async fn add_audit(&self, new: &NewAudit) -> Result<AuditHead, StoreError> {
        let writing = self.write("write the audit").await?;
        let head = writing.add_audit(new).await?;
        writing.commit().await?;
        Ok(head)
    }

    /// At most `limit` entries below `before`, newest first. A tenant's entries are numbered among themselves, so that the numbers
    /// tell nothing of what others do.
    pub async fn audit(
        &self,
        reach: &AuditReach,
        before: Option<i64>,
        limit: u64,
    ) -> Result<Vec<AuditEntry>, StoreError> {
        self.present()?;
        let newest_first = Entity::find().order_by_desc(Column::Sequence).limit(limit);
        let AuditReach::Tenant(tenant) = reach else {
            let below = before.map_or_else(Condition::all, |before| Condition::all().add(Column::Sequence.lt(before)));
            let rows = newest_first.filter(below).all(&self.database).await.map_err(self.failed(READING))?;
            return rows.into_iter().map(|row| Ok(read(row)?.entry)).collect();
        };
        let own = Column::Tenant.eq(tenant);
        let total = Entity::find().filter(own.clone()).count(&self.database).await.map_err(self.failed(READING))?;
        let end = i64::try_from(total).unwrap_or(i64::MAX).saturating_add(1);
        let start = before.unwrap_or(end).clamp(1, end);
        let skipped = u64::try_from(end - start).unwrap_or(0);
        let query = newest_first.filter(own).offset(skipped);
        let rows = query.all(&self.database).await.map_err(self.failed(READING))?;
        let numbered = rows.into_iter().zip((1..start).rev());
        numbered
            .map(|(row, sequence)| {
                let entry = read(row)?.entry;
                Ok(AuditEntry { sequence, former: Digest::zero(), hash: Digest::zero(), ..entry })
            })
            .collect()
    }

    /// At most `limit` entries above `after`, oldest first, with what verifying needs.
    pub async fn audit_after(&self, after: i64, limit: u64) -> Result<Vec<SaltedEntry>, StoreError> {
        self.present()?;
        let query = Entity::find().filter(Column::Sequence.gt(after)).order_by_asc(Column::Sequence).limit(limit);
        let rows = query.all(&self.database).await.map_err(self.failed(READING))?;
        rows.into_iter().map(read).collect()
    }

    /// The newest entry's place and hash; nothing before the first.
    pub async fn audit_head(&self) -> Result<Option<AuditHead>, StoreError> {
        self.present()?;
        newest(&self.database).await.map_err(self.failed(READING))?.map(head).transpose()
    }

    /// Takes the payload of an entry out, for good, and writes that down. False where there is no such entry with
    /// a payload, and for an entry that tells of an erasure.
    pub async fn erase_audit(&self, sequence: i64, new: &NewAudit) -> Result<bool, StoreError> {
        let writing = self.write("erase a payload of the audit").await?;
        let found = Entity::find_by_id(sequence).one(writing.transaction()).await.map_err(writing.failed())?;
        let Some(found) = found.filter(|row| row.payload.is_some() && row.action != ERASE) else { return Ok(false) };
        let mut row = ActiveModel::from(found);
        row.payload = Set(None);
        row.salt = Set(None);
        row.update(writing.transaction()).await.map_err(writing.failed())?;
        writing.add_audit(new).await?;
        writing.commit().await?;
        Ok(true)
    }

    /// Counts requests of a day (`YYYY-MM-DD`) that came from nobody who is known.
    pub async fn add_refusals(&self, day: &str, requests: i64) -> Result<(), StoreError> {
        let writing = self.write("count refused requests").await?;
        let row = refusal::ActiveModel { day: Set(day.to_owned()), requests: Set(requests) };
        let more = refusal::Column::Requests;
        let add = OnConflict::column(refusal::Column::Day)
            .value(more, sea_orm::sea_query::Expr::col((refusal::Entity, more)).add(requests))
            .to_owned();
        let insert = refusal::Entity::insert(row).on_conflict(add);
        insert.exec_without_returning(writing.transaction()).await.map_err(writing.failed())?;
        writing.commit().await
    }

    /// How many there were on a day.
    pub async fn refusals(&self, day: &str) -> Result<i64, StoreError> {
        self.present()?;
        let row = refusal::Entity::find_by_id(day).one(&self.database).await.map_err(self.failed(READING))?;
        Ok(row.map_or(0, |row| row.requests))
    }
}

impl Writing<'_> {
    /// Appends one entry in the transaction of what it tells of.
    pub(super) async fn add_audit(&self, new: &NewAudit) -> Result<AuditHead, StoreError> {
        let last = newest(self.transaction()).await.map_err(self.failed())?.map(head).transpose()?;
        let sequence = last.as_ref().map_or(Some(1), |head| head.sequence.checked_add(1));
        let sequence = sequence.ok_or_else(|| StoreError::corrupt("the audit", "nothing can follow its last entry"))?;
        let former = last.map_or_else(beginning, |head| head.hash);
        let NewAudit { at, tenant, action, outcome, payload, salt } = new;
        let unwritable = |error: serde_json::Error| StoreError::corrupt("an entry of the audit", error);
        let digest = payload_digest(salt, payload).map_err(unwritable)?;
        let header = Header {
            sequence,
            at,
            tenant: tenant.as_deref(),
            action,
            outcome: *outcome,
            payload_digest: &digest,
            former: &former,
        };
        let hash = hash(&header).map_err(unwritable)?;
        let row = ActiveModel {
            sequence: Set(sequence),
            at: Set(at.clone()),
            tenant: Set(tenant.clone()),
            action: Set(action.clone()),
            outcome: Set(outcome.word().to_owned()),
            payload: Set(Some(serde_json::to_string(payload).map_err(unwritable)?)),
            salt: Set(Some(salt.clone())),
            payload_digest: Set(digest.as_str().to_owned()),
            former: Set(former.as_str().to_owned()),
            hash: Set(hash.as_str().to_owned()),
        };
        row.insert(self.transaction()).await.map_err(self.failed())?;
        Ok(AuditHead { sequence, hash })
    }
}

async fn newest(database: &impl ConnectionTrait) -> Result<Option<Model>, DbErr> {
    Entity::find().order_by_desc(Column::Sequence).one(database).await
}

fn head(row: Model) -> Result<AuditHead, StoreError> {
    let entry = read(row)?.entry;
    Ok(AuditHead { sequence: entry.sequence, hash: entry.hash })
}

fn read(row: Model) -> Result<SaltedEntry, StoreError> {
    let corrupt = |detail: String| StoreError::corrupt(format!("entry {} of the audit", row.sequence), detail);
    let digest = |text: &str| Digest::parse(text).ok_or_else(|| corrupt(format!("`{text}` is not a digest")));
    let outcome = [AuditOutcome::Done, AuditOutcome::Denied].into_iter().find(|outcome| outcome.word() == row.outcome);
    let payload: Option<AuditPayload> =
        row.payload.as_deref().map(serde_json::from_str).transpose().map_err(|error| corrupt(error.to_string()))?;
    let entry = AuditEntry {
        sequence: row.sequence,
        at: row.at.clone(),
        tenant: row.tenant.clone(),
        action: row.action.clone(),
        outcome: outcome.ok_or_else(|| corrupt(format!("`{}` is no outcome", row.outcome)))?,
        payload,
        payload_digest: digest(&row.payload_digest)?,
        former: digest(&row.former)?,
        hash: digest(&row.hash)?,
    };
    Ok(SaltedEntry { entry, salt: row.salt })
}
