//! Opening a data folder: the folder, the connections, the tables.
//! Opening what is there already reads two small tables and writes nothing, so every command may do it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ambit_migrations::{Standing, migrate, standing};
use sea_orm::sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode};
use sea_orm::{ConnectOptions, Database, DatabaseConnection};
use tokio::sync::Mutex;

use super::{Store, StoreError, error, folder};

/// How long to wait for another process that writes; a publish of 10,000 tools takes far less.
const PATIENCE: Duration = Duration::from_secs(5);
/// SQLite serves readers in parallel but from one disk; more connections only cost memory.
const CONNECTIONS: u32 = 4;
const OPENING: &str = "open the database";

/// A secret that is written and has no name yet; dropped, it is gone.
pub struct Secret<'s> {
    data: &'s Path,
    file: tempfile::NamedTempFile,
}

impl Secret<'_> {
    /// Gives it this name in the data folder, in place of what was there.
    pub fn keep(self, name: &str) -> Result<PathBuf, StoreError> {
        let path = self.data.join(name);
        let failed =
            |error: tempfile::PersistError| StoreError::DataFolder { path: self.data.to_owned(), source: error.error };
        self.file.persist(&path).map_err(failed)?;
        Ok(path)
    }
}

impl Store {
    /// Opens the data folder, and makes it and its tables where they are missing.
    pub async fn open(data: &Path) -> Result<Self, StoreError> {
        let data = absolute(data)?;
        folder::prepare(&data)?;
        Self::enter(data, PATIENCE).await
    }

    /// Opens a data folder that must be there: for commands that make no sense on an empty one.
    pub async fn open_existing(data: &Path) -> Result<Self, StoreError> {
        let data = absolute(data)?;
        folder::require(&data)?;
        Self::enter(data, PATIENCE).await
    }

    /// Writes a secret into a file of the data folder with mode 0600; it gets its name by [`Secret::keep`].
    pub fn write_secret(&self, text: &str) -> Result<Secret<'_>, StoreError> {
        let failed = |source| StoreError::DataFolder { path: self.data.clone(), source };
        Ok(Secret { data: &self.data, file: folder::write_secret(&self.data, text).map_err(failed)? })
    }

    /// The data folder is where it was opened, and its database is the same file. Open connections would go on with a file
    /// that was moved away or replaced, and see nothing of what others write.
    pub(super) fn present(&self) -> Result<(), StoreError> {
        match folder::identity(&self.data) {
            Ok(now) if now == self.identity => Ok(()),
            _ => Err(StoreError::Gone { path: self.data.clone() }),
        }
    }

    /// Closes the connections, which folds SQLite's log back into the database file.
    pub async fn close(self) -> Result<(), StoreError> {
        let failed = self.failed("close the database");
        self.database.close_by_ref().await.map_err(failed)
    }

    pub(super) async fn enter(data: PathBuf, patience: Duration) -> Result<Self, StoreError> {
        let database = connect(&data, patience).await?;
        let failed = |source| StoreError::DataFolder { path: data.clone(), source };
        let identity = folder::identity(&data).map_err(failed)?;
        let store = Self { database, data, identity, turn: Arc::new(Mutex::new(())) };
        store.bring_up_to_date().await?;
        Ok(store)
    }

    async fn bring_up_to_date(&self) -> Result<(), StoreError> {
        let before = standing(&self.database).await.map_err(self.failed(OPENING))?;
        if self.complete(before)? {
            return Ok(());
        }
        let writing = self.write("make the tables").await?;
        // Another process may have made them while this one waited for its turn.
        let now = standing(writing.transaction()).await.map_err(self.failed(OPENING))?;
        if !self.complete(now)? {
            migrate(writing.transaction()).await.map_err(self.failed("make the tables"))?;
        }
        writing.commit().await
    }

    fn complete(&self, standing: Standing) -> Result<bool, StoreError> {
        if standing.unknown.is_empty() {
            return Ok(standing.pending.is_empty());
        }
        Err(StoreError::NewerSchema { path: self.data.clone(), unknown: standing.unknown })
    }
}

/// Connections are opened later too, when the process may stand in another folder.
fn absolute(data: &Path) -> Result<PathBuf, StoreError> {
    std::path::absolute(data).map_err(|source| StoreError::DataFolder { path: data.to_owned(), source })
}

/// A new file becomes a write-ahead one under an exclusive lock for which SQLite does not wait, so this does.
async fn connect(data: &Path, patience: Duration) -> Result<DatabaseConnection, StoreError> {
    let since = Instant::now();
    loop {
        match Database::connect(options(data, patience)).await {
            Ok(database) => return Ok(database),
            Err(cause) => match error::classify(&cause, OPENING, data) {
                StoreError::Locked if since.elapsed() < patience => tokio::time::sleep(Duration::from_millis(20)).await,
                refused => return Err(refused),
            },
        }
    }
}

fn options(data: &Path, patience: Duration) -> ConnectOptions {
    let file = folder::file(data);
    // The file's name is set below as a path: inside a URL some of its characters would mean something else.
    let mut options = ConnectOptions::new("sqlite://ambit.db");
    options
        .max_connections(CONNECTIONS)
        .acquire_timeout(patience + Duration::from_secs(1))
        .test_before_acquire(false)
        .sqlx_logging(false)
        .map_sqlx_sqlite_opts(move |sqlite| tuned(sqlite, &file, patience));
    options
}

fn tuned(sqlite: SqliteConnectOptions, file: &Path, patience: Duration) -> SqliteConnectOptions {
    sqlite
        .filename(file)
        .create_if_missing(false)
        .journal_mode(SqliteJournalMode::Wal)
        .foreign_keys(true)
        // What is erased is gone from the file too, not only from its index.
        .pragma("secure_delete", "ON")
        .busy_timeout(patience)
}
