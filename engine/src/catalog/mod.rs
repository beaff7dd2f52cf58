//! Catalog files as they come: which tools a file offers, in which format, and where each stands.
//! Nothing is judged here but the file itself; every broken tool goes on to intake with what is wrong with it.

mod effect;
mod facts;
mod formats;
pub mod hints;
mod inferred;
pub(crate) mod list;
pub mod openapi;
mod places;
#[cfg(test)]
mod tests;
pub(crate) mod yaml;

use std::collections::BTreeMap;

use ambit_model::codes;
use ambit_model::diagnostic::{Diagnostic, Place};
use ambit_model::digest::Digest;
use serde_json::Value;
use serde_json::value::RawValue;

pub use effect::effect;
pub use facts::{facts, ranked_by};
pub(crate) use inferred::told_by_name;

use self::list::Listed;
use self::places::Places;
use crate::canonical;
use crate::schema;
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

    /// The title for people: the tool's own, else the one that MCP's annotations give it, as its clients show it.
    pub fn shown_title(&self) -> Option<String> {
        let annotated = || {
            let annotations = schema::parse_text(self.annotations.as_deref()?);
            annotations.get("title").and_then(Value::as_str).map(str::to_owned)
        };
        self.title.clone().or_else(annotated)
    }

    /// The digest of the definition as its owner wrote it, whatever the format and the order of keys. What only some tools have is
    /// told in parts that the others do not have, so that a pin outlives a version that reads more.
    pub fn definition_digest(&self) -> Digest {
        let sorted = |text: &str| canonical::sort_keys(text).unwrap_or_else(|_| text.to_owned());
        let text = |text: &Option<String>| text.as_deref().map(sorted);
        let mut parts = vec![
            self.name.clone(),
            self.title.clone(),
            self.description.clone(),
            text(&self.input_schema),
            text(&self.output_schema),
            text(&self.annotations),
        ];
        let extras = self.extras.iter().map(|(member, text)| (member.as_str(), text));
        let others = extras.chain(self.meta.as_ref().map(|meta| (formats::META, meta)));
        parts.extend(others.map(|(member, text)| Some(format!("{member}:{}", sorted(text)))));
        Digest::of(serde_json::to_string(&parts).unwrap_or_default().as_bytes())
    }
}

/// Every tool a catalog file offers, in file order. A file that is not JSON, or holds no list, is one diagnostic.
pub fn read(catalog: &str, file: &SourceFile) -> (Vec<OfferedTool>, Vec<Diagnostic>) {
    let Listed { tools, metas } = match listed(file) {
        Ok(listed) => listed,
        Err(diagnostic) => return (Vec::new(), vec![*diagnostic]),
    };
    let mut places = Places::new(file, &metas);
    let numbered = (1..).zip(tools);
    let offered = numbered.map(|(position, raw)| formats::offered(catalog, position, raw, places.next(raw)));
    (offered.collect(), Vec::new())
}

fn listed(file: &SourceFile) -> Result<Listed<'_>, Box<Diagnostic>> {
    let text = file.text.trim_start_matches('\u{feff}');
    let root: &RawValue = serde_json::from_str(text).map_err(|e| not_json(file, &e))?;
    list::listed(root).map_err(|why| no_list(file, why))
}

fn not_json(file: &SourceFile, error: &serde_json::Error) -> Box<Diagnostic> {
    let message = error.to_string();
    let reason = message.split(" at line ").next().unwrap_or("it cannot be read").to_owned();
    let place = without_meta(file, file.place_at(error.line(), error.column(), 1));
    Box::new(Diagnostic::error(codes::E_CATALOG, format!("the catalog file is not JSON: {reason}")).at(place).help(
        if is_yaml(&file.text) {
            IMPORT
        } else {
            "a catalog file is JSON: MCP `tools/list`, OpenAI or Anthropic tools"
        },
    ))
}

const IMPORT: &str = "this is YAML: `ambit import` makes a catalog file of it";

/// Where a `_meta` ends cannot be told in what is not JSON, so no line of such a file is shown. An escape may spell the name too.
pub(crate) fn without_meta(file: &SourceFile, place: Place) -> Place {
    let may_hold = file.text.contains(formats::META) || file.text.contains("\\u");
    if may_hold { Place { text: String::new(), ..place } } else { place }
}

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
    let place = without_meta(file, file.whole());
    Box::new(
        Diagnostic::error(codes::E_CATALOG, format!("the catalog file holds no list of tools: {why}"))
            .at(place)
            .help("write a list of tools, or an object whose `tools` is one"),
    )
}
