//! What a caller may name: the `discover` set of its view, with what it may do with each tool.

use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::facts::{Effect, Operation, Risk};
use crate::identity::{Principal, ProjectId, ToolId};
use crate::snapshot::SnapshotName;

/// The tools of a view, sorted by id. `D` is the form of their definitions.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ToolList<D> {
    pub snapshot: SnapshotName,
    pub view: Digest,
    /// Of the blocks in force of tools in the list; absent where there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overlay: Option<Digest>,
    pub asked_by: ListedFor,
    /// Nothing was left off.
    pub complete: bool,
    pub tools: Vec<ListedTool<D>>,
}

/// For whom the list was made, and by which policies one acts for the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedFor {
    pub principal: Principal,
    #[serde(rename = "for", skip_serializing_if = "Option::is_none", default)]
    pub acting_for: Option<Principal>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub acting_by: Vec<String>,
    pub project: ProjectId,
}

/// The policies that decided each of the three actions: that allowed it, or forbade it; none where no permit applies.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedPolicies {
    pub discover: Vec<String>,
    pub route: Vec<String>,
    pub invoke: Vec<String>,
}

/// Everybody whom Tenant documents declare, and the projects in which they can be asked about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrincipalList {
    pub snapshot: SnapshotName,
    /// Nothing was left off that the reader may see.
    pub complete: bool,
    /// By tenant; in it users, agents, then roles, each sorted.
    pub principals: Vec<DeclaredPrincipal>,
    /// Sorted.
    pub projects: Vec<ProjectId>,
}

/// A declared user, agent or role.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeclaredPrincipal {
    pub principal: Principal,
    /// What its document gives it; not what those roles include.
    pub roles: Vec<Principal>,
}

/// One tool of `discover`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ListedTool<D> {
    pub id: ToolId,
    pub title: Option<String>,
    pub description: String,
    pub operation: Operation,
    pub effect: Effect,
    pub risk: Risk,
    /// It may be offered and ranked.
    pub route: bool,
    /// It may be called.
    pub invoke: bool,
    /// A call needs a confirmation given by a person.
    pub needs_confirmation: bool,
    pub policies: ListedPolicies,
    /// Only where a format was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub definition: Option<D>,
}
