//! The command line. Exit codes: 0 clean; 1 an error or an unacknowledged rejection, warnings only with `--strict`; 2 could not run.

mod arguments;
mod commands;
mod diagnostics;
mod print;
mod text;

use std::process::ExitCode;

use clap::Parser as _;
use tracing_subscriber::EnvFilter;

use arguments::Arguments;

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

/// Parses the arguments, runs the command, prints what it says.
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let filter = EnvFilter::try_from_env("AMBIT_LOG").unwrap_or_else(|_| EnvFilter::new("warn,ort=error"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    let format = arguments.format;
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return print::failure(format, &error.into(), None),
    };
    match runtime.block_on(commands::run(arguments)) {
        Ok(said) => print::said(format, &said),
        Err(error) => match error.downcast_ref::<ambit_service::Error>() {
            Some(ambit_service::Error::Request(diagnostic)) => print::refusal(format, diagnostic),
            Some(known) => print::failure(format, &error, known.help()),
            None => print::failure(format, &error, None),
        },
    }
}
