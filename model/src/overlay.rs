//! Overlays: what a person takes away from the live snapshot at once, without an apply, until it is taken back.
//! INVARIANT: an overlay only takes away; nothing that a snapshot denies is allowed by one.

use serde::{Deserialize, Serialize};

use crate::identity::ToolId;

/// A tool that nobody may be offered or call for now. It may still be named.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Block {
    pub tool: ToolId,
    /// One line.
    pub reason: String,
    /// RFC 3339, UTC, to the second, as all times here; absent: until it is lifted.
    pub until: Option<String>,
    pub at: String,
    /// Who blocked it: `local:ann`, `acme:user:ada`.
    pub by: String,
}

impl Block {
    /// It is in force at this time.
    pub fn holds(&self, now: &str) -> bool {
        self.until.as_deref().is_none_or(|end| now < end)
    }
}
