//! A View: the capabilities of one caller in one snapshot, three nested sets, and which policies made each decision.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::identity::{Principal, ProjectId, ToolId};

/// INVARIANT: `invoke` is within `route`, and `route` within `discover`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    pub principal: Principal,
    /// The user or role that the principal acts for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub acting_for: Option<Principal>,
    /// The policies that let it act so.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub acting_by: Vec<String>,
    pub project: ProjectId,
    /// Over the identity, the sets and the card digests; never over the snapshot's digest.
    pub digest: Digest,
    /// Every tool in `discover`, by canonical id.
    pub tools: BTreeMap<ToolId, Capability>,
}

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

impl View {
    /// The tool may be offered and ranked.
    pub fn routes(&self, tool: &ToolId) -> bool {
        self.tools.get(tool).is_some_and(|c| c.route)
    }

    /// The tool may be named.
    pub fn discovers(&self, tool: &ToolId) -> bool {
        self.tools.contains_key(tool)
    }
}
