//! The commands and flags of `ambit`, documented where they are defined.

mod asking;
mod catalogs;
mod feedback;
mod measuring;

use std::net::SocketAddr;
use std::path::PathBuf;

use ambit_model::diff::Alarm;
use clap::{Args, Parser, Subcommand, ValueEnum};

pub(crate) use asking::{AskedQuestion, ExportTarget, KnowledgeCommand, PlanCommand, ToolForm, WhoAsks, WhyArguments};
pub(crate) use catalogs::{
    EnrichArguments, ImportArguments, IntakeArguments, IntakeCommand, OAuthArguments, RepairWord, VectorsCommand,
};
pub(crate) use feedback::{FeedbackArguments, FeedbackCommand, FeedbackReport};
pub(crate) use measuring::EvalArguments;

/// A compiler for the authority of LLM agents.
///
/// Declarations and Cedar policies in a folder become a numbered, hashed, immutable snapshot; questions are routed to the few
/// tools a principal may use, and proposed plans are checked against them.
#[derive(Debug, Parser)]
#[command(name = "ambit", version, max_term_width = 100)]
pub(crate) struct Arguments {
    /// The folder of declarations.
    #[arg(long, global = true, env = "AMBIT_WORKSPACE", default_value = "policies", value_name = "DIR")]
    pub(crate) workspace: PathBuf,
    /// The folder of the database, the first key and secrets.
    #[arg(long, global = true, env = "AMBIT_DATA", default_value = ".ambit", value_name = "DIR")]
    pub(crate) data: PathBuf,
    /// A Postgres database in place of the one in the data folder, `postgres://USER@HOST/NAME`; in the variable, and not as a flag,
    /// it may hold a password.
    #[arg(long, global = true, env = "AMBIT_DATABASE", hide_env_values = true, value_name = "URL")]
    pub(crate) database: Option<String>,
    /// The folder of embedding models [default: ambit/models in the user's cache folder].
    #[arg(long, global = true, env = "AMBIT_MODELS", value_name = "DIR")]
    pub(crate) models: Option<PathBuf>,
    /// The ONNX Runtime library [default: the one that `make setup` put beside the models].
    #[arg(long, global = true, env = "AMBIT_RUNTIME", value_name = "FILE")]
    pub(crate) runtime: Option<PathBuf>,
    /// How the log is written [default: text to a terminal, else JSON].
    #[arg(long, global = true, env = "AMBIT_LOG_FORMAT", value_name = "FORM")]
    pub(crate) log_format: Option<LogFormat>,
    /// How answers are printed; some forms are for some commands only.
    #[arg(long, global = true, env = "AMBIT_FORMAT", default_value = "text")]
    pub(crate) format: Format,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The form of answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Text,
    /// For programs: one JSON value on standard output.
    Json,
    /// Of `check`, for code scanning: SARIF 2.1.0.
    Sarif,
    /// Of `diff`, for the comment of a pull request, and of `eval`, for a document.
    Markdown,
}

impl Format {
    /// The commands that alone answer in this form, where there are any.
    pub(crate) fn only_of(self) -> Option<&'static [&'static str]> {
        match self {
            Self::Text | Self::Json => None,
            Self::Sarif => Some(&["check"]),
            Self::Markdown => Some(&["diff", "eval"]),
        }
    }
}

/// The form of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// For people.
    Text,
    /// For programs: one JSON object a line.
    Json,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Compile the workspace and report every problem; nothing is published.
    Check {
        /// Warnings count as errors.
        #[arg(long)]
        strict: bool,
        /// Do without the embedding model: whether tools are found by their own example questions is not looked at, and nothing
        /// is written.
        #[arg(long)]
        no_retrieval: bool,
        /// Prove with the solver cvc5, where it is installed, of policies that decide nothing that this is so whatever is declared.
        #[arg(long, conflicts_with = "no_retrieval")]
        prove: bool,
        /// Check again whenever a file of the workspace changes, until Ctrl-C.
        #[arg(long)]
        watch: bool,
    },
    /// What intake found: the tools that the workspace offers, rule by rule; ends with 1 where one is refused and nobody acknowledged it.
    Intake(IntakeArguments),
    /// Print what a code means: why it matters, an example, and how to mend it.
    Explain {
        /// The code, such as `E_UNRESOLVED` [default: a list of them all].
        code: Option<String>,
    },
    /// Write a small workspace that compiles, to begin with.
    Init {
        /// The folder, made where it is missing [default: that of `--workspace`].
        #[arg(value_name = "DIR")]
        folder: Option<PathBuf>,
    },
    /// Import tools as a catalog file and a Catalog document, for review; nothing live changes.
    Import(ImportArguments),
    /// Lay out the YAML and Cedar files of the workspace alike; comments and meaning stay.
    Fmt {
        /// Files and folders [default: the folder of `--workspace`].
        paths: Vec<PathBuf>,
        /// Write nothing; exit with 1 where a file would change.
        #[arg(long)]
        check: bool,
        /// The same, and show what would change.
        #[arg(long)]
        diff: bool,
    },
    /// Propose example questions for tools that have none, as lines of YAML marked `# proposed`.
    Enrich(EnrichArguments),
    /// Propose how two tools that answer to the same questions can be told apart, and measure what comes of it.
    Repair {
        /// One of the tools, `catalog/tool`.
        tool: String,
        /// The other.
        rival: String,
        /// The only kind of repair.
        #[arg(long, value_name = "KIND")]
        kind: Option<RepairWord>,
        /// Write the first proposal into the workspace.
        #[arg(long)]
        write: bool,
    },
    /// Print the JSON Schema of declarations, for editors.
    Schema {
        /// The kind of document [default: one schema for all kinds].
        kind: Option<String>,
        /// Write all schemas into this folder instead.
        #[arg(long, value_name = "DIR", conflicts_with = "kind")]
        out: Option<PathBuf>,
    },
    /// Compile the workspace, store the snapshot and make it live.
    Apply {
        /// Why, for the record.
        #[arg(long, short)]
        message: Option<String>,
        /// A tool that the live snapshot serves and that may vanish; may be given several times.
        #[arg(long, value_name = "TOOL")]
        accept_loss: Vec<String>,
        /// Warnings refuse it too.
        #[arg(long)]
        strict: bool,
        /// Exactly what `ambit diff --out FILE` saved; refused where another snapshot is live by now, or the workspace is another.
        #[arg(long, value_name = "FILE")]
        diff: Option<PathBuf>,
    },
    /// Run the workspace's PolicyTests and GoldenRoutes, and name the policies that no test reaches; nothing is published.
    Test {
        /// Leave the GoldenRoutes out, which embed their questions.
        #[arg(long)]
        no_routes: bool,
        /// Warnings, and policies that no test reaches, count as failures.
        #[arg(long)]
        strict: bool,
    },
    /// Measure the router against questions whose tools are known; nothing is published.
    Eval(EvalArguments),
    /// List the stored snapshots and what was live when.
    Snapshots,
    /// Show a snapshot: what it holds and what intake reported.
    Show {
        /// Its number [default: the live one].
        number: Option<i64>,
    },
    /// Show what a change does, authority first: the workspace against what is live, or two snapshots.
    Diff(DiffArguments),
    /// Make an earlier snapshot live again.
    Rollback {
        /// Its number [default: the one that was live before].
        number: Option<i64>,
        /// Why, for the record.
        #[arg(long)]
        reason: String,
        /// It may raise a ceiling and give somebody more than now.
        #[arg(long)]
        accept_gains: bool,
    },
    /// Take a tool away from everybody at once, in every snapshot, until it is unblocked; it may still be named.
    Block {
        /// The tool, `catalog/tool`; a later block replaces the earlier one.
        tool: String,
        /// Why, for the record.
        #[arg(long)]
        reason: String,
        /// When it ends by itself, as `2h`, `1d` or `2027-01-31T18:00:00Z` [default: when it is unblocked].
        #[arg(long, value_name = "TIME")]
        until: Option<String>,
    },
    /// Take a block back: what policies say of the tool counts again.
    Unblock {
        /// The tool, `catalog/tool`.
        tool: String,
        /// Why, for the record.
        #[arg(long)]
        reason: String,
    },
    /// List the tools that are blocked.
    Blocks,
    /// Recompute a snapshot's digest from its stored parts.
    Verify {
        /// Its number [default: the live one].
        number: Option<i64>,
    },
    /// Route a question to the tools a principal may use for it.
    Route(AskedQuestion),
    /// List the tools that a principal may name, and what it may do with each.
    Tools {
        #[command(flatten)]
        asker: WhoAsks,
        /// With each tool's definition in this form (in JSON).
        #[arg(long, value_name = "FORM")]
        tools_as: Option<ToolForm>,
    },
    /// Print the tools that a principal may be offered, as whole definitions for another stack; what its shape cannot say is named.
    Export {
        #[command(flatten)]
        asker: WhoAsks,
        /// Whose shape it is.
        #[arg(long, value_name = "TARGET")]
        to: ExportTarget,
    },
    /// What became of routes, newest first; and example questions that are suggested from it.
    Feedback(FeedbackArguments),
    /// Explain why a principal may use a tool or may not: by which policies, and what would flip it.
    Why(WhyArguments),
    /// Plans that agents propose.
    #[command(subcommand)]
    Plan(PlanCommand),
    /// Documents of projects.
    #[command(subcommand)]
    Knowledge(KnowledgeCommand),
    /// Keys of applications and people.
    #[command(subcommand)]
    Keys(KeysCommand),
    /// Show where the secrets are that the workspace names; never their values.
    Secrets,
    /// Carry vectors between machines, so that what one embedded no other embeds again.
    #[command(subcommand)]
    Vectors(VectorsCommand),
    /// What was administered, newest first, and whether the record of it still holds.
    Audit(AuditArguments),
    /// Serve the API and the dashboard.
    Serve {
        /// The address to listen at; only this machine reaches the default.
        #[arg(long, env = "AMBIT_LISTEN", default_value = "127.0.0.1:8420", value_name = "ADDRESS")]
        listen: SocketAddr,
        /// The folder of the browser bundle; without it every page works, by full page loads.
        #[arg(long, env = "AMBIT_SITE", value_name = "DIR")]
        site: Option<PathBuf>,
        /// Where people reach this server, as `https://ambit.example`; identity providers send them back there [default: the
        /// address it listens at].
        #[arg(long, env = "AMBIT_PUBLIC_URL", value_name = "URL")]
        public_url: Option<String>,
        /// Requests a second of one key or session, four times as many at once; 0: any number.
        #[arg(long, env = "AMBIT_RATE_PER_KEY", default_value_t = 100, value_name = "RATE")]
        rate_per_key: u32,
        /// Requests a second from one address, four times as many at once; 0: any number.
        #[arg(long, env = "AMBIT_RATE_PER_ADDRESS", default_value_t = 200, value_name = "RATE")]
        rate_per_address: u32,
        /// A proxy writes the address of each client as the last one of `X-Forwarded-For`.
        #[arg(long, env = "AMBIT_BEHIND_PROXY")]
        behind_proxy: bool,
    },
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct AuditArguments {
    #[command(subcommand)]
    pub(crate) command: Option<AuditCommand>,
    /// Only entries below this one.
    #[arg(long, value_name = "SEQUENCE")]
    pub(crate) before: Option<i64>,
    /// Most entries, 1 to 200 [default: 50].
    #[arg(long)]
    pub(crate) limit: Option<usize>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AuditCommand {
    /// Recompute every hash, and look whether the heads that were kept are still in the chain.
    Verify {
        /// A head that was printed once, `sha256:…`.
        #[arg(long, value_name = "HEAD")]
        since: Option<String>,
    },
    /// Erase who did what in one entry, for good; the chain still holds.
    Erase {
        sequence: i64,
        /// Why, for the record.
        #[arg(long)]
        reason: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct DiffArguments {
    /// The earlier snapshot [default: the live one, and the workspace against it].
    pub(crate) from: Option<i64>,
    /// The later snapshot [default: the live one].
    pub(crate) to: Option<i64>,
    /// End with 1 where anything differs.
    #[arg(long)]
    pub(crate) exit_code: bool,
    /// End with 1 where somebody may do more, a ceiling is raised, a tool in use has another effect, or somebody may do less.
    #[arg(long, value_name = "ALARMS", value_delimiter = ',')]
    pub(crate) fail_on: Vec<FailOn>,
    /// Every name, and every field with both its values.
    #[arg(long)]
    pub(crate) full: bool,
    /// Save the workspace's diff, so that `ambit apply --diff FILE` applies exactly this.
    #[arg(long, value_name = "FILE", conflicts_with = "from")]
    pub(crate) out: Option<PathBuf>,
    /// Prove with the solver cvc5, where it is installed, what becomes of the policies, whatever is declared, and that ceilings and
    /// tenants hold.
    #[arg(long)]
    pub(crate) prove: bool,
}

/// What a pull request may have to be stopped for.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum FailOn {
    Gains,
    Ceiling,
    Effect,
    Loss,
}

impl From<FailOn> for Alarm {
    fn from(named: FailOn) -> Self {
        match named {
            FailOn::Gains => Self::Gains,
            FailOn::Ceiling => Self::Ceiling,
            FailOn::Effect => Self::Effect,
            FailOn::Loss => Self::Loss,
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum KeysCommand {
    /// Make a key; it is shown once.
    Create(NewKeyArguments),
    /// List all keys, without their secrets.
    List,
    /// End a key and the sessions that were opened with it, at once.
    Revoke {
        /// The part of the key between its underscores.
        id: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct NewKeyArguments {
    /// Which application or person will hold it.
    #[arg(long)]
    pub(crate) name: String,
    /// Who its holder is, `tenant:agent:name`, or `user` or `role` in place of `agent`.
    #[arg(long = "as", value_name = "PRINCIPAL")]
    pub(crate) principal: String,
    /// The only project it asks in [default: any of the tenant's].
    #[arg(long)]
    pub(crate) project: Option<String>,
    /// The only tools it reaches, `catalog/*` or `catalog/tool`; may be given several times [default: whatever the principal may
    /// use].
    #[arg(long, value_name = "GLOB")]
    pub(crate) tools: Vec<String>,
    /// How long it lives, as `30d` or `12h` [default: until it is revoked].
    #[arg(long, value_name = "SPAN")]
    pub(crate) expires: Option<String>,
}

impl Command {
    /// Its word on the command line, where a form of answers is of this command alone.
    pub(crate) fn word(&self) -> Option<&'static str> {
        match self {
            Self::Check { .. } => Some("check"),
            Self::Diff(_) => Some("diff"),
            Self::Eval(_) => Some("eval"),
            _ => None,
        }
    }
}
