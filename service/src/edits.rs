//! Edits of declarations, written into the files of a workspace or only shown.
//! INVARIANT: a file that is another one by now than the one the edits were made for is left as it is.

use std::collections::BTreeMap;

use ambit_engine::patch::{self, Addition, Edit};
use ambit_engine::source::{SourceFile, SourceTree};
use ambit_model::card::ToolCard;
use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;

use crate::Error;
use crate::format::ChangedFile;
use crate::replace::replace_file;
use crate::workspace::{self, Workspace};

/// What a proposed line says of itself until a person reviewed it.
const REMARK: &str = "proposed";

/// Example questions of a tool, as lines that say of themselves that they are proposed; nothing where there are none.
pub(crate) fn examples(card: &ToolCard, questions: &[String]) -> Option<Addition> {
    let extends = !card.examples.is_empty();
    let lines = if extends { patch::items(questions) } else { patch::list("examples", questions) };
    (!questions.is_empty()).then(|| Addition {
        catalog: card.id.catalog().to_owned(),
        tool: card.id.name().to_owned(),
        key: "examples".to_owned(),
        lines,
        extends,
        remark: Some(REMARK.to_owned()),
    })
}

/// The edits that make these additions, by the id of their Catalog; what a person has to write is told.
pub(crate) fn additions(
    tree: &SourceTree,
    additions: BTreeMap<String, Vec<Addition>>,
    problems: &mut Vec<Diagnostic>,
) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (file, additions) in by_file(tree, additions) {
        let (mut more, mut by_hand) = patch::set_all(file, &additions);
        edits.append(&mut more);
        problems.append(&mut by_hand);
    }
    edits
}

/// What changes in each file, in the order of paths; written where `write`.
pub(crate) fn carry_out(
    workspace: &Workspace,
    edits: Vec<Edit>,
    write: bool,
    problems: &mut Vec<Diagnostic>,
) -> Result<Vec<ChangedFile>, Error> {
    let mut by_file: BTreeMap<String, Vec<Edit>> = BTreeMap::new();
    for edit in edits {
        by_file.entry(edit.path.clone()).or_default().push(edit);
    }
    let mut changed = Vec::new();
    for (path, edits) in by_file {
        let before = workspace.tree.get(&path).map_or("", |file| file.text.as_str());
        let difference = patch::difference(&path, before, &patch::apply(before, &edits));
        if write && !write_one(workspace, &path, before, &edits, problems)? {
            continue;
        }
        changed.push(ChangedFile { path, difference });
    }
    Ok(changed)
}

/// The declarations as they would be.
pub(crate) fn applied(tree: &SourceTree, edits: &[Edit]) -> SourceTree {
    let mut by_file: BTreeMap<&str, Vec<Edit>> = BTreeMap::new();
    for edit in edits {
        by_file.entry(edit.path.as_str()).or_default().push(edit.clone());
    }
    let mut after = tree.clone();
    for (path, edits) in by_file {
        let before = tree.get(path).map_or("", |file| file.text.as_str());
        after.insert(path, patch::apply(before, &edits));
    }
    after
}

/// The edits go into the text as it lies on the disk, so that its line breaks stay.
fn write_one(
    workspace: &Workspace,
    path: &str,
    before: &str,
    edits: &[Edit],
    problems: &mut Vec<Diagnostic>,
) -> Result<bool, Error> {
    let target = workspace.root.join(path);
    let known = workspace.tree.get(path).is_some();
    let now = match known.then(|| workspace::read_text(&target)) {
        None => String::new(),
        Some(Ok(text)) => text,
        Some(Err(unread)) => {
            problems.push(unread.of_file(path.to_owned()));
            return Ok(false);
        }
    };
    let mut again = SourceTree::default();
    again.insert(path, now.as_str());
    if again.get(path).is_none_or(|file| file.text != before) {
        let message = format!("`{path}` changed while this ran, and is left as it is");
        problems.push(Diagnostic::error(codes::E_FORMAT, message).help("ask again"));
        return Ok(false);
    }
    replace_file(&target, &patch::apply(&now, edits))
        .map_err(|source| Error::FileNotWritten { path: target, source })?;
    Ok(true)
}

/// A file may declare more than one Catalog.
fn by_file(tree: &SourceTree, additions: BTreeMap<String, Vec<Addition>>) -> Vec<(&SourceFile, Vec<Addition>)> {
    let mut by: BTreeMap<&str, (&SourceFile, Vec<Addition>)> = BTreeMap::new();
    for (catalog, additions) in additions {
        if let Some(file) = patch::file_of(tree, &catalog) {
            by.entry(file.path.as_str()).or_insert_with(|| (file, Vec::new())).1.extend(additions);
        }
    }
    by.into_values().collect()
}
