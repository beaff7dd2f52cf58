//! The shapes of the documents as they are written: `docs/declarations.md` in types.
//! Whatever can be wrong in a way that another document decides carries its span; words of closed lists, numbers and dates are
//! kept as text here, so that `resolve` can report every wrong one of a document and not only the first.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::at::At;

/// A text with its span.
pub type Text = At<String>;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Workspace {
    pub name: Text,
    pub root: Option<Text>,
    pub embedding: Option<Embedding>,
    pub weights: Option<At<Weights>>,
    #[serde(default)]
    pub thresholds: Thresholds,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Embedding {
    pub model: Text,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    pub semantic: Option<Text>,
    pub bm25: Option<Text>,
    pub param_fit: Option<Text>,
    pub output_fit: Option<Text>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thresholds {
    pub self_retrieval: Option<Text>,
    pub floor: Option<Text>,
    pub gate: Option<Text>,
    pub clear_winner: Option<Text>,
    pub gain: Option<Text>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tenant {
    pub id: Text,
    pub name: String,
    #[serde(default)]
    pub roles: Vec<Role>,
    #[serde(default)]
    pub users: Vec<User>,
    #[serde(default)]
    pub agents: Vec<Agent>,
    #[serde(default)]
    pub identity: Vec<IdentityProvider>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Role {
    pub id: Text,
    #[serde(default)]
    pub includes: Vec<Text>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct User {
    pub id: Text,
    pub name: Option<String>,
    #[serde(default)]
    pub roles: Vec<Text>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Agent {
    pub id: Text,
    #[serde(default)]
    pub roles: Vec<Text>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IdentityProvider {
    pub issuer: Text,
    pub audience: Option<At<Vec<Text>>>,
    pub algorithms: Option<At<Vec<Text>>>,
    pub token_type: Option<Text>,
    #[serde(default)]
    pub when: BTreeMap<Text, Text>,
    pub user: Option<UserClaim>,
    pub roles: Option<RoleClaim>,
    pub sign_in: Option<SignIn>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UserClaim {
    pub claim: Option<Text>,
    #[serde(default)]
    pub principals: BTreeMap<Text, Text>,
    #[serde(default)]
    pub undeclared: bool,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoleClaim {
    pub claim: Text,
    pub map: BTreeMap<Text, Text>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignIn {
    pub client: Text,
    #[serde(default)]
    pub scopes: Vec<Text>,
    pub secret: Option<At<bool>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Project {
    pub id: Text,
    pub tenant: Text,
    pub name: String,
    #[serde(default)]
    pub catalogs: Vec<Text>,
    pub ceiling: Option<Text>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    pub id: Text,
    pub title: String,
    pub description: String,
    pub members: Vec<Text>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TwinGroup {
    pub id: Text,
    pub members: Vec<Text>,
    pub preferred: Text,
    pub reason: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VersionFamily {
    pub id: Text,
    pub current: At<u32>,
    pub members: Vec<FamilyMember>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FamilyMember {
    pub tool: Text,
    pub version: At<u32>,
    #[serde(default)]
    pub deprecated: bool,
    pub retired_on: Option<Text>,
    #[serde(default)]
    pub pin: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// May be left out where the document only links a template.
    pub id: Option<Text>,
    pub reason: Option<String>,
    pub cedar: Option<Text>,
    /// The template that is linked, where it stands in another document or file.
    pub template: Option<Text>,
    #[serde(default)]
    pub links: Vec<PolicyLink>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicyLink {
    pub id: Text,
    pub principal: Option<Text>,
    pub resource: Option<Text>,
    pub reason: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vocabulary {
    pub language: Text,
    #[serde(default)]
    pub verbs: BTreeMap<Text, Vec<String>>,
    #[serde(default)]
    pub synonyms: BTreeMap<String, Vec<String>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicyTest {
    pub principal: Text,
    /// The user or role that it acts for.
    #[serde(rename = "for")]
    pub acting_for: Option<Text>,
    pub project: Option<Text>,
    pub action: Text,
    /// What an action on tools is about.
    pub tool: Option<Text>,
    /// What an admin action or `act_for` is about.
    pub resource: Option<Text>,
    pub expect: Text,
    pub policy: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GoldenRoute {
    pub question: Text,
    pub principal: Text,
    pub project: Text,
    pub tools: Option<Vec<Text>>,
    pub gap: Option<Text>,
    pub ordered: Option<bool>,
}
