//! The shapes of the documents as they are written: `docs/declarations.md` in types, and what editors say of each key.
//! Whatever can be wrong in a way that another document decides carries its span; words of closed lists, numbers and dates are
//! kept as text here, so that `resolve` can report every wrong one of a document and not only the first.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::at::At;
use super::schema::form;
use super::written_knowledge::Knowledge;

/// A text with its span.
pub type Text = At<String>;

/// What the whole workspace shares: its name, its root and the numbers of routing. There is exactly one.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Workspace {
    /// The name of the workspace; policies know it as `Ambit::Workspace::"name"`.
    #[schemars(with = "form::Id")]
    pub name: Text,
    /// The folder that every path stays inside, relative to the folder of declarations: `.` or a folder above it.
    #[schemars(with = "Option<form::Path>", extend("default" = ".", "examples" = [".."]))]
    pub root: Option<Text>,
    /// The model that compares meanings.
    pub embedding: Option<Embedding>,
    /// How much each signal counts in a route; one that is not written keeps its default, and all four add up to 1.
    pub weights: Option<At<Weights>>,
    /// Where routing and intake draw their lines; one that is not written keeps its default.
    #[serde(default)]
    pub thresholds: Thresholds,
}

/// The model that compares meanings.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Embedding {
    /// The id of the model.
    #[schemars(with = "form::ModelName", extend("examples" = ["all-minilm-l6-v2-w8", "hub:MultilingualE5Small"]))]
    pub model: Text,
    /// The languages that the model was made for, as short codes, or `any`; those of a model that Ambit knows need not be written.
    #[serde(default)]
    #[schemars(with = "Vec<form::Id>", extend("examples" = [["en", "de", "it"], ["any"]]))]
    pub languages: Vec<Text>,
}

/// How much each signal counts in a route.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    /// Nearness in meaning.
    #[schemars(with = "Option<form::Share>", extend("default" = 0.4))]
    pub semantic: Option<Text>,
    /// Words in common.
    #[schemars(with = "Option<form::Share>", extend("default" = 0.25))]
    pub bm25: Option<Text>,
    /// How many of the tool's required inputs are at hand.
    #[schemars(with = "Option<form::Share>", extend("default" = 0.15))]
    pub param_fit: Option<Text>,
    /// Whether the tool gives what is asked for.
    #[schemars(with = "Option<form::Share>", extend("default" = 0.2))]
    pub output_fit: Option<Text>,
}

/// Where routing and intake draw their lines.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Thresholds {
    /// The share of its own example questions for which a tool must rank first.
    #[schemars(with = "Option<form::Share>", extend("default" = 0.5))]
    pub self_retrieval: Option<Text>,
    /// A tool that comes less near than this is not bound.
    #[schemars(with = "Option<form::Share>", extend("default" = 0.22))]
    pub floor: Option<Text>,
    /// A candidate must reach this share of the best score.
    #[schemars(with = "Option<form::Share>", extend("default" = 0.85))]
    pub gate: Option<Text>,
    /// Ahead by more than this share, the winner stands alone.
    #[schemars(with = "Option<form::Share>", extend("default" = 0.05))]
    pub clear_winner: Option<Text>,
    /// A later step must beat the tools already chosen by this much.
    #[schemars(with = "Option<form::Share>", extend("default" = 0.1))]
    pub gain: Option<Text>,
}

/// An organisation: its people, its agents, the roles they hold, and who vouches for them. Nothing of one tenant is seen by another.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tenant {
    /// The tenant's id; principals are written `tenant:user:name`.
    #[schemars(with = "form::Id", extend("examples" = ["acme"]))]
    pub id: Text,
    /// What people call it.
    #[schemars(with = "form::Phrase")]
    pub name: String,
    /// Roles that its users and agents may hold.
    #[serde(default)]
    pub roles: Vec<Role>,
    /// The people.
    #[serde(default)]
    pub users: Vec<User>,
    /// The agents.
    #[serde(default)]
    pub agents: Vec<Agent>,
    /// OpenID Connect providers that may say who somebody is.
    #[serde(default)]
    pub identity: Vec<IdentityProvider>,
}

/// A role; policies write `principal in Ambit::Role::"tenant:role:id"`.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Role {
    /// The role's id.
    #[schemars(with = "form::Id")]
    pub id: Text,
    /// Roles of this tenant that whoever holds this one also holds.
    #[serde(default)]
    #[schemars(with = "Vec<form::Id>")]
    pub includes: Vec<Text>,
}

/// A person; the principal is `tenant:user:id`.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct User {
    /// The user's id, which may be an e-mail address.
    #[schemars(with = "form::UserName")]
    pub id: Text,
    /// What people call them.
    #[schemars(with = "Option<form::Phrase>")]
    pub name: Option<String>,
    /// Roles of this tenant that they hold.
    #[serde(default)]
    #[schemars(with = "Vec<form::Id>")]
    pub roles: Vec<Text>,
}

/// A program that asks for itself or on behalf of somebody; the principal is `tenant:agent:id`.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Agent {
    /// The agent's id.
    #[schemars(with = "form::Id")]
    pub id: Text,
    /// Roles of this tenant that it holds.
    #[serde(default)]
    #[schemars(with = "Vec<form::Id>")]
    pub roles: Vec<Text>,
}

/// An OpenID Connect provider. It opens something by `audience`, by `sign_in`, or by both.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("anyOf" = [{ "required": ["audience"] }, { "required": ["sign_in"] }]))]
pub struct IdentityProvider {
    /// The issuer as its tokens say it in `iss`, to the character; http only on this machine.
    #[schemars(with = "form::Issuer", extend("examples" = ["https://login.example.com"]))]
    pub issuer: Text,
    /// What its bearer tokens say in `aud`; without this key none are taken.
    #[schemars(with = "Option<Vec<form::Filled>>", length(min = 1))]
    pub audience: Option<At<Vec<Text>>>,
    /// What it signs with.
    #[schemars(with = "Option<Vec<form::Algorithm>>", length(min = 1), extend("default" = ["RS256"]))]
    pub algorithms: Option<At<Vec<Text>>>,
    /// What the header `typ` of a bearer token must be.
    #[schemars(with = "Option<form::TokenType>")]
    pub token_type: Option<Text>,
    /// Claims that must have these values, so that a token belongs to this tenant.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, form::Filled>", extend("examples" = [{ "org": "acme" }]))]
    pub when: BTreeMap<Text, Text>,
    /// How a token names a user or an agent.
    pub user: Option<UserClaim>,
    /// How a token names roles.
    pub roles: Option<RoleClaim>,
    /// How people sign in to the dashboard with it; without this key nobody does.
    pub sign_in: Option<SignIn>,
}

/// How a token names a user or an agent.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UserClaim {
    /// The claim that names them.
    #[schemars(with = "Option<form::Filled>", extend("default" = "sub"))]
    pub claim: Option<Text>,
    /// A value of the claim to the user or the agent of this tenant that it stands for.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, form::Member>", extend("examples" = [{ "svc-billing": "agent:finance-bot" }]))]
    pub principals: BTreeMap<Text, Text>,
    /// Whether a value that is no declared user is let in all the same.
    #[serde(default)]
    pub undeclared: bool,
}

/// How a token names roles.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RoleClaim {
    /// The claim that holds them.
    #[schemars(with = "form::Filled", extend("examples" = ["groups"]))]
    pub claim: Text,
    /// A value of the claim to the role of this tenant that it stands for; other values mean nothing.
    #[schemars(with = "BTreeMap<String, form::Id>")]
    pub map: BTreeMap<Text, Text>,
}

/// The dashboard as a client of the provider.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SignIn {
    /// The id that the provider gave it.
    #[schemars(with = "form::Filled")]
    pub client: Text,
    /// Scopes to ask for beside `openid`.
    #[serde(default)]
    #[schemars(with = "Vec<form::Scope>")]
    pub scopes: Vec<Text>,
    /// Whether the client has a secret, which lies outside the declarations (`ambit secrets`); else it is a public one.
    #[schemars(extend("default" = false))]
    pub secret: Option<At<bool>>,
}

/// A part of a tenant: which catalogs it sees and the most that anybody may do in it.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Project {
    /// The project's id; elsewhere it is written `tenant/project`.
    #[schemars(with = "form::Id", extend("examples" = ["finance"]))]
    pub id: Text,
    /// The tenant it belongs to.
    #[schemars(with = "form::Id")]
    pub tenant: Text,
    /// What people call it.
    #[schemars(with = "form::Phrase")]
    pub name: String,
    /// Catalogs whose tools can be used here: shared ones and the tenant's own.
    #[serde(default)]
    #[schemars(with = "Vec<form::Id>")]
    pub catalogs: Vec<Text>,
    /// The most that any policy can allow here: reading only, writes that a person confirms, or everything.
    #[schemars(with = "Option<form::CeilingWord>", extend("default" = "read_only"))]
    pub ceiling: Option<Text>,
    /// Folders of Markdown whose documents can be searched here, with `knowledge.search`.
    pub knowledge: Option<At<Knowledge>>,
    /// The language model that may be asked, and for what; without this key nothing is sent to any.
    pub llm: Option<Llm>,
}

/// A language model, and what it may be asked for.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Llm {
    /// What it may be asked for.
    #[serde(rename = "for")]
    #[schemars(with = "Vec<form::LlmUseWord>", length(min = 1))]
    pub uses: At<Vec<Text>>,
    /// Whose way of speaking is spoken.
    #[schemars(with = "form::LlmProviderWord")]
    pub provider: Text,
    /// The model, as its provider names it.
    #[schemars(with = "form::Filled")]
    pub model: Text,
    /// Where it is asked, where that is not the provider's usual place: https, or http on this machine.
    #[schemars(with = "Option<form::Issuer>", extend("examples" = ["http://127.0.0.1:8000/v1"]))]
    pub url: Option<Text>,
    /// The name of the secret that it is asked with; `ambit secrets` says where it belongs.
    #[schemars(with = "Option<form::SecretName>", extend("examples" = ["key"]))]
    pub secret: Option<Text>,
}

/// A theme of tools; policies and routing speak of it.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// The group's id; policies write `resource in Ambit::Group::"id"`.
    #[schemars(with = "form::Id")]
    pub id: Text,
    /// What people call it.
    #[schemars(with = "form::Phrase")]
    pub title: String,
    /// What its tools are about: questions are compared with it.
    #[schemars(with = "form::Phrase")]
    pub description: String,
    /// Ids of tools or globs over them; `*` stays within one name, `**` crosses slashes.
    #[schemars(with = "Vec<form::ToolGlob>", extend("examples" = [["billing/*", "crm/customers.search"]]))]
    pub members: Vec<Text>,
}

/// Tools that do the same; one of them is offered, the others are held in reserve.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TwinGroup {
    /// The twin group's id.
    #[schemars(with = "form::Id")]
    pub id: Text,
    /// Two or more tools.
    #[schemars(with = "Vec<form::Tool>", length(min = 2))]
    pub members: Vec<Text>,
    /// The member that is offered.
    #[schemars(with = "form::Tool")]
    pub preferred: Text,
    /// Why both exist.
    #[schemars(with = "form::Phrase")]
    pub reason: String,
}

/// Versions of one tool; the current one is offered unless a question asks for another.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VersionFamily {
    /// The family's id.
    #[schemars(with = "form::Id")]
    pub id: Text,
    /// The version that is offered.
    #[schemars(with = "form::Version")]
    pub current: At<u32>,
    /// Two or more versions, each a tool of its own.
    #[schemars(length(min = 2))]
    pub members: Vec<FamilyMember>,
}

/// One version.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FamilyMember {
    /// The tool that is this version.
    #[schemars(with = "form::Tool")]
    pub tool: Text,
    /// Its number, which no other member has.
    #[schemars(with = "form::Version")]
    pub version: At<u32>,
    /// Whether it should not be used any more.
    #[serde(default)]
    pub deprecated: bool,
    /// The day from which it is gone.
    #[schemars(with = "Option<form::Date>")]
    pub retired_on: Option<Text>,
    /// Words of a question that ask for this version.
    #[serde(default)]
    #[schemars(with = "Vec<form::Word>", extend("examples" = [["legacy", "v1"]]))]
    pub pin: Vec<String>,
}

/// A Cedar policy beside what it is about; policies may as well stand in `.cedar` files.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// The policy's id, or what links are called after; several policies in one document need `@id("…")` before each instead. It may be
    /// left out where the document only links a template.
    #[schemars(with = "Option<form::Id>")]
    pub id: Option<Text>,
    /// Why it is there: whoever asks why something is allowed or denied reads it.
    #[schemars(with = "Option<form::Phrase>")]
    pub reason: Option<String>,
    /// The text of the policy or of a template, as a block under `cedar: |`. Nothing is allowed unless a policy permits it.
    #[schemars(with = "Option<form::Cedar>")]
    pub cedar: Option<Text>,
    /// The id of the template that is linked, where it stands in another document or file.
    #[schemars(with = "Option<form::Phrase>")]
    pub template: Option<Text>,
    /// What the template is filled in with: each makes a policy.
    #[serde(default)]
    pub links: Vec<PolicyLink>,
}

/// One policy made of a template.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicyLink {
    /// The id of the policy that it makes.
    #[schemars(with = "form::Id")]
    pub id: Text,
    /// What stands for `?principal`.
    #[schemars(with = "Option<form::Phrase>")]
    pub principal: Option<Text>,
    /// What stands for `?resource`.
    #[schemars(with = "Option<form::Phrase>")]
    pub resource: Option<Text>,
    /// Why it is there.
    #[schemars(with = "Option<form::Phrase>")]
    pub reason: Option<String>,
}

/// Words of a trade, added to those that Ambit knows.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Vocabulary {
    /// The language of the words, as a short code.
    #[schemars(with = "form::Id", extend("examples" = ["en"]))]
    pub language: Text,
    /// Verbs that mean an operation.
    #[serde(default)]
    #[schemars(with = "BTreeMap<form::OperationWord, Vec<form::Word>>", extend("examples" = [{ "send": ["dispatch", "forward"] }]))]
    pub verbs: BTreeMap<Text, Vec<String>>,
    /// A word and the words of catalogs that mean the same.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, Vec<form::Word>>", extend("examples" = [{ "turnover": ["revenue", "sales"] }]))]
    pub synonyms: BTreeMap<String, Vec<String>>,
    /// The small words that a question is cut by, by their part in a sentence.
    #[serde(default)]
    #[schemars(with = "BTreeMap<form::PartWord, Vec<form::Word>>", extend("examples" = [{ "connectives": ["puis"], "determiners": ["le", "la"] }]))]
    pub words: BTreeMap<Text, Vec<String>>,
}

/// What the policies must decide; a test that fails is an error and refuses the apply.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicyTest {
    /// Who asks: `tenant:user:name`, or `agent` or `role` in place of `user`.
    #[schemars(with = "form::PrincipalName")]
    pub principal: Text,
    /// The user or role that it acts for.
    #[serde(rename = "for")]
    #[schemars(with = "Option<form::PrincipalName>")]
    pub acting_for: Option<Text>,
    /// The project, `tenant/project`, or `project` of the principal's own tenant; of an action on tools.
    #[schemars(with = "Option<form::ProjectName>")]
    pub project: Option<Text>,
    /// What they would do: an action on tools, an admin action, or `act_for`.
    #[schemars(with = "form::TestedAction")]
    pub action: Text,
    /// A tool, or a glob over tools, of which each must be decided alike.
    #[schemars(with = "Option<form::ToolGlob>", extend("examples" = ["billing/*"]))]
    pub tool: Option<Text>,
    /// What an admin action or `act_for` is about.
    #[schemars(with = "Option<form::Phrase>")]
    pub resource: Option<Text>,
    /// What must be decided.
    #[schemars(with = "form::Decision")]
    pub expect: Text,
    /// A policy that must be among the deciding ones.
    #[schemars(with = "Option<form::Phrase>")]
    pub policy: Option<String>,
}

/// What a question must route to: tools, or a gap.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("anyOf" = [{ "required": ["tools"], "properties": { "tools": { "minItems": 1 } } }, { "required": ["gap"] }]))]
pub struct GoldenRoute {
    /// The question, as a person would ask it.
    #[schemars(with = "form::Phrase")]
    pub question: Text,
    /// Who asks: `tenant:user:name`, or `agent` or `role` in place of `user`.
    #[schemars(with = "form::PrincipalName")]
    pub principal: Text,
    /// The project, `tenant/project`, or `project` of the principal's own tenant.
    #[schemars(with = "form::ProjectName")]
    pub project: Text,
    /// The tools that must be picked.
    #[schemars(with = "Option<Vec<form::Tool>>")]
    pub tools: Option<Vec<Text>>,
    /// The cause of the gap that is expected, where no tool is.
    #[schemars(with = "Option<form::GapWord>", extend("examples" = ["absent"]))]
    pub gap: Option<Text>,
    /// Whether the order of the tools counts.
    #[schemars(extend("default" = true))]
    pub ordered: Option<bool>,
}
