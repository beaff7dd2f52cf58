//! The folder that the server takes the bundle from, one bundle at a time.
//! INVARIANT: a bundle stands under its final name only when it is whole, with the digest of its inputs in it.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::NAME;
use crate::StepError;

const BUNDLE: &str = "pkg";
const STAGING: &str = "pkg.new";
const DISPLACED: &str = "pkg.old";
const RECORD: &str = "inputs.sha256";

/// Held by one run at a time.
pub(super) struct Site {
    folder: PathBuf,
    /// Released when it is dropped, by the system where a run is killed.
    _lock: File,
}

impl Site {
    /// Waits while another run builds into this folder.
    pub(super) fn open(folder: &Path, say: &mut dyn FnMut(&str)) -> Result<Self, StepError> {
        fs::create_dir_all(folder).map_err(|cause| unwritable(folder, &cause))?;
        let path = folder.join(".lock");
        let lock = File::create(&path).map_err(|cause| unwritable(&path, &cause))?;
        if matches!(lock.try_lock(), Err(TryLockError::WouldBlock)) {
            say("another run builds the browser bundle: waiting for it");
            lock.lock().map_err(|cause| unwritable(&path, &cause))?;
        }
        // Where the file system knows no locks, nobody waits, and the last one to swap wins.
        Ok(Self { folder: folder.to_owned(), _lock: lock })
    }

    pub(super) fn bundle(&self) -> PathBuf {
        self.folder.join(BUNDLE)
    }

    /// Whether a bundle stands that was made from these inputs.
    pub(super) fn made_from(&self, digest: &str) -> bool {
        let bundle = self.bundle();
        let files = [format!("{NAME}.js"), format!("{NAME}_bg.wasm")];
        fs::read_to_string(bundle.join(RECORD)).is_ok_and(|record| record.trim() == digest)
            && files.iter().all(|file| bundle.join(file).is_file())
    }

    /// An empty folder to build into, whatever a killed run left in it.
    pub(super) fn stage(&self) -> Result<PathBuf, StepError> {
        let staging = self.folder.join(STAGING);
        remove(&staging)?;
        fs::create_dir(&staging).map_err(|cause| unwritable(&staging, &cause))?;
        Ok(staging)
    }

    /// Puts what was staged in the place of the bundle.
    pub(super) fn swap(&self, digest: &str) -> Result<(), StepError> {
        let (bundle, staging, displaced) = (self.bundle(), self.folder.join(STAGING), self.folder.join(DISPLACED));
        let failed = |cause: io::Error| unwritable(&bundle, &cause);
        fs::write(staging.join(RECORD), format!("{digest}\n")).map_err(failed)?;
        remove(&displaced)?;
        if bundle.exists() {
            fs::rename(&bundle, &displaced).map_err(failed)?;
        }
        fs::rename(&staging, &bundle).map_err(failed)?;
        remove(&displaced)
    }

    /// No bundle: pages are served without one.
    pub(super) fn clear(&self) -> Result<(), StepError> {
        [BUNDLE, STAGING, DISPLACED].iter().try_for_each(|name| remove(&self.folder.join(name)))
    }
}

/// Removes a folder that need not be there.
fn remove(folder: &Path) -> Result<(), StepError> {
    match fs::remove_dir_all(folder) {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => Err(unwritable(folder, &cause)),
        _ => Ok(()),
    }
}

fn unwritable(path: &Path, cause: &io::Error) -> StepError {
    StepError::new(
        format!("cannot write `{}`: {cause}", path.display()),
        "make the folder writable or free some disk space, and run it again",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(folder: &Path) -> Site {
        Site::open(folder, &mut |line| panic!("{line}")).unwrap()
    }

    /// Stages a bundle whose JavaScript is `text`, and swaps it in.
    fn place(site: &Site, text: &str, digest: &str) {
        let staging = site.stage().unwrap();
        fs::write(staging.join("ambit.js"), text).unwrap();
        fs::write(staging.join("ambit_bg.wasm"), "").unwrap();
        site.swap(digest).unwrap();
    }

    fn script(site: &Site) -> Option<String> {
        fs::read_to_string(site.bundle().join("ambit.js")).ok()
    }

    fn folders(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap().map(Result::unwrap).filter(|entry| entry.path().is_dir());
        entries.map(|entry| entry.file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_swap_leaves_the_new_bundle_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let site = open(folder.path());
        place(&site, "one", "1");
        place(&site, "two", "2");
        assert_eq!(script(&site).as_deref(), Some("two"));
        assert_eq!(folders(folder.path()), ["pkg"]);
        assert!(site.made_from("2") && !site.made_from("1"));
    }

    #[test]
    fn what_is_staged_is_not_the_bundle() {
        let folder = tempfile::tempdir().unwrap();
        let site = open(folder.path());
        place(&site, "one", "1");
        fs::write(site.stage().unwrap().join("ambit.js"), "half").unwrap();
        assert_eq!(script(&site).as_deref(), Some("one"));
        assert!(fs::read_dir(site.stage().unwrap()).unwrap().next().is_none(), "a killed run left something");
    }

    #[test]
    fn a_run_that_was_killed_while_swapping_is_made_good() {
        let folder = tempfile::tempdir().unwrap();
        let site = open(folder.path());
        place(&site, "one", "1");
        fs::rename(site.bundle(), folder.path().join(DISPLACED)).unwrap();
        assert!(!site.made_from("1"));
        place(&site, "two", "2");
        assert_eq!(folders(folder.path()), ["pkg"]);
    }

    #[test]
    fn a_bundle_that_lost_a_file_is_built_again() {
        let folder = tempfile::tempdir().unwrap();
        let site = open(folder.path());
        place(&site, "one", "1");
        fs::remove_file(site.bundle().join("ambit_bg.wasm")).unwrap();
        assert!(!site.made_from("1"));
    }

    #[test]
    fn clear_leaves_no_bundle() {
        let folder = tempfile::tempdir().unwrap();
        let site = open(folder.path());
        place(&site, "one", "1");
        site.clear().unwrap();
        site.clear().unwrap();
        assert!(script(&site).is_none() && folders(folder.path()).is_empty());
    }

    #[test]
    fn a_second_run_waits_for_the_first() {
        let folder = tempfile::tempdir().unwrap();
        let first = open(folder.path());
        let (sender, said) = std::sync::mpsc::channel();
        std::thread::scope(|scope| {
            let second =
                scope.spawn(|| Site::open(folder.path(), &mut |line| sender.send(line.to_owned()).unwrap()).is_ok());
            assert_eq!(said.recv().unwrap(), "another run builds the browser bundle: waiting for it");
            drop(first);
            assert!(second.join().unwrap());
        });
    }
}
