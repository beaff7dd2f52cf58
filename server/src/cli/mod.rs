//! The command line. Exit codes: 0 clean; 1 an error or an unacknowledged rejection, warnings only with `--strict`; 2 could not run.

mod arguments;
mod bundle;
mod commands;
mod diagnostics;
mod markdown;
mod pages;
mod print;
mod sarif;
mod text;

use std::process::ExitCode;

use clap::Parser as _;
use tracing_subscriber::EnvFilter;

use ambit_model::codes;
use arguments::{Arguments, Command, LogFormat};

/// What a command says and how it ends.
pub(crate) struct Said {
    pub(crate) text: String,
    pub(crate) json: serde_json::Value,
    pub(crate) code: u8,
}

/// Nothing is wrong.
pub(crate) const CLEAN: u8 = 0;
/// An error, an unacknowledged rejection, a refused plan.
pub(crate) const FINDINGS: u8 = 1;
/// The command could not run.
pub(crate) const FAILED: u8 = 2;

/// Bytes of a thread's stack: a page is a deep type, and unoptimised builds write it with many large frames. What is not used
/// costs address space only.
const STACK: usize = 16 * 1024 * 1024;

/// Parses the arguments, runs the command, prints what it says.
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    // Declarations are parsed on these threads, and what nests deeply is refused by depth, not by running out of stack. Where a
    // pool is there already, it serves as well.
    drop(rayon::ThreadPoolBuilder::new().stack_size(STACK).build_global());
    log(&arguments);
    let format = arguments.format;
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = match runtime.enable_all().thread_stack_size(STACK).build() {
        Ok(runtime) => runtime,
        Err(error) => return print::failure(format, &error.into(), codes::E_INTERNAL, None),
    };
    match runtime.block_on(commands::run(arguments)) {
        Ok(said) => print::said(format, &said),
        Err(error) => match error.downcast_ref::<ambit_service::Error>() {
            Some(ambit_service::Error::Request(diagnostic)) => print::refusal(format, diagnostic),
            Some(known) => print::failure(format, &error, known.code(), known.help()),
            None => print::failure(format, &error, codes::E_REQUEST, None),
        },
    }
}

/// To standard error: a server tells of each request, other commands of trouble only. `AMBIT_LOG` chooses otherwise.
fn log(arguments: &Arguments) {
    let usual = match arguments.command {
        Command::Serve { .. } => "warn,ort=error,ambit_server=info,ambit_service=info,ambit_app=info",
        _ => "warn,ort=error",
    };
    let filter = EnvFilter::try_from_env("AMBIT_LOG").unwrap_or_else(|_| EnvFilter::new(usual));
    // It logs what a server of MCP says, from warnings on, and a server may say again the secret that it was sent.
    let filter = match "rmcp=off".parse() {
        Ok(quiet) => filter.add_directive(quiet),
        Err(_) => filter,
    };
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let form = arguments.log_format.unwrap_or(if print::to_terminal() { LogFormat::Text } else { LogFormat::Json });
    match form {
        LogFormat::Text => log.with_target(false).with_ansi(print::to_terminal()).init(),
        LogFormat::Json => log.json().flatten_event(true).init(),
    }
}
