//! The knowledge folders of a Project as they are written: a list of folders, or a mapping with words about them.
//! Read by hand, for an untagged enum would buffer the values and lose their spans.

use schemars::JsonSchema;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::schema::form;
use super::written::Text;

/// Folders of Markdown, and what their search tool is called by.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Described {
    /// Folders relative to this file and inside the root; every `*.md` file below them is a document.
    #[schemars(with = "Vec<form::RelativePath>", length(min = 1), extend("examples" = [["../knowledge/support"]]))]
    pub folders: Vec<Text>,
    /// What the documents answer [default: their titles].
    #[schemars(with = "Option<form::Filled>")]
    pub description: Option<Text>,
    /// Questions that the documents answer, as people would ask them.
    #[serde(default)]
    #[schemars(with = "Vec<form::Filled>")]
    pub examples: Vec<Text>,
}

/// Either form, read as the longer one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Knowledge(pub Described);

impl<'de> Deserialize<'de> for Knowledge {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(EitherForm).map(Self)
    }
}

struct EitherForm;

impl<'de> Visitor<'de> for EitherForm {
    type Value = Described;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a list of folders, or a mapping with `folders`")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, folders: A) -> Result<Described, A::Error> {
        let folders = Vec::deserialize(SeqAccessDeserializer::new(folders))?;
        Ok(Described { folders, ..Described::default() })
    }

    fn visit_map<A: MapAccess<'de>>(self, keys: A) -> Result<Described, A::Error> {
        Described::deserialize(MapAccessDeserializer::new(keys))
    }
}

/// For editors.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "only its schema is asked for")]
enum Form {
    Folders(#[schemars(with = "Vec<form::RelativePath>", length(min = 1))] Vec<Text>),
    Described(Described),
}

impl JsonSchema for Knowledge {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Knowledge".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Form::json_schema(generator)
    }
}
