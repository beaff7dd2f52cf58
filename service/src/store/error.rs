//! What can go wrong with the data folder, each with what was being done and what to do about it.
//! INVARIANT: no text of a part, question or vector is in a message, so an error may be shown and logged.

use std::io;
use std::path::PathBuf;

use ambit_model::codes;
use ambit_model::digest::Digest;
use sea_orm::{DbErr, RuntimeErr, SqlxError, SqlxSqliteError};

use super::Store;

/// A failed use of the store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("cannot use the data folder `{}`", path.display())]
    DataFolder { path: PathBuf, source: io::Error },
    #[error("the data folder `{}` cannot be written", path.display())]
    ReadOnly { path: PathBuf },
    #[error("`{}` is not a database", path.display())]
    NotADatabase { path: PathBuf },
    #[error("the database in `{}` was made by a newer ambit", path.display())]
    NewerSchema { path: PathBuf, unknown: Vec<String> },
    #[error("there is no database in `{}`", path.display())]
    NotInitialised { path: PathBuf },
    #[error("the database in `{}` was moved away or replaced", path.display())]
    Gone { path: PathBuf },
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
    Database { doing: &'static str, source: DatabaseFailure },
}

/// What the database itself said.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct DatabaseFailure(String);

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
            Self::ReadOnly { .. } => {
                "give yourself the right to write to the folder and the files in it, or name another with `--data`"
                    .to_owned()
            }
            Self::NotADatabase { path } => {
                format!("move `{}` away and run `ambit apply`, or name another folder with `--data`", path.display())
            }
            Self::NewerSchema { unknown, .. } => format!(
                "use the ambit that made it (it added {}), or name another folder with `--data`",
                quoted(unknown)
            ),
            Self::NotInitialised { .. } => "run `ambit apply` first, or name the data folder with `--data`".to_owned(),
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
                "restore the data folder from a backup, or move it away and run `ambit apply`".to_owned()
            }
            Self::Database { .. } => "check that the disk with the data folder is sound and has room".to_owned(),
        }
    }

    /// For rows that cannot be read back.
    pub(super) fn corrupt(what: impl Into<String>, detail: impl ToString) -> Self {
        Self::Corrupt { what: what.into(), detail: detail.to_string() }
    }
}

impl Store {
    /// Makes the typed error of a database error; `doing` completes "could not …".
    pub(super) fn failed(&self, doing: &'static str) -> impl FnOnce(DbErr) -> StoreError + '_ {
        move |error| classify(&error, doing, &self.data)
    }
}

/// Sorts a database error by SQLite's primary result code (<https://sqlite.org/rescode.html>).
pub(super) fn classify(error: &DbErr, doing: &'static str, data: &std::path::Path) -> StoreError {
    let cause = innermost(error);
    match cause.and_then(primary_code) {
        Some(5 | 6) => StoreError::Locked,
        Some(8 | 14) => StoreError::ReadOnly { path: data.to_owned() },
        Some(11) => StoreError::corrupt(format!("`{}`", data.display()), "its pages do not fit together"),
        Some(26) => StoreError::NotADatabase { path: super::folder::file(data) },
        _ => {
            let text = cause.map_or_else(|| error.to_string(), ToString::to_string);
            StoreError::Database { doing, source: DatabaseFailure(text) }
        }
    }
}

fn innermost(error: &DbErr) -> Option<&SqlxError> {
    match error {
        DbErr::Conn(RuntimeErr::SqlxError(cause))
        | DbErr::Exec(RuntimeErr::SqlxError(cause))
        | DbErr::Query(RuntimeErr::SqlxError(cause)) => Some(cause),
        _ => None,
    }
}

/// The low byte is the primary code; the rest says more than anybody here asks.
fn primary_code(cause: &SqlxError) -> Option<i32> {
    let sqlite = cause.as_database_error()?.try_downcast_ref::<SqlxSqliteError>()?;
    let code: i32 = sea_orm::sqlx::error::DatabaseError::code(sqlite)?.parse().ok()?;
    Some(code & 0xff)
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
