//! JSON as it will be written: members in the order that people expect, schemas as the text of their file.

use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::value::RawValue;

/// A value to be written.
#[derive(Clone, Debug)]
pub(super) enum Written {
    Text(String),
    Boolean(bool),
    /// Byte for byte.
    Raw(Box<RawValue>),
    List(Vec<Written>),
    Object(Vec<(String, Written)>),
}

impl Serialize for Written {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Boolean(said) => serializer.serialize_bool(*said),
            Self::Raw(raw) => raw.serialize(serializer),
            Self::List(list) => serializer.collect_seq(list),
            Self::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (key, value) in members {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}
