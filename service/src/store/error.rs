//! What can go wrong with the data folder and the database, each with what was being done and what to do about it.
//! INVARIANT: no text of a part, question or vector is in a message, so an error may be shown and logged.

use std::io;
use std::path::PathBuf;

use ambit_model::codes;
use ambit_model::digest::Digest;

use super::place::Place;

/// A failed use of the store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("cannot use the data folder `{}`", path.display())]
    DataFolder { path: PathBuf, source: io::Error },
    #[error("{} cannot be written", place.written())]
    ReadOnly { place: Place },
    #[error("the disk of {place} is full")]
    Full { place: Place },
    #[error("{place} cannot be reached")]
    Unreachable { place: Place, source: DatabaseFailure },
    #[error("{place} does not let this user in")]
    NotLetIn { place: Place, source: DatabaseFailure },
    #[error("{place} does not exist")]
    NoSuchDatabase { place: Place },
    #[error("`{}` is not a database", path.display())]
    NotADatabase { path: PathBuf },
    #[error("{place} was made by a newer ambit")]
    NewerSchema { place: Place, unknown: Vec<String> },
    #[error("{}", none_yet(place))]
    NotInitialised { place: Place },
    #[error("{place} was moved away or replaced")]
    Gone { place: Place },
    #[error("another process is writing to the database")]
    Locked,
    #[error("{} is live, where {} was expected", live_words(*found), live_words(*expected))]
    Moved { expected: Option<i64>, found: Option<i64> },
    #[error("there is no snapshot `{number}`")]
    NoSuchSnapshot { number: i64, known: Vec<i64> },
    #[error("a snapshot's root part `{digest}` is neither given nor stored")]
    NoRootPart { digest: Digest },
    #[error("{what} is damaged in the database: {detail}")]
    Corrupt { what: String, detail: String },
    #[error("could not {doing}")]
    Database { doing: &'static str, place: Place, source: DatabaseFailure },
}

/// What the database itself said.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct DatabaseFailure(pub(super) String);

impl StoreError {
    /// Its code, from the one table.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Moved { .. } => codes::E_MOVED,
            Self::NoSuchSnapshot { .. } => codes::E_SNAPSHOT,
            Self::Corrupt { .. } | Self::NotADatabase { .. } => codes::E_DAMAGED,
            Self::NoRootPart { .. } => codes::E_INTERNAL,
            Self::DataFolder { .. }
            | Self::ReadOnly { .. }
            | Self::Full { .. }
            | Self::Unreachable { .. }
            | Self::NotLetIn { .. }
            | Self::NoSuchDatabase { .. }
            | Self::NewerSchema { .. }
            | Self::NotInitialised { .. }
            | Self::Gone { .. }
            | Self::Locked
            | Self::Database { .. } => codes::E_STORE,
        }
    }

    /// What to do about it.
    pub fn help(&self) -> String {
        match self {
            Self::DataFolder { .. } => "name a folder that you may write with `--data`".to_owned(),
            Self::ReadOnly { place } => match place.server() {
                None => {
                    "give yourself the right to write to the folder and the files in it, or name another with `--data`"
                }
                Some(_) => {
                    "let the user make and change tables in it, and name a server that takes writes: a standby does not"
                }
            }
            .to_owned(),
            Self::Full { .. } => "make room on it, then run the command again: nothing was changed".to_owned(),
            Self::Unreachable { .. } => {
                "see whether the server runs and can be reached from here, and look at what `--database` names"
                    .to_owned()
            }
            Self::NotLetIn { .. } => {
                "look at the user in `--database`; its password may be in the URL, in `PGPASSWORD` or in `~/.pgpass`"
                    .to_owned()
            }
            Self::NoSuchDatabase { .. } => {
                "make it with `createdb`, or look at the name in `--database`; ambit makes the tables in it".to_owned()
            }
            Self::NotADatabase { path } => {
                format!("move `{}` away and run `ambit apply`, or name another folder with `--data`", path.display())
            }
            Self::NewerSchema { place, unknown } => {
                format!("use the ambit that made it (it added {}), or name {}", quoted(unknown), place.flag())
            }
            Self::NotInitialised { place } => format!("run `ambit apply` first, or name {}", place.flag()),
            Self::Gone { .. } => {
                "put it back where it was, or start the server again to use what is there now".to_owned()
            }
            Self::Locked => "wait until it is done, then run the command again".to_owned(),
            Self::Moved { .. } => {
                "somebody else got there first: look at `ambit snapshots`, then run the command again".to_owned()
            }
            Self::NoSuchSnapshot { known, .. } => known_words(known),
            Self::NoRootPart { .. } => "this is a fault in ambit: please report it".to_owned(),
            Self::Corrupt { .. } => {
                "restore the database from a backup, or begin with an empty one by `ambit apply`".to_owned()
            }
            Self::Database { place, .. } => match place.server() {
                None => "check that the disk with the data folder is sound and has room",
                Some(_) => "see the log of the database server",
            }
            .to_owned(),
        }
    }

    /// For rows that cannot be read back.
    pub(super) fn corrupt(what: impl Into<String>, detail: impl ToString) -> Self {
        Self::Corrupt { what: what.into(), detail: detail.to_string() }
    }
}

fn none_yet(place: &Place) -> String {
    match place.server() {
        None => format!("there is no database in `{}`", place.data().display()),
        Some(_) => format!("{place} holds nothing of ambit yet"),
    }
}

fn live_words(number: Option<i64>) -> String {
    number.map_or_else(|| "no snapshot".to_owned(), |number| format!("snapshot {number}"))
}

fn known_words(known: &[i64]) -> String {
    match known {
        [] => "nothing is stored yet: run `ambit apply` first".to_owned(),
        [only] => format!("the only snapshot is {only}"),
        [newest, .., oldest] => format!("snapshots are numbered from {oldest} to {newest}"),
    }
}

fn quoted(words: &[String]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}
