//! Which typed error a database's own error is, by the codes of SQLite and of Postgres.
//! What no code tells is told as the database said it.

use sea_orm::{ConnAcquireErr, DbErr, RuntimeErr, SqlxError, SqlxSqliteError};

use super::error::DatabaseFailure;
use super::place::Place;
use super::{Store, StoreError, folder};

impl Store {
    /// Makes the typed error of a database error; `doing` completes "could not …".
    pub(super) fn failed(&self, doing: &'static str) -> impl FnOnce(DbErr) -> StoreError + '_ {
        move |error| match error {
            DbErr::ConnectionAcquire(ConnAcquireErr::Timeout) if self.replaced() => {
                StoreError::Gone { place: self.place.clone() }
            }
            error => classify(&error, doing, &self.place),
        }
    }
}

/// Sorts an error of the ORM.
pub(super) fn classify(error: &DbErr, doing: &'static str, place: &Place) -> StoreError {
    match (innermost(error), place.server()) {
        (Some(cause), Some(_)) => of_postgres(cause, doing, place),
        (Some(cause), None) => of_sqlite(cause, doing, place),
        (None, Some(_)) if matches!(error, DbErr::ConnectionAcquire(_)) => unreachable(place, error),
        (None, _) => said(doing, place, error),
    }
}

/// Sorts what happened on a Postgres server, or on the way there, by SQLSTATE
/// (<https://www.postgresql.org/docs/15/errcodes-appendix.html>).
pub(super) fn of_postgres(cause: &SqlxError, doing: &'static str, place: &Place) -> StoreError {
    let SqlxError::Database(database) = cause else {
        return match cause {
            SqlxError::Io(_) | SqlxError::Tls(_) | SqlxError::Protocol(_) | SqlxError::Configuration(_) => {
                unreachable(place, cause)
            }
            SqlxError::PoolTimedOut => unreachable(place, "it does not answer in time"),
            SqlxError::PoolClosed | SqlxError::WorkerCrashed => unreachable(place, cause),
            _ => said(doing, place, cause),
        };
    };
    let code = database.code().unwrap_or_default();
    match code.as_ref() {
        // Waited too long for a lock, was the victim of a deadlock, or was told to stop waiting.
        "55P03" | "40001" | "40P01" | "57014" => StoreError::Locked,
        "25006" | "42501" => StoreError::ReadOnly { place: place.clone() },
        "53100" => StoreError::Full { place: place.clone() },
        "28000" | "28P01" => StoreError::NotLetIn { place: place.clone(), source: failure(cause) },
        "3D000" => StoreError::NoSuchDatabase { place: place.clone() },
        "XX001" | "XX002" => StoreError::corrupt("a table", database.message()),
        // The connection, a server with too many of them, and one that is starting or stopping.
        code if code.starts_with("08") || code.starts_with("57P") || code == "53300" => unreachable(place, cause),
        _ => said(doing, place, cause),
    }
}

/// Sorts by SQLite's primary result code (<https://sqlite.org/rescode.html>).
fn of_sqlite(cause: &SqlxError, doing: &'static str, place: &Place) -> StoreError {
    match primary_code(cause) {
        Some(5 | 6) => StoreError::Locked,
        Some(8 | 14) => StoreError::ReadOnly { place: place.clone() },
        Some(11) => StoreError::corrupt(format!("`{}`", place.data().display()), "its pages do not fit together"),
        Some(13) => StoreError::Full { place: place.clone() },
        Some(26) => StoreError::NotADatabase { path: folder::file(place.data()) },
        _ => said(doing, place, cause),
    }
}

fn unreachable(place: &Place, cause: impl ToString) -> StoreError {
    StoreError::Unreachable { place: place.clone(), source: failure(cause) }
}

fn said(doing: &'static str, place: &Place, cause: impl ToString) -> StoreError {
    StoreError::Database { doing, place: place.clone(), source: failure(cause) }
}

fn failure(cause: impl ToString) -> DatabaseFailure {
    DatabaseFailure(cause.to_string())
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
