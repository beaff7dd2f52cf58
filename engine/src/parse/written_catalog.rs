//! The Catalog document as it is written. It has a file of its own because tools and defaults share the keys of facts,
//! and serde's `flatten`, which could share them, loses spans.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::at::At;
use super::schema::form;
use super::written::Text;

/// A file of tool definitions, and what the operator says of its tools.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Catalog {
    /// The catalog's id; its tools are written `catalog/tool`.
    #[schemars(with = "form::Id", extend("examples" = ["billing"]))]
    pub id: Text,
    /// The tenant it belongs to; without this key any tenant's project may list it.
    #[schemars(with = "Option<form::Id>")]
    pub tenant: Option<Text>,
    /// The JSON file of its tools as MCP, OpenAI or Anthropic have them, relative to this file.
    #[schemars(with = "form::RelativePath", extend("examples" = ["../catalogs/billing.json"]))]
    pub file: Text,
    /// What the file was made of, as `ambit import` writes it.
    pub imported: Option<Imported>,
    /// The day its tools came in; of two tools that answer to the same questions, the later one is refused.
    #[schemars(with = "Option<form::Date>")]
    pub since: Option<Text>,
    /// Names of the secrets that calls of its tools will need, only with a `tenant`; `ambit secrets` says where each belongs.
    #[serde(default)]
    #[schemars(with = "Vec<form::SecretName>", extend("examples" = [["token"]]))]
    pub secrets: Vec<Text>,
    /// Annotations of the file whose word on effect is taken.
    #[serde(default)]
    #[schemars(with = "Vec<form::Annotation>")]
    pub trusted_annotations: Vec<Text>,
    /// Facts for every tool of the catalog that does not say otherwise.
    #[serde(default)]
    pub defaults: Defaults,
    /// Findings of intake that the operator knows of.
    #[serde(default)]
    pub acknowledged: Vec<At<Acknowledgement>>,
    /// What is said of each tool, by its name in the file.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, Tool>")]
    pub tools: BTreeMap<Text, Tool>,
}

/// What a catalog's file was made of.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Imported {
    /// The path or the address that was imported.
    #[schemars(with = "form::Filled", extend("examples" = ["https://api.acme.example/openapi.json"]))]
    pub from: Text,
    /// What it was there; the HTTP method of an `openapi` operation tells its effect, where nothing else does.
    #[schemars(with = "form::ImportedFormat")]
    pub format: Text,
}

/// A finding of intake that the operator knows of.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Acknowledgement {
    /// The tool, by its name in the file.
    #[schemars(with = "form::Phrase")]
    pub tool: Text,
    /// The code of the finding.
    #[schemars(with = "form::Code")]
    pub code: Text,
    /// Why it may stand.
    #[schemars(with = "form::Phrase")]
    pub reason: String,
}

/// Borrowed facts of `defaults` or of a tool.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    pub source: Option<&'a Text>,
    pub entity: Option<&'a Text>,
    pub operation: Option<&'a Text>,
    pub effect: Option<&'a Text>,
    pub risk: Option<&'a Text>,
    pub confirmation: Option<bool>,
    pub identity: Option<&'a [String]>,
    pub collection: Option<&'a Text>,
    pub requires: Option<&'a [String]>,
    pub produces: Option<&'a [String]>,
    pub next: Option<&'a [Text]>,
    pub after: Option<&'a [Text]>,
}

macro_rules! with_facts {
    ($(#[$doc:meta])* $name:ident { $($(#[$attribute:meta])* $key:ident: $kind:ty),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            /// What the tool reaches.
            #[schemars(with = "Option<form::Source>")]
            pub source: Option<Text>,
            /// The thing the tool is about, such as `orders`.
            #[schemars(with = "Option<form::Filled>")]
            pub entity: Option<Text>,
            /// What it does with the thing.
            #[schemars(with = "Option<form::OperationWord>")]
            pub operation: Option<Text>,
            /// What a call does to the world; nobody's word counts as `write`.
            #[schemars(with = "Option<form::EffectWord>")]
            pub effect: Option<Text>,
            /// How bad a wrong call would be.
            #[schemars(with = "Option<form::RiskWord>")]
            pub risk: Option<Text>,
            /// Whether a person confirms each call.
            pub confirmation: Option<bool>,
            /// Keys of its result that tell one thing from another.
            #[schemars(with = "Option<Vec<form::Word>>", extend("examples" = [["report_id"]]))]
            pub identity: Option<Vec<String>>,
            /// Where the rows lie in its result: keys parted by dots, or `$` where the result itself is the list.
            #[schemars(with = "Option<form::RowPath>", extend("examples" = ["data.rows", "$"]))]
            pub collection: Option<Text>,
            /// Things it needs that another tool makes.
            #[schemars(with = "Option<Vec<form::Word>>")]
            pub requires: Option<Vec<String>>,
            /// Things it makes.
            #[schemars(with = "Option<Vec<form::Word>>", extend("examples" = [["revenue", "report_id"]]))]
            pub produces: Option<Vec<String>>,
            /// Tools that often follow: names in this catalog, or ids `catalog/tool`.
            #[schemars(with = "Option<Vec<form::Phrase>>")]
            pub next: Option<Vec<Text>>,
            /// Tools that often come before: names in this catalog, or ids `catalog/tool`.
            #[schemars(with = "Option<Vec<form::Phrase>>")]
            pub after: Option<Vec<Text>>,
            $($(#[$attribute])* pub $key: $kind,)*
        }

        impl $name {
            /// The facts among its keys.
            pub fn facts(&self) -> Facts<'_> {
                Facts {
                    source: self.source.as_ref(),
                    entity: self.entity.as_ref(),
                    operation: self.operation.as_ref(),
                    effect: self.effect.as_ref(),
                    risk: self.risk.as_ref(),
                    confirmation: self.confirmation,
                    identity: self.identity.as_deref(),
                    collection: self.collection.as_ref(),
                    requires: self.requires.as_deref(),
                    produces: self.produces.as_deref(),
                    next: self.next.as_deref(),
                    after: self.after.as_deref(),
                }
            }
        }
    };
}

with_facts! {
    /// Facts for every tool of the catalog.
    Defaults {}
}

with_facts! {
    /// What is said of one tool.
    Tool {
        /// Replaces the description of the file.
        #[schemars(with = "Option<form::Phrase>")]
        description: Option<String>,
        /// Questions that this tool answers: it must rank first for them.
        #[serde(default)]
        #[schemars(with = "Vec<form::Filled>", extend("examples" = [["What was our revenue last quarter?"]]))]
        examples: Vec<Text>,
        /// The day the tool came in, where it is not the catalog's.
        #[schemars(with = "Option<form::Date>")]
        since: Option<Text>,
        /// A pin of its definition: one that changed refuses the apply.
        #[schemars(with = "Option<form::Pin>")]
        digest: Option<Text>,
    }
}
