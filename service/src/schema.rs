//! The JSON Schemas of declarations, for editors: given, or written beside the declarations.

use std::path::{Path, PathBuf};

use ambit_engine::nearest::did_you_mean;
use ambit_engine::parse::body::Kind;
use ambit_engine::parse::schema;
use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;
use serde_json::Value;

use crate::Error;
use crate::caller::Caller;
use crate::replace::replace_file;

/// Where the files of a workspace name their schema.
pub(crate) const FOLDER: &str = "schemas";

/// The schema of one kind of document, or without a kind the one that fits every document.
pub fn describe_declarations(caller: &Caller, kind: Option<&str>) -> Result<Value, Error> {
    caller.local_only("read the schemas of declarations")?;
    let Some(word) = kind else { return Ok(schema::of_any()) };
    let Some(kind) = Kind::parse(word) else {
        let words = || Kind::ALL.iter().map(|kind| kind.word());
        let listed = || words().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
        let help = did_you_mean(word, words()).unwrap_or_else(|| format!("the kinds are {}", listed()));
        let problem = Diagnostic::error(codes::E_KIND, format!("no kind is named `{word}`")).help(help);
        return Err(Error::Request(Box::new(problem)));
    };
    Ok(schema::of_kind(kind))
}

/// Writes every schema into a folder, over those of an earlier version; gives the files.
pub fn write_schemas(caller: &Caller, folder: &Path) -> Result<Vec<PathBuf>, Error> {
    caller.local_only("write the schemas of declarations")?;
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| Error::FileNotWritten { path, source }
    };
    std::fs::create_dir_all(folder).map_err(failed(folder))?;
    let mut written = Vec::new();
    for (name, schema) in schema::files() {
        let path = folder.join(name);
        replace_file(&path, &text(&schema)?).map_err(failed(&path))?;
        written.push(path);
    }
    Ok(written)
}

/// The schema for any document, by the name of its file.
pub(crate) fn whole() -> Result<(&'static str, String), Error> {
    Ok((schema::WHOLE_FILE, text(&schema::of_any())?))
}

fn text(schema: &Value) -> Result<String, Error> {
    Ok(format!("{}\n", serde_json::to_string_pretty(schema)?))
}
