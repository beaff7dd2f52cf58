//! The three shapes a tool is written in: MCP `tools/list`, OpenAI (chat and responses) and Anthropic.
//! Told apart per tool by the member that holds the input schema, so that a mixed file works.

use std::collections::BTreeMap;

use ambit_model::codes;
use ambit_model::diagnostic::Place;
use serde_json::value::RawValue;

use super::{Flaw, Format, OfferedTool};
use crate::canonical::Members;

/// Members that may hold an output schema; the first one present counts.
const OUTPUT_MEMBERS: &[&str] = &["outputSchema", "output_schema"];

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
        Some(members) => read_members(&mut tool, members),
        None => tool.flaws.push(Flaw {
            code: codes::E_NAME,
            pointer: String::new(),
            message: "the tool is not an object".into(),
            remedy: "write an object with `name`, `description` and an input schema".into(),
        }),
    }
    tool
}

fn read_members(tool: &mut OfferedTool, outer: Vec<(String, &RawValue)>) {
    let function = outer.iter().find(|(key, _)| key == "function").and_then(|(_, value)| object(value));
    let (members, base) = match function {
        Some(inner) => {
            tool.format = Format::OpenAi;
            (inner, "/function")
        }
        None => (outer, ""),
    };
    let reader = Reader { members, base };
    reader.refuse_duplicates(&mut tool.flaws);
    let schema_member = reader.schema_member(&mut tool.format);
    tool.name = reader.text("name", codes::E_NAME, &mut tool.flaws);
    tool.title = reader.text("title", codes::E_NAME, &mut tool.flaws);
    tool.description = reader.text("description", codes::E_DESC_MISSING, &mut tool.flaws);
    tool.input_schema = schema_member.and_then(|member| reader.schema(member, &mut tool.flaws));
    let output = OUTPUT_MEMBERS.iter().find(|member| reader.get(member).is_some());
    let pointer = |member: &str| format!("{}/{member}", reader.base);
    tool.input_pointer = pointer(schema_member.unwrap_or("inputSchema"));
    tool.output_pointer = pointer(output.unwrap_or(&"outputSchema"));
    tool.output_schema = output.and_then(|member| reader.schema(member, &mut tool.flaws));
    tool.annotations =
        reader.get("annotations").filter(|raw| raw.get().starts_with('{')).map(|raw| raw.get().to_owned());
}

/// One object of the definition and where it stands in it.
struct Reader<'a> {
    members: Vec<(String, &'a RawValue)>,
    base: &'static str,
}

impl<'a> Reader<'a> {
    fn get(&self, key: &str) -> Option<&'a RawValue> {
        let found = self.members.iter().find(|(name, _)| name == key).map(|(_, value)| *value);
        found.filter(|value| value.get() != "null")
    }

    fn refuse_duplicates(&self, flaws: &mut Vec<Flaw>) {
        let mut seen = std::collections::BTreeSet::new();
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

    fn schema_member(&self, format: &mut Format) -> Option<&'static str> {
        let known = [("inputSchema", Format::Mcp), ("input_schema", Format::Anthropic), ("parameters", Format::OpenAi)];
        let (member, found) = known.into_iter().find(|(member, _)| self.get(member).is_some())?;
        *format = found;
        Some(member)
    }

    fn text(&self, key: &str, code: &'static str, flaws: &mut Vec<Flaw>) -> Option<String> {
        let Some(raw) = self.get(key) else {
            if key == "name" {
                flaws.push(self.flaw(code, key, "the tool has no name", "give it a `name`"));
            }
            return None;
        };
        let text = serde_json::from_str(raw.get()).ok();
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

fn object(raw: &RawValue) -> Option<Vec<(String, &RawValue)>> {
    serde_json::from_str(raw.get()).ok().map(|Members(members)| members)
}

/// One reference token of a JSON pointer (RFC 6901, 3).
fn escape(token: &str) -> String {
    token.replace('~', "~0").replace('/', "~1")
}
