//! The sources of an import: told apart as they were named, and read where they are files.
//! INVARIANT: what reports and documents call a source holds no user, password, query or argument: there secrets stand.

use std::path::{Path, PathBuf};

use ambit_engine::import::{Input, Syntax};
use ambit_model::codes;
use ambit_model::diagnostic::{Diagnostic, Place};
use ambit_model::identity::is_identifier;
use reqwest::Url;

use super::{Source, refused};
use crate::{Error, workspace};

/// Endings of the files that are read in a folder.
const ENDINGS: [&str; 3] = ["json", "yaml", "yml"];
/// Longest id that is made of a name.
const LONGEST_ID: usize = 64;
/// What a URL of an MCP server begins with.
const MCP: &str = "mcp+";

/// A source, as what it is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Origin {
    File(PathBuf),
    Folder(PathBuf),
    Url(Url),
    Server(Url),
    Program(Vec<String>),
}

impl Origin {
    pub(super) fn of(source: &Source) -> Result<Self, Error> {
        match source {
            Source::Mcp(url) => Ok(Self::Server(parsed(url.strip_prefix(MCP).unwrap_or(url))?)),
            Source::Stdio(command) => Ok(Self::Program(command.clone())),
            Source::Named(name) if name.starts_with(MCP) => {
                Ok(Self::Server(parsed(name.strip_prefix(MCP).unwrap_or(name))?))
            }
            Source::Named(name) if name.contains("://") => Ok(Self::Url(parsed(name)?)),
            Source::Named(name) => match Path::new(name) {
                path if path.is_dir() => Ok(Self::Folder(path.to_owned())),
                path if path.exists() => Ok(Self::File(path.to_owned())),
                _ => {
                    let help = "name a file, a folder, an `https://` URL, or an MCP server as `mcp+https://…`";
                    Err(refused::source(format!("there is no file or folder `{name}`"), help))
                }
            },
        }
    }

    /// What it is called where others read it: a URL without its query, a file without the folders above where one stands, a
    /// program without its arguments.
    pub(super) fn from(&self) -> String {
        match self {
            Self::File(path) | Self::Folder(path) if path.is_relative() => path.display().to_string(),
            Self::File(path) | Self::Folder(path) => last(path),
            Self::Url(url) | Self::Server(url) => bare(url),
            Self::Program(command) => format!("stdio:{}", last(Path::new(command.first().map_or("", String::as_str)))),
        }
    }
}

/// The id that was asked for, or the one that the source's name makes.
pub(super) fn id(origin: &Origin, asked: Option<&str>) -> Result<String, Error> {
    let name = match origin {
        Origin::File(path) => last(path).split('.').next().unwrap_or_default().to_owned(),
        Origin::Folder(path) => path.canonicalize().map(|path| last(&path)).unwrap_or_default(),
        Origin::Url(url) | Origin::Server(url) => url.host_str().unwrap_or_default().to_owned(),
        Origin::Program(command) => last(Path::new(command.first().map_or("", String::as_str))),
    };
    let id = asked.map_or_else(|| slug(&name), str::to_owned);
    if is_identifier(&id) {
        return Ok(id);
    }
    let message =
        if asked.is_some() { format!("`{id}` is not an id") } else { "the source's name makes no id".to_owned() };
    Err(refused::asked(message, "name one with `--id`: letters, digits, `_`, `-` and `.`, at most 64"))
}

/// A file alone: what is wrong with it is said like of a folder's.
pub(super) fn file(path: &Path, most_bytes: usize) -> Result<(Vec<Input>, Vec<Diagnostic>), Error> {
    Ok(match read(path, &path.display().to_string(), most_bytes) {
        Ok(input) => (vec![input], Vec::new()),
        Err(problem) => (Vec::new(), vec![*problem]),
    })
}

/// Every JSON and YAML file right in a folder, sorted, hidden ones left out. A link that leaves the folder is a problem.
pub(super) fn folder(folder: &Path, most_bytes: usize) -> Result<(Vec<Input>, Vec<Diagnostic>), Error> {
    let unreadable = |error: std::io::Error| {
        refused::source(
            format!("the folder `{}` cannot be read: {error}", folder.display()),
            "see whether you may read it",
        )
    };
    let real = folder.canonicalize().map_err(unreadable)?;
    let mut names: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        names.push(PathBuf::from(entry.map_err(unreadable)?.file_name()));
    }
    names.retain(|name| is_offered(name));
    names.sort();
    let (mut inputs, mut problems) = (Vec::new(), Vec::new());
    for name in names {
        let path = folder.join(&name);
        let shown = path.display().to_string();
        let leaves = path.canonicalize().is_ok_and(|path| !path.starts_with(&real));
        match if leaves { Err(link(&shown)) } else { read(&path, &shown, most_bytes) } {
            Ok(input) => inputs.push(input),
            Err(problem) => problems.push(*problem),
        }
    }
    if inputs.is_empty() && problems.is_empty() {
        let help = "name a file, or a folder that holds some";
        return Err(refused::source(format!("`{}` holds no `.json`, `.yaml` or `.yml` file", folder.display()), help));
    }
    Ok((inputs, problems))
}

fn is_offered(name: &Path) -> bool {
    let ending = name.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    !name.to_string_lossy().starts_with('.') && ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str()))
}

fn read(path: &Path, shown: &str, most_bytes: usize) -> Result<Input, Box<Diagnostic>> {
    let size = std::fs::metadata(path).map(|file| file.len()).unwrap_or_default();
    if size > u64::try_from(most_bytes).unwrap_or(u64::MAX) {
        let message = format!("the file is larger than {} KiB", most_bytes / 1024);
        let problem = Diagnostic::error(codes::E_UNREADABLE, message).at(whole(shown)).help("`--max-bytes` takes more");
        return Err(Box::new(problem));
    }
    let text = workspace::read_text(path).map_err(|unread| Box::new(unread.of_file(shown.to_owned())))?;
    Ok(Input::new(shown, &text, Syntax::of(shown)))
}

fn link(shown: &str) -> Box<Diagnostic> {
    let problem =
        Diagnostic::error(codes::E_UNREADABLE, "the file cannot be read: it is a link that leaves the folder");
    Box::new(problem.at(whole(shown)).help("put the file itself in the place of the link, or remove it"))
}

fn whole(file: &str) -> Place {
    Place { file: file.to_owned(), line: 1, column: 1, length: 1, text: String::new() }
}

/// A URL without a user or a password in it.
fn parsed(text: &str) -> Result<Url, Error> {
    let shown = text.split(['?', '#']).next().unwrap_or_default().rsplit('@').next().unwrap_or_default();
    let Ok(url) = Url::parse(text) else {
        return Err(refused::source(format!("`{shown}` is not a URL"), "write it as `https://host/path`"));
    };
    if !url.username().is_empty() || url.password().is_some() {
        let help = "take them out; `--secret NAME` sends a secret of the catalog as a bearer token";
        return Err(refused::source(
            format!("the URL of `{}` holds a user or a password", url.host_str().unwrap_or_default()),
            help,
        ));
    }
    Ok(url)
}

/// Without query and fragment.
fn bare(url: &Url) -> String {
    let mut bare = url.clone();
    bare.set_query(None);
    bare.set_fragment(None);
    bare.to_string()
}

fn last(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Lower-case letters, digits, `-` and `_`; whatever else stands between them is one `-`.
fn slug(name: &str) -> String {
    let lower = name.to_lowercase();
    let kept = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let parts: Vec<&str> = lower.split(|c| !kept(c)).filter(|part| !part.is_empty()).collect();
    parts.join("-").chars().take(LONGEST_ID).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, from: &str, id: &str) {
        let origin = Origin::of(&Source::Named(source.to_owned())).unwrap();
        assert_eq!((origin.from().as_str(), super::id(&origin, None).unwrap().as_str()), (from, id), "{source}");
    }

    #[test]
    fn a_source_is_called_by_what_is_no_secret() {
        check("https://tools.example/a/list.json?key=secret#x", "https://tools.example/a/list.json", "tools-example");
        check("mcp+https://crm.example/mcp", "https://crm.example/mcp", "crm-example");
        check(concat!(env!("CARGO_MANIFEST_DIR"), "/../catalogs/crm.mcp.json"), "crm.mcp.json", "crm");
        let program = Origin::of(&Source::Stdio(vec!["/usr/bin/npx".into(), "--key=secret".into()])).unwrap();
        assert_eq!((program.from().as_str(), id(&program, None).unwrap().as_str()), ("stdio:npx", "npx"));
    }

    #[test]
    fn a_url_with_a_user_is_refused_and_not_repeated() {
        for url in ["https://ada:hunter2@a.example/", "https://hunter2@a.example/", "https://ada:hunter2@:x/"] {
            let error = Origin::of(&Source::Named(url.to_owned())).unwrap_err();
            assert!(!format!("{error:?}").contains("hunter2"), "{error:?}");
        }
    }
}
