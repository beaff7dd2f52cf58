//! Tools handed out as whole definitions for another stack: in whose shape, under which names, and what that shape could not say.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::digest::Digest;
use crate::identity::ToolId;
use crate::listed::ListedFor;
use crate::snapshot::SnapshotName;

/// Whose shape of tools is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// `tools` of OpenAI's chat completions API: `{"type": "function", "function": {…}}`.
    #[serde(rename = "openai")]
    OpenAiChat,
    /// `tools` of OpenAI's responses API: the same members, flat.
    #[serde(rename = "openai-responses")]
    OpenAiResponses,
    /// `tools` of Anthropic's messages API.
    Anthropic,
    /// The result of MCP's `tools/list`, 2025-11-25.
    Mcp,
}

/// A member of a tool's definition that the target cannot say.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Dropped {
    pub tool: ToolId,
    /// As MCP spells it, or as the tool's source does: `outputSchema`, `strict`.
    pub member: String,
    pub why: String,
}

/// The tools that one caller may be offered, in the shape of a target.
#[derive(Debug, Serialize)]
pub struct ToolExport {
    pub snapshot: SnapshotName,
    pub view: Digest,
    /// Of the blocks in force of tools that the caller may name; absent where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overlay: Option<Digest>,
    pub asked_by: ListedFor,
    pub target: Target,
    /// What the target takes, by canonical id: a list, of MCP an object with it.
    pub definitions: Box<RawValue>,
    /// The tool behind each name of the definitions.
    pub names: BTreeMap<String, ToolId>,
    /// By tool.
    pub dropped: Vec<Dropped>,
}
