//! The names that documents declare, collected before any reference is followed.
//! Taken from what was written, not from what was accepted, so that one mistake is reported once and not at each use.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::codes;
use ambit_model::diagnostic::{Diagnostic, Place};
use ambit_model::identity::PrincipalKind;

use crate::nearest::did_you_mean;
use crate::parse::Written;
use crate::parse::body::{Body, Kind};
use crate::parse::problem::listed;

/// Most known names that a help line lists where none is near.
const MOST_LISTED: usize = 8;

/// What is declared under which name.
pub(super) struct Names<'w> {
    pub(super) tenants: BTreeMap<&'w str, Members<'w>>,
    /// Written `tenant/project`.
    pub(super) projects: BTreeSet<String>,
    /// Catalogs and the tenant that owns each.
    pub(super) catalogs: BTreeMap<&'w str, Option<&'w str>>,
    broken: &'w BTreeSet<Kind>,
}

/// The principals of one tenant.
#[derive(Default)]
pub(super) struct Members<'w> {
    pub(super) roles: BTreeSet<&'w str>,
    users: BTreeSet<&'w str>,
    agents: BTreeSet<&'w str>,
}

impl Members<'_> {
    pub(super) fn of_kind(&self, kind: PrincipalKind) -> &BTreeSet<&str> {
        match kind {
            PrincipalKind::User => &self.users,
            PrincipalKind::Agent => &self.agents,
            PrincipalKind::Role => &self.roles,
        }
    }
}

impl<'w> Names<'w> {
    pub(super) fn of(written: &'w Written) -> Self {
        let mut names = Self {
            tenants: BTreeMap::new(),
            projects: BTreeSet::new(),
            catalogs: BTreeMap::new(),
            broken: &written.broken,
        };
        for document in &written.documents {
            match &document.body {
                Body::Tenant(tenant) => {
                    let members = names.tenants.entry(&tenant.id.value).or_default();
                    members.roles.extend(tenant.roles.iter().map(|role| role.id.value.as_str()));
                    members.users.extend(tenant.users.iter().map(|user| user.id.value.as_str()));
                    members.agents.extend(tenant.agents.iter().map(|agent| agent.id.value.as_str()));
                }
                Body::Project(project) => {
                    names.projects.insert(format!("{}/{}", project.tenant.value, project.id.value));
                }
                Body::Catalog(catalog) => {
                    let tenant = catalog.tenant.as_ref().map(|tenant| tenant.value.as_str());
                    names.catalogs.entry(&catalog.id.value).or_insert(tenant);
                }
                _ => {}
            }
        }
        names
    }

    /// Documents of this kind could not be read, so that a name may be declared there.
    pub(super) fn may_hide(&self, kind: Kind) -> bool {
        self.broken.contains(&kind)
    }
}

/// `message` names something that is not declared; the nearest of `known` is offered, or the whole list where it is short.
pub(crate) fn unresolved<'a>(
    message: String,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
    place: Place,
) -> Diagnostic {
    let known: Vec<&str> = known.into_iter().collect();
    let diagnostic = Diagnostic::error(codes::E_UNRESOLVED, message).at(place);
    match did_you_mean(name, known.iter().copied()) {
        Some(help) => diagnostic.help(help),
        None if known.is_empty() => diagnostic.help("none is declared"),
        None if known.len() <= MOST_LISTED => diagnostic.help(format!("known: {}", listed(known))),
        None => diagnostic,
    }
}
