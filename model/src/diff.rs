//! What changes between two snapshots, as plain lists. Authority comes first: a raised ceiling is the first line.

use serde::{Deserialize, Serialize};

use crate::facts::Ceiling;

/// Everything that differs; what is equal is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diff {
    /// Raised ones first, then by project.
    pub ceilings: Vec<CeilingChange>,
    /// In the order of [`DiffKind`], only where something changed.
    pub sections: Vec<Section>,
}

/// A project whose ceiling is another; absent where the project is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CeilingChange {
    /// `acme/finance`.
    pub project: String,
    pub from: Option<Ceiling>,
    pub to: Option<Ceiling>,
    /// Callers of the project may do more than before.
    pub raised: bool,
}

/// The kinds of thing that a snapshot holds, and their order in a diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DiffKind {
    Policies,
    Schema,
    Tenants,
    Projects,
    Tools,
    Catalogs,
    Groups,
    TwinGroups,
    VersionFamilies,
    Vocabularies,
    Settings,
}

impl DiffKind {
    /// The heading that people read.
    pub fn title(self) -> &'static str {
        match self {
            Self::Policies => "policies",
            Self::Schema => "Cedar schema",
            Self::Tenants => "tenants",
            Self::Projects => "projects",
            Self::Tools => "tools",
            Self::Catalogs => "catalogs",
            Self::Groups => "groups",
            Self::TwinGroups => "twin groups",
            Self::VersionFamilies => "version families",
            Self::Vocabularies => "vocabularies",
            Self::Settings => "settings",
        }
    }
}

/// What changed among the things of one kind, each list sorted by id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    pub kind: DiffKind,
    pub added: Vec<String>,
    pub removed: Vec<String>,
    pub changed: Vec<Changed>,
}

/// A thing that is in both and differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changed {
    pub id: String,
    /// Sorted by field.
    pub fields: Vec<FieldChange>,
}

/// A field that differs. Texts are given as they are, other values as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldChange {
    /// The field's path, `facts.effect`.
    pub field: String,
    pub from: Option<String>,
    pub to: Option<String>,
}

impl Diff {
    /// The two snapshots hold the same.
    pub fn is_empty(&self) -> bool {
        self.ceilings.is_empty() && self.sections.is_empty()
    }

    /// Things added, removed and changed.
    pub fn counts(&self) -> (usize, usize, usize) {
        let sum = |of: fn(&Section) -> usize| self.sections.iter().map(of).sum();
        (sum(|s| s.added.len()), sum(|s| s.removed.len()), sum(|s| s.changed.len()))
    }
}
