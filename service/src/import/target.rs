//! Where an import writes: the catalog file inside the workspace's root, and the Catalog document inside the workspace.
//! A document that is there already names its file, and stays as it is.

use std::path::{Component, Path, PathBuf};

use ambit_engine::catalog::{self, OfferedTool};
use ambit_engine::import::{Declared, declared};
use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;

use super::{ImportRequest, refused};
use crate::workspace::Workspace;
use crate::{Error, schema};

/// The folder of catalog files, and that of Catalog documents.
const CATALOGS: &str = "catalogs";

/// The files of one import; paths are relative to the root.
pub(super) struct Target {
    pub(super) catalog: String,
    pub(super) document: String,
    /// The document that is there already.
    pub(super) declared: Option<Declared>,
    schemas: String,
}

/// A file to be written.
pub(super) struct File {
    pub(super) path: String,
    pub(super) text: String,
    /// What another file of this name is to the import.
    pub(super) there: There,
}

/// What to do where a file is there and says something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum There {
    /// It is of an earlier import.
    Replace,
    /// It is somebody's own.
    Refuse,
    /// It serves as well.
    Keep,
}

impl Target {
    pub(super) fn of(workspace: &Workspace, id: &str, request: &ImportRequest) -> Result<Self, Error> {
        let folder = workspace.tree.folder.as_str();
        let schemas = joined(folder, schema::FOLDER);
        let asked = request.to.as_deref().map(|to| inside(&workspace.root, to)).transpose()?;
        let in_folder = |folder: &str| joined(folder, &format!("{id}.json"));
        if let Some(declared) = declared(&workspace.tree, id) {
            let Some(catalog) = declared.file.clone().filter(|_| declared.imported) else {
                let message =
                    format!("the Catalog `{id}` is declared already, and it does not say that it was imported");
                return Err(taken(message, &declared));
            };
            if asked.is_some_and(|asked| in_folder(&asked) != catalog) {
                let message = format!("the Catalog `{id}` is declared already, with its file in another folder");
                return Err(taken(message, &declared));
            }
            stays_inside(&workspace.root, &catalog)?;
            let document = declared.place.file.clone();
            return Ok(Self { catalog, document, declared: Some(declared), schemas });
        }
        let document = joined(folder, &format!("{CATALOGS}/{id}.yaml"));
        let catalog = in_folder(asked.as_deref().unwrap_or(CATALOGS));
        for path in [&document, &catalog, &joined(&schemas, "x")] {
            stays_inside(&workspace.root, path)?;
        }
        Ok(Self { catalog, document, declared: None, schemas })
    }

    /// The catalog file, as the document names it.
    pub(super) fn file_key(&self) -> String {
        let parts = |path: &str| path.split('/').map(str::to_owned).collect::<Vec<_>>();
        let (from, to) = (parts(&self.document), parts(&self.catalog));
        let folders = from.len().saturating_sub(1);
        let shared = from.iter().take(folders).zip(&to).take_while(|(a, b)| a == b).count();
        let up = std::iter::repeat_n("..", folders - shared);
        up.chain(to.iter().skip(shared).map(String::as_str)).collect::<Vec<_>>().join("/")
    }

    /// The tools that the catalog file held before.
    pub(super) fn before(&self, workspace: &Workspace, id: &str) -> Vec<OfferedTool> {
        workspace.tree.get(&self.catalog).map(|file| catalog::read(id, file).0).unwrap_or_default()
    }

    /// What is to be written.
    pub(super) fn files(&self, catalog: String, document: String, schema: (&str, String)) -> Vec<File> {
        if self.declared.is_some() {
            return vec![File { path: self.catalog.clone(), text: catalog, there: There::Replace }];
        }
        let (name, schema) = schema;
        vec![
            File { path: self.catalog.clone(), text: catalog, there: There::Refuse },
            File { path: self.document.clone(), text: document, there: There::Refuse },
            File { path: joined(&self.schemas, name), text: schema, there: There::Keep },
        ]
    }
}

fn taken(message: String, declared: &Declared) -> Error {
    let problem = Diagnostic::error(codes::E_EXISTS, message)
        .at(declared.place.clone())
        .help("import under another `--id`, or remove the document; nothing was written");
    Error::Request(Box::new(problem))
}

fn joined(folder: &str, path: &str) -> String {
    if folder.is_empty() { path.to_owned() } else { format!("{folder}/{path}") }
}

/// A folder relative to the root, whether it is there or not.
fn inside(root: &Path, folder: &Path) -> Result<String, Error> {
    let outside = || {
        let message = format!("`{}` lies outside the workspace's root", folder.display());
        let problem = Diagnostic::error(codes::E_PATH, message)
            .help("`--to` is a folder inside the root, so that a Catalog may name its files");
        Error::Request(Box::new(problem))
    };
    let real = real(&std::path::absolute(folder).map_err(|_| outside())?).ok_or_else(outside)?;
    let relative = real.strip_prefix(root).map_err(|_| outside())?;
    Ok(relative.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/"))
}

/// A path whose links are resolved as far as it is there, and that does not climb beyond.
fn real(path: &Path) -> Option<PathBuf> {
    let there = path.ancestors().find(|path| path.exists())?;
    let rest = path.strip_prefix(there).ok()?;
    let climbs = rest.components().any(|part| !matches!(part, Component::Normal(_)));
    if climbs { None } else { Some(there.canonicalize().ok()?.join(rest)) }
}

/// No link leads the file out of the root.
fn stays_inside(root: &Path, path: &str) -> Result<(), Error> {
    if real(&root.join(path)).is_some_and(|real| real.starts_with(root)) {
        return Ok(());
    }
    Err(refused::exists(
        format!("`{path}` is a link that leaves the workspace's root"),
        "put a folder in its place; nothing was written",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(document: &str, catalog: &str, expected: &str) {
        let (document, catalog) = (document.to_owned(), catalog.to_owned());
        let target = Target { catalog, document, declared: None, schemas: String::new() };
        assert_eq!(target.file_key(), expected);
    }

    #[test]
    fn the_document_names_its_file_from_where_it_stands() {
        check("policies/catalogs/c.yaml", "catalogs/c.json", "../../catalogs/c.json");
        check("catalogs/c.yaml", "catalogs/c.json", "c.json");
        check("catalogs/c.yaml", "c.json", "../c.json");
        check("a/catalogs/c.yaml", "a/files/deep/c.json", "../files/deep/c.json");
    }
}
