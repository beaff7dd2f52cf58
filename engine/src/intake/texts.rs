//! Every text of a tool that its source wrote and that an agent or a person would read, each with where it stands.
//! `_meta` is not among them: it leaves through no door. The operator's own description is trusted, and replaces the source's.

use serde_json::Value;

use super::Offer;
use crate::schema;

/// One text and its RFC 6901 pointer in the tool's definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceText {
    pub pointer: String,
    pub text: String,
    /// A name, of the tool or of a member of a schema: words joined, no prose.
    pub is_name: bool,
}

/// Keywords whose texts are for machines: a pattern may speak of any character, and nobody reads a reference.
const FOR_MACHINES: &[&str] = &["pattern", "patternProperties", "$ref", "$dynamicRef", "$id", "$schema"];

pub(super) fn of(offer: &Offer<'_>) -> Vec<SourceText> {
    let tool = offer.tool;
    let mut found = Found::default();
    found.own(offer, "name", tool.name.as_deref(), true);
    found.own(offer, "title", tool.title.as_deref(), false);
    if offer.declared.is_none_or(|declared| declared.description.is_none()) {
        found.own(offer, "description", tool.description.as_deref(), false);
    }
    for (schema, pointer) in [(&tool.input_schema, &tool.input_pointer), (&tool.output_schema, &tool.output_pointer)] {
        if let Some(text) = schema {
            found.walk(&schema::parse_text(text), pointer);
        }
    }
    let annotations = tool.annotations.as_deref().map(schema::parse_text);
    let title = annotations.as_ref().and_then(|a| a.get("title")).and_then(Value::as_str);
    found.own(offer, "annotations/title", title, false);
    found.0
}

#[derive(Default)]
struct Found(Vec<SourceText>);

impl Found {
    fn own(&mut self, offer: &Offer<'_>, member: &str, text: Option<&str>, is_name: bool) {
        if let Some(text) = text {
            self.0.push(SourceText { pointer: offer.pointer(member), text: text.to_owned(), is_name });
        }
    }

    /// Every string of a schema and every name of a member, those of unknown keywords too: the agent receives them all.
    fn walk(&mut self, value: &Value, at: &str) {
        match value {
            Value::String(text) => {
                self.0.push(SourceText { pointer: at.to_owned(), text: text.clone(), is_name: false });
            }
            Value::Array(items) => items.iter().enumerate().for_each(|(n, item)| self.walk(item, &format!("{at}/{n}"))),
            Value::Object(members) => {
                for (key, value) in members.iter().filter(|(key, _)| !FOR_MACHINES.contains(&key.as_str())) {
                    let at = format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
                    self.0.push(SourceText { pointer: at.clone(), text: key.clone(), is_name: true });
                    self.walk(value, &at);
                }
            }
            _ => {}
        }
    }
}
