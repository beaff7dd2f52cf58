//! What a caller may name: the `discover` set of its view, with what it may do with each tool.

use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::facts::{Effect, Operation, Risk};
use crate::identity::ToolId;
use crate::snapshot::SnapshotName;

/// The tools of a view, sorted by id. `D` is the form of their definitions.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ToolList<D> {
    pub snapshot: SnapshotName,
    pub view: Digest,
    /// Nothing was left off.
    pub complete: bool,
    pub tools: Vec<ListedTool<D>>,
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
    /// Only where a format was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub definition: Option<D>,
}
