//! Where a test keeps its store: a temporary folder, and beside it a database on the server that `xtask/postgres.sh` started.
//! A desk without Postgres is told what was not tested; CI fails.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use sea_orm::{ConnectionTrait as _, Database, DatabaseConnection};
use tempfile::TempDir;

use super::super::{Place, Store};
use super::Tested;

/// The URL of a database of the server, by which others are made.
const SERVER: &str = "AMBIT_TEST_POSTGRES";

/// A place for a store; the folder goes when this is dropped, the database with `remove` or with its server.
pub(super) struct Home {
    folder: TempDir,
    database: Option<Named>,
}

/// A database of the server.
struct Named {
    name: String,
    url: String,
}

impl Home {
    /// SQLite in a data folder that is not made yet.
    pub(super) fn on_sqlite() -> Result<Self, std::io::Error> {
        Ok(Self { folder: tempfile::tempdir()?, database: None })
    }

    /// A new Postgres database; nothing where there is no server.
    pub(super) async fn on_postgres() -> Result<Option<Self>, Box<dyn Error>> {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let Some(server) = server() else { return Ok(None) };
        let name = format!("test_{}_{}", std::process::id(), MADE.fetch_add(1, Ordering::Relaxed));
        run_on(&server, &format!("CREATE DATABASE {name} TEMPLATE template0")).await?;
        let url = url_of(&server, &name)?;
        Ok(Some(Self { folder: tempfile::tempdir()?, database: Some(Named { name, url }) }))
    }

    /// The folder around the data folder.
    pub(super) fn around(&self) -> &Path {
        self.folder.path()
    }

    /// The data folder.
    pub(super) fn data(&self) -> PathBuf {
        self.folder.path().join(".ambit")
    }

    /// The URL of the database, on Postgres.
    pub(super) fn url(&self) -> Option<&str> {
        self.database.as_ref().map(|database| database.url.as_str())
    }

    /// The name of the database, on Postgres.
    pub(super) fn name(&self) -> &str {
        self.database.as_ref().map_or("", |database| database.name.as_str())
    }

    pub(super) fn place(&self) -> Result<Place, String> {
        Place::new(self.data(), self.url()).map_err(|refused| refused.message)
    }

    /// Another handle on the store.
    pub(super) async fn store(&self) -> Result<Store, Box<dyn Error>> {
        Ok(Store::open(self.place()?).await?)
    }

    /// A connection past the store, whether its tables are made or not.
    pub(super) async fn raw(&self) -> Result<DatabaseConnection, Box<dyn Error>> {
        if let Some(url) = self.url() {
            return Ok(Database::connect(url).await?);
        }
        std::fs::create_dir_all(self.data())?;
        let file = self.data().join("ambit.db");
        Ok(Database::connect(format!("sqlite://{}?mode=rwc", file.display())).await?)
    }

    /// Runs statements on another database of the server.
    pub(super) async fn administer(&self, statements: &[String]) -> Tested {
        let server = server().ok_or("there is no server")?;
        for statement in statements {
            run_on(&server, statement).await?;
        }
        Ok(())
    }

    /// A statement in the words of the database at hand.
    pub(super) fn words<'w>(&self, sqlite: &'w str, postgres: &'w str) -> &'w str {
        if self.database.is_some() { postgres } else { sqlite }
    }

    /// A message with what differs from run to run taken out.
    pub(super) fn plain(&self, text: &str) -> String {
        let database = self.place().map(|place| place.to_string()).unwrap_or_default();
        text.replace(&database, "DATABASE").replace(&self.around().display().to_string(), "DIR")
    }

    /// Takes the database off the server.
    pub(super) async fn remove(self) -> Tested {
        self.administer(&[format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name())]).await
    }
}

/// The URL of the server; nothing at a desk that has none.
#[expect(clippy::print_stderr, reason = "whoever runs the tests has to know what was not tested")]
pub(super) fn server() -> Option<String> {
    let server = std::env::var(SERVER).ok();
    if server.is_none() {
        assert!(std::env::var_os("CI").is_none(), "`{SERVER}` is not set, and CI tests on Postgres");
        eprintln!("skipped: no Postgres server to test on (`make test` brings one)");
    }
    server
}

/// The URL of another database of the same server.
fn url_of(server: &str, name: &str) -> Result<String, String> {
    let (before, options) = server.split_once('?').unwrap_or((server, ""));
    let (address, _) = before.rsplit_once('/').ok_or("the server's URL names no database")?;
    Ok(format!("{address}/{name}?{options}"))
}

async fn run_on(url: &str, statement: &str) -> Tested {
    let connection = Database::connect(url).await?;
    connection.execute_unprepared(statement).await?;
    connection.close().await?;
    Ok(())
}
