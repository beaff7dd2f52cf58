//! Formatting the declarations of a workspace in place. Catalogs are not declarations and stay as they came.
//! INVARIANT: a file that cannot be read, or would not keep its meaning, is left as it is, and the others go on.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ambit_engine::format;
use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;

use crate::Error;
use crate::caller::Caller;
use crate::replace::replace_file;
use crate::workspace;

/// What to format, and whether to write it.
#[derive(Clone, Debug, Default)]
pub struct FormatRequest {
    /// Files and folders.
    pub paths: Vec<PathBuf>,
    /// Say what would change and write nothing.
    pub dry: bool,
}

/// What formatting did, or would do.
#[derive(Debug, Default)]
pub struct FormatReport {
    /// Files of another text now, in the order of paths.
    pub changed: Vec<ChangedFile>,
    /// How many files were in order.
    pub unchanged: usize,
    /// Files that were left as they are, and why.
    pub diagnostics: Vec<Diagnostic>,
}

/// One file whose text changes.
#[derive(Debug)]
pub struct ChangedFile {
    pub path: String,
    /// As a unified diff.
    pub difference: String,
}

/// Formats every YAML and Cedar file among the paths.
pub fn format_declarations(caller: &Caller, request: &FormatRequest) -> Result<FormatReport, Error> {
    caller.local_only("format declarations")?;
    let mut report = FormatReport::default();
    let mut seen = BTreeSet::new();
    for path in &request.paths {
        for file in files(path, &mut report.diagnostics)? {
            let real = file.canonicalize().unwrap_or_else(|_| file.clone());
            if seen.insert(real) {
                format_file(&file, request.dry, &mut report)?;
            }
        }
    }
    Ok(report)
}

/// The declarations that a path names: itself, or what lies below it.
fn files(path: &Path, problems: &mut Vec<Diagnostic>) -> Result<Vec<PathBuf>, Error> {
    if path.is_dir() {
        let listed = workspace::list_declarations(path)?;
        problems.extend(
            listed.unreadable.into_iter().map(|(file, unread)| unread.of_file(path.join(file).display().to_string())),
        );
        return Ok(listed.files.into_iter().map(|file| path.join(file)).collect());
    }
    if !path.exists() {
        problems.push(refused(path, "there is no such file or folder"));
    } else if !workspace::is_declaration(path) {
        problems.push(refused(path, "only `.yaml`, `.yml` and `.cedar` files are formatted"));
    } else {
        return Ok(vec![path.to_owned()]);
    }
    Ok(Vec::new())
}

fn format_file(path: &Path, dry: bool, report: &mut FormatReport) -> Result<(), Error> {
    let name = path.display().to_string();
    let before = match workspace::read_text(path) {
        Ok(text) => text,
        Err(unread) => {
            report.diagnostics.push(unread.of_file(name));
            return Ok(());
        }
    };
    let mut formatted = format::format(&name, &before);
    report.diagnostics.append(&mut formatted.diagnostics);
    let Some(after) = formatted.text else { return Ok(()) };
    if after == before {
        report.unchanged += 1;
        return Ok(());
    }
    if !dry {
        replace_file(path, &after).map_err(|source| Error::FileNotWritten { path: path.to_owned(), source })?;
    }
    report.changed.push(ChangedFile { difference: format::difference(&name, &before, &after), path: name });
    Ok(())
}

fn refused(path: &Path, why: &str) -> Diagnostic {
    Diagnostic::error(codes::E_PATH, format!("`{}` is left out: {why}", path.display()))
        .help("name folders of declarations, or such files in them")
}
