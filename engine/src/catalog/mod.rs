//! Catalog files as they come: which tools a file offers, in which format, and where each stands.
//! Nothing is judged here but the file itself; every broken tool goes on to intake with what is wrong with it.

mod facts;
mod formats;

use std::collections::BTreeMap;

use ambit_model::codes;
use ambit_model::diagnostic::{Diagnostic, Place};
use ambit_model::digest::Digest;
use serde_json::value::RawValue;

pub use facts::facts;

use crate::canonical::{self, Members};
use crate::source::SourceFile;

/// The format one tool is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    Mcp,
    OpenAi,
    Anthropic,
}

/// A tool as its source has it. Members that are absent or of a wrong type are `None`, with a `Flaw` for the latter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferedTool {
    pub catalog: String,
    /// From 1, in file order.
    pub position: usize,
    pub format: Format,
    pub name: Option<String>,
    pub title: Option<String>,
    pub description: Option<String>,
    pub input_schema: Option<String>,
    pub output_schema: Option<String>,
    /// RFC 6901 pointers to the two schemas, as the format spells them.
    pub input_pointer: String,
    pub output_pointer: String,
    pub annotations: Option<String>,
    /// Members that only the format itself speaks of, as written: `icons`, `strict`.
    pub extras: BTreeMap<String, String>,
    /// `_meta` as written; it leaves through no door.
    pub meta: Option<String>,
    pub flaws: Vec<Flaw>,
    /// Where the tool begins in its file.
    pub place: Place,
}

/// Something of the definition that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    pub code: &'static str,
    /// RFC 6901, into the tool's definition.
    pub pointer: String,
    pub message: String,
    pub remedy: String,
}

impl OfferedTool {
    /// What reports call it: its canonical id, or its position where it has no usable name.
    pub fn label(&self) -> String {
        match &self.name {
            Some(name) => format!("{}/{name}", self.catalog),
            None => format!("{}/#{}", self.catalog, self.position),
        }
    }

    /// The digest of the definition as its owner wrote it, whatever the format and the order of keys.
    pub fn definition_digest(&self) -> Digest {
        let sorted =
            |text: &Option<String>| text.as_deref().map(|t| canonical::sort_keys(t).unwrap_or_else(|_| t.to_owned()));
        let parts = [
            self.name.clone(),
            self.title.clone(),
            self.description.clone(),
            sorted(&self.input_schema),
            sorted(&self.output_schema),
            sorted(&self.annotations),
        ];
        Digest::of(serde_json::to_string(&parts).unwrap_or_default().as_bytes())
    }
}

/// Every tool a catalog file offers, in file order. A file that is not JSON, or holds no list, is one diagnostic.
pub fn read(catalog: &str, file: &SourceFile) -> (Vec<OfferedTool>, Vec<Diagnostic>) {
    match tools_of(file) {
        Ok(tools) => {
            let mut places = Places { file, at: 0, line: 1 };
            let offered = tools
                .iter()
                .enumerate()
                .map(|(index, raw)| formats::offered(catalog, index + 1, raw, places.next(raw)))
                .collect();
            (offered, Vec::new())
        }
        Err(diagnostic) => (Vec::new(), vec![*diagnostic]),
    }
}

fn tools_of(file: &SourceFile) -> Result<Vec<&RawValue>, Box<Diagnostic>> {
    let text = file.text.trim_start_matches('\u{feff}');
    let root: &RawValue = serde_json::from_str(text).map_err(|e| not_json(file, &e))?;
    let list = match root.get().as_bytes().first() {
        Some(b'[') => root,
        Some(b'{') => {
            let Members(members) = serde_json::from_str(root.get()).map_err(|e| not_json(file, &e))?;
            let found = members.into_iter().find(|(key, _)| key == "tools").map(|(_, value)| value);
            found.ok_or_else(|| no_list(file, "it has no member `tools`"))?
        }
        _ => return Err(no_list(file, "it is neither an object nor a list")),
    };
    serde_json::from_str(list.get()).map_err(|_| no_list(file, "`tools` is not a list"))
}

fn not_json(file: &SourceFile, error: &serde_json::Error) -> Box<Diagnostic> {
    let message = error.to_string();
    let reason = message.split(" at line ").next().unwrap_or("it cannot be read").to_owned();
    Box::new(
        Diagnostic::error(codes::E_CATALOG, format!("the catalog file is not JSON: {reason}"))
            .at(file.place_at(error.line(), error.column(), 1))
            .help(if is_yaml(&file.text) {
                IMPORT
            } else {
                "a catalog file is JSON: MCP `tools/list`, OpenAI or Anthropic tools"
            }),
    )
}

const IMPORT: &str = "this is YAML: `ambit import` makes a catalog file of it";

/// The first line that says something begins like YAML, and like no JSON.
fn is_yaml(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim_start).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.next().is_some_and(|line| {
        let key = line.split_once(':').map_or("", |(key, _)| key);
        let is_key = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '$'));
        line.starts_with("---") || line.starts_with("%YAML") || line.starts_with("- ") || is_key
    })
}

fn no_list(file: &SourceFile, why: &str) -> Box<Diagnostic> {
    Box::new(
        Diagnostic::error(codes::E_CATALOG, format!("the catalog file holds no list of tools: {why}"))
            .at(file.whole())
            .help("write a list of tools, or an object whose `tools` is one"),
    )
}

/// The places of slices of a file's text, taken in file order, so that no part of it is walked twice.
struct Places<'a> {
    file: &'a SourceFile,
    at: usize,
    line: usize,
}

impl Places<'_> {
    fn next(&mut self, raw: &RawValue) -> Place {
        let start = (raw.get().as_ptr() as usize).saturating_sub(self.file.text.as_ptr() as usize);
        self.line += self.file.text.get(self.at..start).map_or(0, |between| between.matches('\n').count());
        self.at = start;
        let first_line = raw.get().lines().next().unwrap_or("").len();
        self.file.place_on_line(self.line, start, start + first_line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(json: &str, expected: &[&str]) {
        let file = SourceFile { path: "c.json".into(), text: json.into() };
        let (tools, diagnostics) = read("c", &file);
        let mut lines: Vec<String> = tools
            .iter()
            .map(|t| {
                let flaws: Vec<String> = t.flaws.iter().map(|f| format!("{} {}", f.code, f.pointer)).collect();
                format!("{} {:?} {}:{} [{}]", t.label(), t.format, t.place.line, t.place.column, flaws.join(", "))
            })
            .collect();
        lines.extend(diagnostics.iter().map(|d| format!("{} {}", d.code, d.message)));
        assert_eq!(lines, expected, "for {json}");
    }

    #[test]
    fn each_format_is_told_tool_by_tool() {
        check(
            "{\"tools\": [\n {\"name\": \"a.b\", \"inputSchema\": {}},\n {\"name\": \"c\", \"input_schema\": {}},\n \
             {\"type\": \"function\", \"function\": {\"name\": \"d\"}},\n {\"type\": \"function\", \"name\": \"e\", \"parameters\": {}}]}",
            &["c/a.b Mcp 2:2 []", "c/c Anthropic 3:2 []", "c/d OpenAi 4:2 []", "c/e OpenAi 5:2 []"],
        );
    }

    #[test]
    fn a_broken_tool_hides_no_other() {
        check(
            r#"[{"description": 3}, 7, null, {"name": "ok", "name": "twice"}, {"name": "f", "parameters": "x"}]"#,
            &[
                "c/#1 Mcp 1:2 [E_NAME /name, E_DESC_MISSING /description]",
                "c/#2 Mcp 1:22 [E_NAME ]",
                "c/#3 Mcp 1:25 [E_NAME ]",
                "c/ok Mcp 1:31 [E_SCHEMA /name]",
                "c/f OpenAi 1:64 [E_SCHEMA /parameters]",
            ],
        );
    }

    #[test]
    fn a_file_without_tools_is_one_diagnostic() {
        check("{\n \"tools\": [\n", &["E_CATALOG the catalog file is not JSON: EOF while parsing a list"]);
        check("{}", &["E_CATALOG the catalog file holds no list of tools: it has no member `tools`"]);
        check("{\"tools\": 3}", &["E_CATALOG the catalog file holds no list of tools: `tools` is not a list"]);
        check("3", &["E_CATALOG the catalog file holds no list of tools: it is neither an object nor a list"]);
    }

    #[test]
    fn a_definition_digest_ignores_format_and_key_order() {
        let digest = |json: &str| {
            let file = SourceFile { path: "c.json".into(), text: json.into() };
            read("c", &file).0.first().map(OfferedTool::definition_digest)
        };
        let mcp = digest(r#"[{"name": "a", "description": "d", "inputSchema": {"type": "object", "title": "T"}}]"#);
        let other = digest(r#"[{"description": "d", "name": "a", "input_schema": {"title":"T", "type":"object"}}]"#);
        assert_eq!(mcp, other);
        assert_ne!(
            mcp,
            digest(r#"[{"name": "a", "description": "e", "inputSchema": {"type": "object", "title": "T"}}]"#)
        );
    }
}
