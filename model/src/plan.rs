//! Plans that agents propose, and the verdict on them, in the shape of DESIGN 8.

use serde::{Deserialize, Serialize};

use crate::digest::Digest;

/// Most actions in a plan.
pub const MOST_ACTIONS: usize = 8;
/// Most items of a literal `for_each` list.
pub const MOST_ITEMS: usize = 20;
/// Most violations a verdict lists; where more were found, the first one says how many.
pub const MOST_VIOLATIONS: usize = 256;

/// Every rule a plan can break.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ViolationCode {
    /// The document is not a plan at all: a wrong type, an unknown or a missing member.
    PlanShape,
    /// The caller cannot name such a tool; whether it exists is not said.
    UnknownTool,
    /// The tool is in `discover`, but the ceiling keeps it out of `route`.
    NotReadOnly,
    /// The tool is in `discover`, but policies keep it out of `route`, or out of `invoke` without a confirmation; or it is blocked.
    NotPermitted,
    ArgumentsInvalid,
    DependencyUnknown,
    DependencyMissing,
    DependencyCycle,
    ReferenceGrammar,
    ReferenceSource,
    ReferenceUndeclaredPath,
    TooManyActions,
    DuplicateAction,
}

/// One broken rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Violation {
    /// RFC 6901 pointer into the plan.
    pub at: String,
    pub code: ViolationCode,
    /// The rule, as one sentence.
    pub rule: String,
    /// What a person or a model can do about it.
    pub help: String,
}

/// Accepted or refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VerdictWord {
    Accepted,
    Refused,
}

/// How well a reference's path is shown by its source's output schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// Required at each step of the path.
    Proved,
    /// Declared, but a result may lack it.
    Declared,
}

/// A reference of an accepted or refused plan and how its path stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ReferenceStanding {
    /// RFC 6901 pointer to the reference.
    pub at: String,
    pub standing: Standing,
}

/// The answer to a proposed plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    pub verdict: VerdictWord,
    pub snapshot: i64,
    pub view: Digest,
    /// Of the blocks in force of tools that the caller may name; absent where there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overlay: Option<Digest>,
    /// Ids of the longest prefix of actions that is sound by itself.
    pub sound_prefix: Vec<String>,
    /// Ids of actions that a person has to confirm before they are called.
    pub needs_confirmation: Vec<String>,
    pub references: Vec<ReferenceStanding>,
    /// RFC 6901 pointers to arguments that could not be judged before references have values, or whose schema cannot be checked.
    #[serde(default)]
    pub unproved: Vec<String>,
    /// Sorted by place and code.
    pub violations: Vec<Violation>,
}
