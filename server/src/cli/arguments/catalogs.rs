//! Flags of the commands that bring tools into a workspace, judge them there, and propose what to write about them.

use std::path::PathBuf;

use ambit_model::repair::RepairKind;
use clap::{Args, Subcommand, ValueEnum};

#[derive(Debug, Subcommand)]
pub(crate) enum VectorsCommand {
    /// Write the vectors of the workspace's texts into a file.
    Export {
        file: PathBuf,
        /// Every vector of the database, whatever the workspace and the model.
        #[arg(long)]
        all: bool,
    },
    /// Take in what a file holds and the database does not; a vector that is here already stays.
    Import { file: PathBuf },
}

#[derive(Debug, Args)]
pub(crate) struct ImportArguments {
    /// A file, a folder of files, an `https://` URL, or an MCP server as `mcp+https://…`; tools as OpenAI, Anthropic or MCP have them,
    /// or an OpenAPI document, in JSON or YAML.
    #[arg(required_unless_present_any = ["mcp", "stdio"])]
    pub(crate) source: Option<String>,
    /// An MCP server that speaks Streamable HTTP.
    #[arg(long, value_name = "URL", conflicts_with = "source")]
    pub(crate) mcp: Option<String>,
    /// A program that speaks MCP on its standard input and output, with its arguments; the last of the flags.
    #[arg(long, value_names = ["COMMAND", "ARGUMENTS"], num_args = 1.., allow_hyphen_values = true, conflicts_with_all = ["source", "mcp"])]
    pub(crate) stdio: Option<Vec<String>>,
    /// The catalog's id [default: by the source's name].
    #[arg(long)]
    pub(crate) id: Option<String>,
    /// The tenant that the catalog belongs to [default: none, so that any tenant's project may list it].
    #[arg(long)]
    pub(crate) tenant: Option<String>,
    /// The folder of the catalog file [default: `catalogs` in the workspace's root].
    #[arg(long, value_name = "DIR")]
    pub(crate) to: Option<PathBuf>,
    /// Say what would be written, and write nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// The name of a secret of the catalog that the source wants as a bearer token; `ambit secrets` says where it belongs.
    #[arg(long, value_name = "NAME", requires = "tenant")]
    pub(crate) secret: Option<String>,
    #[command(flatten)]
    pub(crate) oauth: OAuthArguments,
    /// A URL may lead to an address that is not public, and to this machine itself without https.
    #[arg(long)]
    pub(crate) allow_private: bool,
    /// Most bytes that are read of a source.
    #[arg(long, default_value_t = 32 * 1024 * 1024, value_name = "BYTES")]
    pub(crate) max_bytes: usize,
    /// Most seconds that a source may take.
    #[arg(long, default_value_t = 30, value_name = "SECONDS")]
    pub(crate) within: u64,
}

/// How a token is had from the authorization server of an MCP server.
#[derive(Debug, Args)]
pub(crate) struct OAuthArguments {
    /// Where an MCP server wants a token, sign in with a browser: the address to open is shown.
    #[arg(long, conflicts_with_all = ["secret", "stdio"])]
    pub(crate) oauth: bool,
    /// A client that the authorization server knows [default: one is registered]. With `--oauth-secret` and without `--oauth`, nobody
    /// signs in.
    #[arg(long, value_name = "ID", conflicts_with_all = ["secret", "stdio"])]
    pub(crate) oauth_client: Option<String>,
    /// The name of the catalog's secret that is the client's; `ambit secrets` says where it belongs.
    #[arg(long, value_name = "NAME", requires_all = ["oauth_client", "tenant"])]
    pub(crate) oauth_secret: Option<String>,
    /// The port of 127.0.0.1 that the browser comes back to [default: any that is free].
    #[arg(long, value_name = "PORT", requires = "oauth")]
    pub(crate) oauth_port: Option<u16>,
    /// Most seconds that the browser is waited for.
    #[arg(long, default_value_t = 300, value_name = "SECONDS")]
    pub(crate) oauth_wait: u64,
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct IntakeArguments {
    #[command(subcommand)]
    pub(crate) command: Option<IntakeCommand>,
    /// Only tools whose id fits, such as `billing/*`.
    #[arg(long, value_name = "GLOB")]
    pub(crate) tool: Option<String>,
    /// What is acknowledged too.
    #[arg(long)]
    pub(crate) all: bool,
    /// With the declarations that are proposed, as YAML.
    #[arg(long)]
    pub(crate) proposals: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum IntakeCommand {
    /// How a tool would fare with another description; nothing is written.
    Try {
        /// The tool, `catalog/tool`.
        #[arg(long)]
        tool: String,
        /// The description to try.
        #[arg(long)]
        description: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct EnrichArguments {
    /// Only tools of this Catalog.
    #[arg(long, value_name = "ID")]
    pub(crate) catalog: Option<String>,
    /// Only this tool, `catalog/tool`, or those that a glob holds.
    #[arg(long, value_name = "GLOB")]
    pub(crate) tool: Option<String>,
    /// Tools that have examples get more of them.
    #[arg(long)]
    pub(crate) all: bool,
    /// Write the lines into the workspace; else they are only shown.
    #[arg(long)]
    pub(crate) write: bool,
    /// Seconds that one answer of a language model may take, where a project names one that may be asked for drafts.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub(crate) patience: u64,
}

/// A kind of repair.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum RepairWord {
    Twins,
    Family,
    Description,
}

impl From<RepairWord> for RepairKind {
    fn from(word: RepairWord) -> Self {
        match word {
            RepairWord::Twins => Self::Twins,
            RepairWord::Family => Self::Family,
            RepairWord::Description => Self::Description,
        }
    }
}
