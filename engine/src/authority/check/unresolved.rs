//! Names in policies that refer to nothing: a misspelt role would otherwise permit nothing, and nobody would be told.
//! Actions and the closed lists are Cedar's business; this knows what the operator declared.

use std::collections::BTreeSet;

use ambit_model::codes::{E_UNRESOLVED, W_UNUSED};
use ambit_model::declaration::{Project, Tenant};
use ambit_model::diagnostic::Diagnostic;
use ambit_model::facts::Facts;
use ambit_model::identity::{Principal, PrincipalKind, ToolId};
use cedar_policy::EntityUid;

use crate::nearest::nearest;

/// Every id that a policy may name, as written: `acme:user:analyst`, `acme/finance`, `billing/get_revenue_report`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownEntities {
    /// One, the Workspace document's name.
    pub workspaces: BTreeSet<String>,
    pub tenants: BTreeSet<String>,
    pub users: BTreeSet<String>,
    pub agents: BTreeSet<String>,
    pub roles: BTreeSet<String>,
    pub projects: BTreeSet<String>,
    pub catalogs: BTreeSet<String>,
    pub groups: BTreeSet<String>,
    /// Every tool a catalog holds, those that intake refused too: a policy may outlive a rejection.
    pub tools: BTreeSet<String>,
    /// `api:invoices`.
    pub families: BTreeSet<String>,
}

impl KnownEntities {
    /// Gathers the ids of declarations and tools.
    pub fn new<'a>(
        workspace: &str,
        tenants: &[Tenant],
        projects: &[Project],
        catalogs: impl IntoIterator<Item = &'a str>,
        groups: impl IntoIterator<Item = &'a str>,
        tools: impl IntoIterator<Item = (&'a ToolId, &'a Facts)>,
    ) -> Self {
        let mut known = Self {
            workspaces: BTreeSet::from([workspace.to_owned()]),
            tenants: tenants.iter().map(|tenant| tenant.id.clone()).collect(),
            users: written(tenants, PrincipalKind::User),
            agents: written(tenants, PrincipalKind::Agent),
            roles: written(tenants, PrincipalKind::Role),
            projects: projects.iter().map(|project| project.id.to_string()).collect(),
            catalogs: catalogs.into_iter().map(str::to_owned).collect(),
            groups: groups.into_iter().map(str::to_owned).collect(),
            ..Self::default()
        };
        for (id, facts) in tools {
            known.tools.insert(id.to_string());
            known.families.insert(facts.entity_family());
        }
        known
    }

    /// The complaint about this entity, without a place; nothing where it is known or not ours to judge.
    pub(super) fn complaint(&self, entity: &EntityUid) -> Option<Diagnostic> {
        if entity.type_name().namespace() != "Ambit" {
            return None;
        }
        let id = entity.id().unescaped();
        let (noun, form, known) = match entity.type_name().basename() {
            "Workspace" => ("workspace", "the Workspace document's name", &self.workspaces),
            "Tenant" => ("tenant", "tenant", &self.tenants),
            "User" => ("user", "tenant:user:name", &self.users),
            "Agent" => ("agent", "tenant:agent:name", &self.agents),
            "Role" => ("role", "tenant:role:name", &self.roles),
            "Project" => ("project", "tenant/project", &self.projects),
            "Catalog" => ("catalog", "catalog", &self.catalogs),
            "Group" => ("group", "group", &self.groups),
            "Tool" => ("tool", "catalog/tool", &self.tools),
            "EntityFamily" => ("entity family", "source:entity", &self.families),
            _ => return None,
        };
        (!known.contains(id)).then(|| complaint(noun, form, id, known))
    }
}

/// An entity family is made of tools' facts and comes and goes with them, so an unknown one is only worth a look.
fn complaint(noun: &str, form: &str, id: &str, known: &BTreeSet<String>) -> Diagnostic {
    let diagnostic = if noun == "entity family" {
        Diagnostic::warning(W_UNUSED, format!("no tool is in the entity family `{id}`"))
    } else {
        Diagnostic::error(E_UNRESOLVED, format!("no {noun} `{id}` is declared"))
    };
    match alike(id, known) {
        Some(alike) => diagnostic.help(format!("did you mean `{alike}`?")),
        None => diagnostic.help(format!("declare it, or name one that is declared; the form is `{form}`")),
    }
}

/// The nearest known id, or the one that ends in what was written where the tenant or catalog was left out.
fn alike<'a>(id: &str, known: &'a BTreeSet<String>) -> Option<&'a str> {
    let short = |candidate: &&String| candidate.rsplit([':', '/']).next() == Some(id);
    known.iter().find(short).map(String::as_str).or_else(|| nearest(id, known.iter().map(String::as_str)))
}

fn written(tenants: &[Tenant], kind: PrincipalKind) -> BTreeSet<String> {
    let of =
        |tenant: &Tenant, name: &String| Principal { tenant: tenant.id.clone(), kind, name: name.clone() }.to_string();
    let names = tenants.iter().flat_map(|tenant| {
        let declared = match kind {
            PrincipalKind::User => &tenant.users,
            PrincipalKind::Agent => &tenant.agents,
            PrincipalKind::Role => &tenant.roles,
        };
        declared.keys().map(move |name| of(tenant, name))
    });
    names.collect()
}
