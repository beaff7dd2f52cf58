//! Reading a workspace: its folder of YAML and Cedar, then the catalog files and knowledge folders that it names, all inside its root.
//! INVARIANT: nothing outside the root is read, symbolic links included; nothing is written, fetched or run.

mod documents;
mod unread;

use std::collections::BTreeMap;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use ambit_engine::compile;
use ambit_engine::parse;
use ambit_engine::source::SourceTree;
use ambit_model::diagnostic::Diagnostic;

use unread::Unread;

/// Largest file that is read, in bytes.
const LARGEST_FILE: u64 = 64 * 1024 * 1024;
/// Deepest folder inside a workspace.
const DEEPEST_FOLDER: usize = 16;

/// Why a workspace cannot be read at all.
#[derive(Debug, thiserror::Error)]
pub enum WorkspaceError {
    #[error("there is no workspace folder `{}`", .0.display())]
    Missing(PathBuf),
    #[error("the workspace folder `{}` cannot be read", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("the workspace's root `{}` is not a folder above it", .0.display())]
    Root(PathBuf),
}

impl WorkspaceError {
    /// What to do about it.
    pub fn help(&self) -> String {
        match self {
            Self::Missing(_) => "name the folder of declarations with `--workspace`".to_owned(),
            Self::Unreadable { .. } => {
                "give yourself the right to read it, or name another with `--workspace`".to_owned()
            }
            Self::Root(_) => "`root` in the Workspace document is `.`, or leads upwards, like `..`".to_owned(),
        }
    }
}

/// A workspace as read.
#[derive(Debug)]
pub struct Workspace {
    /// Absolute, links resolved.
    pub root: PathBuf,
    pub tree: SourceTree,
    /// Files that could not be read.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads the folder, and the catalog files and knowledge folders that its documents name.
pub fn read(folder: &Path) -> Result<Workspace, WorkspaceError> {
    let folder = real_folder(folder)?;
    let mut found = BTreeMap::new();
    let mut problems = Vec::new();
    list(&folder, Path::new(""), 0, &mut found, &mut problems)?;
    let root = root(&folder, &found)?;
    let prefix = folder.strip_prefix(&root).map_err(|_| WorkspaceError::Root(root.clone()))?.to_owned();
    let mut workspace = Workspace { root, tree: SourceTree::default(), diagnostics: Vec::new() };
    workspace.tree.folder = slashes(&prefix);
    for (path, text) in found {
        workspace.tree.insert(slashes(&prefix.join(path)), text);
    }
    for (path, unread) in problems {
        workspace.diagnostics.push(unread.of_file(slashes(&prefix.join(path))));
    }
    workspace.read_catalogs();
    workspace.read_knowledge();
    Ok(workspace)
}

/// The folder itself, absolute and with links resolved.
pub(crate) fn real_folder(folder: &Path) -> Result<PathBuf, WorkspaceError> {
    let folder = folder.canonicalize().map_err(|source| match source.kind() {
        io::ErrorKind::NotFound => WorkspaceError::Missing(folder.to_owned()),
        _ => WorkspaceError::Unreadable { path: folder.to_owned(), source },
    })?;
    if folder.is_dir() { Ok(folder) } else { Err(WorkspaceError::Missing(folder)) }
}

/// What lies below a folder, relative to it.
pub(crate) struct Listed {
    /// The declarations.
    pub(crate) files: Vec<PathBuf>,
    /// What might be one and cannot be read, and why.
    pub(crate) unreadable: Vec<(PathBuf, Unread)>,
}

/// Every declaration below a folder.
pub(crate) fn list_declarations(folder: &Path) -> Result<Listed, WorkspaceError> {
    let folder = real_folder(folder)?;
    let (mut found, mut unreadable) = (BTreeMap::new(), Vec::new());
    list(&folder, Path::new(""), 0, &mut found, &mut unreadable)?;
    Ok(Listed { files: found.into_keys().collect(), unreadable })
}

/// One of the declarations of a folder that may not be there.
pub(crate) fn first_declaration(folder: &Path) -> Result<Option<PathBuf>, WorkspaceError> {
    if !folder.exists() {
        return Ok(None);
    }
    Ok(list_declarations(folder)?.files.into_iter().next().map(|path| folder.join(path)))
}

impl Workspace {
    fn read_catalogs(&mut self) {
        for (path, place) in compile::catalog_files(&self.tree) {
            if self.tree.get(&path).is_some() {
                continue;
            }
            match self.read_inside(&path) {
                Ok(text) => self.tree.insert(path, text),
                Err(unread) => self.diagnostics.push(unread.of_catalog(&path, place)),
            }
        }
    }

    fn read_inside(&self, path: &str) -> Result<String, Unread> {
        let real = self.root.join(path).canonicalize().map_err(|e| Unread::path(reason(&e)))?;
        if !real.starts_with(&self.root) {
            return Err(Unread::path("it lies outside the workspace's root"));
        }
        read_text(&real)
    }
}

/// Every file of declarations below a folder, hidden ones left out, with paths relative to the workspace folder.
fn list(
    folder: &Path,
    below: &Path,
    depth: usize,
    found: &mut BTreeMap<PathBuf, String>,
    problems: &mut Vec<(PathBuf, Unread)>,
) -> Result<(), WorkspaceError> {
    let here = folder.join(below);
    let failed = |source| WorkspaceError::Unreadable { path: here.clone(), source };
    let entries = match std::fs::read_dir(&here) {
        Ok(entries) => entries,
        // One folder that is closed does not hide what is wrong in the others.
        Err(error) if depth > 0 => {
            problems.push((below.to_owned(), Unread::content(reason(&error))));
            return Ok(());
        }
        Err(error) => return Err(failed(error)),
    };
    for entry in entries {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name();
        let path = below.join(&name);
        if name.to_string_lossy().starts_with('.') {
            continue;
        }
        let real = match entry.path().canonicalize() {
            Ok(real) => real,
            Err(error) => {
                problems.push((path, Unread::link(reason(&error))));
                continue;
            }
        };
        let unread = if name.to_str().is_none() {
            Some(Unread::name("its name is not UTF-8"))
        } else if real.is_dir() && entry.path().is_symlink() {
            Some(Unread::link("it is a link to a folder, and links to folders are not followed"))
        } else if real.is_dir() && depth >= DEEPEST_FOLDER {
            Some(Unread::name(format!("it lies deeper than {DEEPEST_FOLDER} folders")))
        } else if !real.is_dir()
            && !is_declaration(&path)
            && is_declaration(&path.with_extension(lower_extension(&path)))
        {
            Some(Unread::name("its ending is written in capitals"))
        } else {
            None
        };
        if let Some(unread) = unread {
            // INVARIANT: nothing is skipped without a word, for it might hold a forbid.
            problems.push((path, unread));
        } else if real.is_dir() {
            list(folder, &path, depth + 1, found, problems)?;
        } else if is_declaration(&path) {
            let inside = real.starts_with(folder);
            let leaves = || Unread::link("it is a link that leaves the workspace folder");
            match if inside { read_text(&real) } else { Err(leaves()) } {
                Ok(text) => drop(found.insert(path, text)),
                Err(unread) => problems.push((path, unread)),
            }
        }
    }
    Ok(())
}

/// By its extension.
pub(crate) fn is_declaration(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml" || extension == "cedar")
}

fn lower_extension(path: &Path) -> String {
    path.extension().map(|extension| extension.to_string_lossy().to_lowercase()).unwrap_or_default()
}

fn root(folder: &Path, found: &BTreeMap<PathBuf, String>) -> Result<PathBuf, WorkspaceError> {
    let names: Vec<(String, &str)> = found.iter().map(|(path, text)| (slashes(path), text.as_str())).collect();
    let written = parse::workspace_root(names.iter().map(|(path, text)| (path.as_str(), *text)));
    let relative = written.map_or_else(|| parse::DEFAULT_ROOT.to_owned(), |root| root.value);
    let root = folder.join(&relative).canonicalize().map_err(|_| WorkspaceError::Root(folder.join(&relative)))?;
    if folder.starts_with(&root) { Ok(root) } else { Err(WorkspaceError::Root(root)) }
}

/// The text of a plain file, or why there is none.
pub(crate) fn read_text(path: &Path) -> Result<String, Unread> {
    let failed = |error: io::Error| Unread::content(reason(&error));
    if !std::fs::metadata(path).map_err(failed)?.is_file() {
        return Err(Unread::path("it is no plain file"));
    }
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(failed)?;
    file.take(LARGEST_FILE + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(Unread::content(format!("it is larger than {} MiB", LARGEST_FILE / 1024 / 1024)));
    }
    String::from_utf8(bytes).map_err(|error| Unread::not_utf8(&error))
}

fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "you may not read it".to_owned(),
        _ if error.to_string().contains("symbolic links") => "it is a link that leads back to itself".to_owned(),
        _ => error.to_string(),
    }
}

fn slashes(path: &Path) -> String {
    path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}
