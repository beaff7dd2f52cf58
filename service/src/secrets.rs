//! Secrets of catalogs, projects and sign-in clients: declarations name them, the environment or a private file holds them.
//! INVARIANT: a secret is looked for in the places of its own tenant and catalog or project alone, and its value stands in no message.

use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File, Metadata};
use std::io::{self, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use ambit_engine::{parse, resolve};
use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;
use ambit_model::identity::is_identifier;
use serde::Serialize;

use crate::caller::Caller;
use crate::{Error, workspace};

/// The folder of secrets in the data folder.
const FOLDER: &str = "secrets";
/// The folder of the secrets of projects: no catalog's id can lead there.
const OF_PROJECTS: &str = "project-secrets";
/// The file of a tenant's sign-in secret, beside the folders of its catalogs.
const SIGN_IN: &str = "sign-in";
/// Largest file of a secret, in bytes.
const LARGEST: u64 = 64 * 1024;
/// The rights that nobody but a file's owner may have.
const OF_OTHERS: u32 = 0o077;

/// A value that is shown to nobody but whom it is for.
pub struct Secret(String);

impl Secret {
    /// One that is not the catalog's, such as a token that was given for it.
    pub(crate) fn new(value: String) -> Self {
        Self(value)
    }

    /// The value itself, for the call that needs it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// Why a secret cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SecretError {
    #[error("the secret `{secret}` is neither in the variable `{variable}` nor in the file `{}`", file.display())]
    Missing { secret: String, variable: String, file: PathBuf },
    /// `why` names the variable, the file, or a folder on the way to it.
    #[error("the secret `{secret}` cannot be used: {why}")]
    Refused { secret: String, variable: String, file: PathBuf, why: String },
    #[error("`{secret}` is not the name of a secret")]
    Name { secret: String },
}

impl SecretError {
    /// Its code, from the one table.
    pub fn code(&self) -> &'static str {
        codes::E_SECRET
    }

    /// What to do about it.
    pub fn help(&self) -> String {
        match self {
            Self::Missing { variable, file, .. } => {
                format!("set `{variable}`, or write the file `{}` with mode 0600", file.display())
            }
            Self::Refused { variable, file, .. } => format!(
                "set `{variable}` to it, or unset that and let `{}` be a plain file with mode 0600 that holds it alone",
                file.display()
            ),
            Self::Name { .. } => {
                "it is made of a tenant, a catalog or project, and lower-case letters, digits and `_`".to_owned()
            }
        }
    }
}

/// Where a secret is, or why it cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "lowercase")]
pub enum Found {
    Environment,
    File,
    Missing,
    Refused { why: String },
}

/// A secret that the declarations name, and where it was found; never its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SecretState {
    /// `acme/crm/token`, `acme/finance: key` of a project, or `acme/sign-in`.
    pub secret: String,
    pub variable: String,
    pub file: String,
    #[serde(flatten)]
    pub found: Found,
}

impl SecretState {
    /// What needs it will get it.
    pub fn is_there(&self) -> bool {
        matches!(self.found, Found::Environment | Found::File)
    }
}

/// The two places of every secret. A variable that is set decides; else the file does.
#[derive(Clone, Debug)]
pub struct SecretPlaces {
    data: PathBuf,
    environment: fn(&str) -> Option<OsString>,
}

/// The places of one secret.
struct Places {
    secret: String,
    variable: String,
    /// Of the file's path, below the data folder.
    segments: Vec<String>,
}

/// Which of its two places a secret came from.
enum Origin {
    Environment,
    File,
}

impl SecretPlaces {
    /// The environment of this process, and this data folder.
    pub fn new(data: impl Into<PathBuf>) -> Self {
        Self { data: data.into(), environment: of_this_process }
    }

    /// A secret that the tenant's catalog names.
    pub fn resolve(&self, tenant: &str, catalog: &str, name: &str) -> Result<Secret, SecretError> {
        Ok(self.find(&of_catalog(tenant, catalog, name)?)?.0)
    }

    /// A secret that the tenant's project names.
    pub fn of_project(&self, tenant: &str, project: &str, name: &str) -> Result<Secret, SecretError> {
        Ok(self.find(&of_project(tenant, project, name)?)?.0)
    }

    /// The secret with which the tenant's sign-in client proves itself to its provider.
    pub fn sign_in(&self, tenant: &str) -> Result<Secret, SecretError> {
        Ok(self.find(&of_sign_in(tenant)?)?.0)
    }

    fn find(&self, places: &Places) -> Result<(Secret, Origin), SecretError> {
        let (secret, variable, file) = (places.secret.clone(), places.variable.clone(), self.file(places));
        let found = match (self.environment)(&variable) {
            Some(value) => usable(value.into_string().ok())
                .map(|value| Some((value, Origin::Environment)))
                .map_err(|why| format!("the variable `{variable}` {why}")),
            None => read_below(&self.data, &places.segments).map(|value| value.map(|value| (value, Origin::File))),
        };
        match found {
            Ok(Some(found)) => Ok(found),
            Ok(None) => Err(SecretError::Missing { secret, variable, file }),
            Err(why) => Err(SecretError::Refused { secret, variable, file, why }),
        }
    }

    fn file(&self, places: &Places) -> PathBuf {
        places.segments.iter().fold(self.data.clone(), |path, segment| path.join(segment))
    }

    fn state(&self, places: Places) -> SecretState {
        let found = match self.find(&places) {
            Ok((_, Origin::Environment)) => Found::Environment,
            Ok((_, Origin::File)) => Found::File,
            Err(SecretError::Missing { .. }) => Found::Missing,
            Err(SecretError::Refused { why, .. }) => Found::Refused { why },
            Err(error @ SecretError::Name { .. }) => Found::Refused { why: error.to_string() },
        };
        let file = self.file(&places).display().to_string();
        SecretState { secret: places.secret, variable: places.variable, file, found }
    }
}

/// Every secret that the workspace names, sorted, and where it was found. For the command line on the data folder alone: it
/// looks at files and variables of this machine.
pub fn list_secrets(caller: &Caller, folder: &Path, data: &Path) -> Result<Vec<SecretState>, Error> {
    caller.local_only("read which secrets are there")?;
    states(folder, &SecretPlaces::new(data))
}

fn states(folder: &Path, places: &SecretPlaces) -> Result<Vec<SecretState>, Error> {
    let workspace = workspace::read(folder)?;
    let (written, problems) = parse::parse(&workspace.tree);
    let (declarations, more) = resolve::resolve(&written, &workspace.tree);
    // What is wrong is left out of the declarations, and a list that leaves a secret out would say that all are there.
    let mut problems = workspace.diagnostics.into_iter().chain(problems).chain(more);
    if let Some(problem) = problems.find(Diagnostic::is_error) {
        return Err(Error::Request(Box::new(problem)));
    }
    let mut named = Vec::new();
    for catalog in &declarations.catalogs {
        let Some(tenant) = &catalog.tenant else { continue };
        for name in &catalog.secrets {
            named.push(of_catalog(tenant, &catalog.id.value, name)?);
        }
    }
    for project in &declarations.projects {
        if let Some(name) = project.llm.as_ref().and_then(|llm| llm.secret.as_ref()) {
            named.push(of_project(&project.id.tenant, &project.id.project, name)?);
        }
    }
    for tenant in &declarations.tenants {
        let mut sign_ins = tenant.identity.iter().filter_map(|provider| provider.sign_in.as_ref());
        if sign_ins.any(|sign_in| sign_in.secret) {
            named.push(of_sign_in(&tenant.id)?);
        }
    }
    named.sort_by(|a, b| a.secret.cmp(&b.secret));
    Ok(named.into_iter().map(|one| places.state(one)).collect())
}

fn of_this_process(variable: &str) -> Option<OsString> {
    std::env::var_os(variable)
}

fn of_catalog(tenant: &str, catalog: &str, name: &str) -> Result<Places, SecretError> {
    let secret = format!("{tenant}/{catalog}/{name}");
    // The names become parts of a path: each is one part, and none leads elsewhere.
    if !is_identifier(tenant) || !is_identifier(catalog) || !resolve::is_secret_name(name) {
        return Err(SecretError::Name { secret });
    }
    let variable = format!("{}{}", resolve::secret_prefix(tenant, catalog), name.to_ascii_uppercase());
    Ok(Places { secret, variable, segments: [FOLDER, tenant, catalog, name].map(str::to_owned).into() })
}

fn of_project(tenant: &str, project: &str, name: &str) -> Result<Places, SecretError> {
    let secret = format!("{tenant}/{project}: {name}");
    if !is_identifier(tenant) || !is_identifier(project) || !resolve::is_secret_name(name) {
        return Err(SecretError::Name { secret });
    }
    let variable = format!("{}{}", resolve::project_secret_prefix(tenant, project), name.to_ascii_uppercase());
    Ok(Places { secret, variable, segments: [OF_PROJECTS, tenant, project, name].map(str::to_owned).into() })
}

fn of_sign_in(tenant: &str) -> Result<Places, SecretError> {
    let secret = format!("{tenant}/{SIGN_IN}");
    if !is_identifier(tenant) {
        return Err(SecretError::Name { secret });
    }
    let variable = resolve::sign_in_variable(tenant);
    Ok(Places { secret, variable, segments: [FOLDER, tenant, SIGN_IN].map(str::to_owned).into() })
}

/// Nothing where there is no such file. The error names what is wrong: the file, or a folder on the way to it.
fn read_below(data: &Path, segments: &[String]) -> Result<Option<Secret>, String> {
    let Some((name, folders)) = segments.split_last() else { return Ok(None) };
    let mut path = data.to_owned();
    let named = |path: &Path, why: String| format!("`{}` {why}", path.display());
    for folder in folders {
        path.push(folder);
        match look_at(&path).map_err(|why| named(&path, why))? {
            None => return Ok(None),
            Some(seen) if !seen.is_dir() => return Err(named(&path, "is not a folder".to_owned())),
            Some(_) => {}
        }
    }
    path.push(name);
    let Some(seen) = look_at(&path).map_err(|why| named(&path, why))? else { return Ok(None) };
    let secret = read_private(&path, &seen).and_then(|text| usable(Some(text)));
    secret.map(Some).map_err(|why| named(&path, why))
}

/// What stands at a path, if anything does. A link is refused, wherever it leads.
fn look_at(path: &Path) -> Result<Option<Metadata>, String> {
    match fs::symlink_metadata(path) {
        Ok(seen) if seen.is_symlink() => Err("is a symbolic link, and none is followed to a secret".to_owned()),
        Ok(seen) => Ok(Some(seen)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unreadable(&error)),
    }
}

/// Reads the file that was `seen` at the path; should another have taken its place since, that one is not read.
fn read_private(path: &Path, seen: &Metadata) -> Result<String, String> {
    if !seen.is_file() {
        let what = if seen.is_dir() { "is a folder, not a file" } else { "is not a plain file" };
        return Err(what.to_owned());
    }
    let file = File::open(path).map_err(|error| unreadable(&error))?;
    let opened = file.metadata().map_err(|error| unreadable(&error))?;
    if (opened.dev(), opened.ino()) != (seen.dev(), seen.ino()) {
        return Err("was replaced while it was read".to_owned());
    }
    if opened.nlink() != 1 {
        return Err("has another name too, under which others may write it".to_owned());
    }
    if opened.mode() & OF_OTHERS != 0 {
        return Err(format!("is open to others: its mode is {:04o}, not 0600", opened.mode() & 0o7777));
    }
    let mut bytes = Vec::new();
    file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
    if bytes.len() as u64 > LARGEST {
        return Err(format!("is larger than {} KiB", LARGEST / 1024));
    }
    let text = String::from_utf8(bytes).map_err(|_| "is not UTF-8 text".to_owned())?;
    let ended = text.strip_suffix("\r\n").or_else(|| text.strip_suffix('\n'));
    Ok(ended.unwrap_or(&text).to_owned())
}

/// The text as a secret, or what is wrong with it.
fn usable(text: Option<String>) -> Result<Secret, String> {
    match text {
        None => Err("is not UTF-8 text".to_owned()),
        Some(text) if text.is_empty() => Err("is empty".to_owned()),
        Some(text) => Ok(Secret(text)),
    }
}

fn unreadable(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::PermissionDenied => "may not be read by this user".to_owned(),
        _ => format!("cannot be read: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStringExt as _;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    const VALUE: &str = "hunter2";

    fn environment(variable: &str) -> Option<OsString> {
        match variable {
            "AMBIT_SECRET_ACME_CRM_SET" => Some(VALUE.into()),
            "AMBIT_SECRET_ACME_CRM_EMPTY" => Some(OsString::new()),
            "AMBIT_SECRET_ACME_CRM_BYTES" => Some(OsString::from_vec(vec![0xff])),
            _ => None,
        }
    }

    fn places(data: &Path) -> SecretPlaces {
        SecretPlaces { data: data.to_owned(), environment }
    }

    fn write(data: &Path, path: &str, bytes: &[u8], mode: u32) {
        let path = data.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    }

    /// Why the secret `name` of `acme/crm` is refused.
    fn refused(data: &Path, name: &str) -> String {
        match places(data).resolve("acme", "crm", name) {
            Err(SecretError::Refused { why, .. }) => why.replace(&data.display().to_string(), "DATA"),
            other => panic!("{name}: {other:?}"),
        }
    }

    #[test]
    fn a_variable_goes_before_the_file() {
        let data = tempfile::tempdir().unwrap();
        for name in ["set", "empty", "bytes", "unset"] {
            write(data.path(), &format!("secrets/acme/crm/{name}"), b"of the file\n", 0o600);
        }
        let at = places(data.path());
        assert_eq!(at.resolve("acme", "crm", "set").unwrap().expose(), VALUE);
        assert_eq!(at.resolve("acme", "crm", "unset").unwrap().expose(), "of the file");
        // Set wrongly, it does not fall back to what was there before.
        assert_eq!(refused(data.path(), "empty"), "the variable `AMBIT_SECRET_ACME_CRM_EMPTY` is empty");
        assert_eq!(refused(data.path(), "bytes"), "the variable `AMBIT_SECRET_ACME_CRM_BYTES` is not UTF-8 text");
    }

    #[test]
    fn one_line_break_ends_a_file() {
        let data = tempfile::tempdir().unwrap();
        for (text, secret) in [("a\n", "a"), ("a\r\n", "a"), ("a", "a"), ("a\n\n", "a\n"), (" a\nb \n", " a\nb ")] {
            write(data.path(), "secrets/acme/crm/token", text.as_bytes(), 0o400);
            assert_eq!(places(data.path()).resolve("acme", "crm", "token").unwrap().expose(), secret, "{text:?}");
            fs::remove_file(data.path().join("secrets/acme/crm/token")).unwrap();
        }
    }

    #[test]
    fn only_a_private_plain_file_is_read() {
        let data = tempfile::tempdir().unwrap();
        let crm = data.path().join("secrets/acme/crm");
        for (name, mode) in [("group", 0o640), ("writable", 0o620), ("all", 0o604)] {
            write(data.path(), &format!("secrets/acme/crm/{name}"), VALUE.as_bytes(), mode);
            let why = format!("`DATA/secrets/acme/crm/{name}` is open to others: its mode is {mode:04o}, not 0600");
            assert_eq!(refused(data.path(), name), why);
        }
        write(data.path(), "secrets/acme/crm/large", &vec![b'a'; 64 * 1024 + 1], 0o600);
        write(data.path(), "secrets/acme/crm/blank", b"\n", 0o600);
        write(data.path(), "secrets/acme/crm/latin", &[b'a', 0xe4], 0o600);
        write(data.path(), "elsewhere", VALUE.as_bytes(), 0o600);
        symlink(data.path().join("elsewhere"), crm.join("link")).unwrap();
        fs::create_dir(crm.join("folder")).unwrap();
        for (name, why) in [
            ("large", "is larger than 64 KiB"),
            ("blank", "is empty"),
            ("latin", "is not UTF-8 text"),
            ("link", "is a symbolic link, and none is followed to a secret"),
            ("folder", "is a folder, not a file"),
        ] {
            assert_eq!(refused(data.path(), name), format!("`DATA/secrets/acme/crm/{name}` {why}"));
        }
    }

    #[test]
    fn no_folder_on_the_way_is_a_link() {
        let data = tempfile::tempdir().unwrap();
        write(data.path(), "secrets/globex/crm/token", VALUE.as_bytes(), 0o600);
        symlink(data.path().join("secrets/globex"), data.path().join("secrets/acme")).unwrap();
        let why = "`DATA/secrets/acme` is a symbolic link, and none is followed to a secret";
        assert_eq!(refused(data.path(), "token"), why);
        fs::remove_file(data.path().join("secrets/acme")).unwrap();
        write(data.path(), "secrets/acme", VALUE.as_bytes(), 0o600);
        assert_eq!(refused(data.path(), "token"), "`DATA/secrets/acme` is not a folder");
    }

    #[test]
    fn what_is_missing_is_said_with_both_places() {
        let error = places(Path::new("/nowhere")).resolve("acme", "c.r-m", "token").unwrap_err();
        assert_eq!(
            error.to_string(),
            "the secret `acme/c.r-m/token` is neither in the variable `AMBIT_SECRET_ACME_C_R_M_TOKEN` nor in the file `/nowhere/secrets/acme/c.r-m/token`"
        );
        assert_eq!(error.code(), "E_SECRET");
        let error = places(Path::new("/nowhere")).sign_in("acme").unwrap_err();
        assert_eq!(
            error.to_string(),
            "the secret `acme/sign-in` is neither in the variable `AMBIT_SIGN_IN_SECRET_ACME` nor in the file `/nowhere/secrets/acme/sign-in`"
        );
    }

    #[test]
    fn names_that_lead_elsewhere_are_refused() {
        let at = places(Path::new("/nowhere"));
        for (tenant, catalog, name) in [
            ("..", "crm", "token"),
            ("acme", "../globex", "token"),
            ("acme", "crm", "../token"),
            ("acme", "crm", "Token"),
            ("", "crm", "token"),
            ("acme", "crm", ""),
        ] {
            let refused = at.resolve(tenant, catalog, name);
            assert!(matches!(refused, Err(SecretError::Name { .. })), "{tenant} {catalog} {name}");
        }
        assert!(matches!(at.sign_in("a/b"), Err(SecretError::Name { .. })));
    }

    #[test]
    fn no_message_holds_a_value() {
        let data = tempfile::tempdir().unwrap();
        write(data.path(), "secrets/acme/crm/open", VALUE.as_bytes(), 0o644);
        let at = places(data.path());
        let secret = at.resolve("acme", "crm", "set").unwrap();
        let error = at.resolve("acme", "crm", "open").unwrap_err();
        let said = format!("{secret:?} {error} {error:?} {} {at:?}", error.help());
        assert!(!said.contains(VALUE), "{said}");
    }

    #[test]
    fn every_secret_of_the_workspace_is_listed() {
        let (folder, data) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let yaml = "\
kind: Workspace
name: w
---
kind: Tenant
id: acme
name: Acme
identity: [{ issuer: https://login.example, sign_in: { client: ambit, secret: true } }]
---
kind: Catalog
id: crm
tenant: acme
file: crm.json
secrets: [unset, set, empty, kept]
";
        fs::write(folder.path().join("workspace.yaml"), yaml).unwrap();
        fs::write(folder.path().join("crm.json"), "[]").unwrap();
        write(data.path(), "secrets/acme/crm/kept", VALUE.as_bytes(), 0o600);
        let listed = states(folder.path(), &places(data.path())).unwrap();
        let said: Vec<(&str, &Found)> = listed.iter().map(|one| (one.secret.as_str(), &one.found)).collect();
        let empty = Found::Refused { why: "the variable `AMBIT_SECRET_ACME_CRM_EMPTY` is empty".to_owned() };
        assert_eq!(
            said,
            [
                ("acme/crm/empty", &empty),
                ("acme/crm/kept", &Found::File),
                ("acme/crm/set", &Found::Environment),
                ("acme/crm/unset", &Found::Missing),
                ("acme/sign-in", &Found::Missing),
            ]
        );
        let json = serde_json::to_value(&listed).unwrap();
        assert_eq!(json[0]["state"], "refused");
        assert!(!json.to_string().contains(VALUE));
        fs::write(folder.path().join("more.yaml"), "kind: Catalog\nid: mail\nsecret: [token]\n").unwrap();
        assert!(matches!(states(folder.path(), &places(data.path())), Err(Error::Request(_))));
    }
}
