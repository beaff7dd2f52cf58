//! A Postgres database for a test, on the server that `xtask/postgres.sh` started, gone when the test ends.
//! A desk without Postgres is told what was not tested; CI fails.

use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// The URL of a database of the server, by which others are made.
const SERVER: &str = "AMBIT_TEST_POSTGRES";

/// A database that belongs to a role of its own, which has to give its password.
#[derive(Debug)]
pub struct Database {
    server: String,
    name: String,
}

impl Database {
    /// The password of its role: no output may hold it.
    pub const PASSWORD: &str = "quokka-hunter2";

    /// Makes one; nothing where there is no server.
    pub fn new() -> Option<Self> {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let server = server()?;
        let name = format!("whole_{}_{}", std::process::id(), MADE.fetch_add(1, Ordering::Relaxed));
        let database = Self { server, name: name.clone() };
        database.administer(&format!("CREATE ROLE {name} LOGIN PASSWORD '{}' IN ROLE guarded", Self::PASSWORD));
        database.administer(&format!("CREATE DATABASE {name} TEMPLATE template0 OWNER {name}"));
        Some(database)
    }

    /// Where it is, with the password.
    #[expect(clippy::expect_used, reason = "the script writes the URL in this form")]
    pub fn url(&self) -> String {
        let (address, options) = self.server.split_once("/postgres?").expect("the database `postgres`");
        let options = options.replace("user=ambit", &format!("user={}&password={}", self.name, Self::PASSWORD));
        format!("{address}/{}?{options}", self.name)
    }

    /// How many connections to it there are.
    pub fn connections(&self) -> usize {
        let query = format!("SELECT count(*) FROM pg_stat_activity WHERE datname = '{}'", self.name);
        self.administer(&query).trim().parse().unwrap_or(usize::MAX)
    }

    /// Cuts all connections to it.
    pub fn cut(&self) {
        let query = format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{}'", self.name);
        self.administer(&query);
    }

    #[expect(clippy::expect_used, reason = "the script puts the server's programs on the path")]
    fn administer(&self, statement: &str) -> String {
        let output = Command::new("psql").args(["-XAtqc", statement, &self.server]).output().expect("psql starts");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        self.administer(&format!("DROP DATABASE {} WITH (FORCE)", self.name));
        self.administer(&format!("DROP ROLE {}", self.name));
    }
}

#[expect(clippy::print_stderr, reason = "whoever runs the tests has to know what was not tested")]
fn server() -> Option<String> {
    let server = std::env::var(SERVER).ok();
    if server.is_none() {
        assert!(std::env::var_os("CI").is_none(), "`{SERVER}` is not set, and CI tests on Postgres");
        eprintln!("skipped: no Postgres server to test on (`make test` brings one)");
    }
    server
}
