//! A ToolCard: one tool that passed intake, with everything routing, validation and the agent need.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::facts::Facts;
use crate::identity::ToolId;

/// A JSON Schema as the text of its file, byte for byte: what the agent receives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SchemaText(pub String);

/// One admitted tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCard {
    pub id: ToolId,
    /// The tenant that owns its catalog; absent where every tenant's projects may list the catalog.
    pub tenant: Option<String>,
    pub title: Option<String>,
    /// Untrusted text, unless the operator wrote it in the Catalog.
    pub description: String,
    pub input_schema: SchemaText,
    pub output_schema: Option<SchemaText>,
    /// The source's annotations as the text of its file. Never an input to authority unless trusted.
    pub annotations: Option<SchemaText>,
    /// Members of the source's definition that only its own format speaks of, as the texts of its file: `icons`, `execution`,
    /// `strict`. Never `_meta`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub extras: BTreeMap<String, SchemaText>,
    pub facts: Facts,
    /// Example questions the operator declared, in declared order.
    pub examples: Vec<String>,
    /// `YYYY-MM-DD`, from the tool or its Catalog.
    pub since: Option<String>,
    /// Ids of the Groups it is a member of, sorted.
    pub groups: Vec<String>,
}
