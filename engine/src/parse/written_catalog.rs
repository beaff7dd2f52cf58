//! The Catalog document as it is written. It has a file of its own because tools and defaults share the keys of facts,
//! and serde's `flatten`, which could share them, loses spans.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::at::At;
use super::written::Text;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Catalog {
    pub id: Text,
    pub tenant: Option<Text>,
    pub file: Text,
    pub since: Option<Text>,
    #[serde(default)]
    pub secrets: Vec<Text>,
    #[serde(default)]
    pub trusted_annotations: Vec<Text>,
    #[serde(default)]
    pub defaults: Defaults,
    #[serde(default)]
    pub acknowledged: Vec<At<Acknowledgement>>,
    #[serde(default)]
    pub tools: BTreeMap<Text, Tool>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Acknowledgement {
    pub tool: Text,
    pub code: Text,
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
        #[derive(Clone, Debug, Default, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            pub source: Option<Text>,
            pub entity: Option<Text>,
            pub operation: Option<Text>,
            pub effect: Option<Text>,
            pub risk: Option<Text>,
            pub confirmation: Option<bool>,
            pub identity: Option<Vec<String>>,
            pub collection: Option<Text>,
            pub requires: Option<Vec<String>>,
            pub produces: Option<Vec<String>>,
            pub next: Option<Vec<Text>>,
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
        description: Option<String>,
        #[serde(default)]
        examples: Vec<Text>,
        since: Option<Text>,
        digest: Option<Text>,
    }
}
