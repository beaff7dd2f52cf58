//! A first workspace: a few files that compile, pass their own tests and explain themselves.
//! INVARIANT: either all of them are written or none, and nothing that was there is touched.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;

use crate::caller::Caller;
use crate::{Error, schema, workspace};

/// What a person reads first stands first.
const FILES: [(&str, &str); 7] = [
    ("workspace.yaml", include_str!("workspace/workspace.yaml")),
    ("tenant.yaml", include_str!("workspace/tenant.yaml")),
    ("catalogs/notes.yaml", include_str!("workspace/catalogs/notes.yaml")),
    ("catalogs/notes.json", include_str!("workspace/catalogs/notes.json")),
    ("policies.cedar", include_str!("workspace/policies.cedar")),
    ("tests.yaml", include_str!("workspace/tests.yaml")),
    ("golden.yaml", include_str!("workspace/golden.yaml")),
];

/// Where the files name their schema.
const SCHEMAS: &str = "schemas";

/// Writes the workspace into a folder, which is made where it is missing; gives the files, relative to it.
pub fn init_workspace(caller: &Caller, folder: &Path) -> Result<Vec<PathBuf>, Error> {
    caller.local_only("write a workspace")?;
    let (name, text) = schema::whole()?;
    let mut files: Vec<(PathBuf, &str)> = FILES.iter().map(|(path, text)| (PathBuf::from(path), *text)).collect();
    files.push((Path::new(SCHEMAS).join(name), &text));
    let there = files.iter().map(|(path, _)| folder.join(path)).find(|path| path.symlink_metadata().is_ok());
    if let Some(path) = there {
        return Err(exists(&format!("`{}` is there already", path.display())));
    }
    if let Some(path) = workspace::first_declaration(folder)? {
        return Err(exists(&format!("the folder holds declarations already, such as `{}`", path.display())));
    }
    let mut made = Made::default();
    for (path, text) in &files {
        let path = folder.join(path);
        made.write(&path, text).map_err(|source| Error::FileNotWritten { path, source })?;
    }
    made.keep();
    Ok(files.into_iter().map(|(path, _)| path).collect())
}

fn exists(message: &str) -> Error {
    let problem =
        Diagnostic::error(codes::E_EXISTS, message).help("name an empty folder, `ambit init DIR`; nothing was written");
    Error::Request(Box::new(problem))
}

/// What was written so far, in order; dropped, it is taken back.
#[derive(Default)]
struct Made {
    files: Vec<PathBuf>,
    folders: Vec<PathBuf>,
}

impl Made {
    fn write(&mut self, path: &Path, text: &str) -> io::Result<()> {
        if let Some(parent) = path.parent() {
            self.folder(parent)?;
        }
        let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
        self.files.push(path.to_owned());
        file.write_all(text.as_bytes())?;
        file.sync_all()
    }

    fn folder(&mut self, folder: &Path) -> io::Result<()> {
        if folder.as_os_str().is_empty() || folder.is_dir() {
            return Ok(());
        }
        if let Some(parent) = folder.parent() {
            self.folder(parent)?;
        }
        fs::create_dir(folder)?;
        self.folders.push(folder.to_owned());
        Ok(())
    }

    fn keep(mut self) {
        self.files.clear();
        self.folders.clear();
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        // Where even that fails, the error that led here says what is wrong.
        self.files.iter().rev().for_each(|file| drop(fs::remove_file(file)));
        self.folders.iter().rev().for_each(|folder| drop(fs::remove_dir(folder)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_begun_is_taken_back() {
        let outer = tempfile::tempdir().unwrap();
        let mut made = Made::default();
        made.write(&outer.path().join("a/b/one"), "1").unwrap();
        assert!(made.write(&outer.path().join("a/b/one"), "2").is_err());
        assert!(made.write(&outer.path().join("a/b/one/two"), "2").is_err());
        drop(made);
        assert_eq!(fs::read_dir(outer.path()).unwrap().count(), 0);
    }
}
