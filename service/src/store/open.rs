//! Opening a store: the folder, the connections, the tables.
//! Opening what is there already reads two small tables and writes nothing, so every command may do it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ambit_migrations::{Standing, migrate, standing};
use sea_orm::sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode};
use sea_orm::{ConnectOptions, Database, DatabaseConnection};
use tokio::sync::Mutex;

use super::place::{Place, Server};
use super::{Store, StoreError, failure, folder, postgres};

/// How long to wait for another process that writes; a publish of 10,000 tools takes far less.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);
/// SQLite serves readers in parallel but from one disk; more connections only cost memory.
const CONNECTIONS: u32 = 4;
const OPENING: &str = "open the database";

/// How another database in the place of the one that was opened is noticed.
#[derive(Clone, Debug)]
pub(super) enum Identity {
    /// Device and inode of the database file.
    File(u64, u64),
    /// Whether the newest connection led to another database.
    Server(Arc<AtomicBool>),
}

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
    /// Opens what is at this place, and makes the tables where they are missing; with SQLite the data folder too. A Postgres
    /// database has to be there.
    pub async fn open(place: impl Into<Place>) -> Result<Self, StoreError> {
        let place = place.into().absolute()?;
        if place.server().is_none() {
            folder::prepare(place.data())?;
        }
        Self::enter(place, PATIENCE).await
    }

    /// Opens what must be there: for commands that make no sense on an empty one.
    pub async fn open_existing(place: impl Into<Place>) -> Result<Self, StoreError> {
        let place = place.into().absolute()?;
        if place.server().is_none() {
            folder::require(place.data())?;
            return Self::enter(place, PATIENCE).await;
        }
        let store = Self::connect(place, PATIENCE).await?;
        let standing = standing(&store.database).await.map_err(store.failed(OPENING))?;
        if standing.fresh {
            return Err(StoreError::NotInitialised { place: store.place });
        }
        store.bring_up_to_date().await?;
        Ok(store)
    }

    /// Writes a secret into a file of the data folder with mode 0600; it gets its name by [`Secret::keep`].
    pub fn write_secret(&self, text: &str) -> Result<Secret<'_>, StoreError> {
        let data = self.place.data();
        // Where the database is elsewhere, nothing needed the folder before.
        folder::make(data)?;
        let failed = |source| StoreError::DataFolder { path: data.to_owned(), source };
        Ok(Secret { data, file: folder::write_secret(data, text).map_err(failed)? })
    }

    /// The database is the one that was opened. Open connections would go on with a file that was moved away or replaced, and see
    /// nothing of what others write; those to a server are looked at when they are made.
    pub(super) fn present(&self) -> Result<(), StoreError> {
        let Identity::File(device, inode) = self.identity else { return Ok(()) };
        match folder::identity(self.place.data()) {
            Ok(now) if now == (device, inode) => Ok(()),
            _ => Err(StoreError::Gone { place: self.place.clone() }),
        }
    }

    /// The newest connection led to another database, so there is none to the one that was opened.
    pub(super) fn replaced(&self) -> bool {
        matches!(&self.identity, Identity::Server(replaced) if replaced.load(Ordering::Relaxed))
    }

    /// Closes the connections, which folds SQLite's log back into the database file.
    pub async fn close(self) -> Result<(), StoreError> {
        let failed = self.failed("close the database");
        self.database.close_by_ref().await.map_err(failed)
    }

    pub(super) async fn enter(place: Place, patience: Duration) -> Result<Self, StoreError> {
        let store = Self::connect(place, patience).await?;
        store.bring_up_to_date().await?;
        Ok(store)
    }

    async fn connect(place: Place, patience: Duration) -> Result<Self, StoreError> {
        let (database, identity) = match place.server() {
            Some(server) => connect_to_server(&place, server, patience).await?,
            None => connect_to_file(&place, patience).await?,
        };
        Ok(Self { database, place, identity, patience, turn: Arc::new(Mutex::new(())) })
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
        Err(StoreError::NewerSchema { place: self.place.clone(), unknown: standing.unknown })
    }
}

async fn connect_to_server(
    place: &Place,
    server: &Server,
    patience: Duration,
) -> Result<(DatabaseConnection, Identity), StoreError> {
    let connected = postgres::connect(server, patience).await;
    let (database, replaced) = connected.map_err(|cause| failure::of_postgres(&cause, OPENING, place))?;
    Ok((database, Identity::Server(replaced)))
}

/// A new file becomes a write-ahead one under an exclusive lock for which SQLite does not wait, so this does.
async fn connect_to_file(place: &Place, patience: Duration) -> Result<(DatabaseConnection, Identity), StoreError> {
    let since = Instant::now();
    let database = loop {
        match Database::connect(options(place.data(), patience)).await {
            Ok(database) => break database,
            Err(cause) => match failure::classify(&cause, OPENING, place) {
                StoreError::Locked if since.elapsed() < patience => tokio::time::sleep(Duration::from_millis(20)).await,
                refused => return Err(refused),
            },
        }
    };
    let failed = |source| StoreError::DataFolder { path: place.data().to_owned(), source };
    let (device, inode) = folder::identity(place.data()).map_err(failed)?;
    Ok((database, Identity::File(device, inode)))
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
        // What is erased is gone from the file too, not only from its index. Postgres has nothing like it.
        .pragma("secure_delete", "ON")
        .busy_timeout(patience)
}
