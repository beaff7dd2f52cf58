//! Projects, and which catalogs they may list.

use std::collections::BTreeSet;

use ambit_model::codes;
use ambit_model::declaration::Project;
use ambit_model::diagnostic::Diagnostic;
use ambit_model::facts::Ceiling;
use ambit_model::identity::ProjectId;

use super::declarations::Declarations;
use super::forms::Reader;
use super::names::unresolved;
use crate::parse::Written;
use crate::parse::body::{Body, Kind};
use crate::parse::written::{self, Text};

impl Reader<'_> {
    /// Nothing where the tenant is unknown: a project without one would have no entity to belong to.
    pub(super) fn project(&mut self, project: &written::Project) -> Option<Project> {
        let tenant = self.tenant_id(&project.tenant);
        let catalogs: BTreeSet<String> =
            project.catalogs.iter().filter_map(|catalog| self.listed_catalog(catalog, project)).collect();
        let ceiling = match &project.ceiling {
            Some(word) => self.word(word, Ceiling::ALL, Ceiling::word).unwrap_or(Ceiling::ReadOnly),
            None => Ceiling::ReadOnly,
        };
        let llm = project.llm.as_ref().and_then(|llm| self.llm(llm));
        let id = ProjectId { tenant: tenant?, project: project.id.value.clone() };
        Some(Project { id, name: project.name.clone(), catalogs: catalogs.into_iter().collect(), ceiling, llm })
    }

    fn listed_catalog(&mut self, catalog: &Text, project: &written::Project) -> Option<String> {
        let place = self.place(catalog.span);
        match self.names.catalogs.get(catalog.value.as_str()) {
            // Where the project's own tenant is unknown, that alone is reported.
            Some(Some(owner))
                if *owner != project.tenant.value && self.names.tenants.contains_key(project.tenant.value.as_str()) =>
            {
                let message = format!(
                    "the catalog `{}` belongs to tenant `{owner}`, and this project to `{}`",
                    catalog.value, project.tenant.value
                );
                self.report(
                    Diagnostic::error(codes::E_OTHER_TENANT, message)
                        .at(place)
                        .help("take it off the list, or take `tenant` out of the Catalog to let every tenant list it"),
                );
                None
            }
            Some(_) => Some(catalog.value.clone()),
            None if self.names.may_hide(Kind::Catalog) => None,
            None => {
                let known = self.names.catalogs.keys().copied();
                let problem = unresolved(format!("no catalog `{}`", catalog.value), &catalog.value, known, place);
                self.report(problem);
                None
            }
        }
    }
}

/// Tools of a catalog that no project lists can never be offered to anybody.
pub(super) fn warn_of_unlisted_catalogs(
    declarations: &Declarations,
    written: &Written,
    problems: &mut Vec<Diagnostic>,
) {
    // A project that could not be read, or was left out for want of its tenant, may list any of them.
    if written.broken.contains(&Kind::Project) || written.broken.contains(&Kind::Tenant) {
        return;
    }
    let listed: BTreeSet<&str> = written
        .documents
        .iter()
        .filter_map(|document| match &document.body {
            Body::Project(project) => Some(&project.catalogs),
            _ => None,
        })
        .flatten()
        .map(|catalog| catalog.value.as_str())
        .collect();
    for catalog in declarations.catalogs.iter().filter(|catalog| !listed.contains(catalog.id.value.as_str())) {
        let message = format!("no project lists the catalog `{}`", catalog.id.value);
        problems.push(
            Diagnostic::warning(codes::W_UNUSED, message)
                .at(catalog.id.place.clone())
                .help("add it to the `catalogs` of a project, or remove it"),
        );
    }
}
