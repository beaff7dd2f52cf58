//! Every text of a tool that its source wrote and that an agent or a person would read, each with where it stands.
//! `_meta` is not among them: it leaves through no door. The operator's own description is trusted, and replaces the source's.

use serde_json::Value;

use super::Offer;
use crate::schema;
use crate::schema::keywords::{LISTS, MAPS, SINGLE};

/// One text and its RFC 6901 pointer in the tool's definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceText {
    pub pointer: String,
    pub text: String,
    pub kind: Kind,
}

/// What a text is, which decides what it may say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Prose,
    /// A name, of the tool or of a member of a schema: words joined, no prose.
    Name,
    /// A pattern or a reference: markup and orders mean nothing in it, and what hides in it reaches an agent all the same.
    ForMachines,
}

/// Keywords whose texts are for machines.
const FOR_MACHINES: &[&str] = &["pattern", "$ref", "$dynamicRef", "$id", "$schema"];

/// What a value is, seen from the schema that it stands in.
#[derive(Clone, Copy)]
enum Part {
    Schema,
    /// Its keys are names, or patterns, and each of its values is a schema.
    Named {
        by_pattern: bool,
    },
    /// The value of a keyword whose text is for machines.
    ForMachines,
    /// Anything else: an example, an unknown keyword, what a source says beyond our words.
    Data,
}

impl Part {
    /// What a member of this is.
    fn of(self, key: &str, value: &Value) -> Self {
        match self {
            Self::Named { .. } => Self::Schema,
            Self::Schema if FOR_MACHINES.contains(&key) && value.is_string() => Self::ForMachines,
            Self::Schema if MAPS.contains(&key) && value.is_object() => {
                Self::Named { by_pattern: key == "patternProperties" }
            }
            Self::Schema if SINGLE.contains(&key) || LISTS.contains(&key) => Self::Schema,
            Self::Schema | Self::Data | Self::ForMachines => Self::Data,
        }
    }

    /// What the keys of its members are.
    fn kind_of_keys(self) -> Kind {
        if matches!(self, Self::Named { by_pattern: true }) { Kind::ForMachines } else { Kind::Name }
    }

    /// What a text is that stands in its place.
    fn kind(self) -> Kind {
        if matches!(self, Self::ForMachines) { Kind::ForMachines } else { Kind::Prose }
    }
}

pub(super) fn of(offer: &Offer<'_>) -> Vec<SourceText> {
    let tool = offer.tool;
    let mut found = Found::default();
    found.own(offer, "name", tool.name.as_deref(), Kind::Name);
    found.own(offer, "title", tool.title.as_deref(), Kind::Prose);
    if offer.declared.is_none_or(|declared| declared.description.is_none()) {
        found.own(offer, "description", tool.description.as_deref(), Kind::Prose);
    }
    for (schema, pointer) in [(&tool.input_schema, &tool.input_pointer), (&tool.output_schema, &tool.output_pointer)] {
        if let Some(text) = schema {
            found.walk(&schema::parse_text(text), pointer, Part::Schema);
        }
    }
    let annotations = tool.annotations.as_deref().map(|text| ("annotations", text));
    let extras = tool.extras.iter().map(|(member, text)| (member.as_str(), text.as_str()));
    for (member, text) in annotations.into_iter().chain(extras) {
        found.walk(&schema::parse_text(text), &offer.pointer(member), Part::Data);
    }
    found.0
}

#[derive(Default)]
struct Found(Vec<SourceText>);

impl Found {
    fn own(&mut self, offer: &Offer<'_>, member: &str, text: Option<&str>, kind: Kind) {
        if let Some(text) = text {
            self.0.push(SourceText { pointer: offer.pointer(member), text: text.to_owned(), kind });
        }
    }

    /// Every string of a schema and every name of a member, those of unknown keywords too: the agent receives them all.
    fn walk(&mut self, value: &Value, at: &str, part: Part) {
        match value {
            Value::String(text) => {
                self.0.push(SourceText { pointer: at.to_owned(), text: text.clone(), kind: part.kind() });
            }
            Value::Array(items) => {
                items.iter().enumerate().for_each(|(n, item)| self.walk(item, &format!("{at}/{n}"), part));
            }
            Value::Object(members) => {
                for (key, value) in members {
                    let at = format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
                    self.0.push(SourceText { pointer: at.clone(), text: key.clone(), kind: part.kind_of_keys() });
                    self.walk(value, &at, part.of(key, value));
                }
            }
            _ => {}
        }
    }
}
