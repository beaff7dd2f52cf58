//! What is known of a tool beyond its texts and schemas, each fact with where it came from.
//! The closed lists of DESIGN 1 live here once; the Cedar schema is checked against them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::identity::ToolId;

macro_rules! closed_list {
    ($(#[$doc:meta])* $name:ident { $($variant:ident => $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum $name { $(#[serde(rename = $word)] $variant),+ }

        impl $name {
            /// Every member, in the order of the written list.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The written word.
            pub fn word(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// The member with this written word.
            pub fn parse(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)+ _ => None }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.word())
            }
        }
    };
}

closed_list! {
    /// What a call does to the world.
    Effect { Read => "read", Write => "write", Destructive => "destructive" }
}
closed_list! {
    /// How bad a wrong call can be.
    Risk { Low => "low", Medium => "medium", High => "high", Critical => "critical" }
}
closed_list! {
    /// What kind of call it is.
    Operation {
        Search => "search", List => "list", Get => "get", Detail => "detail", Summary => "summary",
        Count => "count", Check => "check", Create => "create", Update => "update", Delete => "delete",
        Send => "send", Execute => "execute",
    }
}
closed_list! {
    /// Where the tool lives.
    SourceKind { Knowledge => "knowledge", Api => "api", Mcp => "mcp" }
}
closed_list! {
    /// The most a project lets its callers do; no policy can exceed it.
    Ceiling { ReadOnly => "read_only", ConfirmWrites => "confirm_writes", Open => "open" }
}

impl Effect {
    /// The risk of a tool whose declaration names none.
    pub fn default_risk(self) -> Risk {
        match self {
            Self::Read => Risk::Low,
            Self::Write => Risk::Medium,
            Self::Destructive => Risk::High,
        }
    }
}

impl Operation {
    /// Reads the world and changes nothing, by its nature.
    pub fn reads(self) -> bool {
        !matches!(self, Self::Create | Self::Update | Self::Delete | Self::Send | Self::Execute)
    }
}

/// Who said a fact. Later members never override earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Written by the operator for this tool.
    Declared,
    /// Written by the operator for the whole Catalog.
    CatalogDefault,
    /// An annotation of the source that the Catalog lists as trusted.
    TrustedAnnotation,
    /// The source admits to a graver effect than anybody said; no trust is needed to narrow.
    Admitted,
    /// The HTTP method of the operation that `ambit import` made the tool of.
    Method,
    /// A hint in the source's `_meta`, checked and bounded: shown, and never a reason to allow or to rank.
    Hint,
    /// Read off the tool's name or schemas by Ambit.
    Inferred,
    /// Nothing was said: the cautious default.
    Default,
}

impl Origin {
    /// For people: `declared`, `a hint of the source`.
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Declared => "declared",
            Self::CatalogDefault => "default of the Catalog",
            Self::TrustedAnnotation => "trusted annotation",
            Self::Admitted => "admitted by the source",
            Self::Method => "HTTP method",
            Self::Hint => "hint of the source",
            Self::Inferred => "inferred",
            Self::Default => "cautious default",
        }
    }
}

closed_list! {
    /// The facts whose origin stands beside them, in [`Facts::origins`].
    Fact {
        Source => "source", Confirmation => "confirmation", Identity => "identity", Collection => "collection",
        Requires => "requires", Produces => "produces", Next => "next", After => "after", IntentTags => "intent_tags",
    }
}

/// A fact and who said it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sourced<T> {
    pub value: T,
    pub origin: Origin,
}

/// Everything the engine knows of a tool that is neither prose nor schema.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    pub source: SourceKind,
    /// The thing it is about, in the plural where it has one: `orders`.
    pub entity: Sourced<String>,
    pub operation: Sourced<Operation>,
    pub effect: Sourced<Effect>,
    pub risk: Sourced<Risk>,
    /// A person has to confirm each call.
    pub confirmation: bool,
    /// Fields of a result row that identify it.
    pub identity: Vec<String>,
    /// Dotted path of the rows in a result; `$` where the result itself is the list.
    pub collection: Option<String>,
    /// Things it needs that another tool makes: `chart`, `customer_id`.
    pub requires: Vec<String>,
    /// Things it makes that another tool needs.
    pub produces: Vec<String>,
    /// Canonical ids of tools that usually come next.
    pub next: Vec<ToolId>,
    /// Canonical ids of tools that must have come first.
    pub after: Vec<ToolId>,
    /// What the source's hint says that people ask for; shown, and never ranked by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub intent_tags: Vec<String>,
    /// Where the facts came from that do not hold it themselves; none is known of a card compiled before it was kept.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub origins: BTreeMap<Fact, Origin>,
}

/// One fact as a person reads it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stated {
    /// As YAML spells it: `entity`, `collection`.
    pub fact: String,
    /// Empty where there is none.
    pub value: String,
    /// Absent in a card compiled before it was kept.
    pub origin: Option<Origin>,
}

impl Facts {
    /// Where a fact came from; nothing of a card compiled before it was kept.
    pub fn origin(&self, fact: Fact) -> Option<Origin> {
        self.origins.get(&fact).copied()
    }

    /// Every fact in the order of DESIGN 1, with where it came from.
    pub fn stated(&self) -> Vec<Stated> {
        let sourced =
            |fact: &str, value: String, origin: Origin| Stated { fact: fact.to_owned(), value, origin: Some(origin) };
        let other =
            |fact: Fact, value: String| Stated { fact: fact.word().to_owned(), value, origin: self.origin(fact) };
        let tools = |ids: &[ToolId]| ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let confirmation = if self.confirmation { "a person confirms each call" } else { "none" };
        vec![
            other(Fact::Source, self.source.to_string()),
            sourced("entity", self.entity.value.clone(), self.entity.origin),
            sourced("operation", self.operation.value.to_string(), self.operation.origin),
            sourced("effect", self.effect.value.to_string(), self.effect.origin),
            sourced("risk", self.risk.value.to_string(), self.risk.origin),
            other(Fact::Confirmation, confirmation.to_owned()),
            other(Fact::Identity, self.identity.join(", ")),
            other(Fact::Collection, self.collection.clone().unwrap_or_default()),
            other(Fact::Requires, self.requires.join(", ")),
            other(Fact::Produces, self.produces.join(", ")),
            other(Fact::Next, tools(&self.next)),
            other(Fact::After, tools(&self.after)),
            other(Fact::IntentTags, self.intent_tags.join(", ")),
        ]
    }

    /// The tools of one source kind and entity: `mcp:orders`.
    pub fn entity_family(&self) -> String {
        format!("{}:{}", self.source, self.entity.value)
    }
}
