//! The written names of principals, projects and tools, and how they are read back.
//! One form everywhere: `acme:user:analyst`, `acme/finance`, `catalog/tool`.

use serde::{Deserialize, Serialize};

/// Kinds of principal; a Role is one that users and agents hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PrincipalKind {
    User,
    Agent,
    Role,
}

impl PrincipalKind {
    /// The word inside a written principal.
    pub fn word(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Agent => "agent",
            Self::Role => "role",
        }
    }

    /// The Cedar entity type, without its namespace.
    pub fn entity_type(self) -> &'static str {
        match self {
            Self::User => "User",
            Self::Agent => "Agent",
            Self::Role => "Role",
        }
    }
}

/// Who asks: `tenant:kind:name`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Principal {
    pub tenant: String,
    pub kind: PrincipalKind,
    pub name: String,
}

impl Principal {
    /// Reads `acme:user:analyst`; the error says what is wrong with the form.
    pub fn parse(text: &str) -> Result<Self, String> {
        let form = || {
            format!("`{text}` is not a principal; write `tenant:user:name`, `tenant:agent:name` or `tenant:role:name`")
        };
        let mut parts = text.splitn(3, ':');
        let (Some(tenant), Some(kind), Some(name)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(form());
        };
        let kind = match kind {
            "user" => PrincipalKind::User,
            "agent" => PrincipalKind::Agent,
            "role" => PrincipalKind::Role,
            _ => return Err(form()),
        };
        let named = if kind == PrincipalKind::User { is_user_name(name) } else { is_identifier(name) };
        if !is_identifier(tenant) || !named {
            return Err(form());
        }
        Ok(Self { tenant: tenant.to_owned(), kind, name: name.to_owned() })
    }
}

impl std::fmt::Display for Principal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.tenant, self.kind.word(), self.name)
    }
}

/// A project inside its tenant: `acme/finance`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProjectId {
    pub tenant: String,
    pub project: String,
}

impl ProjectId {
    /// Reads `acme/finance`, or `finance` where the tenant is known.
    pub fn parse(text: &str, tenant: Option<&str>) -> Result<Self, String> {
        let form =
            || format!("`{text}` is not a project; write `tenant/project`, or `project` where the tenant is known");
        let (tenant, project) = match text.split_once('/') {
            Some((tenant, project)) => (tenant, project),
            None => (tenant.ok_or_else(form)?, text),
        };
        if !is_identifier(tenant) || !is_identifier(project) {
            return Err(form());
        }
        Ok(Self { tenant: tenant.to_owned(), project: project.to_owned() })
    }
}

impl std::fmt::Display for ProjectId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.tenant, self.project)
    }
}

/// A tool by its canonical id, `catalog/tool`; the tool's own name may hold slashes and dots.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ToolId(String);

impl ToolId {
    /// Joins a catalog's id and the name a tool has in its source.
    pub fn new(catalog: &str, name: &str) -> Self {
        Self(format!("{catalog}/{name}"))
    }

    /// Reads a canonical id; both sides of the first slash must be there.
    pub fn parse(text: &str) -> Option<Self> {
        let (catalog, name) = text.split_once('/')?;
        (is_identifier(catalog) && !name.is_empty()).then(|| Self(text.to_owned()))
    }

    /// The canonical id.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The catalog's id.
    pub fn catalog(&self) -> &str {
        self.0.split_once('/').map_or("", |(catalog, _)| catalog)
    }

    /// The name in its source.
    pub fn name(&self) -> &str {
        self.0.split_once('/').map_or("", |(_, name)| name)
    }
}

impl std::fmt::Display for ToolId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&self.0)
    }
}

macro_rules! serde_as_text {
    ($name:ident, $read:expr) => {
        impl Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                let read: fn(&str) -> Result<Self, String> = $read;
                read(&text).map_err(serde::de::Error::custom)
            }
        }
    };
}
serde_as_text!(Principal, |text| Self::parse(text));
serde_as_text!(ProjectId, |text| Self::parse(text, None));
serde_as_text!(ToolId, |text| Self::parse(text)
    .ok_or_else(|| format!("`{text}` is not a tool id; write `catalog/tool`")));

/// Letters, digits, `_`, `-` and `.`, starting with a letter or digit, at most 64 characters:
/// the form of every id an operator chooses.
pub fn is_identifier(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(|c| c.is_ascii_alphanumeric())
        && text.len() <= 64
        && characters.all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

/// The name of a user: an identifier that may also hold `@` and `+`, so that an e-mail address is one.
pub fn is_user_name(text: &str) -> bool {
    is_identifier(&text.replace(['@', '+'], "_")) && text.starts_with(|c: char| c.is_ascii_alphanumeric())
}
