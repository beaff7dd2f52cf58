//! Where a store is kept: all of it in the data folder, or its database on a Postgres server beside that folder.
//! INVARIANT: a password is in no message, log line or debug print: what is shown of a URL is put together from what may be seen.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr as _;
use std::sync::Arc;

use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;
use sea_orm::sqlx::postgres::PgConnectOptions;

use super::StoreError;

/// A data folder, and the database in it or beside it. Secrets and the file of the first key are in the folder always.
#[derive(Clone, Debug)]
pub struct Place {
    data: PathBuf,
    server: Option<Arc<Server>>,
}

/// A database of a Postgres server: how to reach it, and how to name it.
pub(super) struct Server {
    pub(super) options: PgConnectOptions,
    shown: String,
}

impl Place {
    /// A data folder with SQLite in it.
    pub fn folder(data: impl Into<PathBuf>) -> Self {
        Self { data: data.into(), server: None }
    }

    /// A data folder, and the Postgres database at this URL; SQLite in the folder where there is none or nothing in it.
    pub fn new(data: impl Into<PathBuf>, url: Option<&str>) -> Result<Self, Box<Diagnostic>> {
        let server = url.filter(|url| !url.is_empty()).map(read).transpose()?;
        Ok(Self { data: data.into(), server: server.map(Arc::new) })
    }

    /// The data folder.
    pub fn data(&self) -> &Path {
        &self.data
    }

    pub(super) fn server(&self) -> Option<&Server> {
        self.server.as_deref()
    }

    /// Connections are opened later too, when the process may stand in another folder.
    pub(super) fn absolute(self) -> Result<Self, StoreError> {
        let failed = |source| StoreError::DataFolder { path: self.data.clone(), source };
        let data = std::path::absolute(&self.data).map_err(failed)?;
        Ok(Self { data, server: self.server })
    }

    /// What has to be writable.
    pub(super) fn written(&self) -> String {
        match &self.server {
            None => format!("the data folder `{}`", self.data.display()),
            Some(_) => self.to_string(),
        }
    }

    /// How to name another one.
    pub(super) fn flag(&self) -> &'static str {
        if self.server.is_some() { "another database with `--database`" } else { "another folder with `--data`" }
    }
}

/// The database, in the middle of a sentence.
impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.server {
            None => write!(out, "the database in `{}`", self.data.display()),
            Some(server) => write!(out, "the database `{}`", server.shown),
        }
    }
}

impl From<&Place> for Place {
    fn from(place: &Place) -> Self {
        place.clone()
    }
}

impl From<&Path> for Place {
    fn from(data: &Path) -> Self {
        Self::folder(data)
    }
}

impl From<&PathBuf> for Place {
    fn from(data: &PathBuf) -> Self {
        Self::folder(data)
    }
}

/// What the ORM's options would print holds the password.
impl fmt::Debug for Server {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Server({})", self.shown)
    }
}

/// What may follow `?`; the driver would log the value of any other, which may be a piece of a password.
const OPTIONS: [&str; 18] = [
    "application_name",
    "dbname",
    "host",
    "hostaddr",
    "options",
    "password",
    "port",
    "ssl-ca",
    "ssl-cert",
    "ssl-key",
    "ssl-mode",
    "ssl-root-cert",
    "sslcert",
    "sslkey",
    "sslmode",
    "sslrootcert",
    "statement-cache-capacity",
    "user",
];

fn read(url: &str) -> Result<Server, Box<Diagnostic>> {
    let Some((scheme, rest)) = url.split_once("://") else {
        return Err(refused("what `--database` names is no URL", FORM));
    };
    if !matches!(scheme, "postgres" | "postgresql") {
        return Err(refused("`--database` takes a URL that begins with `postgres://`", FORM));
    }
    let tail = rest.find(['/', '?', '#']).and_then(|at| rest.get(at..)).unwrap_or_default();
    if tail.contains(['@', '#']) {
        // Most likely in a password: what follows would be taken for the name of the database, and shown.
        let message = "the URL of `--database` has a `/`, `?` or `#` before its `@`, or an `@` or `#` behind";
        let help =
            "write these as `%2F`, `%3F`, `%23` and `%40` in a password, or give it in the variable `PGPASSWORD`";
        return Err(refused(message, help));
    }
    let (_, options) = tail.split_once('?').unwrap_or_default();
    let mut names = options.split('&').filter_map(|option| option.split('=').next()).filter(|name| !name.is_empty());
    if let Some(unknown) = names.find(|name| !OPTIONS.contains(name)) {
        let message = format!("the URL of `--database` has the option `{unknown}`, which there is not");
        return Err(refused(message, format!("there are {}", OPTIONS.join(", "))));
    }
    let options = PgConnectOptions::from_str(url)
        .map_err(|_| refused("the URL of `--database` cannot be read: look at its port and its options", FORM))?;
    let options = match options.get_application_name() {
        Some(_) => options,
        None => options.application_name("ambit"),
    };
    Ok(Server { shown: shown(&options), options })
}

const FORM: &str = "write `--database postgres://USER@HOST/NAME`, or leave it out and have SQLite in the data folder";

fn refused(message: impl Into<String>, help: impl Into<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(codes::E_VALUE, message).help(help))
}

/// As a URL that could be used again, but for what is secret.
fn shown(options: &PgConnectOptions) -> String {
    let (user, host, port) = (options.get_username(), options.get_host(), options.get_port());
    let database = options.get_database().unwrap_or(user);
    match options.get_socket() {
        Some(folder) => format!("postgres:///{database}?host={}&user={user}", folder.display()),
        None if host.starts_with('/') => format!("postgres:///{database}?host={host}&user={user}"),
        None => format!("postgres://{user}@{host}:{port}/{database}"),
    }
}
