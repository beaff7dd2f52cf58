//! The audit: who administered what, each entry chained to the one before it by its hash.
//! INVARIANT: an entry is never changed but in one way: its payload and salt can be erased, and the chain still holds.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::digest::Digest;

/// How a record names the whole workspace, and who acted to whoever may not know.
pub const WORKSPACE: &str = "workspace";

/// How an act ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AuditOutcome {
    /// It was done, in the same transaction as the entry.
    Done,
    /// The caller may not; nothing was done.
    Denied,
}

impl AuditOutcome {
    /// As it is written.
    pub fn word(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Denied => "denied",
        }
    }
}

/// Who did what to what; the part of an entry that can be erased.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuditPayload {
    /// `local:<os user>`, `key:<id>`, or the principal that an identity provider vouched for.
    pub caller: String,
    /// The principal behind a key or a token.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub principal: Option<String>,
    /// `workspace`, `tenant:acme`, `key:0a…`, `snapshot:4`, `tool:crm/find`.
    pub resource: String,
    /// The policies that decided; none for the local command line.
    pub policies: Vec<String>,
    /// What else belongs to the act, by name: `reason`, `from`, `to`, `digest`.
    pub details: BTreeMap<String, String>,
}

/// One line of the audit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditEntry {
    /// From 1, without gaps.
    pub sequence: i64,
    /// RFC 3339, UTC.
    pub at: String,
    /// Whose it is; absent where it concerns the whole workspace.
    pub tenant: Option<String>,
    /// `apply`, `rollback`, `create_key`, `revoke_key`, `block`, `unblock`, `erase`, or the admin action that was denied.
    pub action: String,
    pub outcome: AuditOutcome,
    /// Absent once it was erased.
    pub payload: Option<AuditPayload>,
    /// SHA-256 over the salt and the payload as canonical JSON.
    pub payload_digest: Digest,
    /// The hash of the entry before; of nothing (64 zeros) for the first.
    pub former: Digest,
    /// SHA-256 over all of the above but the payload itself.
    pub hash: Digest,
}

/// The newest entry: whoever keeps it can tell later that nothing before it was changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditHead {
    pub sequence: i64,
    pub hash: Digest,
}
