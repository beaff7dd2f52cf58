//! Keys and sessions, by the digests of their secrets.
//! INVARIANT: a key is never deleted, so that records which name it stay readable.

use ambit_model::digest::Digest;
use ambit_model::identity::{Principal, ProjectId};
use ambit_model::key::KeyRecord;
use sea_orm::{
    ActiveModelTrait as _, ColumnTrait as _, EntityTrait as _, PaginatorTrait as _, QueryFilter as _, QueryOrder as _,
    Set,
};

use super::audit::NewAudit;
use super::entity::key::{ActiveModel, Column, Entity, Model};
use super::entity::session;
use super::{Store, StoreError};

/// Who opened a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionHolder {
    /// By the id of the key.
    Key(String),
    /// A person whom an identity provider vouched for, as the text of its claims.
    Claims(String),
}

/// A session on its way into the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSession {
    /// Of the cookie.
    pub digest: Digest,
    pub holder: SessionHolder,
    /// RFC 3339, UTC.
    pub expires_at: String,
}

/// Whose a session is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenSession {
    Key(Box<KeyRecord>),
    /// The text of the claims.
    Claims(String),
}

const READING: &str = "read the keys";

impl Store {
    /// Keeps a new key; with `only_first`, nothing happens where there is a key already, and the answer is false.
    pub async fn add_key(
        &self,
        record: &KeyRecord,
        digest: &Digest,
        only_first: bool,
        audit: &NewAudit,
    ) -> Result<bool, StoreError> {
        let writing = self.write("store the key").await?;
        if only_first && count(writing.transaction()).await.map_err(writing.failed())? > 0 {
            return Ok(false);
        }
        row(record, digest)?.insert(writing.transaction()).await.map_err(writing.failed())?;
        writing.add_audit(audit).await?;
        writing.commit().await?;
        Ok(true)
    }

    /// There is a key, valid or not.
    pub async fn has_key(&self) -> Result<bool, StoreError> {
        self.present()?;
        Ok(count(&self.database).await.map_err(self.failed(READING))? > 0)
    }

    /// The key with this id, and the digest of the whole key.
    pub async fn key(&self, id: &str) -> Result<Option<(KeyRecord, Digest)>, StoreError> {
        self.present()?;
        // Postgres takes no text with such a character, and no id has one.
        if id.contains('\0') {
            return Ok(None);
        }
        let row = Entity::find_by_id(id).one(&self.database).await.map_err(self.failed(READING))?;
        row.filter(|row| row.principal.is_some()).map(read).transpose()
    }

    /// All keys, oldest first.
    pub async fn keys(&self) -> Result<Vec<KeyRecord>, StoreError> {
        let query = Entity::find()
            .filter(Column::Principal.is_not_null())
            .order_by_asc(Column::CreatedAt)
            .order_by_asc(Column::Id);
        let rows = query.all(&self.database).await.map_err(self.failed(READING))?;
        rows.into_iter().map(|row| Ok(read(row)?.0)).collect()
    }

    /// Revokes a key and ends its sessions; a key that is revoked already keeps its time. False where there is no such key.
    pub async fn revoke_key(&self, id: &str, at: &str, audit: &NewAudit) -> Result<bool, StoreError> {
        let writing = self.write("revoke the key").await?;
        let found = Entity::find_by_id(id).one(writing.transaction()).await.map_err(writing.failed())?;
        let Some(found) = found else { return Ok(false) };
        if found.revoked_at.is_none() {
            let mut row = ActiveModel::from(found);
            row.revoked_at = Set(Some(at.to_owned()));
            row.update(writing.transaction()).await.map_err(writing.failed())?;
            writing.add_audit(audit).await?;
        }
        let sessions = session::Entity::delete_many().filter(session::Column::Key.eq(id));
        sessions.exec(writing.transaction()).await.map_err(writing.failed())?;
        writing.commit().await?;
        Ok(true)
    }

    /// Opens a session in place of `former`, and forgets those that have ended by `now`.
    pub async fn open_session(&self, new: NewSession, former: Option<&Digest>, now: &str) -> Result<(), StoreError> {
        let writing = self.write("open the session").await?;
        let mut over = sea_orm::Condition::any().add(session::Column::ExpiresAt.lte(now));
        if let Some(former) = former {
            over = over.add(session::Column::Digest.eq(former.as_str()));
        }
        let ended = session::Entity::delete_many().filter(over);
        ended.exec(writing.transaction()).await.map_err(writing.failed())?;
        let (key, claims) = match new.holder {
            SessionHolder::Key(id) => (Some(id), None),
            SessionHolder::Claims(claims) => (None, Some(claims)),
        };
        let row = session::ActiveModel {
            digest: Set(new.digest.as_str().to_owned()),
            key: Set(key),
            claims: Set(claims),
            expires_at: Set(new.expires_at),
        };
        row.insert(writing.transaction()).await.map_err(writing.failed())?;
        writing.commit().await
    }

    /// Whose session this is, where it has not ended by `now`.
    pub async fn session(&self, digest: &Digest, now: &str) -> Result<Option<OpenSession>, StoreError> {
        self.present()?;
        let query = session::Entity::find_by_id(digest.as_str()).filter(session::Column::ExpiresAt.gt(now));
        let found = query.one(&self.database).await.map_err(self.failed("read the session"))?;
        match found {
            Some(session::Model { claims: Some(claims), .. }) => Ok(Some(OpenSession::Claims(claims))),
            Some(session::Model { key: Some(key), .. }) => {
                Ok(self.key(&key).await?.map(|(record, _)| OpenSession::Key(Box::new(record))))
            }
            _ => Ok(None),
        }
    }

    /// Ends a session.
    pub async fn close_session(&self, digest: &Digest) -> Result<(), StoreError> {
        let writing = self.write("end the session").await?;
        let closed = session::Entity::delete_by_id(digest.as_str());
        closed.exec(writing.transaction()).await.map_err(writing.failed())?;
        writing.commit().await
    }
}

async fn count(database: &impl sea_orm::ConnectionTrait) -> Result<u64, sea_orm::DbErr> {
    Entity::find().filter(Column::Principal.is_not_null()).count(database).await
}

fn row(record: &KeyRecord, digest: &Digest) -> Result<ActiveModel, StoreError> {
    let KeyRecord { id, name, principal, project, tools, created_at, created_by, expires_at, revoked_at } =
        record.clone();
    let tools = serde_json::to_string(&tools).map_err(|error| StoreError::corrupt("the scope of a key", error))?;
    Ok(ActiveModel {
        id: Set(id),
        digest: Set(digest.as_str().to_owned()),
        name: Set(name),
        principal: Set(Some(principal.to_string())),
        project: Set(project.map(|project| project.to_string())),
        tools: Set(tools),
        created_at: Set(created_at),
        created_by: Set(created_by),
        expires_at: Set(expires_at),
        revoked_at: Set(revoked_at),
    })
}

fn read(row: Model) -> Result<(KeyRecord, Digest), StoreError> {
    let corrupt = |detail: String| StoreError::corrupt(format!("key {}", row.id), detail);
    let principal = Principal::parse(row.principal.as_deref().unwrap_or_default()).map_err(corrupt)?;
    let project = row.project.as_deref().map(|project| ProjectId::parse(project, None)).transpose().map_err(corrupt)?;
    let tools = serde_json::from_str(&row.tools).map_err(|error| corrupt(error.to_string()))?;
    let digest = Digest::parse(&row.digest).ok_or_else(|| corrupt("its digest is none".to_owned()))?;
    let record = KeyRecord {
        id: row.id,
        name: row.name,
        principal,
        project,
        tools,
        created_at: row.created_at,
        created_by: row.created_by,
        expires_at: row.expires_at,
        revoked_at: row.revoked_at,
    };
    Ok((record, digest))
}
