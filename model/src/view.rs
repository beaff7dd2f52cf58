//! What one caller may do with one tool, and which policies made each decision.

use serde::{Deserialize, Serialize};

/// What the caller may do with one tool of `discover`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capability {
    pub route: bool,
    pub invoke: bool,
    /// A call needs a confirmation given by a person.
    pub needs_confirmation: bool,
    /// Policies that allowed or, for a set the tool is not in, forbade; `[]` where no permit applies.
    pub discover_by: Vec<String>,
    pub route_by: Vec<String>,
    pub invoke_by: Vec<String>,
}
