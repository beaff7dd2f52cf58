//! The knowledge folders of projects: where they lie, and that each project's search tool has an id of its own.

use std::collections::BTreeMap;

use ambit_model::codes;
use ambit_model::diagnostic::{Diagnostic, Place};
use ambit_model::identity::{ProjectId, is_identifier};
use ambit_model::knowledge::{CATALOG_PREFIX, catalog_id};

use super::declarations::{KnowledgeDeclaration, Located};
use super::forms::Reader;
use crate::parse::written;

impl Reader<'_> {
    /// Nothing where no folder could be read, for then there is nothing to search.
    pub(super) fn knowledge(&mut self, project: &written::Project) -> Option<KnowledgeDeclaration> {
        let written = project.knowledge.as_ref()?;
        let described = &written.value.0;
        let id = ProjectId { tenant: project.tenant.value.clone(), project: project.id.value.clone() };
        if described.folders.is_empty() {
            self.refuse(written.span, "`knowledge` names no folder", "write the folders, or leave the key out");
        }
        if !is_identifier(&catalog_id(&id)) && is_identifier(&id.tenant) && is_identifier(&id.project) {
            let message =
                format!("the ids of tenant and project make `{}`, which is too long for an id", catalog_id(&id));
            self.refuse(written.span, message, "shorten the id of the project to use `knowledge` in it");
            return None;
        }
        let folders: Vec<Located<String>> =
            described.folders.iter().filter_map(|folder| self.inside_root(folder)).collect();
        let description = described
            .description
            .as_ref()
            .map(|text| self.filled(text, "say what the documents answer, or leave the key out"));
        let examples = described.examples.iter().filter_map(|example| self.example(example)).collect();
        let place = folders.first()?.place.clone();
        let known = self.names.tenants.contains_key(id.tenant.as_str());
        let name = project.name.clone();
        known.then_some(KnowledgeDeclaration { project: id, name, folders, description, examples, place })
    }
}

/// A declared Catalog must not pass for the tool of a project's documents.
pub(super) fn reserved(id: &Located<String>) -> Option<Diagnostic> {
    id.value.starts_with(CATALOG_PREFIX).then(|| {
        let message =
            format!("`{}` begins with `{CATALOG_PREFIX}`, as the ids of tools that search documents do", id.value);
        Diagnostic::error(codes::E_VALUE, message).at(id.place.clone()).help("give the Catalog another id")
    })
}

/// `a.b` with `c` and `a` with `b.c` would make one id.
pub(super) fn tell_apart(declared: &[KnowledgeDeclaration], problems: &mut Vec<Diagnostic>) {
    let mut first: BTreeMap<String, (&ProjectId, &Place)> = BTreeMap::new();
    for one in declared {
        let id = catalog_id(&one.project);
        match first.get(&id) {
            Some((project, place)) if **project != one.project => {
                let message = format!(
                    "the documents of `{project}` and `{}` would be searched by one tool, of `{id}`",
                    one.project
                );
                problems.push(
                    Diagnostic::error(codes::E_DUPLICATE_ID, message)
                        .at(one.place.clone())
                        .related("the other documents are these", Some((*place).clone()))
                        .help("give one of the projects an id without a point"),
                );
            }
            Some(_) => {}
            None => drop(first.insert(id, (&one.project, &one.place))),
        }
    }
}
