//! Keys: what an application or a person shows at the door. The secret itself is never part of a record.

use serde::{Deserialize, Serialize};

use crate::identity::{Principal, ProjectId};

/// Whom a question is for: a principal, in a project of its tenant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asker {
    pub principal: Principal,
    pub project: ProjectId,
}

/// What is known of a key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyRecord {
    /// The part of the key between its underscores.
    pub id: String,
    /// For people: which application or person holds it.
    pub name: String,
    /// It may read intake reports and snapshots, and roll back.
    pub admin: bool,
    /// Whom it routes and validates for; absent where it only administers.
    pub asker: Option<Asker>,
    /// RFC 3339, UTC, as all times here.
    pub created_at: String,
    pub created_by: String,
    pub expires_at: Option<String>,
    pub revoked_at: Option<String>,
}

impl KeyRecord {
    /// It opens doors at this time (RFC 3339, UTC, to the second, so that texts compare as times).
    pub fn is_valid(&self, now: &str) -> bool {
        self.revoked_at.is_none() && self.expires_at.as_deref().is_none_or(|end| now < end)
    }
}
