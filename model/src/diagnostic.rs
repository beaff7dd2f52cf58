//! What a user wrote wrong, as data: code, severity, message, place and help.
//! A `Diagnostic` is never an error type; stages return a value and a list of these.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// How much a diagnostic weighs. Errors refuse an apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Error,
    Warning,
    Note,
}

impl Severity {
    /// The word people read.
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// Where something stands in a file, with the line itself so that it can be shown without the file.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// Path relative to the workspace folder's root, with `/`.
    pub file: String,
    /// 1-based line.
    pub line: u32,
    /// 1-based column, in characters.
    pub column: u32,
    /// Characters underlined, at least one.
    pub length: u32,
    /// The line, without its line break, at most 400 characters.
    pub text: String,
}

/// A second place that explains the first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Related {
    pub message: String,
    pub place: Place,
}

/// One problem a user can mend.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Diagnostic {
    pub severity: Severity,
    /// From the table of codes, `E_…`, `W_…` or `N_…`.
    pub code: Cow<'static, str>,
    /// A lower-case phrase with the user's own words in backticks.
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub place: Option<Place>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub related: Vec<Related>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error without a place yet.
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, message)
    }

    /// A warning without a place yet.
    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, message)
    }

    /// A note without a place yet: worth knowing, and nothing to mend.
    pub fn note(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Severity::Note, code, message)
    }

    fn new(severity: Severity, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            severity,
            code: Cow::Borrowed(code),
            message: message.into(),
            place: None,
            related: Vec::new(),
            help: None,
        }
    }

    /// The same, at this place.
    #[must_use]
    pub fn at(mut self, place: impl Into<Option<Place>>) -> Self {
        self.place = place.into();
        self
    }

    /// The same, saying how to mend it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same, pointing at a second place.
    #[must_use]
    pub fn related(mut self, message: impl Into<String>, place: Option<Place>) -> Self {
        if let Some(place) = place {
            self.related.push(Related { message: message.into(), place });
        }
        self
    }

    /// Refuses the apply.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
