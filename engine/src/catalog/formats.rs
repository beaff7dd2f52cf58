//! The shapes a tool is written in: MCP `tools/list` (2025-06-18 to 2026-07-28), OpenAI (chat and responses) and Anthropic.
//! Told apart per tool by the member that holds the input schema, so that a mixed file works.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::codes;
use ambit_model::diagnostic::Place;
use serde_json::value::RawValue;

use super::{Flaw, Format, OfferedTool};
use crate::canonical::Members;

/// Members that hold the input schema, and the format that spells it so; the first one present counts.
const INPUT_MEMBERS: [(&str, Format); 3] =
    [("inputSchema", Format::Mcp), ("input_schema", Format::Anthropic), ("parameters", Format::OpenAi)];

/// Members that may hold an output schema; the first one present counts.
const OUTPUT_MEMBERS: [&str; 2] = ["outputSchema", "output_schema"];

/// What a source may say of a tool beyond our words, kept for whoever is handed the tool in the same format. Everything else that is
/// written there is dropped: nobody asked for it, and it would be untrusted text in the agent's context.
const EXTRAS: [(Format, &[&str]); 3] = [
    (Format::Mcp, &["icons", "execution"]),
    (Format::OpenAi, &["strict", "defer_loading", "allowed_callers"]),
    (
        Format::Anthropic,
        &["cache_control", "strict", "input_examples", "defer_loading", "allowed_callers", "eager_input_streaming"],
    ),
];

/// The member that MCP keeps for whatever clients and servers agree on.
pub(super) const META: &str = "_meta";

/// Most characters of a `type` that a message repeats.
const LONGEST_TYPE: usize = 40;

/// One element of a catalog's list as an offered tool.
pub(super) fn offered(catalog: &str, position: usize, raw: &RawValue, place: Place) -> OfferedTool {
    let mut tool = OfferedTool {
        catalog: catalog.to_owned(),
        position,
        format: Format::Mcp,
        name: None,
        title: None,
        description: None,
        input_schema: None,
        output_schema: None,
        input_pointer: "/inputSchema".to_owned(),
        output_pointer: "/outputSchema".to_owned(),
        annotations: None,
        extras: BTreeMap::new(),
        meta: None,
        flaws: Vec::new(),
        place,
    };
    match object(raw) {
        Some(members) => read(&mut tool, Reader { members, base: "" }),
        None => tool.flaws.push(no_object(raw)),
    }
    tool
}

fn no_object(raw: &RawValue) -> Flaw {
    let message = match raw.get().as_bytes().first() {
        Some(b'{') => "the tool has a member whose name is not a text",
        _ => "the tool is not an object",
    };
    Flaw {
        code: codes::E_NAME,
        pointer: String::new(),
        message: message.into(),
        remedy: "write an object with `name`, `description` and an input schema".into(),
    }
}

fn read(tool: &mut OfferedTool, outer: Reader<'_>) {
    outer.refuse_duplicates(&mut tool.flaws);
    tool.meta = outer.raw(META);
    if let Some(kind) = outer.kind_without_schema() {
        tool.format = if kind == "custom" || outer.get("name").is_none() { Format::OpenAi } else { Format::Anthropic };
        tool.name = outer.get("name").and_then(text);
        tool.description = outer.get("description").and_then(text);
        tool.flaws.push(outer.flaw(
            codes::E_SCHEMA,
            "type",
            &without_schema(&kind),
            "leave it out: Ambit has nothing to check its calls by",
        ));
        return;
    }
    if outer.kind().as_deref() == Some("function") {
        tool.format = Format::OpenAi;
    }
    match outer.get("function").and_then(object) {
        Some(members) => {
            let inner = Reader { members, base: "/function" };
            inner.refuse_duplicates(&mut tool.flaws);
            tool.meta = inner.raw(META).or(tool.meta.take());
            tool.format = Format::OpenAi;
            read_definition(tool, &inner);
        }
        None => read_definition(tool, &outer),
    }
}

fn without_schema(kind: &str) -> String {
    if kind == "custom" {
        return "a `custom` tool takes a text and no arguments: it has no input schema".to_owned();
    }
    let shown: String = kind.chars().take(LONGEST_TYPE).collect();
    format!("`{}` is a tool that its provider has built in: it has no input schema", shown.escape_debug())
}

fn read_definition(tool: &mut OfferedTool, reader: &Reader<'_>) {
    let input = INPUT_MEMBERS.into_iter().find(|(member, _)| reader.get(member).is_some());
    if let Some((_, format)) = input {
        tool.format = format;
    }
    let input = input.map(|(member, _)| member);
    let output = OUTPUT_MEMBERS.into_iter().find(|member| reader.get(member).is_some());
    let pointer = |member: &str| format!("{}/{member}", reader.base);
    tool.name = reader.text("name", codes::E_NAME, &mut tool.flaws);
    tool.title = reader.text("title", codes::E_NAME, &mut tool.flaws);
    tool.description = reader.text("description", codes::E_DESC_MISSING, &mut tool.flaws);
    tool.input_schema = input.and_then(|member| reader.schema(member, &mut tool.flaws));
    tool.output_schema = output.and_then(|member| reader.schema(member, &mut tool.flaws));
    tool.input_pointer = pointer(input.unwrap_or("inputSchema"));
    tool.output_pointer = pointer(output.unwrap_or("outputSchema"));
    tool.annotations = reader.raw("annotations").filter(|text| text.starts_with('{'));
    let kept = EXTRAS.iter().filter(|(format, _)| *format == tool.format).flat_map(|(_, members)| *members);
    tool.extras = kept.filter_map(|member| Some(((*member).to_owned(), reader.raw(member)?))).collect();
}

/// One object of the definition and where it stands in it.
struct Reader<'a> {
    members: Vec<(String, &'a RawValue)>,
    base: &'static str,
}

impl<'a> Reader<'a> {
    /// A member; null is as good as absent.
    fn get(&self, key: &str) -> Option<&'a RawValue> {
        let found = self.members.iter().find(|(name, _)| name == key).map(|(_, value)| *value);
        found.filter(|value| value.get() != "null")
    }

    fn raw(&self, key: &str) -> Option<String> {
        self.get(key).map(|raw| raw.get().to_owned())
    }

    fn kind(&self) -> Option<String> {
        self.get("type").and_then(text)
    }

    /// The `type` of a tool that its provider runs itself (`web_search`, `bash_20250124`), or that takes a text (`custom` of OpenAI).
    fn kind_without_schema(&self) -> Option<String> {
        let has_definition = INPUT_MEMBERS.iter().any(|(member, _)| self.get(member).is_some());
        self.kind().filter(|kind| kind != "function" && !has_definition && self.get("function").is_none())
    }

    fn refuse_duplicates(&self, flaws: &mut Vec<Flaw>) {
        let mut seen = BTreeSet::new();
        for (key, _) in &self.members {
            if !seen.insert(key) {
                flaws.push(Flaw {
                    code: codes::E_SCHEMA,
                    pointer: format!("{}/{}", self.base, escape(key)),
                    message: format!("the member `{key}` stands twice"),
                    remedy: "keep one of them".into(),
                });
            }
        }
    }

    fn text(&self, key: &str, code: &'static str, flaws: &mut Vec<Flaw>) -> Option<String> {
        let Some(raw) = self.get(key) else {
            if key == "name" {
                flaws.push(self.flaw(code, key, "the tool has no name", "give it a `name`"));
            }
            return None;
        };
        let text = text(raw);
        if text.is_none() {
            flaws.push(self.flaw(code, key, &format!("`{key}` is not a text"), "write it in quotes"));
        }
        text
    }

    fn schema(&self, key: &str, flaws: &mut Vec<Flaw>) -> Option<String> {
        let raw = self.get(key)?.get();
        if raw.starts_with('{') || raw == "true" {
            return Some(raw.to_owned());
        }
        flaws.push(self.flaw(
            codes::E_SCHEMA,
            key,
            &format!("`{key}` is not a JSON Schema"),
            "write an object, `{\"type\": \"object\"}`",
        ));
        None
    }

    fn flaw(&self, code: &'static str, key: &str, message: &str, remedy: &str) -> Flaw {
        Flaw { code, pointer: format!("{}/{key}", self.base), message: message.into(), remedy: remedy.into() }
    }
}

/// The members of an object, in the order of the file; nothing for any other value.
pub(super) fn object(raw: &RawValue) -> Option<Vec<(String, &RawValue)>> {
    serde_json::from_str(raw.get()).ok().map(|Members(members)| members)
}

fn text(raw: &RawValue) -> Option<String> {
    serde_json::from_str(raw.get()).ok()
}

/// One reference token of a JSON pointer (RFC 6901, 3).
fn escape(token: &str) -> String {
    token.replace('~', "~0").replace('/', "~1")
}
