//! A first workspace: a few files that compile, pass their own tests and explain themselves.
//! INVARIANT: either all of them are written or none, and nothing that was there is touched.

use std::path::{Path, PathBuf};

use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;

use crate::caller::Caller;
use crate::made::Made;
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

/// Writes the workspace into a folder, which is made where it is missing; gives the files, relative to it.
pub fn init_workspace(caller: &Caller, folder: &Path) -> Result<Vec<PathBuf>, Error> {
    caller.local_only("write a workspace")?;
    let (name, text) = schema::whole()?;
    let mut files: Vec<(PathBuf, &str)> = FILES.iter().map(|(path, text)| (PathBuf::from(path), *text)).collect();
    files.push((Path::new(schema::FOLDER).join(name), &text));
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
