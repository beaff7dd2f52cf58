//! Importing a catalog: what a source offers is read, and written as a catalog file and a Catalog document for review in git.
//! INVARIANT: nothing live changes, either all files are written or none, and no document that is there is rewritten.

mod access;
mod fetch;
mod mcp;
mod refused;
mod source;
mod target;
mod unsaid;
mod write;

use std::path::{Path, PathBuf};
use std::time::Duration;

pub use access::{OAuth, Person};
use ambit_engine::import::{self, Gathered, Heading, Input};
pub use ambit_engine::import::{Changes, Duplicate};
use ambit_model::diagnostic::Diagnostic;

use crate::caller::Caller;
use crate::outbound::Bounds;
use crate::secrets::SecretPlaces;
use crate::{Error, clock, schema, workspace};
use access::Access;
use source::Origin;
use target::Target;
use unsaid::Unsaid;

/// Where tools are imported from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A file, a folder, an HTTPS URL, or an MCP server as `mcp+https://…`.
    Named(String),
    /// An MCP server, by its URL.
    Mcp(String),
    /// A program that speaks MCP on its standard input and output, with its arguments.
    Stdio(Vec<String>),
}

/// What to import, and how.
#[derive(Clone, Debug)]
pub struct ImportRequest {
    pub source: Source,
    /// The catalog's id [default: by the source's name].
    pub id: Option<String>,
    pub tenant: Option<String>,
    /// The folder of the catalog file [default: `catalogs` in the workspace's root].
    pub to: Option<PathBuf>,
    /// Say what would be written, and write nothing.
    pub dry: bool,
    /// The name of the catalog's secret that the source wants as a bearer token.
    pub secret: Option<String>,
    /// How a token is had where an MCP server wants one that only its authorization server gives.
    pub oauth: Option<OAuth>,
    /// A URL may lead to an address that is not public.
    pub allow_private: bool,
    /// Bytes that are read of a source.
    pub most_bytes: usize,
    /// How long a source may take.
    pub within: Duration,
}

/// What an import found and wrote.
#[derive(Debug)]
pub struct Imported {
    pub id: String,
    /// The source, without secrets.
    pub from: String,
    pub format: &'static str,
    pub tools: usize,
    /// The catalog file and the Catalog document, relative to the root.
    pub catalog: String,
    pub document: String,
    /// Relative to the root; what would be written, where the import was dry.
    pub written: Vec<String>,
    pub duplicates: Vec<Duplicate>,
    /// Where the document was there before.
    pub changes: Option<Changes>,
    /// What is wrong with the source; with an error, nothing was written.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads the source, and writes a catalog file and, where there is none, a Catalog document.
pub async fn import_catalog(
    caller: &Caller,
    folder: &Path,
    secrets: &SecretPlaces,
    request: &ImportRequest,
) -> Result<Imported, Error> {
    caller.local_only("import a catalog")?;
    let origin = Origin::of(&request.source)?;
    let workspace = workspace::read(folder)?;
    let id = source::id(&origin, request.id.as_deref())?;
    let target = Target::of(&workspace, &id, request)?;
    let unsaid = Unsaid::default();
    let access = Access::of(secrets, &id, &origin, request, &unsaid)?;
    let (inputs, unreadable) = read(&origin, request, access, &unsaid).await.map_err(|error| unsaid.out_of(error))?;
    let mut gathered = import::gather(&id, &inputs);
    if inputs.is_empty() && !unreadable.is_empty() {
        // That it offers no tools would be said of what nobody could read.
        gathered.diagnostics.clear();
    }
    if unsaid.stands_in_any(&inputs, &gathered) {
        return Err(refused::secret(&origin.from()));
    }
    gathered.diagnostics.splice(0..0, unreadable);
    let mut imported = report(&id, origin.from(), &target, &mut gathered);
    if imported.diagnostics.iter().any(Diagnostic::is_error) {
        return Ok(imported);
    }
    let today = clock::today();
    imported.changes = target
        .declared
        .as_ref()
        .map(|declared| import::changes(declared, &target.before(&workspace, &id), &gathered.tools, &today));
    let (name, schema) = schema::whole()?;
    let heading = Heading {
        schema: &format!("../{}/{name}", schema::FOLDER),
        id: &id,
        tenant: request.tenant.as_deref(),
        file: &target.file_key(),
        since: &today,
        from: &imported.from,
        format: gathered.format,
        secret: access::secret_name(request),
    };
    let document = import::document(&heading, &gathered.tools);
    let files = target.files(gathered.text, document, (name, schema));
    imported.written = write::write(&workspace.root, files, request.dry)?;
    Ok(imported)
}

/// The texts of the source, and what of a folder cannot be read.
async fn read(
    origin: &Origin,
    request: &ImportRequest,
    access: Access,
    unsaid: &Unsaid,
) -> Result<(Vec<Input>, Vec<Diagnostic>), Error> {
    let ImportRequest { allow_private, within, most_bytes, .. } = *request;
    let bounds = Bounds { allow_private, within, most_bytes };
    let input = match origin {
        Origin::File(path) => return source::file(path, most_bytes),
        Origin::Folder(path) => return source::folder(path, most_bytes),
        Origin::Url(url) => fetch::fetch(url, bounds, access.token(), unsaid).await?,
        Origin::Server(url) => mcp::over_http(url, bounds, access, unsaid).await?,
        Origin::Program(command) => mcp::over_stdio(command, bounds).await?,
    };
    Ok((vec![input], Vec::new()))
}

fn report(id: &str, from: String, target: &Target, gathered: &mut Gathered) -> Imported {
    Imported {
        id: id.to_owned(),
        from,
        format: gathered.format,
        tools: gathered.tools.len(),
        catalog: target.catalog.clone(),
        document: target.document.clone(),
        written: Vec::new(),
        duplicates: std::mem::take(&mut gathered.duplicates),
        changes: None,
        diagnostics: std::mem::take(&mut gathered.diagnostics),
    }
}
