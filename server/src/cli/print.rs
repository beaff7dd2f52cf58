//! The only place that prints. Control characters of untrusted texts are shown, never sent to the terminal.

use std::io::{IsTerminal as _, Read as _, Write as _};
use std::path::Path;
use std::process::ExitCode;

use ambit_model::diagnostic::Diagnostic;
use ambit_model::hidden::{characters, visible};
use serde_json::json;

use super::arguments::Format;
use super::{FAILED, Said, diagnostics};

/// Largest plan that is read, in bytes.
const LARGEST_PLAN: u64 = 4 * 1024 * 1024;

/// Prints an answer, where there is anything left to say; the exit code is the answer's, also where nobody reads it.
pub(super) fn said(format: Format, said: &Said) -> ExitCode {
    match format {
        Format::Text | Format::Markdown => write_out(&visible(&said.text)),
        Format::Json | Format::Sarif if said.json.is_null() => {}
        Format::Json | Format::Sarif => write_out(&pretty(&said.json)),
    }
    ExitCode::from(said.code)
}

/// Prints an answer after which others follow: in JSON, one line each.
pub(super) fn one_of_many(format: Format, said: &Said) {
    match format {
        Format::Text | Format::Markdown => write_out(&visible(&said.text)),
        Format::Json | Format::Sarif => write_out(&escaped(&said.json.to_string())),
    }
}

/// Prints JSON that is laid out already. Texts of schemas keep their bytes, but that a tab or a carriage return, which can only be
/// white space in JSON, becomes a space.
pub(super) fn json_text(text: &str) {
    write_out(&escaped(&text.replace(['\t', '\r'], " ")));
}

/// Prints what is worth knowing beside an answer that goes to a file or another program.
pub(super) fn notes(text: &str) {
    write_error(text);
}

/// A person reads both outputs: neither goes to a file or another program.
pub(super) fn to_terminal() -> bool {
    std::io::stdout().is_terminal() && std::io::stderr().is_terminal()
}

/// Prints why a command could not run: the error, each cause once, and what to do.
pub(super) fn failure(format: Format, error: &anyhow::Error, code: &str, help: Option<String>) -> ExitCode {
    let said = failed(error, code, help);
    if format == Format::Json {
        write_out(&pretty(&said.json))
    } else {
        write_error(&said.text)
    }
    ExitCode::from(said.code)
}

/// Why something could not run, as an answer.
pub(super) fn failed(error: &anyhow::Error, code: &str, help: Option<String>) -> Said {
    let causes: Vec<String> = error.chain().skip(1).map(ToString::to_string).collect();
    let text = diagnostics::failure(code, &error.to_string(), &causes, help.as_deref());
    let json = json!({ "error": { "code": code, "message": error.to_string(), "causes": causes, "help": help } });
    Said { text, json, code: FAILED }
}

/// Prints what is wrong with what was asked, with its place where it has one.
pub(super) fn refusal(format: Format, diagnostic: &Diagnostic) -> ExitCode {
    if format == Format::Json {
        let Diagnostic { code, message, help, .. } = diagnostic;
        let body = json!({ "error": { "code": code, "message": message, "causes": [], "help": help, "diagnostic": diagnostic } });
        write_out(&pretty(&body));
    } else {
        write_error(&diagnostics::render(std::slice::from_ref(diagnostic)));
    }
    ExitCode::from(FAILED)
}

/// Reads a file, or standard input for `-`.
pub(super) fn read(file: &Path) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    if file == Path::new("-") {
        std::io::stdin().take(LARGEST_PLAN + 1).read_to_end(&mut bytes)?;
    } else {
        let opened = std::fs::File::open(file).map_err(|e| anyhow::anyhow!("cannot read `{}`: {e}", file.display()))?;
        opened
            .take(LARGEST_PLAN + 1)
            .read_to_end(&mut bytes)
            .map_err(|e| anyhow::anyhow!("cannot read `{}`: {e}", file.display()))?;
    }
    anyhow::ensure!(
        bytes.len() as u64 <= LARGEST_PLAN,
        "`{}` is larger than {} MiB",
        file.display(),
        LARGEST_PLAN / 1024 / 1024
    );
    String::from_utf8(bytes).map_err(|_| anyhow::anyhow!("`{}` is not UTF-8", file.display()))
}

fn write_error(text: &str) {
    drop(std::io::stderr().write_all(visible(text).as_bytes()));
}

/// A reader that has gone away is no failure.
fn write_out(text: &str) {
    drop(std::io::stdout().write_all(text.as_bytes()));
}

fn pretty(value: &serde_json::Value) -> String {
    escaped(&serde_json::to_string_pretty(value).unwrap_or_default())
}

/// JSON in which nothing hides, with a line break at its end.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 1);
    for (character, hides) in characters(text) {
        if hides {
            // They stand only inside strings, where JSON has an escape for each UTF-16 unit.
            let mut units = [0; 2];
            character.encode_utf16(&mut units).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
        } else {
            out.push(character);
        }
    }
    out.push('\n');
    out
}
