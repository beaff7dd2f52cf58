//! What became of a route, as whoever asked for it says.

use serde::{Deserialize, Serialize};

/// How an answer to a question served.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FeedbackOutcome {
    /// The tool served.
    Used,
    /// The tool was offered and did not fit.
    Wrong,
    /// Nothing that was offered fits.
    Missing,
}

impl FeedbackOutcome {
    /// The written word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Used => "used",
            Self::Wrong => "wrong",
            Self::Missing => "missing",
        }
    }
}
