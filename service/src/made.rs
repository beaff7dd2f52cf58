//! New files of which either all are written or none: what a use case began and could not end is taken back.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// What was written so far, in order; dropped, it is taken back.
#[derive(Default)]
pub(crate) struct Made {
    files: Vec<PathBuf>,
    folders: Vec<PathBuf>,
}

impl Made {
    /// Writes a file that is not there yet, with its folders.
    pub(crate) fn write(&mut self, path: &Path, text: &str) -> io::Result<()> {
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

    /// Nothing is taken back any more.
    pub(crate) fn keep(mut self) {
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
