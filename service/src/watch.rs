//! Watching a workspace: the folder of declarations, and the catalog files and documents that they name, wherever those lie.
//! `notify` is used as the debouncer brings it, without the debouncer: that one does not tell reading from writing, and every
//! check reads all files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ambit_engine::compile;
use ambit_engine::knowledge::is_document;
use notify_debouncer_mini::notify::event::{AccessKind, AccessMode, EventKind};
use notify_debouncer_mini::notify::{self, Event, RecommendedWatcher, RecursiveMode, Watcher as _};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::caller::Caller;
use crate::{Error, workspace};

/// How long nothing may change before a change counts as done: editors write in several steps.
const QUIET: Duration = Duration::from_millis(200);

/// A workspace under watch, until dropped.
pub struct Watch {
    folder: PathBuf,
    watcher: RecommendedWatcher,
    changes: UnboundedReceiver<()>,
    catalogs: Arc<Mutex<BTreeSet<PathBuf>>>,
    /// Folders outside the workspace folder in which catalog files or documents lie.
    beside: BTreeSet<PathBuf>,
}

/// Watches the folder of declarations; what happens in the data folder is no change.
pub fn watch_workspace(caller: &Caller, folder: &Path, data: &Path) -> Result<Watch, Error> {
    caller.local_only("watch a workspace")?;
    let folder = workspace::real_folder(folder)?;
    let data = std::path::absolute(data).unwrap_or_else(|_| data.to_owned());
    let data = data.canonicalize().unwrap_or(data);
    let catalogs = Arc::new(Mutex::new(BTreeSet::new()));
    let (told, changes) = unbounded_channel();
    let (of, known) = (folder.clone(), Arc::clone(&catalogs));
    let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
        let counts = event.is_ok_and(|event| {
            let concerns = |path: &PathBuf| {
                let catalogs = known.lock().unwrap_or_else(PoisonError::into_inner);
                let named = catalogs.contains(path) || is_new_document(path, &catalogs);
                !path.starts_with(&data) && (named || is_inside(path, &of))
            };
            event.need_rescan() || (changes_something(event.kind) && event.paths.iter().any(concerns))
        });
        if counts {
            // Nobody listens any more only when the watch ends.
            let _ended = told.send(()).is_err();
        }
    });
    let watcher = watcher.map_err(|source| Error::CannotWatch { path: folder.clone(), source })?;
    let mut watch = Watch { folder, watcher, changes, catalogs, beside: BTreeSet::new() };
    watch.follow()?;
    Ok(watch)
}

impl Watch {
    /// Brings what is watched in line with the files that the declarations now name.
    pub fn follow(&mut self) -> Result<(), Error> {
        let named = named_files(&self.folder);
        let beside: BTreeSet<PathBuf> = named
            .iter()
            .flat_map(|file| [Some(file.as_path()), file.parent()])
            .flatten()
            .filter(|parent| !parent.starts_with(&self.folder) && parent.is_dir())
            .map(Path::to_owned)
            .collect();
        *self.catalogs.lock().unwrap_or_else(PoisonError::into_inner) = named;
        for gone in self.beside.difference(&beside) {
            drop(self.watcher.unwatch(gone));
        }
        self.beside.retain(|folder| beside.contains(folder));
        // Watched anew each time: a folder that was replaced is another one under the same name.
        let folder = self.folder.clone();
        self.watch(&folder, RecursiveMode::Recursive)?;
        for new in beside {
            if !self.beside.contains(&new) {
                self.watch(&new, RecursiveMode::NonRecursive)?;
                self.beside.insert(new);
            }
        }
        Ok(())
    }

    /// Waits until something changed and nothing has for a moment.
    pub async fn changed(&mut self) {
        if self.changes.recv().await.is_none() {
            std::future::pending::<()>().await;
        }
        while let Ok(Some(())) = tokio::time::timeout(QUIET, self.changes.recv()).await {}
    }

    fn watch(&mut self, path: &Path, mode: RecursiveMode) -> Result<(), Error> {
        self.watcher.watch(path, mode).map_err(|source| Error::CannotWatch { path: path.to_owned(), source })
    }
}

/// Reading is no change; a file that was open for writing and is closed is one.
fn changes_something(kind: EventKind) -> bool {
    !matches!(kind, EventKind::Access(access) if access != AccessKind::Close(AccessMode::Write))
}

/// A declaration of the folder, or a folder in it; nothing hidden, for that is not read.
fn is_inside(path: &Path, folder: &Path) -> bool {
    let Ok(below) = path.strip_prefix(folder) else { return false };
    let hidden = below.components().any(|part| part.as_os_str().to_string_lossy().starts_with('.'));
    // What is gone may have been a folder of declarations.
    !hidden && (workspace::is_declaration(path) || path.is_dir() || !path.exists())
}

/// A document, or a folder of documents, in one of the knowledge folders.
fn is_new_document(path: &Path, named: &BTreeSet<PathBuf>) -> bool {
    let may_be = is_document(&path.to_string_lossy()) || path.is_dir();
    may_be && path.parent().is_some_and(|folder| named.contains(folder))
}

/// The catalog files, and the knowledge folders with all that is read of them, as they are named and as they really are. None where
/// the workspace cannot be read now.
fn named_files(folder: &Path) -> BTreeSet<PathBuf> {
    let Ok(workspace) = workspace::read(folder) else { return BTreeSet::new() };
    let documents = workspace.tree.files.keys().filter(|path| is_document(path)).cloned();
    // A folder and those inside it count too: a document that comes, or goes, changes them.
    let folders = documents.clone().filter_map(|path| Some(path.rsplit_once('/')?.0.to_owned()));
    let named = compile::catalog_files(&workspace.tree).into_keys();
    let named = named.chain(compile::knowledge_folders(&workspace.tree).into_keys()).chain(documents).chain(folders);
    let named = named.map(|path| workspace.root.join(path));
    named.flat_map(|path| [path.canonicalize().ok(), Some(path)]).flatten().collect()
}
