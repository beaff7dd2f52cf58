//! A Snapshot: everything compiled, frozen; and the record kept beside it.
//! INVARIANT: a snapshot never changes; what varies by time or person is in the record, in neither digest.

use serde::{Deserialize, Serialize};

use crate::card::ToolCard;
use crate::declaration::{Catalog, Group, Policy, Project, Settings, Tenant, TwinGroup, VersionFamily, Vocabulary};
use crate::digest::Digest;
use crate::intake::IntakeReport;
use crate::knowledge::KnowledgeDocument;
use crate::policies::PolicyReport;

/// The shape of parts in the store; raised when a stored part would be read differently.
pub const FORMAT: u32 = 1;
/// The scorer's version; raised when the same parts would route differently.
pub const SCORER: u32 = 1;

/// Everything compiled. Lists are sorted by id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    pub format: u32,
    pub scorer: u32,
    pub settings: Settings,
    /// The Cedar schema the policies were checked against.
    pub schema: String,
    pub policies: Vec<Policy>,
    pub tenants: Vec<Tenant>,
    pub projects: Vec<Project>,
    pub catalogs: Vec<Catalog>,
    pub groups: Vec<Group>,
    pub twins: Vec<TwinGroup>,
    pub families: Vec<VersionFamily>,
    pub vocabularies: Vec<Vocabulary>,
    pub tools: Vec<ToolCard>,
    /// By project and path.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub knowledge: Vec<KnowledgeDocument>,
}

impl Snapshot {
    /// A snapshot of this format with nothing in it.
    pub fn empty(settings: Settings, schema: impl Into<String>) -> Self {
        Self {
            format: FORMAT,
            scorer: SCORER,
            settings,
            schema: schema.into(),
            policies: Vec::new(),
            tenants: Vec::new(),
            projects: Vec::new(),
            catalogs: Vec::new(),
            groups: Vec::new(),
            twins: Vec::new(),
            families: Vec::new(),
            vocabularies: Vec::new(),
            tools: Vec::new(),
            knowledge: Vec::new(),
        }
    }
}

/// A snapshot's name in answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SnapshotName {
    pub number: i64,
    pub digest: Digest,
}

/// What is known of a stored snapshot beside its parts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SnapshotRecord {
    pub number: i64,
    pub digest: Digest,
    pub source_digest: Digest,
    /// The snapshot that was live when this one was published.
    pub parent: Option<i64>,
    /// RFC 3339, UTC.
    pub created_at: String,
    pub author: String,
    pub message: Option<String>,
    pub git_commit: Option<String>,
    pub tools: i64,
    pub report: IntakeReport,
    /// Empty where it was published before there was one.
    #[serde(default)]
    pub policies: PolicyReport,
    /// The hash of the audit's entry that says it was published; absent where it was published before there was an audit.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub audit_head: Option<Digest>,
}

/// Why a snapshot became live.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ActivationKind {
    Apply,
    Rollback,
}

/// One line of the append-only list of what was live when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Activation {
    pub sequence: i64,
    pub snapshot: i64,
    pub kind: ActivationKind,
    /// RFC 3339, UTC.
    pub at: String,
    pub by: String,
    pub reason: Option<String>,
}
