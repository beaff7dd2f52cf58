//! What can be administered, and on what; each is a Cedar action, decided by the live snapshot.

use serde::{Deserialize, Serialize};

use crate::identity::ProjectId;

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
