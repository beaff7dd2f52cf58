//! What a solver says of policies: not about who is declared now, but about whatever may ever be declared.

use serde::{Deserialize, Serialize};

/// What was proved about a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof {
    /// The solver and its version: `cvc5 1.0.3`; absent: there is none here, and nothing was proved.
    pub solver: Option<String>,
    /// What no policy of an operator can lift, shown of the policies after the change.
    pub core: Vec<Claim>,
    /// The policies after the change, held against those before, about the use of tools.
    pub policies: Verdict,
}

/// One thing that holds, or does not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// `nothing destructive under confirm_writes`.
    pub says: String,
    pub outcome: Outcome,
}

/// How a question to the solver ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Proved,
    /// It does not hold: a request and entities that show it.
    Refuted {
        counterexample: String,
    },
    /// The solver did not find out, and why.
    Unknown {
        why: String,
    },
}

/// What became of what policies allow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The same requests, whatever is declared.
    Equivalent,
    /// Nothing more, and something less.
    Narrows,
    /// Something more: a request and entities that show it.
    Widens { counterexample: String },
    /// Nobody found out: ask a person.
    Unknown { why: String },
}

impl Verdict {
    /// The word that people read.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Equivalent => "equivalent",
            Self::Narrows => "narrows",
            Self::Widens { .. } => "widens",
            Self::Unknown { .. } => "unknown",
        }
    }
}
