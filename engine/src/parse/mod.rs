//! The first stage: the text of YAML and Cedar files becomes declarations as written, every value with its span.
//! A broken document costs only itself; what it meant to be is remembered, so that nobody reports its names as unknown.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::diagnostic::{Diagnostic, Place};
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use serde::Deserialize as _;
use serde_json::Value;

use crate::resolve::declarations::PolicySource;
use crate::source::{SourceFile, SourceTree, join};
use at::{Page, Span};
use body::{Body, Kind};
use documents::{Chunk, apparent_kind, split};
use read::{Watch, read};

pub mod at;
pub mod body;
mod documents;
mod long;
pub(crate) mod problem;
mod read;
mod root;
pub mod schema;
mod syntax;
pub mod written;
pub mod written_catalog;
pub mod written_knowledge;

pub use root::{DEFAULT_ROOT, workspace_root};

/// Everything written in a workspace, in the order of paths and of documents within a file.
#[derive(Clone, Debug, Default)]
pub struct Written {
    pub documents: Vec<Document>,
    /// The `.cedar` files.
    pub policies: Vec<PolicySource>,
    /// Kinds of the documents that could not be read: names of these kinds may be declared there.
    pub broken: BTreeSet<Kind>,
}

/// One document that could be read.
#[derive(Clone, Debug)]
pub struct Document {
    /// Its file, relative to the root.
    pub file: String,
    /// The byte of the file at which the document's text begins.
    pub start: usize,
    pub lines_above: usize,
    /// The word after `kind:`.
    pub kind: Span,
    pub body: Body,
}

impl Document {
    /// The document in the tree it was parsed from.
    pub fn page<'a>(&self, tree: &'a SourceTree) -> Option<Page<'a>> {
        Some(Page { file: tree.get(&self.file)?, start: self.start, lines_above: self.lines_above })
    }

    /// Its text in the tree it was parsed from.
    pub(crate) fn text<'a>(&self, tree: &'a SourceTree) -> Option<&'a str> {
        split(&tree.get(&self.file)?.text).into_iter().find(|chunk| chunk.start == self.start).map(|chunk| chunk.text)
    }
}

impl Written {
    /// The files that Catalog documents name, relative to the root, each with the place that names it first; a path that leaves
    /// the root is not among them.
    pub fn catalog_files(&self, tree: &SourceTree) -> BTreeMap<String, Place> {
        let mut files = BTreeMap::new();
        for document in &self.documents {
            let (Body::Catalog(catalog), Some(page)) = (&document.body, document.page(tree)) else { continue };
            if let Some(path) = join(&document.file, &catalog.file.value) {
                files.entry(path).or_insert_with(|| page.located(&catalog.file).place);
            }
        }
        files
    }
}

impl Written {
    /// The knowledge folders that Project documents name, in the same form.
    pub fn knowledge_folders(&self, tree: &SourceTree) -> BTreeMap<String, Place> {
        let mut folders = BTreeMap::new();
        for document in &self.documents {
            let (Body::Project(project), Some(page)) = (&document.body, document.page(tree)) else { continue };
            for folder in project.knowledge.iter().flat_map(|knowledge| &knowledge.value.0.folders) {
                if let Some(path) = join(&document.file, &folder.value).filter(|path| !path.is_empty()) {
                    folders.entry(path).or_insert_with(|| page.located(folder).place);
                }
            }
        }
        folders
    }
}

/// The text of every YAML document of a workspace, in path order.
pub fn document_texts(tree: &SourceTree) -> Vec<&str> {
    let yaml = |file: &&SourceFile| matches!(extension(&tree.folder, &file.path), Some("yaml" | "yml"));
    tree.files.values().filter(yaml).flat_map(|file| split(&file.text)).map(|chunk| chunk.text).collect()
}

/// The documents of one YAML file, whatever its path, and what is wrong with the others.
pub(crate) fn bodies(file: &SourceFile) -> (Vec<Body>, Vec<Diagnostic>) {
    let (documents, problems) = documents_of(file);
    (documents.into_iter().map(|document| document.body).collect(), problems)
}

/// The same with their places.
pub(crate) fn documents_of(file: &SourceFile) -> (Vec<Document>, Vec<Diagnostic>) {
    let (mut written, mut problems) = (Written::default(), Vec::new());
    parse_file(file, &mut written, &mut problems);
    (written.documents, problems)
}

/// The text of the document that begins at this byte of a file.
pub(crate) fn chunk_at(text: &str, start: usize) -> &str {
    split(text).into_iter().find(|chunk| chunk.start == start).map_or("", |chunk| chunk.text)
}

/// Each document of a text as plain values, whatever it declares; nothing for one that is no YAML.
pub(crate) fn values(text: &str) -> Vec<Option<Value>> {
    let value = |chunk: &Chunk<'_>| read::with_document(chunk.text, |document| Value::deserialize(document)).ok();
    split(text).iter().map(value).collect()
}

/// Reads every `*.yaml`, `*.yml` and `*.cedar` file below the tree's folder, except hidden ones.
pub fn parse(tree: &SourceTree) -> (Written, Vec<Diagnostic>) {
    let read = |file: &&SourceFile| {
        let (mut written, mut problems) = (Written::default(), Vec::new());
        match extension(&tree.folder, &file.path) {
            Some("yaml" | "yml") => parse_file(file, &mut written, &mut problems),
            Some("cedar") => written.policies.push(policy_file(file)),
            _ => {}
        }
        (written, problems)
    };
    // Parallel over files, and put together in their order.
    let files: Vec<&SourceFile> = tree.files.values().collect();
    let parts: Vec<(Written, Vec<Diagnostic>)> = files.par_iter().map(read).collect();
    let (mut written, mut problems) = (Written::default(), Vec::new());
    for (part, mut of_file) in parts {
        written.documents.extend(part.documents);
        written.policies.extend(part.policies);
        written.broken.extend(part.broken);
        problems.append(&mut of_file);
    }
    (written, problems)
}

/// The extension of a path below `folder` in which no part is hidden.
fn extension<'a>(folder: &str, path: &'a str) -> Option<&'a str> {
    let below = match folder.trim_end_matches('/') {
        "" => path,
        folder => path.strip_prefix(folder)?.strip_prefix('/')?,
    };
    let hidden = below.split('/').any(|part| part.starts_with('.'));
    let (_, extension) = below.rsplit_once('.')?;
    (!hidden).then_some(extension)
}

fn parse_file(file: &SourceFile, written: &mut Written, problems: &mut Vec<Diagnostic>) {
    for chunk in split(&file.text) {
        match parse_document(file, &chunk) {
            Ok(document) => written.documents.push(document),
            Err(problem) => {
                written.broken.extend(meant_kind(chunk.text));
                problems.push(*problem);
            }
        }
    }
}

fn parse_document(file: &SourceFile, chunk: &Chunk<'_>) -> Result<Document, Box<Diagnostic>> {
    let mut watch = Watch::default();
    let page = Page { file, start: chunk.start, lines_above: chunk.lines_above };
    if let Some(span) = long::too_long(chunk.text) {
        return Err(Box::new(problem::too_long(span, page)));
    }
    let body =
        read(chunk.text, &mut watch).map_err(|error| Box::new(problem::diagnose(&error, &watch, chunk, page)))?;
    Ok(Document {
        file: file.path.clone(),
        start: chunk.start,
        lines_above: chunk.lines_above,
        kind: watch.kind.map_or_else(Span::default, |(_, span)| span),
        body,
    })
}

/// The kind that a broken document names, or the nearest to it.
fn meant_kind(text: &str) -> Option<Kind> {
    let word = apparent_kind(text)?;
    let word = crate::nearest::nearest(word, Kind::ALL.iter().map(|kind| kind.word()))?;
    Kind::parse(word)
}

fn policy_file(file: &SourceFile) -> PolicySource {
    PolicySource { id: None, reason: None, file: file.path.clone(), cedar: file.text.clone(), first_line: 1, indent: 0 }
}

#[cfg(test)]
pub(crate) mod rendered;
#[cfg(test)]
mod tests;
