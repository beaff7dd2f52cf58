//! What the bundle is made from, as one digest: while it stays the same, the bundle need not be built again.
//! INVARIANT: [`CRATES`] names every crate of this repository that is compiled into the bundle; a test compares it with cargo's view.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::StepError;

const CRATES: [&str; 3] = ["app", "frontend", "model"];
/// Versions and profiles of the workspace, and how a bundle is made.
const OTHERS: [&str; 4] = ["Cargo.lock", "Cargo.toml", "xtask/src/web", "xtask/src/web.rs"];

/// Lower-case hexadecimal SHA-256 of the toolchain and of every file's path and content.
pub(super) fn digest(root: &Path, toolchain: &str) -> Result<String, StepError> {
    let mut hash = Sha256::new();
    add(&mut hash, toolchain.as_bytes());
    for place in CRATES.iter().chain(&OTHERS) {
        let files = files(&root.join(place)).map_err(|cause| unreadable(&root.join(place), &cause))?;
        for file in files {
            let content = fs::read(&file).map_err(|cause| unreadable(&file, &cause))?;
            add(&mut hash, file.strip_prefix(root).unwrap_or(&file).as_os_str().as_encoded_bytes());
            add(&mut hash, &content);
        }
    }
    Ok(hex::encode(hash.finalize()))
}

/// With its length, so that no two lists of parts are the same bytes.
fn add(hash: &mut Sha256, part: &[u8]) {
    hash.update(part.len().to_le_bytes());
    hash.update(part);
}

/// The file itself, or every file under the folder, sorted; without what editors hide.
pub(super) fn files(place: &Path) -> io::Result<Vec<PathBuf>> {
    if !place.is_dir() {
        return Ok(vec![place.to_owned()]);
    }
    let mut entries = fs::read_dir(place)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    entries.retain(|path| path.file_name().is_some_and(|name| !name.to_string_lossy().starts_with('.')));
    entries.sort();
    let nested = entries.iter().map(|path| files(path)).collect::<io::Result<Vec<_>>>()?;
    Ok(nested.concat())
}

fn unreadable(path: &Path, cause: &io::Error) -> StepError {
    StepError::new(format!("cannot read `{}`: {cause}", path.display()), "make it readable and run it again")
}

#[cfg(test)]
mod tests;
