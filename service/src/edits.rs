//! Edits of declarations, written into the files of a workspace or only shown.
//! INVARIANT: a file that is another one by now than the one the edits were made for is left as it is.

use std::collections::BTreeMap;

use ambit_engine::patch::{self, Edit};
use ambit_engine::source::SourceTree;
use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;

use crate::Error;
use crate::format::ChangedFile;
use crate::replace::replace_file;
use crate::workspace::{self, Workspace};

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
