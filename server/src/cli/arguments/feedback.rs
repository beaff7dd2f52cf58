//! Flags of what became of routes.

use ambit_model::feedback::FeedbackOutcome;
use clap::{Args, Subcommand, ValueEnum};

use super::WhoAsks;

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct FeedbackArguments {
    #[command(subcommand)]
    pub(crate) command: Option<FeedbackCommand>,
    /// Only of this project, `tenant/project`.
    #[arg(long)]
    pub(crate) project: Option<String>,
    /// Only of this tool, `catalog/tool`, whether it served or not.
    #[arg(long)]
    pub(crate) tool: Option<String>,
    /// Which page of fifty [default: 1].
    #[arg(long)]
    pub(crate) page: Option<usize>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum FeedbackCommand {
    /// Report what became of a route, as an application does.
    Report(FeedbackReport),
    /// Suggest example questions for tools that served them at least twice, as lines of YAML marked `# proposed`, and evaluate the
    /// workspace without them and with them; what is live does not change.
    Suggest {
        /// Only what was reported in this project, `tenant/project`.
        #[arg(long)]
        project: Option<String>,
        /// Only this tool, `catalog/tool`, or those that a glob holds.
        #[arg(long, value_name = "GLOB")]
        tool: Option<String>,
        /// Write the lines into the workspace, where nothing gets worse by them; else they are only shown.
        #[arg(long)]
        write: bool,
    },
}

#[derive(Debug, Args)]
pub(crate) struct FeedbackReport {
    #[command(flatten)]
    pub(crate) asker: WhoAsks,
    /// The question that was routed.
    #[arg(long)]
    pub(crate) question: String,
    /// How the answer served.
    #[arg(long)]
    pub(crate) outcome: OutcomeWord,
    /// The tool that served, or that did not fit.
    #[arg(long, value_name = "TOOL")]
    pub(crate) tool: Option<String>,
    /// The tool that served in its place.
    #[arg(long, value_name = "TOOL")]
    pub(crate) instead: Option<String>,
    /// The words of the step that it is about.
    #[arg(long)]
    pub(crate) step: Option<String>,
    /// The number of the snapshot that answered [default: the live one].
    #[arg(long, value_name = "NUMBER")]
    pub(crate) snapshot: Option<i64>,
}

/// How an answer served.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum OutcomeWord {
    /// The tool served.
    Used,
    /// The tool was offered and did not fit.
    Wrong,
    /// Nothing that was offered fits.
    Missing,
}

impl From<OutcomeWord> for FeedbackOutcome {
    fn from(word: OutcomeWord) -> Self {
        match word {
            OutcomeWord::Used => Self::Used,
            OutcomeWord::Wrong => Self::Wrong,
            OutcomeWord::Missing => Self::Missing,
        }
    }
}
