//! Overlays: what a person takes away from the live snapshot at once, without an apply, until it is taken back.
//! INVARIANT: an overlay only takes away; nothing that a snapshot denies is allowed by one.

use serde::{Deserialize, Serialize};

use crate::identity::ToolId;

/// What stands among the deciding policies of a tool in place of those that a block overrules; no operator's id starts so.
pub const BLOCKED: &str = "ambit/blocked";

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

/// A block as a reader of the list sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedBlock {
    pub tool: ToolId,
    /// Absent where the reader may not know.
    pub reason: Option<String>,
    pub until: Option<String>,
    pub at: String,
    /// `workspace` where the reader may not know.
    pub by: String,
    /// Its time has come: it takes nothing away any more, and stays in the list until somebody unblocks the tool.
    pub ended: bool,
    /// The live snapshot holds the tool; a block of one that it lacks waits for its return.
    pub in_snapshot: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(until: Option<&str>, now: &str, expected: bool) {
        let block = Block {
            tool: ToolId::new("crm", "find"),
            reason: "it answers too much".to_owned(),
            until: until.map(str::to_owned),
            at: "2026-11-30T09:00:00Z".to_owned(),
            by: "local:ann".to_owned(),
        };
        assert_eq!(block.holds(now), expected, "until {until:?} at {now}");
    }

    #[test]
    fn a_block_holds_until_its_time_and_not_at_it() {
        check(None, "9999-12-31T23:59:59Z", true);
        check(Some("2026-11-30T10:00:00Z"), "2026-11-30T09:59:59Z", true);
        check(Some("2026-11-30T10:00:00Z"), "2026-11-30T10:00:00Z", false);
        check(Some("2026-11-30T10:00:00Z"), "2027-01-01T00:00:00Z", false);
    }
}
