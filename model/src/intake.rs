//! The intake report: what every offered tool met at the gate, and which tools answer to the same questions.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::diagnostic::{Place, Severity};

/// One broken rule of one tool.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Finding {
    /// Canonical id, or `catalog/#3` for the third tool of a catalog that gives no usable name.
    pub tool: String,
    pub severity: Severity,
    pub code: Cow<'static, str>,
    /// RFC 6901 pointer into the tool's definition; empty for the whole tool.
    pub pointer: String,
    pub message: String,
    pub remedy: String,
    /// The Catalog acknowledges this rejection: it is no finding for exit codes.
    pub acknowledged: bool,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub place: Option<Place>,
    /// The other tool that message and remedy speak of, where they speak of one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub other: Option<String>,
}

/// Two tools that answer to the same questions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Clash {
    /// The tool whose example questions were asked.
    pub tool: String,
    /// The tool that came first instead.
    pub rival: String,
    pub questions: Vec<ClashQuestion>,
}

/// One example question that went to the wrong tool.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ClashQuestion {
    pub question: String,
    /// In 1/10000.
    pub own_score: i32,
    pub rival_score: i32,
}

/// Everything intake found, in order of tool, code and pointer, whatever the order of the files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IntakeReport {
    /// Tools offered by all catalogs.
    pub offered: usize,
    /// Canonical ids that entered, sorted.
    pub accepted: Vec<String>,
    pub findings: Vec<Finding>,
    pub clashes: Vec<Clash>,
}

impl IntakeReport {
    /// Tools that were left out.
    pub fn rejected(&self) -> usize {
        self.offered - self.accepted.len().min(self.offered)
    }
}
