//! Writing what an import made: new files together or not at all, and over a former import's file in one step.

use std::fs;
use std::path::Path;

use super::refused;
use super::target::{File, There};
use crate::Error;
use crate::made::Made;
use crate::replace::replace_file;

/// Writes the files that are not there yet or say something else, and gives their paths; `dry` only gives them.
pub(super) fn write(root: &Path, files: Vec<File>, dry: bool) -> Result<Vec<String>, Error> {
    let mut open = Vec::new();
    for file in files {
        let path = root.join(&file.path);
        let there = fs::read(&path).ok();
        match (there, file.there) {
            (Some(text), _) if text == file.text.as_bytes() => {}
            (Some(_), There::Keep) => {}
            (Some(_), There::Refuse) => {
                let help = "import under another `--id`, or remove the file; nothing was written";
                return Err(refused::exists(format!("`{}` is there already", path.display()), help));
            }
            (there, _) => open.push((path, file, there.is_some())),
        }
    }
    let paths = open.iter().map(|(_, file, _)| file.path.clone()).collect();
    if dry {
        return Ok(paths);
    }
    let mut made = Made::default();
    let (replaced, new): (Vec<_>, Vec<_>) = open.into_iter().partition(|(_, _, there)| *there);
    for (path, file, _) in new {
        made.write(&path, &file.text).map_err(|source| Error::FileNotWritten { path, source })?;
    }
    // Only the catalog file is ever replaced, so that this is the last step and the only one of its kind.
    for (path, file, _) in replaced {
        replace_file(&path, &file.text).map_err(|source| Error::FileNotWritten { path, source })?;
    }
    made.keep();
    Ok(paths)
}
