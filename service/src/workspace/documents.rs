//! Reading the knowledge folders that projects name: every `*.md` file below them, inside the workspace's root.
//! INVARIANT: nothing outside the root is read, and no folder, however large, is read without a limit.

use std::io;
use std::path::{Path, PathBuf};

use ambit_engine::compile;
use ambit_engine::knowledge::is_document;
use ambit_engine::nearest::did_you_mean;
use ambit_model::codes;
use ambit_model::diagnostic::{Diagnostic, Place};

use super::unread::Unread;
use super::{DEEPEST_FOLDER, Workspace, read_text, reason, slashes};

/// Largest document, in bytes: a book is shorter, and one passage in it is found no better for the rest.
const LARGEST_DOCUMENT: u64 = 1024 * 1024;
/// Most documents of a workspace, and most bytes of them all: some 40,000 passages, whose vectors take 60 MB.
const MOST_DOCUMENTS: usize = 5_000;
const MOST_BYTES: usize = 32 * 1024 * 1024;
/// Most entries of folders that are looked at for documents.
const MOST_ENTRIES: usize = 100_000;

impl Workspace {
    /// Adds the documents of every folder that a Project names to the tree.
    pub(super) fn read_knowledge(&mut self) {
        let mut reading = Reading::default();
        for (folder, place) in compile::knowledge_folders(&self.tree) {
            let before = reading.documents;
            match self.folder_inside(&folder) {
                Ok(real) => self.read_folder(&real, Path::new(&folder), 0, &mut reading),
                Err(why) => {
                    let problem = self.unread_folder(&folder, why, place);
                    self.diagnostics.push(problem);
                    continue;
                }
            }
            if let Some(limit) = reading.over.take() {
                self.diagnostics.push(too_much(&folder, &limit, place));
            } else if reading.documents == before {
                self.diagnostics.push(empty(&folder, place));
            }
        }
    }

    fn folder_inside(&self, folder: &str) -> Result<PathBuf, String> {
        let real = self.root.join(folder).canonicalize().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => "there is no such folder".to_owned(),
            _ => reason(&error),
        })?;
        if !real.starts_with(&self.root) {
            return Err("it lies outside the workspace's root".to_owned());
        }
        if real.is_dir() { Ok(real) } else { Err("it is no folder".to_owned()) }
    }

    fn read_folder(&mut self, real: &Path, named: &Path, depth: usize, reading: &mut Reading) {
        let entries = match std::fs::read_dir(real) {
            Ok(entries) => entries,
            Err(error) => return self.unread_document(named, Unread::document(reason(&error))),
        };
        // In order of names, so that a limit cuts the same everywhere.
        let mut entries: Vec<_> = entries.filter_map(Result::ok).take(MOST_ENTRIES).collect();
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            reading.entries += 1;
            self.read_entry(&entry, &named.join(entry.file_name()), depth, reading);
            if reading.entries >= MOST_ENTRIES {
                reading.over = Some(format!("{MOST_ENTRIES} files"));
            }
            if reading.over.is_some() {
                return;
            }
        }
    }

    fn read_entry(&mut self, entry: &std::fs::DirEntry, named: &Path, depth: usize, reading: &mut Reading) {
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        if name.starts_with('.') {
            return;
        }
        if path.is_dir() {
            match entry_of_folder(&path, depth) {
                Ok(()) => self.read_folder(&path, named, depth + 1, reading),
                Err(unread) => self.unread_document(named, unread),
            }
        } else if is_document(&name) && reading.has_room() {
            reading.documents += 1;
            match self.read_document(&path) {
                Ok(text) => {
                    reading.bytes += text.len();
                    self.tree.insert(slashes(named), text);
                }
                Err(unread) => self.unread_document(named, unread),
            }
        } else if !is_document(&name) && is_document(&name.to_lowercase()) {
            self.unread_document(named, Unread::document("its ending is written in capitals"));
        }
    }

    fn read_document(&self, path: &Path) -> Result<String, Unread> {
        let real = path.canonicalize().map_err(|error| Unread::link(reason(&error)))?;
        if !real.starts_with(&self.root) {
            return Err(Unread::link("it is a link that leaves the workspace's root"));
        }
        if real.to_str().is_none() {
            return Err(Unread::document("its name is not UTF-8"));
        }
        let size = std::fs::metadata(&real).map_err(|error| Unread::document(reason(&error)))?.len();
        if size > LARGEST_DOCUMENT {
            return Err(Unread::document(format!("it is larger than {} MiB", LARGEST_DOCUMENT / 1024 / 1024)));
        }
        read_text(&real)
    }

    fn unread_document(&mut self, named: &Path, unread: Unread) {
        let problem = unread.of_file(slashes(named));
        // Two folders may name it, and one that lies among the declarations was listed with them: there the help is about those.
        let is_of_it =
            |known: &Diagnostic| known.place.as_ref().map(|at| &at.file) == problem.place.as_ref().map(|at| &at.file);
        self.diagnostics.retain(|known| !is_of_it(known));
        self.diagnostics.push(problem);
    }

    /// The nearest folder is looked for beside where it was sought.
    fn unread_folder(&self, folder: &str, why: String, place: Place) -> Diagnostic {
        let message = format!("the knowledge folder `{folder}` cannot be read: {why}");
        let (above, _) = folder.rsplit_once('/').unwrap_or(("", folder));
        let siblings = std::fs::read_dir(self.root.join(above)).into_iter().flatten().filter_map(Result::ok);
        let mut known: Vec<String> = siblings
            .filter(|entry| entry.path().is_dir())
            .map(|entry| slashes(&Path::new(above).join(entry.file_name())))
            .collect();
        known.sort();
        let help = did_you_mean(folder, known.iter().map(String::as_str).filter(|known| *known != folder))
            .unwrap_or_else(|| {
                "a folder is relative to the YAML file that names it, and stays inside the workspace's root".to_owned()
            });
        Diagnostic::error(codes::E_PATH, message).at(place).help(help)
    }
}

/// How much was read so far. A document counts once for every folder that it is named by.
#[derive(Default)]
struct Reading {
    documents: usize,
    bytes: usize,
    entries: usize,
    /// The limit that was met.
    over: Option<String>,
}

impl Reading {
    /// Remembers the limit where there is no more room for a document.
    fn has_room(&mut self) -> bool {
        let over = if self.documents >= MOST_DOCUMENTS {
            Some(format!("{MOST_DOCUMENTS} documents"))
        } else if self.bytes >= MOST_BYTES {
            Some(format!("{} MiB of documents", MOST_BYTES / 1024 / 1024))
        } else {
            None
        };
        self.over = over;
        self.over.is_none()
    }
}

fn entry_of_folder(path: &Path, depth: usize) -> Result<(), Unread> {
    if path.is_symlink() {
        return Err(Unread::link("it is a link to a folder, and links to folders are not followed"));
    }
    if depth >= DEEPEST_FOLDER {
        return Err(Unread::document(format!("it lies deeper than {DEEPEST_FOLDER} folders")));
    }
    Ok(())
}

fn too_much(folder: &str, limit: &str, place: Place) -> Diagnostic {
    Diagnostic::error(codes::E_UNREADABLE, format!("with the knowledge folder `{folder}` there are more than {limit}"))
        .at(place)
        .help("name only folders whose documents agents are to search")
}

fn empty(folder: &str, place: Place) -> Diagnostic {
    Diagnostic::warning(codes::W_UNUSED, format!("the knowledge folder `{folder}` holds no document"))
        .at(place)
        .help("documents end with `.md`; add one, or take the folder off the list")
}

#[cfg(test)]
mod tests;
