//! What can be administered, and on what; each is a Cedar action, decided by the live snapshot.

use serde::{Deserialize, Serialize};

use crate::identity::{ProjectId, is_identifier};

/// An admin action. `act_for` is no member: it is asked of a user or a role, and nothing implies it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AdminAction {
    ReadIntake,
    ReadGaps,
    ReadRuns,
    ReadAudit,
    ReadSnapshot,
    Apply,
    Rollback,
    SetMode,
    Review,
    ManageKeys,
}

impl AdminAction {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::ReadIntake,
        Self::ReadGaps,
        Self::ReadRuns,
        Self::ReadAudit,
        Self::ReadSnapshot,
        Self::Apply,
        Self::Rollback,
        Self::SetMode,
        Self::Review,
        Self::ManageKeys,
    ];

    /// The word of the Cedar action.
    pub fn word(self) -> &'static str {
        match self {
            Self::ReadIntake => "read_intake",
            Self::ReadGaps => "read_gaps",
            Self::ReadRuns => "read_runs",
            Self::ReadAudit => "read_audit",
            Self::ReadSnapshot => "read_snapshot",
            Self::Apply => "apply",
            Self::Rollback => "rollback",
            Self::SetMode => "set_mode",
            Self::Review => "review",
            Self::ManageKeys => "manage_keys",
        }
    }
}

/// What an admin action is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AdminResource {
    /// Everything.
    Workspace,
    Tenant(String),
    Project(ProjectId),
    Catalog(String),
}

impl AdminResource {
    /// Reads the written form: `workspace`, `tenant:acme`, `project:acme/finance` (or `acme/finance`), `catalog:billing`.
    pub fn parse(text: &str) -> Option<Self> {
        let project = |id: &str| ProjectId::parse(id, None).ok().map(Self::Project);
        match text.split_once(':') {
            None if text == "workspace" => Some(Self::Workspace),
            None => project(text),
            Some(("tenant", id)) => is_identifier(id).then(|| Self::Tenant(id.to_owned())),
            Some(("project", id)) => project(id),
            Some(("catalog", id)) => is_identifier(id).then(|| Self::Catalog(id.to_owned())),
            Some(_) => None,
        }
    }
}

impl std::fmt::Display for AdminResource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Workspace => f.write_str("workspace"),
            Self::Tenant(id) => write!(f, "tenant:{id}"),
            Self::Project(id) => write!(f, "project:{id}"),
            Self::Catalog(id) => write!(f, "catalog:{id}"),
        }
    }
}
