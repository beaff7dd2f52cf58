//! A file that cannot be read: why, what to do about it, and where in it the trouble begins.
//! The same reason is told of a declaration, at the file itself, and of a catalog's file, at the place that names it.

use std::string::FromUtf8Error;

use ambit_model::codes;
use ambit_model::diagnostic::{Diagnostic, Place};

/// Most characters of a line that a place carries.
const LONGEST_LINE: usize = 400;

/// Why a file was not read.
pub(crate) struct Unread {
    code: &'static str,
    why: String,
    help: &'static str,
    line: u32,
    column: u32,
    /// The line up to the trouble.
    text: String,
}

impl Unread {
    /// What is in the file is to blame, or who may read it.
    pub(super) fn content(why: impl Into<String>) -> Self {
        Self::new(codes::E_UNREADABLE, why, "save it as UTF-8 text that you may read, or remove it")
    }

    /// A document that is, or should be, searched.
    pub(super) fn document(why: impl Into<String>) -> Self {
        Self::new(
            codes::E_UNREADABLE,
            why,
            "save it as UTF-8 text with the ending `.md` that you may read, or remove it",
        )
    }

    /// The link that it is.
    pub(super) fn link(why: impl Into<String>) -> Self {
        Self::new(codes::E_UNREADABLE, why, "put the file itself in the place of the link, or remove it")
    }

    /// Its name, or where it lies.
    pub(super) fn name(why: impl Into<String>) -> Self {
        Self::new(codes::E_UNREADABLE, why, "rename it, or move it; only `.yaml`, `.yml` and `.cedar` are read")
    }

    /// The path that leads to it.
    pub(super) fn path(why: impl Into<String>) -> Self {
        let help = "`file` is relative to the YAML file that names it, and stays inside the workspace's root";
        Self::new(codes::E_PATH, why, help)
    }

    /// The first byte that is no UTF-8.
    pub(super) fn not_utf8(error: &FromUtf8Error) -> Self {
        let sound = error.as_bytes().get(..error.utf8_error().valid_up_to()).unwrap_or_default();
        let sound = String::from_utf8_lossy(sound);
        let last = sound.rsplit('\n').next().unwrap_or_default();
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let (line, column) = (number(sound.matches('\n').count() + 1), number(last.chars().count() + 1));
        let why = format!("it is not UTF-8 from line {line}, column {column} on");
        Self { line, column, text: last.chars().take(LONGEST_LINE).collect(), ..Self::content(why) }
    }

    fn new(code: &'static str, why: impl Into<String>, help: &'static str) -> Self {
        Self { code, why: why.into(), help, line: 1, column: 1, text: String::new() }
    }

    /// Of a file of declarations.
    pub(crate) fn of_file(self, file: String) -> Diagnostic {
        let place = Place { file, line: self.line, column: self.column, length: 1, text: self.text };
        // A path that nobody wrote is to blame for nothing.
        Diagnostic::error(codes::E_UNREADABLE, format!("the file cannot be read: {}", self.why))
            .at(place)
            .help(self.help)
    }

    /// Of a file that a Catalog names there.
    pub(super) fn of_catalog(self, path: &str, place: Place) -> Diagnostic {
        let message = format!("the catalog file `{path}` cannot be read: {}", self.why);
        Diagnostic::error(self.code, message).at(place).help(self.help)
    }
}
