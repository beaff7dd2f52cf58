//! Steps of the Makefile that need no crate of Ambit: fetch the embedding model and its runtime library, build the browser bundle,
//! run the demo. It is built before anything else, so it stays small and quick to compile.

use std::process::ExitCode;

mod models;
mod pins;
mod up;
mod web;
mod wheel;
mod workspace;

const USAGE: &str = "usage: cargo run -p ambit-xtask -- STEP

  model              fetch the embedding model and the ONNX Runtime library, unless they are there and whole
  web                build the browser bundle into `site/pkg` of the target folder, unless it is up to date
  web --if-possible  the same, and go on without it where no compiler for WebAssembly is installed
  web --look         say which compiler would build it
  demo BINARY        compile the sample workspace with this binary, route three questions, make the first key
  up BINARY          the same, then start the server and stay in the foreground";

/// A step that could not be done, and what the person at the keyboard does next.
#[derive(Debug)]
pub(crate) struct StepError {
    pub(crate) message: String,
    pub(crate) help: String,
}

impl StepError {
    pub(crate) fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message: message.into(), help: help.into() }
    }
}

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "a command line program; only main prints")]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["model"] => models::prepare(&mut |line| println!("setup: {line}")),
        ["web"] => web::build(web::Need::Must, &mut |line| println!("web: {line}")),
        ["web", "--if-possible"] => web::build(web::Need::IfPossible, &mut |line| println!("web: {line}")),
        ["web", "--look"] => web::look(&mut |line| println!("web: {line}")),
        ["demo", binary] => up::demo(binary.as_ref(), &mut |text| println!("{text}")),
        ["up", binary] => up::serve(binary.as_ref(), &mut |text| println!("{text}")),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {}\n  help: {}", error.message, error.help);
            ExitCode::FAILURE
        }
    }
}
