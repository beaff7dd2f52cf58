//! JSON as it is compared: objects by key, numbers by their literal, and lists whose order means nothing sorted.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use crate::canonical::Members;

/// A JSON value. The order of variants is only there to sort by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Node {
    /// A number, `true`, `false` or `null`, as written.
    Literal(String),
    Text(String),
    /// Its order means something.
    Tuple(Vec<Node>),
    /// Its order means nothing; sorted.
    Bag(Vec<Node>),
    Object(BTreeMap<String, Node>),
}

/// Keys of JSON Schema whose list has no order: values, names or alternatives.
const UNORDERED: [&str; 6] = ["required", "enum", "type", "anyOf", "oneOf", "allOf"];
/// Its members are names with lists of names.
const NAMES_OF_NAMES: &str = "dependentRequired";

impl Node {
    /// Reads a JSON text; its lists keep their order. Of equal keys the last counts.
    pub(super) fn of(json: &str) -> Result<Self, serde_json::Error> {
        let json = json.trim();
        match json.as_bytes().first() {
            Some(b'{') => {
                let Members(members) = serde_json::from_str(json)?;
                let read = members.into_iter().map(|(key, value)| Ok((key, Self::of(value.get())?)));
                Ok(Self::Object(read.collect::<Result<_, serde_json::Error>>()?))
            }
            Some(b'[') => {
                let members: Vec<&RawValue> = serde_json::from_str(json)?;
                Ok(Self::Tuple(members.into_iter().map(|value| Self::of(value.get())).collect::<Result<_, _>>()?))
            }
            Some(b'"') => Ok(Self::Text(serde_json::from_str(json)?)),
            _ => Ok(Self::Literal(serde_json::from_str::<&RawValue>(json)?.get().to_owned())),
        }
    }

    /// A declaration: no list of theirs has an order that means anything, and what is null is not there.
    pub(super) fn in_any_order(self) -> Self {
        match self {
            Self::Tuple(members) | Self::Bag(members) => {
                Self::bag(members.into_iter().map(Self::in_any_order).collect())
            }
            Self::Object(members) => {
                let there = members.into_iter().filter(|(_, value)| !value.is_null());
                Self::Object(there.map(|(key, value)| (key, value.in_any_order())).collect())
            }
            plain => plain,
        }
    }

    /// A JSON Schema: the lists without an order are those of a few keys.
    pub(super) fn read_as_schema(self) -> Self {
        self.schema_under("", "")
    }

    fn schema_under(self, above: &str, key: &str) -> Self {
        match self {
            Self::Tuple(members) | Self::Bag(members) => {
                let members = members.into_iter().map(|member| member.schema_under(key, "")).collect();
                let unordered = UNORDERED.contains(&key) || above == NAMES_OF_NAMES;
                if unordered { Self::bag(members) } else { Self::Tuple(members) }
            }
            Self::Object(members) => {
                let inner = |(name, value): (String, Self)| {
                    let value = value.schema_under(key, &name);
                    (name, value)
                };
                Self::Object(members.into_iter().map(inner).collect())
            }
            plain => plain,
        }
    }

    fn bag(mut members: Vec<Self>) -> Self {
        members.sort();
        Self::Bag(members)
    }

    fn is_null(&self) -> bool {
        matches!(self, Self::Literal(literal) if literal == "null")
    }

    /// How people read it: a text as it is, anything else as JSON.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            other => other.json(),
        }
    }

    fn json(&self) -> String {
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        match self {
            Self::Literal(literal) => literal.clone(),
            Self::Text(text) => quoted(text),
            Self::Tuple(members) | Self::Bag(members) => {
                format!("[{}]", members.iter().map(Self::json).collect::<Vec<_>>().join(","))
            }
            Self::Object(members) => {
                let members = members.iter().map(|(key, value)| format!("{}:{}", quoted(key), value.json()));
                format!("{{{}}}", members.collect::<Vec<_>>().join(","))
            }
        }
    }
}
