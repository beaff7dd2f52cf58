//! The JSON Schemas of declarations, for editors.

use std::path::Path;

use ambit_service::schema;
use serde_json::json;

use super::{CLEAN, Desk, Said};

pub(super) fn run(desk: &Desk, kind: Option<&str>, out: Option<&Path>) -> anyhow::Result<Said> {
    let Some(out) = out else {
        let json = schema::describe_declarations(&desk.caller, kind)?;
        return Ok(Said { text: format!("{}\n", serde_json::to_string_pretty(&json)?), json, code: CLEAN });
    };
    let files: Vec<String> =
        schema::write_schemas(&desk.caller, out)?.iter().map(|file| file.display().to_string()).collect();
    let listed: String = files.iter().map(|file| format!("{file}\n")).collect();
    let next = "editors find one by a first line like `# yaml-language-server: $schema=schemas/ambit.schema.json`";
    let text = format!("{listed}\n{} schemas written; {next}\n", files.len());
    Ok(Said { text, json: json!({ "written": files }), code: CLEAN })
}
