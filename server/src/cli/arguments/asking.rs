//! Flags of the commands that ask what somebody may use: routes, lists, exports, decisions, plans and documents.

use std::path::PathBuf;

use ambit_model::declaration::Action;
use ambit_model::export::Target;
use ambit_model::route::ToolFormat;
use clap::{Args, Subcommand, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct AskedQuestion {
    pub(crate) question: String,
    #[command(flatten)]
    pub(crate) asker: WhoAsks,
    /// Most tools in the answer, 1 to 8.
    #[arg(long, short, default_value_t = ambit_model::route::MOST_TOOLS)]
    pub(crate) k: usize,
    /// Take the first of two near ties instead of offering both.
    #[arg(long)]
    pub(crate) strict: bool,
    /// Plan and rank by the local rules alone, also where the project has a language model for that.
    #[arg(long)]
    pub(crate) local: bool,
    /// Show every candidate with its signals.
    #[arg(long)]
    pub(crate) explain: bool,
    /// The form of the tools' definitions (in JSON).
    #[arg(long, value_name = "FORM")]
    pub(crate) tools_as: Option<ToolForm>,
}

/// Whom an answer is for.
#[derive(Debug, Args)]
pub(crate) struct WhoAsks {
    /// The principal, `tenant:user:name`, or `agent` or `role` in place of `user`.
    #[arg(long = "as", value_name = "PRINCIPAL", env = "AMBIT_AS")]
    pub(crate) principal: String,
    /// The user or role that it asks on behalf of; a policy has to permit `act_for`.
    #[arg(long = "for", value_name = "PRINCIPAL", env = "AMBIT_FOR")]
    pub(crate) acting_for: Option<String>,
    /// The project, `tenant/project`, or `project` in the principal's own tenant [default: the only one that can be meant].
    #[arg(long, env = "AMBIT_PROJECT")]
    pub(crate) project: Option<String>,
}

/// Whose form of a tool is wanted.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum ToolForm {
    #[default]
    Mcp,
    Openai,
    Anthropic,
}

impl From<ToolForm> for ToolFormat {
    fn from(form: ToolForm) -> Self {
        match form {
            ToolForm::Mcp => Self::Mcp,
            ToolForm::Openai => Self::Openai,
            ToolForm::Anthropic => Self::Anthropic,
        }
    }
}

/// Whose shape of tools an export has.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ExportTarget {
    /// OpenAI, chat completions.
    Openai,
    /// OpenAI, responses.
    OpenaiResponses,
    Anthropic,
    /// MCP, `tools/list`.
    Mcp,
}

impl From<ExportTarget> for Target {
    fn from(named: ExportTarget) -> Self {
        match named {
            ExportTarget::Openai => Self::OpenAiChat,
            ExportTarget::OpenaiResponses => Self::OpenAiResponses,
            ExportTarget::Anthropic => Self::Anthropic,
            ExportTarget::Mcp => Self::Mcp,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct WhyArguments {
    /// The tool, `catalog/tool`.
    pub(crate) tool: String,
    #[command(flatten)]
    pub(crate) asker: WhoAsks,
    /// What it would do with the tool.
    #[arg(long, default_value = "invoke", value_name = "ACTION")]
    pub(crate) action: ToolAction,
}

/// What one may do with a tool.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ToolAction {
    Discover,
    Route,
    Invoke,
}

impl From<ToolAction> for Action {
    fn from(action: ToolAction) -> Self {
        match action {
            ToolAction::Discover => Self::Discover,
            ToolAction::Route => Self::Route,
            ToolAction::Invoke => Self::Invoke,
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum PlanCommand {
    /// Check a plan against what a principal may do; every violation at once.
    Validate {
        /// The plan as JSON; `-` reads it from standard input.
        file: PathBuf,
        #[command(flatten)]
        asker: WhoAsks,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum KnowledgeCommand {
    /// Search a project's documents, as its tool `knowledge.search` does.
    Search {
        question: String,
        #[command(flatten)]
        asker: WhoAsks,
        /// Most passages in the answer, 1 to 20 [default: 5].
        #[arg(long)]
        limit: Option<usize>,
    },
}
