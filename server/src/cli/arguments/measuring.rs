//! Flags of `ambit eval`.

use std::path::PathBuf;

use ambit_model::route::Planner;
use ambit_service::evaluate::Change;
use ambit_service::evaluate::EvalRequest;
use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct EvalArguments {
    /// A folder with `catalog.json` and `queries.jsonl`, or a workspace with GoldenRoutes [default: the folder of `--workspace`].
    #[arg(value_name = "SET")]
    set: Option<PathBuf>,
    /// Ask only so many questions, the same ones everywhere.
    #[arg(long, value_name = "N")]
    questions: Option<usize>,
    /// Who cuts the questions into steps: the local rules, or a project's language model, which is then sent every question.
    #[arg(long, value_name = "PLANNER", default_value = "local")]
    planner: NamedPlanner,
    /// Whose language model plans for a set, `tenant/project` or `project` [default: the only one of the workspace that has one
    /// for planning].
    #[arg(long)]
    project: Option<String>,
    /// Also measure plain rankings: top-5 similarity, BM25, their fusion, and the whole catalog in the prompt.
    #[arg(long)]
    baselines: bool,
    /// Also measure the router without each of its signals.
    #[arg(long)]
    ablate: bool,
    /// Also search weights and thresholds by cross-validation, and print them as YAML.
    #[arg(long)]
    tune: bool,
    /// Put the tools in another order, which must change nothing.
    #[arg(long, value_name = "SEED")]
    shuffle: Option<u64>,
    /// Add so many tools that no question wants.
    #[arg(long, value_name = "N")]
    add_distractors: Option<usize>,
    /// Take a tool away: questions that want it should be answered with a gap. Can be repeated, like the next two.
    #[arg(long, value_name = "TOOL")]
    drop_tool: Vec<String>,
    /// Put another provider's tool in its place: the same definition, under another name.
    #[arg(long, value_name = "TOOL")]
    swap_tool: Vec<String>,
    /// Put a second, current version beside a tool.
    #[arg(long, value_name = "TOOL")]
    version_bump: Vec<String>,
    /// Give every tool a name that says nothing.
    #[arg(long)]
    opaque_names: bool,
}

/// A planner by its word.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum NamedPlanner {
    Local,
    Llm,
}

impl EvalArguments {
    /// What is to be measured; names change last, so that the other flags take those of the file.
    pub(crate) fn request(self, workspace: PathBuf) -> EvalRequest {
        let mut changes: Vec<Change> = self.drop_tool.into_iter().map(Change::DropTool).collect();
        changes.extend(self.version_bump.into_iter().map(Change::VersionBump));
        changes.extend(self.swap_tool.into_iter().map(Change::SwapTool));
        changes.extend(self.add_distractors.map(Change::AddDistractors));
        changes.extend(self.opaque_names.then_some(Change::OpaqueNames));
        changes.extend(self.shuffle.map(Change::Shuffle));
        let planner = match self.planner {
            NamedPlanner::Local => Planner::Local,
            NamedPlanner::Llm => Planner::Llm,
        };
        EvalRequest {
            folder: self.set.unwrap_or_else(|| workspace.clone()),
            workspace,
            planner,
            project: self.project,
            changes,
            most: self.questions,
            baselines: self.baselines,
            ablate: self.ablate,
            tune: self.tune,
        }
    }
}
