//! The names of every entity a policy may speak of, in their Cedar form, so that a mistyped one can be told its nearest.

use std::collections::BTreeSet;

use super::declarations::Declarations;
use super::link::ToolNames;

/// Written Cedar ids by entity type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownEntities {
    /// `acme:user:analyst`.
    pub users: BTreeSet<String>,
    /// `acme:agent:bot`.
    pub agents: BTreeSet<String>,
    /// `acme:role:analyst`.
    pub roles: BTreeSet<String>,
    pub tenants: BTreeSet<String>,
    /// `acme/finance`.
    pub projects: BTreeSet<String>,
    pub catalogs: BTreeSet<String>,
    pub groups: BTreeSet<String>,
    /// Canonical ids of every offered tool, the refused ones too: a policy may name a tool that intake will accept again.
    pub tools: BTreeSet<String>,
}

impl KnownEntities {
    /// Everything that is declared, and the tools that intake saw.
    pub fn of(declarations: &Declarations, tools: &ToolNames) -> Self {
        let mut known = Self {
            tenants: declarations.tenants.iter().map(|tenant| tenant.id.clone()).collect(),
            projects: declarations.projects.iter().map(|project| project.id.to_string()).collect(),
            catalogs: declarations.catalogs.iter().map(|catalog| catalog.id.value.clone()).collect(),
            groups: declarations.groups.iter().map(|group| group.id.value.clone()).collect(),
            tools: tools.accepted.union(&tools.refused).map(ToString::to_string).collect(),
            ..Self::default()
        };
        for tenant in &declarations.tenants {
            known.users.extend(tenant.users.keys().map(|name| format!("{}:user:{name}", tenant.id)));
            known.agents.extend(tenant.agents.keys().map(|name| format!("{}:agent:{name}", tenant.id)));
            known.roles.extend(tenant.roles.keys().map(|name| format!("{}:role:{name}", tenant.id)));
        }
        known
    }
}
