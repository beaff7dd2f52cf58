//! Line edits of declarations: lines are put into a file, and every other byte of it stays as a person wrote it.
//! INVARIANT: an edit is given back only if the file then says what it said before, and the one thing more.

mod outline;
mod proof;
#[cfg(test)]
mod tests;
mod yaml;

use std::collections::BTreeMap;

use ambit_model::diagnostic::Diagnostic;

use crate::parse;
use crate::parse::body::{Body, Kind};
use crate::source::{SourceFile, SourceTree};
use outline::Outline;

pub use crate::format::difference;
pub use yaml::{items, list};

/// One key to be written of one tool of a Catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Addition {
    /// The Catalog's id.
    pub catalog: String,
    /// The tool's name in its source.
    pub tool: String,
    /// A key of the tool that is not written yet; where [`Self::extends`], `examples`.
    pub key: String,
    /// The key's own line and what belongs below it, indented from its column: `examples:` and `  - "Who is late?"`; where
    /// [`Self::extends`], the items alone: `- "Who is late?"`.
    pub lines: Vec<String>,
    /// The tool has examples, and these are more of them.
    pub extends: bool,
    /// Put as a comment at the end of each line that is added: `proposed`.
    pub remark: Option<String>,
}

/// Lines to put into a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The file, relative to the root.
    pub path: String,
    /// The line after which they stand, from 1; 0 is the top of the file.
    pub line: usize,
    /// Without line breaks.
    pub lines: Vec<String>,
}

/// The file in which a Catalog is declared.
pub fn file_of<'t>(tree: &'t SourceTree, catalog: &str) -> Option<&'t SourceFile> {
    let (written, _) = parse::parse(tree);
    let declares = |body: &Body| matches!(body, Body::Catalog(one) if one.id.value == catalog);
    let found = written.documents.iter().find(|document| declares(&document.body))?;
    tree.get(&found.file)
}

/// The first file with a document of this kind.
pub fn file_with(tree: &SourceTree, kind: Kind) -> Option<&SourceFile> {
    let (written, _) = parse::parse(tree);
    let word =
        |document: &&parse::Document| document.page(tree).is_some_and(|page| page.text(document.kind) == kind.word());
    tree.get(&written.documents.iter().find(word)?.file)
}

/// The lines that write one key of one tool; what stands in the way is a diagnostic.
pub fn set(file: &SourceFile, addition: &Addition) -> Result<Edit, Box<Diagnostic>> {
    let (edits, problems) = set_all(file, std::slice::from_ref(addition));
    match (edits.into_iter().next(), problems.into_iter().next()) {
        (_, Some(problem)) => Err(Box::new(problem)),
        (Some(edit), None) => Ok(edit),
        (None, None) => Err(Box::new(outline::by_hand(addition, file.whole(), "nothing would be added"))),
    }
}

/// The same of many keys in one file, in the order of places. What cannot be added is reported, and the others are.
pub fn set_all(file: &SourceFile, additions: &[Addition]) -> (Vec<Edit>, Vec<Diagnostic>) {
    let (documents, _) = parse::documents_of(file);
    let (mut edits, mut done, mut problems) = (Vec::new(), Vec::new(), Vec::new());
    for (catalog, wanted) in by_catalog(additions) {
        let found = documents.iter().find_map(|document| match &document.body {
            Body::Catalog(one) if one.id.value == catalog => Some((document, one.as_ref())),
            _ => None,
        });
        let outline = match found {
            Some((document, catalog)) => Outline::of(file, document, catalog),
            None => Err("the Catalog is not declared in this file"),
        };
        match outline {
            Ok(outline) => {
                let (mut more, taken) = outline.place(&wanted, &mut problems);
                edits.append(&mut more);
                done.extend(taken);
            }
            Err(why) => problems.extend(wanted.iter().map(|one| outline::by_hand(one, file.whole(), why))),
        }
    }
    edits.sort_by_key(|edit| edit.line);
    match proof::holds(file, &edits, &done) {
        Ok(()) => (edits, problems),
        Err(why) => {
            problems.extend(done.iter().map(|one| outline::by_hand(one, file.whole(), why)));
            (Vec::new(), problems)
        }
    }
}

fn by_catalog(additions: &[Addition]) -> BTreeMap<&str, Vec<&Addition>> {
    let mut by: BTreeMap<&str, Vec<&Addition>> = BTreeMap::new();
    for addition in additions {
        by.entry(addition.catalog.as_str()).or_default().push(addition);
    }
    by
}

/// A document at the end of a file, or in a file that is not there yet. `document` is its YAML, without a marker.
pub fn new_document(path: &str, file: Option<&SourceFile>, document: &str) -> Edit {
    let before = file.map_or("", |file| file.text.as_str());
    let marker = (!before.trim().is_empty()).then(|| "---".to_owned());
    let lines = marker.into_iter().chain(document.trim_end().lines().map(str::to_owned)).collect();
    Edit { path: path.to_owned(), line: before.lines().count(), lines }
}

/// The text with these edits of its file in it; line breaks are of the file's kind.
pub fn apply(text: &str, edits: &[Edit]) -> String {
    let ending =
        if text.split_inclusive('\n').next().is_some_and(|first| first.ends_with("\r\n")) { "\r\n" } else { "\n" };
    let mut edits: Vec<&Edit> = edits.iter().collect();
    edits.sort_by_key(|edit| edit.line);
    let mut edits = edits.into_iter().peekable();
    let mut lines = text.split_inclusive('\n');
    let mut out = String::with_capacity(text.len());
    let mut above = 0;
    loop {
        let line = lines.next();
        while let Some(edit) = edits.next_if(|edit| edit.line <= above || line.is_none()) {
            if !out.is_empty() && !out.ends_with('\n') {
                out.push_str(ending);
            }
            edit.lines.iter().for_each(|line| out.extend([line.as_str(), ending]));
        }
        match line {
            Some(line) => out.push_str(line),
            None => return out,
        }
        above += 1;
    }
}
