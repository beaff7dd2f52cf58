//! The route request and answer in the shape of DESIGN 7.
//! INVARIANT: every tool, group, count and score in an answer comes from the caller's view.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::digest::Digest;
use crate::identity::ToolId;
use crate::ratio::Score;
use crate::snapshot::SnapshotName;

/// Whether near ties ship both tools or the better one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ambiguity {
    #[default]
    Advisory,
    Strict,
}

/// What is asked, without who asks: the door makes the Caller.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RouteRequest {
    pub question: String,
    #[serde(default)]
    pub context: Context,
    #[serde(default)]
    pub ambiguity: Ambiguity,
    /// Most tools in the answer, 1 to 8.
    #[serde(default = "most_tools")]
    pub k: usize,
}

/// What was said before the question.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Context {
    /// The oldest first.
    #[serde(default)]
    pub turns: Vec<Turn>,
}

/// One turn of a conversation. It is no part of the question: what it names counts as known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    pub role: Role,
    pub text: String,
}

/// Who took a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    User,
    Assistant,
}

/// Most turns that are taken with a question.
pub const MOST_TURNS: usize = 32;

/// The upper limit of tools in an answer.
pub const MOST_TOOLS: usize = 8;

fn most_tools() -> usize {
    MOST_TOOLS
}

/// Who cut a question into steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Planner {
    /// The rules of Ambit itself.
    #[default]
    Local,
    /// The project's language model.
    Llm,
}

/// The answer to a question. Same snapshot, caller, question: same bytes, with the local planner. `D` is the form of the tools' definitions.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RouteAnswer<D = Definition> {
    pub snapshot: SnapshotName,
    pub view: Digest,
    pub mode: String,
    /// Left out where it is the local one.
    #[serde(default, skip_serializing_if = "is_local")]
    pub planner: Planner,
    /// Why the answer is weaker than it could be: `words_only`, `language`, and `planner` or `router` where a language model that
    /// the project names did not help.
    pub degraded: Vec<String>,
    /// False where a limit cut something off; the gaps say what.
    pub complete: bool,
    pub steps: Vec<Step>,
    pub tools: Vec<HandedTool<D>>,
    pub plan_hint: String,
    pub gaps: Vec<Gap>,
    /// A question back to the person, where nothing fits.
    pub question: Option<String>,
    pub tokens: Tokens,
    /// Of the blocks in force of tools that the caller may name.
    pub overlay: Option<Digest>,
}

fn is_local(planner: &Planner) -> bool {
    *planner == Planner::Local
}

/// How a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepStatus {
    Bound,
    AgentNative,
    Unresolved,
}

/// One thing to do, in order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// From 1.
    pub index: usize,
    /// The words of the question, or what an implicit step is for.
    pub text: String,
    /// Found by backward chaining over schemas, not said in the question.
    pub implicit: bool,
    pub verb: Option<String>,
    pub what: String,
    pub needs: Vec<String>,
    pub produces: Vec<String>,
    /// How often the call is to be made.
    pub repeat: usize,
    pub status: StepStatus,
    pub tool: Option<ToolId>,
    /// Near ties shipped beside `tool` (advisory).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<ToolId>,
    pub reserve: Vec<ToolId>,
    /// The groups that were searched, best first.
    pub groups: Vec<String>,
    /// One sentence on why this tool, or why none.
    pub because: String,
    pub candidates: Vec<Candidate>,
}

/// The four signals, each from 0 to 1.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Signals {
    pub semantic: Score,
    pub bm25: Score,
    pub param_fit: Score,
    pub output_fit: Score,
}

/// What became of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Picked,
    TwinReserve,
    VersionReserve,
    BelowFloor,
    BelowGate,
    GroupDropped,
    Cut,
}

/// A tool that was considered for a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    pub tool: ToolId,
    pub score: Score,
    /// How near it comes to what is asked for at all: what the floor is held against.
    #[serde(default)]
    pub evidence: Score,
    pub signals: Signals,
    pub outcome: Outcome,
    /// What else moved it: `named in the question`, `pinned by "legacy"`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A tool as the agent receives it, with its whole schemas.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct HandedTool<D = Definition> {
    pub id: ToolId,
    pub definition: D,
}

/// The MCP shape of a tool; schemas are the text of their file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Definition {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    pub description: String,
    #[serde(rename = "inputSchema")]
    pub input_schema: Box<RawValue>,
    #[serde(rename = "outputSchema", default, skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Box<RawValue>>,
}

/// Whose form of a tool an answer is wanted in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolFormat {
    /// As [`Definition`].
    #[default]
    Mcp,
    /// A function of the chat completions API: `{"type": "function", "function": {name, description, parameters}}`.
    Openai,
    /// A tool of the messages API: `{name, description, input_schema}`.
    Anthropic,
}

/// A tool in one of the forms of [`ToolFormat`].
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum FormattedDefinition {
    Mcp(Definition),
    Openai {
        #[serde(rename = "type")]
        kind: &'static str,
        function: OpenaiFunction,
    },
    Anthropic {
        name: String,
        description: String,
        input_schema: Box<RawValue>,
    },
}

/// The inner part of an OpenAI tool.
#[derive(Clone, Debug, Serialize)]
pub struct OpenaiFunction {
    pub name: String,
    pub description: String,
    pub parameters: Box<RawValue>,
}

/// Why a need could not be met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GapCause {
    Absent,
    BelowFloor,
    Ambiguous,
    Limit,
    TwinReserved,
    NoOutputPath,
    UpstreamDown,
}

impl GapCause {
    /// The written word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Absent => "absent",
            Self::BelowFloor => "below_floor",
            Self::Ambiguous => "ambiguous",
            Self::Limit => "limit",
            Self::TwinReserved => "twin_reserved",
            Self::NoOutputPath => "no_output_path",
            Self::UpstreamDown => "upstream_down",
        }
    }
}

/// A need that nothing this caller may use can meet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gap {
    /// The step's index.
    pub step: usize,
    pub text: String,
    pub cause: GapCause,
    /// The nearest tools of the view, best first, at most three.
    pub nearest: Vec<Nearest>,
}

/// A tool that came near, and its score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Nearest {
    pub tool: ToolId,
    pub score: Score,
}

/// An estimate of prompt size: characters of the definitions divided by four, rounded up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tokens {
    /// All tools of the `route` set.
    pub view: usize,
    /// The tools handed over.
    pub handed: usize,
}
