//! Why one tool is allowed or denied: each decision with its policies, and what would have to change for the opposite.
//! Everything here is for whoever has the data folder: it names policies and what they are about without cutting anything away.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::declaration::Action;
use crate::facts::Ceiling;
use crate::identity::{Principal, ProjectId, ToolId};
use crate::snapshot::SnapshotName;

/// An explanation, and the snapshot that it is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Why {
    pub snapshot: SnapshotName,
    #[serde(flatten)]
    pub explained: Explained,
}

/// What is decided about one action on one tool, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explained {
    pub principal: Principal,
    #[serde(rename = "for", skip_serializing_if = "Option::is_none", default)]
    pub acting_for: Option<Principal>,
    pub project: ProjectId,
    pub tool: ToolId,
    pub action: Action,
    /// Whoever is asked about may do it, and may act for the other.
    pub allow: bool,
    /// Where the tool may be called: a person has to confirm the call.
    pub needs_confirmation: bool,
    /// The tool as policies see it; absent: there is no such tool.
    pub seen: Option<SeenTool>,
    /// The project; absent: there is no such project.
    pub within: Option<SeenProject>,
    /// Whether the principal may act for the other; absent where it acts for nobody.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub acting: Option<Decided>,
    /// The principal, then the user that it acts for.
    pub sides: Vec<Side>,
    /// What would flip the answer. Of a denial: all of these together; of what is allowed: any one of these.
    pub changes: Vec<Change>,
    /// Every policy that is named above, by id.
    pub policies: BTreeMap<String, NamedPolicy>,
}

/// What policies see of a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenTool {
    /// `effect`, `risk`, `operation` and the others, as words.
    pub attributes: BTreeMap<String, String>,
    /// `Group billing`, `Catalog mail`, sorted.
    pub within: Vec<String>,
}

/// What a project does to a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenProject {
    /// It lists the tool's catalog.
    pub lists_catalog: bool,
    pub ceiling: Ceiling,
    /// The ceiling keeps the tool from being routed and invoked.
    pub ceiling_bars: bool,
}

/// One of those whose rights are asked about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Side {
    pub principal: Principal,
    /// A Tenant document declares it.
    pub declared: bool,
    /// What it holds, also by other roles, sorted.
    pub roles: Vec<Principal>,
    pub discover: Decided,
    pub route: Decided,
    pub invoke: Decided,
}

impl Side {
    /// What is decided about one action.
    pub fn decided(&self, action: Action) -> &Decided {
        match action {
            Action::Discover => &self.discover,
            Action::Route => &self.route,
            Action::Invoke => &self.invoke,
        }
    }
}

/// One decision.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decided {
    pub allow: bool,
    /// The permits that allowed; or the forbids that refused and the policies that failed; none where no permit applies.
    pub policies: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub errors: Vec<String>,
}

/// One thing that would have to be other than it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    pub kind: ChangeKind,
    /// One line, for people.
    pub says: String,
    /// The policies that it is about.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub policies: Vec<String>,
    /// Where a permit is missing: those that come nearest, the nearest first.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub nearest: Vec<NearPermit>,
}

/// What kind of change it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// Nothing would do it.
    Never,
    /// Declare what is not there.
    Declare,
    /// Permit acting for the other, or take that back.
    ActFor,
    /// List a catalog in the project.
    Catalog,
    /// Raise or lower the project's ceiling.
    Ceiling,
    /// Take back a forbid, or write one.
    Forbid,
    /// Mend a policy that fails.
    Mend,
    /// Write or widen a permit, or take permits back.
    Permit,
}

/// A permit that does not apply, and every part of it that does not fit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NearPermit {
    pub policy: String,
    pub but: Vec<String>,
}

/// A policy as the snapshot has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedPolicy {
    /// `permit` or `forbid`.
    pub effect: String,
    pub reason: Option<String>,
    /// Its Cedar text.
    pub cedar: String,
    /// Where it stood when the snapshot was compiled; absent for one that is built in, and where no place was kept.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub place: Option<PolicyPlace>,
}

/// Where a policy stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyPlace {
    /// Relative to the workspace's root, with `/`.
    pub file: String,
    /// 1-based.
    pub line: u32,
}
