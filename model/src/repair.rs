//! What would end a clash of two tools, and how the same questions end with it.

use serde::{Deserialize, Serialize};

/// What kind of repair it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RepairKind {
    Family,
    Twins,
    Description,
}

impl RepairKind {
    /// For people.
    pub fn word(self) -> &'static str {
        match self {
            Self::Family => "version family",
            Self::Twins => "twins",
            Self::Description => "description",
        }
    }
}

/// For how many of its example questions a tool comes first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// Canonical id.
    pub tool: String,
    pub first: usize,
    /// Questions that were asked.
    pub of: usize,
}

impl Standing {
    /// Questions that another tool takes.
    pub fn lost(&self) -> usize {
        self.of.saturating_sub(self.first)
    }
}

/// What a reader of a clash is told of repairs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepairAdvice {
    /// The repair that helps most; where nothing could be measured, the first that fits the two tools.
    pub proposed: Option<ProposedRepair>,
    /// Repairs that were measured.
    pub tried: usize,
    /// One sentence: why nothing is proposed, or why something was not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// One repair, as a person would write it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProposedRepair {
    pub kind: RepairKind,
    /// A document of its own, or keys of Catalogs with what belongs above them.
    pub yaml: String,
    /// Where it goes, as far as that is known: beside the Catalog, or to the tool in it.
    pub places: Vec<WrittenAt>,
    /// Absent where the questions were not asked again.
    pub rerun: Option<Rerun>,
}

/// A place in a declaration.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct WrittenAt {
    /// Relative to the workspace folder.
    pub file: String,
    /// From 1.
    pub line: u32,
}

/// How the questions of both tools end without the repair and with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rerun {
    /// Questions of both that another tool takes.
    pub lost_before: usize,
    pub lost_after: usize,
    /// In the order of the clash.
    pub before: [Standing; 2],
    pub after: [Standing; 2],
}

impl Rerun {
    /// From how both stand.
    pub fn new(before: [Standing; 2], after: [Standing; 2]) -> Self {
        let lost = |standings: &[Standing; 2]| standings.iter().map(Standing::lost).sum();
        Self { lost_before: lost(&before), lost_after: lost(&after), before, after }
    }

    /// One of the two comes first more often, and none less often.
    pub fn helps(&self) -> bool {
        let worse = self.before.iter().zip(&self.after).any(|(before, after)| after.first < before.first);
        !worse && self.lost_after < self.lost_before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_costs_one_of_the_two_a_question_is_no_help() {
        let standings = |first: usize, second: usize| {
            [(first, "a/x"), (second, "a/y")].map(|(first, tool)| Standing { tool: tool.to_owned(), first, of: 4 })
        };
        let helps = |after| Rerun::new(standings(1, 3), after).helps();
        assert!(helps(standings(2, 3)) && helps(standings(1, 4)));
        assert!(!helps(standings(1, 3)) && !helps(standings(4, 2)));
        let rerun = Rerun::new(standings(1, 3), standings(4, 4));
        assert_eq!((rerun.lost_before, rerun.lost_after), (4, 0));
    }
}
