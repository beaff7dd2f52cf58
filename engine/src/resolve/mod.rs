//! The second stage: names between documents become checked references, words become values, defaults are filled in.
//! Pure bookkeeping over what `parse` read; which tools exist is known only after intake, and then `link` goes on.

use std::collections::BTreeMap;

use ambit_model::codes;
use ambit_model::declaration::{Settings, Thresholds, Weights};
use ambit_model::diagnostic::{Diagnostic, Place};

use crate::parse::at::Page;
use crate::parse::body::{Body, Kind};
use crate::parse::written::Text;
use crate::parse::{Document, Written};
use crate::source::SourceTree;
use declarations::{Declarations, PolicySource};
use forms::Reader;
use identity::NamedIssuer;
use names::Names;

mod catalogs;
pub mod declarations;
mod expectations;
mod facts;
mod forms;
mod groups;
mod identity;
mod knowledge;
pub mod link;
mod links;
mod llm;
mod names;
mod policies;
mod projects;
mod roles;
mod tenants;
mod vocabularies;
mod workspace;

pub(crate) use catalogs::TRUSTABLE;
pub(crate) use expectations::GAP_CAUSES;
pub(crate) use forms::tool_glob;
pub(crate) use identity::TOKEN_TYPES;

pub use catalogs::{is_secret_name, secret_prefix, sign_in_variable};
pub use llm::project_secret_prefix;
pub use workspace::DEFAULT_EMBEDDING_MODEL;

/// Checks every name that another document can answer for. `tree` is the one that `written` was parsed from.
///
/// What is wrong is left out of the declarations, so that later stages can go on and report more; a workspace with an error among
/// the diagnostics must not be published.
pub fn resolve(written: &Written, tree: &SourceTree) -> (Declarations, Vec<Diagnostic>) {
    let mut resolver = Resolver {
        names: Names::of(written),
        declarations: empty(written),
        seen: BTreeMap::new(),
        workspace: None,
        issuers: Vec::new(),
        problems: Vec::new(),
    };
    for document in &written.documents {
        if let Some(page) = document.page(tree) {
            resolver.document(document, page);
        }
    }
    resolver.finish(written, tree)
}

struct Resolver<'w> {
    names: Names<'w>,
    declarations: Declarations,
    /// The first place of every id, by kind.
    seen: BTreeMap<(Kind, String), Place>,
    /// Where the Workspace document stands.
    workspace: Option<Place>,
    /// The issuers that tenants name, in the order of documents.
    issuers: Vec<NamedIssuer>,
    problems: Vec<Diagnostic>,
}

impl Resolver<'_> {
    fn document(&mut self, document: &Document, page: Page<'_>) {
        if let Some((kind, id, name)) = identity(&document.body)
            && !self.is_new(kind, id, name, page)
        {
            return;
        }
        let into = &mut self.declarations;
        let mut reader = Reader { page, file: &document.file, names: &self.names, problems: &mut self.problems };
        match &document.body {
            Body::Workspace(workspace) => {
                let place = page.place(document.kind);
                match self.workspace.clone() {
                    None => {
                        into.settings = reader.settings(workspace);
                        self.workspace = Some(place);
                    }
                    Some(first) => reader.problems.push(second_workspace(place, first)),
                }
            }
            Body::Tenant(tenant) => {
                let (tenant, issuers) = reader.tenant(tenant);
                into.tenants.push(tenant);
                self.issuers.extend(issuers);
            }
            Body::Project(project) => {
                into.projects.extend(reader.project(project));
                into.knowledge.extend(reader.knowledge(project));
            }
            Body::Catalog(catalog) => into.catalogs.extend(reader.catalog(catalog)),
            Body::Group(group) => into.groups.push(reader.group(group)),
            Body::TwinGroup(twins) => into.twins.extend(reader.twins(twins)),
            Body::VersionFamily(family) => into.families.extend(reader.family(family)),
            Body::Policy(policy) => {
                into.links.extend(reader.policy_links(policy));
                into.policies.extend(reader.policy(policy, document.kind));
            }
            Body::Vocabulary(vocabulary) => into.vocabularies.push(reader.vocabulary(vocabulary)),
            Body::PolicyTest(test) => {
                let tool = test.tool.as_ref().map(|tool| reader.glob(tool));
                // A test whose tool has no usable form would test nothing.
                into.policy_tests.extend(reader.policy_test(test).filter(|_| tool != Some(None)));
                into.named_tools.extend(tool.flatten());
            }
            Body::GoldenRoute(route) => {
                into.named_tools.extend(route.tools.iter().flatten().filter_map(|tool| reader.tool_id(tool)));
                into.golden_routes.extend(reader.golden_route(route));
            }
        }
    }

    /// Reports an id of the wrong form, or one that an earlier document of the kind has.
    fn is_new(&mut self, kind: Kind, id: &Text, name: String, page: Page<'_>) -> bool {
        let place = page.place(id.span);
        if let Some(problem) = forms::bad_identifier(&id.value, place.clone()) {
            self.problems.push(problem);
        }
        if let Some(first) = self.seen.get(&(kind, name.clone())) {
            self.problems.push(duplicate_id(kind.word(), &name, place, first.clone()));
            return false;
        }
        self.seen.insert((kind, name), place);
        true
    }

    fn finish(mut self, written: &Written, tree: &SourceTree) -> (Declarations, Vec<Diagnostic>) {
        if self.workspace.is_none() && !written.broken.contains(&Kind::Workspace) {
            self.problems.push(no_workspace(written, tree));
        }
        identity::tell_apart(&self.issuers, &mut self.problems);
        identity::part_secrets(&self.issuers, &mut self.problems);
        catalogs::part_secrets(&self.declarations.catalogs, &mut self.problems);
        llm::part_secrets(written, tree, &mut self.problems);
        sort(&mut self.declarations);
        knowledge::tell_apart(&self.declarations.knowledge, &mut self.problems);
        projects::warn_of_unlisted_catalogs(&self.declarations, written, &mut self.problems);
        sort_by_place(&mut self.problems);
        (self.declarations, self.problems)
    }
}

/// Diagnostics in the order a reader meets their places.
pub(crate) fn sort_by_place(problems: &mut [Diagnostic]) {
    problems.sort_by(|a, b| (&a.place, &a.code, &a.message).cmp(&(&b.place, &b.code, &b.message)));
}

/// The kind and id of a document whose id must be unique. Ids of policies are compared when all of Cedar is parsed.
fn identity(body: &Body) -> Option<(Kind, &Text, String)> {
    let (kind, id) = match body {
        Body::Tenant(tenant) => (Kind::Tenant, &tenant.id),
        Body::Project(project) => {
            return Some((Kind::Project, &project.id, format!("{}/{}", project.tenant.value, project.id.value)));
        }
        Body::Catalog(catalog) => (Kind::Catalog, &catalog.id),
        Body::Group(group) => (Kind::Group, &group.id),
        Body::TwinGroup(twins) => (Kind::TwinGroup, &twins.id),
        Body::VersionFamily(family) => (Kind::VersionFamily, &family.id),
        _ => return None,
    };
    Some((kind, id, id.value.clone()))
}

pub(crate) fn duplicate_id(what: &str, id: &str, place: Place, first: Place) -> Diagnostic {
    Diagnostic::error(codes::E_DUPLICATE_ID, format!("two of kind `{what}` have the id `{id}`"))
        .at(place)
        .related("the first stands here", Some(first))
        .help("give one of them another id")
}

fn second_workspace(place: Place, first: Place) -> Diagnostic {
    Diagnostic::error(codes::E_WORKSPACE, "a workspace has one Workspace document, and this is the second")
        .at(place)
        .related("the first stands here", Some(first))
        .help("move its keys into the first and remove it")
}

fn no_workspace(written: &Written, tree: &SourceTree) -> Diagnostic {
    let begin = "write a file `workspace.yaml` with the lines `kind: Workspace` and `name: my-workspace`";
    if written.documents.is_empty() && written.broken.is_empty() && written.policies.is_empty() {
        let folder = if tree.folder.is_empty() { "." } else { &tree.folder };
        return Diagnostic::error(codes::E_WORKSPACE, format!("the folder `{folder}` holds no declarations"))
            .help(format!("to begin, {begin}"));
    }
    let place =
        written.documents.first().and_then(|document| document.page(tree).map(|page| page.place(document.kind)));
    Diagnostic::error(codes::E_WORKSPACE, "no document has `kind: Workspace`").at(place).help(begin)
}

fn empty(written: &Written) -> Declarations {
    Declarations {
        settings: Settings {
            workspace: String::new(),
            embedding_model: DEFAULT_EMBEDDING_MODEL.to_owned(),
            embedding_languages: ambit_model::declaration::english(),
            weights: Weights::default(),
            thresholds: Thresholds::default(),
        },
        tenants: Vec::new(),
        projects: Vec::new(),
        catalogs: Vec::new(),
        knowledge: Vec::new(),
        groups: Vec::new(),
        twins: Vec::new(),
        families: Vec::new(),
        policies: written.policies.clone(),
        links: Vec::new(),
        vocabularies: Vec::new(),
        policy_tests: Vec::new(),
        golden_routes: Vec::new(),
        named_tools: Vec::new(),
    }
}

/// The order of files and documents leaves no trace.
fn sort(declarations: &mut Declarations) {
    declarations.tenants.sort_by(|a, b| a.id.cmp(&b.id));
    declarations.projects.sort_by(|a, b| a.id.cmp(&b.id));
    declarations.catalogs.sort_by(|a, b| a.id.value.cmp(&b.id.value));
    declarations.knowledge.sort_by(|a, b| a.project.cmp(&b.project));
    declarations.groups.sort_by(|a, b| a.id.value.cmp(&b.id.value));
    declarations.twins.sort_by(|a, b| a.id.value.cmp(&b.id.value));
    declarations.families.sort_by(|a, b| a.id.value.cmp(&b.id.value));
    declarations.policies.sort_by(|a, b| policy_key(a).cmp(&policy_key(b)));
    declarations.links.sort_by(|a, b| (&a.id.value, &a.id.place).cmp(&(&b.id.value, &b.id.place)));
    declarations.vocabularies = vocabularies::merged(std::mem::take(&mut declarations.vocabularies));
    declarations.policy_tests.sort_by_cached_key(|test| (format!("{:?}", test.value), test.place.clone()));
    declarations.golden_routes.sort_by_cached_key(|route| (format!("{:?}", route.value), route.place.clone()));
    declarations.named_tools.sort_by(|a, b| (&a.value, &a.place).cmp(&(&b.value, &b.place)));
}

fn policy_key(policy: &PolicySource) -> (Option<&str>, &str, usize) {
    (policy.id.as_ref().map(|id| id.value.as_str()), &policy.file, policy.first_line)
}

#[cfg(test)]
mod order_tests;
#[cfg(test)]
mod tests;
