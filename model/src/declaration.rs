//! Declarations as resolved: every name checked, every default filled in, no spans left.
//! The shapes as written, with their spans, live in the engine's `parse` stage.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::administration::{AdminAction, AdminResource};
use crate::facts::Ceiling;
use crate::identity::{Principal, ProjectId, ToolId};
use crate::llm::Llm;
use crate::ratio::Ratio;

/// The Workspace document's defaults, all integers so that they hash alike everywhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    pub workspace: String,
    /// The embedding model's id.
    pub embedding_model: String,
    /// The languages that the model was made for, as short codes; `any` where it was made for many.
    #[serde(default = "english", skip_serializing_if = "is_english")]
    pub embedding_languages: Vec<String>,
    pub weights: Weights,
    pub thresholds: Thresholds,
}

impl Settings {
    /// The model tells meanings apart in the language of this code.
    pub fn knows_language(&self, language: &str) -> bool {
        self.embedding_languages.iter().any(|known| known == ANY_LANGUAGE || known == language)
    }
}

/// Stands for every language, where a model was made for many.
pub const ANY_LANGUAGE: &str = "any";

/// The languages of a model of which nobody says any.
pub fn english() -> Vec<String> {
    vec!["en".to_owned()]
}

fn is_english(languages: &[String]) -> bool {
    languages == english()
}

/// Weights of the four signals; they add up to one whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Weights {
    pub semantic: Ratio,
    pub bm25: Ratio,
    pub param_fit: Ratio,
    pub output_fit: Ratio,
}

impl Default for Weights {
    fn default() -> Self {
        Self { semantic: Ratio(4_000), bm25: Ratio(2_500), param_fit: Ratio(1_500), output_fit: Ratio(2_000) }
    }
}

/// Where routing and intake draw their lines. All are scores or shares in 1/10000.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thresholds {
    /// Share of its example questions for which a tool must rank first.
    pub self_retrieval: Ratio,
    /// A step binds no tool that comes less near than this: three quarters best cosine, one quarter share of words.
    pub floor: Ratio,
    /// A candidate must reach this share of the step's best score.
    pub gate: Ratio,
    /// A winner by more than this share stands alone.
    pub clear_winner: Ratio,
    /// A later step's tool must beat the tools already chosen by this much cosine in its own clause.
    pub gain: Ratio,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self {
            self_retrieval: Ratio(5_000),
            floor: Ratio(2_200),
            gate: Ratio(8_500),
            clear_winner: Ratio(500),
            gain: Ratio(1_000),
        }
    }
}

/// Owner of catalogs and data, with its people, agents and roles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tenant {
    pub id: String,
    pub name: String,
    /// Principal name to the roles it holds, direct ones only.
    pub users: BTreeMap<String, Vec<String>>,
    pub agents: BTreeMap<String, Vec<String>>,
    /// Role to the roles it includes.
    pub roles: BTreeMap<String, Vec<String>>,
    /// The identity providers that may vouch for principals of this tenant, in the order as written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub identity: Vec<IdentityProvider>,
}

/// An OpenID Connect provider, and how the claims of its tokens become principals of the tenant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IdentityProvider {
    /// As its tokens say it in `iss`, to the character; an https URL, or http on a loopback address.
    pub issuer: String,
    /// What a bearer token must name in `aud`, one of them; empty: no bearer token of this issuer is taken.
    pub audience: Vec<String>,
    /// The only algorithms that its tokens may be signed with.
    pub algorithms: Vec<SigningAlgorithm>,
    /// What its bearer tokens must say in the header `typ`, where it is declared to send one: `at+jwt` (RFC 9068).
    pub token_type: Option<String>,
    /// Claims that must have exactly these values for a token to belong to this tenant.
    pub when: BTreeMap<String, String>,
    pub user: UserClaim,
    pub roles: Option<RoleClaim>,
    /// How people sign in to the dashboard; absent: they cannot, with this provider.
    pub sign_in: Option<SignIn>,
}

/// The claim that names the principal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserClaim {
    /// `sub`, `email`, `preferred_username`.
    pub claim: String,
    /// Values of the claim to the principal they stand for: a user or an agent of the tenant.
    pub principals: BTreeMap<String, Principal>,
    /// A value that is no declared user becomes a user all the same, with no roles but those of its claims.
    pub undeclared: bool,
}

/// The claim that lists what the principal is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoleClaim {
    /// `groups`; a text or a list of texts.
    pub claim: String,
    /// Values of the claim to declared roles of the tenant; other values mean nothing.
    pub map: BTreeMap<String, String>,
}

/// The dashboard as a client of the provider: authorization code with PKCE.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignIn {
    /// The client's id at the provider.
    pub client: String,
    /// Beside `openid`.
    pub scopes: Vec<String>,
    /// The client has a secret, kept outside the declarations; else it is a public client.
    pub secret: bool,
}

/// The signature algorithms that an issuer may be held to (RFC 7518, 3.1; RFC 8037); none with a shared secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum SigningAlgorithm {
    RS256,
    RS384,
    RS512,
    PS256,
    PS384,
    PS512,
    ES256,
    ES384,
    EdDSA,
}

impl SigningAlgorithm {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::RS256,
        Self::RS384,
        Self::RS512,
        Self::PS256,
        Self::PS384,
        Self::PS512,
        Self::ES256,
        Self::ES384,
        Self::EdDSA,
    ];

    /// The value of `alg`.
    pub fn word(self) -> &'static str {
        match self {
            Self::RS256 => "RS256",
            Self::RS384 => "RS384",
            Self::RS512 => "RS512",
            Self::PS256 => "PS256",
            Self::PS384 => "PS384",
            Self::PS512 => "PS512",
            Self::ES256 => "ES256",
            Self::ES384 => "ES384",
            Self::EdDSA => "EdDSA",
        }
    }
}

/// A part of a tenant with its own agents, catalogs and ceiling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Project {
    pub id: ProjectId,
    pub name: String,
    /// Ids of the catalogs it sees, sorted.
    pub catalogs: Vec<String>,
    pub ceiling: Ceiling,
    /// The language model that it may ask; absent: none is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub llm: Option<Llm>,
}

/// A catalog as the snapshot remembers it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Catalog {
    pub id: String,
    pub tenant: Option<String>,
    /// Names of the secrets that calls of its tools will need, sorted; their values are never in a declaration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub secrets: Vec<String>,
}

/// A theme of tools, used to narrow a step before scoring.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    pub id: String,
    pub title: String,
    pub description: String,
    /// Canonical ids, sorted.
    pub members: Vec<ToolId>,
}

/// Tools with the same inputs and the same outputs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TwinGroup {
    pub id: String,
    pub members: Vec<ToolId>,
    pub preferred: ToolId,
    pub reason: String,
}

/// v2 replaces v1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VersionFamily {
    pub id: String,
    /// In rising order of version.
    pub members: Vec<FamilyMember>,
    /// The version routed to unless something pins another.
    pub current: u32,
}

/// One version inside a family.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FamilyMember {
    pub tool: ToolId,
    pub version: u32,
    pub deprecated: bool,
    /// `YYYY-MM-DD`.
    pub retired_on: Option<String>,
    /// Words in a question that ask for this version: `legacy`, `v1`.
    pub pin: Vec<String>,
}

/// One static Cedar policy, by its own id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    pub id: String,
    /// The policy alone, as written.
    pub cedar: String,
    pub reason: Option<String>,
}

/// Words of one language: which verbs mean the same, and which words an operation answers to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vocabulary {
    pub language: String,
    /// Operation word (`send`, `list`) to verbs that ask for it.
    pub verbs: BTreeMap<String, Vec<String>>,
    /// Word to words that mean the same.
    pub synonyms: BTreeMap<String, Vec<String>>,
    /// The small words a planner goes by, by their part in a sentence: `connectives`, `negations`, `native` and others.
    #[serde(default)]
    pub words: BTreeMap<String, Vec<String>>,
}

/// What the operator expects Cedar and the ceiling to decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyTest {
    pub principal: Principal,
    pub asks: Asks,
    pub allow: bool,
    /// The policy that must be among the deciding ones.
    pub policy: Option<String>,
}

/// What a PolicyTest asks about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asks {
    /// Use of tools; `tool` is a canonical id or a glob over them.
    Use { acting_for: Option<Principal>, project: ProjectId, action: Action, tool: String },
    /// Administration.
    Administer { action: AdminAction, resource: AdminResource },
    /// Asking on behalf of a user, or of whoever holds a role.
    ActFor { user: Principal },
}

impl std::fmt::Display for PolicyTest {
    /// In one line: `acme:user:analyst may invoke billing/* in acme/finance`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let verb = if self.allow { "may" } else { "may not" };
        write!(f, "{}", self.principal)?;
        match &self.asks {
            Asks::Use { acting_for, project, action, tool } => {
                acting_for.iter().try_for_each(|user| write!(f, " for {user}"))?;
                write!(f, " {verb} {} {tool} in {project}", action.word())
            }
            Asks::Administer { action, resource } => write!(f, " {verb} {} {resource}", action.word()),
            Asks::ActFor { user } => write!(f, " {verb} act for {user}"),
        }
    }
}

/// What the operator expects a question to route to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoldenRoute {
    pub question: String,
    pub principal: Principal,
    pub project: ProjectId,
    /// The tools, or none where a gap is expected.
    pub tools: Vec<ToolId>,
    pub ordered: bool,
    /// The expected cause of a gap.
    pub gap: Option<String>,
}

/// What a caller may do with a tool; each is a subset of the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    Discover,
    Route,
    Invoke,
}

impl Action {
    /// From the widest to the narrowest.
    pub const ALL: [Self; 3] = [Self::Discover, Self::Route, Self::Invoke];

    /// The word of the Cedar action.
    pub fn word(self) -> &'static str {
        match self {
            Self::Discover => "discover",
            Self::Route => "route",
            Self::Invoke => "invoke",
        }
    }
}
