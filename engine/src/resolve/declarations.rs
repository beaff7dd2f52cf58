//! What the `resolve` stage hands on: every name between documents checked, places kept for later stages.
//! Names of tools are checked later, by `link`, when intake has said which tools exist.

use std::collections::BTreeMap;

use ambit_model::declaration::{GoldenRoute, PolicyTest, Project, Settings, Tenant, Vocabulary};
use ambit_model::diagnostic::Place;
use ambit_model::facts::{Effect, Operation, Risk, SourceKind};
use ambit_model::identity::ProjectId;

/// A value and where it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located<T> {
    pub value: T,
    pub place: Place,
}

/// All declarations of a workspace. Lists are sorted by id, whatever the order of files.
#[derive(Clone, Debug)]
pub struct Declarations {
    pub settings: Settings,
    pub tenants: Vec<Tenant>,
    pub projects: Vec<Project>,
    pub catalogs: Vec<CatalogDeclaration>,
    pub knowledge: Vec<KnowledgeDeclaration>,
    pub groups: Vec<GroupDeclaration>,
    pub twins: Vec<TwinDeclaration>,
    pub families: Vec<FamilyDeclaration>,
    pub policies: Vec<PolicySource>,
    /// Links of templates, wherever those stand.
    pub links: Vec<PolicyLink>,
    pub vocabularies: Vec<Vocabulary>,
    pub policy_tests: Vec<Located<PolicyTest>>,
    pub golden_routes: Vec<Located<GoldenRoute>>,
    /// Canonical ids and globs that policy tests and golden routes name, where they stand: `link` checks them.
    pub named_tools: Vec<Located<String>>,
}

/// A Catalog document.
#[derive(Clone, Debug)]
pub struct CatalogDeclaration {
    pub id: Located<String>,
    pub tenant: Option<String>,
    /// Relative to the root.
    pub file: Located<String>,
    /// What its file was made of, where `ambit import` wrote it.
    pub imported: Option<Imported>,
    pub since: Option<String>,
    /// Names of the secrets that calls of its tools will need, sorted; only a catalog with a tenant has any.
    pub secrets: Vec<String>,
    /// Names of annotations whose word on effect is taken: `readOnlyHint`, `destructiveHint`.
    pub trusted_annotations: Vec<String>,
    pub defaults: WrittenFacts,
    /// By the tool's name in its source.
    pub tools: BTreeMap<String, Located<ToolDeclaration>>,
    pub acknowledged: Vec<Located<Acknowledgement>>,
}

impl CatalogDeclaration {
    /// A Catalog of this id that says nothing of its tools.
    pub(crate) fn silent(id: &str, place: &Place) -> Self {
        let here = |value: &str| Located { value: value.to_owned(), place: place.clone() };
        Self {
            id: here(id),
            tenant: None,
            file: here(""),
            imported: None,
            since: None,
            secrets: Vec::new(),
            trusted_annotations: Vec::new(),
            defaults: WrittenFacts::default(),
            tools: BTreeMap::new(),
            acknowledged: Vec::new(),
        }
    }
}

/// Where a catalog's file came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// A path or an address, as `ambit import` was given it.
    pub from: String,
    pub format: ImportedFormat,
}

/// What a catalog's file was made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ImportedFormat {
    OpenAi,
    Anthropic,
    Mcp,
    /// Its tools are operations of HTTP, so a method tells their effect where nobody else does.
    OpenApi,
}

impl ImportedFormat {
    /// Every format, in the order of the documentation.
    pub const ALL: &'static [Self] = &[Self::OpenAi, Self::Anthropic, Self::Mcp, Self::OpenApi];

    /// The written word.
    pub fn word(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
            Self::Mcp => "mcp",
            Self::OpenApi => "openapi",
        }
    }
}

/// A rejection the operator knows of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acknowledgement {
    /// The tool's name in its source.
    pub tool: String,
    pub code: String,
    pub reason: String,
}

/// What a Catalog says of one tool.
#[derive(Clone, Debug, Default)]
pub struct ToolDeclaration {
    pub facts: WrittenFacts,
    /// An effect that import proposed and nobody reviewed: it may only narrow.
    pub proposed_effect: Option<Effect>,
    /// Replaces the source's description.
    pub description: Option<String>,
    pub examples: Vec<Located<String>>,
    pub since: Option<String>,
    /// The pinned digest of the tool's definition.
    pub digest: Option<Located<String>>,
}

/// Facts as far as they were written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenFacts {
    pub source: Option<SourceKind>,
    pub entity: Option<String>,
    pub operation: Option<Operation>,
    pub effect: Option<Effect>,
    pub risk: Option<Risk>,
    pub confirmation: Option<bool>,
    pub identity: Option<Vec<String>>,
    pub collection: Option<String>,
    pub requires: Option<Vec<String>>,
    pub produces: Option<Vec<String>>,
    /// Names in the same catalog or canonical ids, checked by `link`.
    pub next: Option<Vec<Located<String>>>,
    pub after: Option<Vec<Located<String>>>,
}

/// A Group document.
#[derive(Clone, Debug)]
pub struct GroupDeclaration {
    pub id: Located<String>,
    pub title: String,
    pub description: String,
    /// Globs over canonical ids; `*` does not cross a slash.
    pub members: Vec<Located<String>>,
}

/// A TwinGroup document.
#[derive(Clone, Debug)]
pub struct TwinDeclaration {
    pub id: Located<String>,
    /// Canonical ids.
    pub members: Vec<Located<String>>,
    pub preferred: Located<String>,
    pub reason: String,
}

/// A VersionFamily document.
#[derive(Clone, Debug)]
pub struct FamilyDeclaration {
    pub id: Located<String>,
    pub members: Vec<FamilyMemberDeclaration>,
    pub current: Located<u32>,
}

/// One version of a family as declared.
#[derive(Clone, Debug)]
pub struct FamilyMemberDeclaration {
    pub tool: Located<String>,
    pub version: u32,
    pub deprecated: bool,
    pub retired_on: Option<String>,
    pub pin: Vec<String>,
}

/// The knowledge folders of a Project.
#[derive(Clone, Debug)]
pub struct KnowledgeDeclaration {
    pub project: ProjectId,
    /// What people call the project.
    pub name: String,
    /// Relative to the root; at least one.
    pub folders: Vec<Located<String>>,
    pub description: Option<String>,
    pub examples: Vec<Located<String>>,
    /// The first folder as written, where the tool is reported at.
    pub place: Place,
}

/// Cedar text and where it came from: a `.cedar` file, or the block of a Policy document.
#[derive(Clone, Debug)]
pub struct PolicySource {
    /// The Policy document's id; absent for a file, whose policies carry `@id`.
    pub id: Option<Located<String>>,
    pub reason: Option<String>,
    /// Relative to the root.
    pub file: String,
    pub cedar: String,
    /// For a block: the 1-based line of the file where its first line stands, and the characters its lines are indented by.
    /// For a file: line 1, indent 0.
    pub first_line: usize,
    pub indent: usize,
}

/// A template made a policy: who and what stands in the place of its slots.
#[derive(Clone, Debug)]
pub struct PolicyLink {
    pub template: Located<String>,
    /// The id of the policy that it becomes.
    pub id: Located<String>,
    pub principal: Option<Located<NamedEntity>>,
    pub resource: Option<Located<NamedEntity>>,
    pub reason: Option<String>,
}

/// An entity of the schema, as an operator named it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedEntity {
    /// The type, without its namespace.
    pub of: &'static str,
    /// As Cedar has it; empty for the Workspace, of which there is one.
    pub id: String,
}
