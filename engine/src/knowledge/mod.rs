//! A project's knowledge: its folders of Markdown cut into passages, the tool that searches them, and the search itself.
//! Pure: the service reads the files; which of them a project has is told by their paths alone.

mod document;
mod front_matter;
mod search;
#[cfg(test)]
mod tests;
mod tool;

use std::collections::BTreeMap;

use ambit_model::codes;
use ambit_model::declaration::Project;
use ambit_model::diagnostic::Diagnostic;
use ambit_model::knowledge::{KnowledgeChunk, KnowledgeDocument, catalog_id};

use crate::catalog::OfferedTool;
use crate::resolve::declarations::{CatalogDeclaration, Declarations, KnowledgeDeclaration};
use crate::source::{SourceFile, SourceTree};

pub use search::{KnowledgeIndex, check_request};
pub use tool::reworded;

/// What the knowledge folders of a workspace hold.
#[derive(Default)]
pub struct Knowledge {
    /// By project and path.
    pub documents: Vec<KnowledgeDocument>,
    /// Each project's one tool, with the catalog that it stands in.
    tools: Vec<(CatalogDeclaration, OfferedTool)>,
}

/// Whether the file of this name is a document.
pub fn is_document(path: &str) -> bool {
    path.ends_with(".md") && path.rsplit('/').next().is_some_and(|name| !name.starts_with('.'))
}

/// Reads the documents of every project. A project whose folders hold no text has no tool.
pub fn gather(declared: &[KnowledgeDeclaration], tree: &SourceTree) -> (Knowledge, Vec<Diagnostic>) {
    let (mut knowledge, mut problems) = (Knowledge::default(), Vec::new());
    for project in declared {
        let (documents, silent): (Vec<_>, Vec<_>) = files(project, tree)
            .map(|file| (file, document::read(&project.project, file)))
            .partition(|(_, document)| !document.chunks.is_empty());
        problems.extend(silent.into_iter().map(|(file, _)| without_text(file)));
        let documents: Vec<KnowledgeDocument> = documents.into_iter().map(|(_, document)| document).collect();
        if !documents.is_empty() {
            knowledge.tools.push(tool::of(project, &documents));
        }
        knowledge.documents.extend(documents);
    }
    problems.sort();
    problems.dedup();
    (knowledge, problems)
}

impl Knowledge {
    /// Adds the tools to what catalogs offer, and each one's catalog to its project and to no other.
    pub fn join(&mut self, declarations: &mut Declarations, offered: &mut Vec<OfferedTool>) {
        for (catalog, tool) in std::mem::take(&mut self.tools) {
            let of = |project: &&mut Project| catalog_id(&project.id) == catalog.id.value;
            for project in declarations.projects.iter_mut().filter(of) {
                project.catalogs.push(catalog.id.value.clone());
                project.catalogs.sort();
            }
            declarations.catalogs.push(catalog);
            offered.push(tool);
        }
        declarations.catalogs.sort_by(|a, b| a.id.value.cmp(&b.id.value));
    }
}

/// The texts that passages are matched by in meaning.
pub fn texts(documents: &[KnowledgeDocument]) -> impl Iterator<Item = String> {
    documents.iter().flat_map(|document| document.chunks.iter().map(|chunk| passage_text(document, chunk)))
}

/// A passage with what it stands under, for "within 30 days" alone says nothing of returns.
fn passage_text(document: &KnowledgeDocument, chunk: &KnowledgeChunk) -> String {
    let above: Vec<&str> = std::iter::once(&document.title).chain(&chunk.headings).map(String::as_str).collect();
    format!("{}: {}", above.join(", "), chunk.text)
}

/// The documents below a project's folders, each once, by path.
fn files<'a>(project: &KnowledgeDeclaration, tree: &'a SourceTree) -> impl Iterator<Item = &'a SourceFile> {
    let mut files = BTreeMap::new();
    for folder in &project.folders {
        let prefix = format!("{}/", folder.value);
        let below = tree.files.range(prefix.clone()..).take_while(|(path, _)| path.starts_with(&prefix));
        files.extend(below.filter(|(path, _)| is_document(path)));
    }
    files.into_values()
}

fn without_text(file: &SourceFile) -> Diagnostic {
    Diagnostic::warning(codes::W_UNUSED, "the document holds no text, so nothing in it can be found")
        .at(file.whole())
        .help("write what it is to answer, or remove it")
}
