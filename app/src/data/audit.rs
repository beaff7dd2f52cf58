//! The Audit page: entries, newest first, and whether their chain holds.

use ambit_model::audit::AuditOutcome;
use leptos::server;
use serde::{Deserialize, Serialize};

use crate::data::Moment;
use crate::problem::Problem;

/// Some entries of the audit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditPage {
    pub entries: Vec<AuditRow>,
    /// Older entries are those before this one; nothing where there are none.
    pub older: Option<i64>,
    /// The newest entry of all; nothing before the first, and nothing where the reader may not know.
    pub head: Option<HeadRow>,
    /// Requests without a caller; nothing where the reader may not know.
    pub refused_today: Option<u64>,
    /// Where it was asked for.
    pub verified: Option<Verification>,
}

/// One entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditRow {
    pub sequence: i64,
    pub at: Moment,
    /// Absent where it concerns the whole workspace.
    pub tenant: Option<String>,
    pub action: String,
    pub outcome: AuditOutcome,
    /// Absent once it was erased.
    pub act: Option<Act>,
}

/// Who did what to what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Act {
    pub caller: String,
    pub principal: Option<String>,
    pub resource: String,
    /// Those that decided.
    pub policies: Vec<String>,
    /// By name, in the order of names.
    pub details: Vec<(String, String)>,
}

/// The newest entry, by its hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeadRow {
    pub sequence: i64,
    /// The first digits of the hash.
    pub short: String,
    pub hash: String,
}

/// What looking through the whole chain found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verification {
    /// Every entry is what it was, up to this one.
    Holds { entries: i64, head: Option<HeadRow> },
    /// It does not, or it could not be looked at.
    Failed { problem: Problem },
}

/// The Audit page: entries before a sequence, or the newest; `verify` looks through the whole chain too.
#[server(prefix = "/api/ui", endpoint = "audit")]
pub async fn audit(before: Option<i64>, verify: bool) -> Result<AuditPage, Problem> {
    crate::answers::audit(before, verify).await
}
