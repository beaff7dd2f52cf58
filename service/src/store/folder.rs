//! The data folder as the file system has it: made private, kept out of git, and looked at before the database in it is.
//! SQLite opens anything and complains late, so what a person can mend is found here, with plain words.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::StoreError;
use super::place::Place;

/// The first bytes of every SQLite database (<https://sqlite.org/fileformat.html>, 1.3).
const MAGIC: &[u8] = b"SQLite format 3\0";

/// The database file of a data folder.
pub(super) fn file(data: &Path) -> PathBuf {
    data.join("ambit.db")
}

/// A file that only its owner may read, written and not yet in its place; dropped, it is gone.
pub(super) fn write_secret(data: &Path, text: &str) -> io::Result<NamedTempFile> {
    let mut file = tempfile::Builder::new().permissions(fs::Permissions::from_mode(0o600)).tempfile_in(data)?;
    file.write_all(text.as_bytes())?;
    Ok(file)
}

/// Which file the database is, whatever its name: another one in its place is another database.
pub(super) fn identity(data: &Path) -> io::Result<(u64, u64)> {
    fs::metadata(file(data)).map(|file| (file.dev(), file.ino()))
}

/// Makes the folder and an empty database file where they are missing, and checks what is there.
pub(super) fn prepare(data: &Path) -> Result<(), StoreError> {
    make(data)?;
    make_file(&file(data)).map_err(|error| unusable(data, error))?;
    look_at(data)
}

/// Makes the folder where it is missing.
pub(super) fn make(data: &Path) -> Result<(), StoreError> {
    make_folder(data).map_err(|error| unusable(data, error))
}

/// Checks a folder that must have been prepared before.
pub(super) fn require(data: &Path) -> Result<(), StoreError> {
    match fs::metadata(file(data)) {
        // An empty file is what a first `apply` leaves that was killed at once.
        Ok(found) if found.is_file() && found.len() == 0 => {
            Err(StoreError::NotInitialised { place: Place::folder(data) })
        }
        Ok(_) => look_at(data),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Err(StoreError::NotInitialised { place: Place::folder(data) })
        }
        Err(error) => Err(unusable(data, error)),
    }
}

fn make_folder(data: &Path) -> io::Result<()> {
    if !data.is_dir() {
        make_private(data)?;
    }
    // A folder that already holds something is somebody's: hiding all of it from git would be a surprise.
    if fs::read_dir(data)?.next().is_none() {
        match File::create_new(data.join(".gitignore")) {
            Ok(mut ignore) => ignore.write_all(b"*\n")?,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Only the folder itself is private; its parents are made as the user's umask has it.
fn make_private(data: &Path) -> io::Result<()> {
    if let Some(parent) = data.parent() {
        fs::create_dir_all(parent)?;
    }
    match DirBuilder::new().mode(0o700).create(data) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists && data.is_dir() => Ok(()),
        made => made,
    }
}

/// SQLite gives its log files the rights of the database file.
fn make_file(database: &Path) -> io::Result<()> {
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(database) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        made => made.map(drop),
    }
}

fn look_at(data: &Path) -> Result<(), StoreError> {
    let path = file(data);
    if !path.is_file() {
        return Err(StoreError::NotADatabase { path });
    }
    let mut start = Vec::new();
    OpenOptions::new()
        .read(true)
        .write(true)
        .open(&path)
        .and_then(|database| database.take(MAGIC.len() as u64).read_to_end(&mut start))
        .map_err(|error| unusable(data, error))?;
    if start.is_empty() || start == MAGIC { Ok(()) } else { Err(StoreError::NotADatabase { path }) }
}

fn unusable(data: &Path, error: io::Error) -> StoreError {
    match error.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            StoreError::ReadOnly { place: Place::folder(data) }
        }
        _ => StoreError::DataFolder { path: data.to_owned(), source: error },
    }
}
