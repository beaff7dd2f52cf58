//! Keys: what an application or a person shows at the door; and for whom an answer is made. The secret itself is never part of a record.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::identity::{Principal, ProjectId};

/// For whom an answer is made: the principal that asks, at most one that it acts for, in a project of their tenant.
/// What both may do, and nothing outside the key's scope, is what the answer is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Asker {
    pub principal: Principal,
    /// Roles of the principal that its identity provider vouches for, beside those that are declared.
    pub roles: BTreeSet<String>,
    /// A user or a role.
    pub acting_for: Option<Principal>,
    pub project: ProjectId,
    /// Globs over canonical ids, the key's scope; empty: every tool.
    pub tools: BTreeSet<String>,
}

impl Asker {
    /// A principal that asks for itself, without a narrower scope.
    pub fn new(principal: Principal, project: ProjectId) -> Self {
        Self { principal, roles: BTreeSet::new(), acting_for: None, project, tools: BTreeSet::new() }
    }
}

/// `acme:agent:bot`, `acme:agent:bot for acme:user:ada`.
impl std::fmt::Display for Asker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.acting_for {
            None => self.principal.fmt(f),
            Some(user) => write!(f, "{} for {user}", self.principal),
        }
    }
}

/// What is known of a key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyRecord {
    /// The part of the key between its underscores.
    pub id: String,
    /// For people: which application or person holds it.
    pub name: String,
    /// Who its holder is.
    pub principal: Principal,
    /// The only project it asks in; absent: any of the tenant's.
    pub project: Option<ProjectId>,
    /// Globs over canonical ids: the only tools it reaches; empty: whatever the principal may use.
    pub tools: BTreeSet<String>,
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
