//! A written value with the span it was written in, so that a later stage can underline it.
//! Spans count bytes of one document; a `Page` knows where that document lies in its file.

use std::borrow::Cow;
use std::cmp::Ordering;

use ambit_model::diagnostic::Place;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer};
use serde_saphyr::{Location, Spanned};

use crate::resolve::declarations::Located;
use crate::source::SourceFile;

/// Bytes `start..end` of a document, and the 1-based line of `start` in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    pub start: usize,
    pub end: usize,
    pub line: usize,
}

impl Span {
    /// The span of a location that serde-saphyr gives, in the document's `text`. Parse errors know only a line and a column.
    pub(crate) fn of(location: Location, text: &str) -> Self {
        let line = to_usize(location.line());
        let span = location.span();
        let start = span.byte_offset().map_or_else(|| offset_of(text, line, to_usize(location.column())), to_usize);
        Self { start, end: start.saturating_add(to_usize(span.byte_len().unwrap_or(0))), line }
    }
}

/// A value and where it was written. Compares by the value alone.
#[derive(Clone, Debug)]
pub struct At<T> {
    pub value: T,
    pub span: Span,
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for At<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<T>::deserialize(deserializer)?;
        // Text given as `&str` always has byte offsets, so no text is needed to find them.
        Ok(Self { span: Span::of(spanned.referenced, ""), value: spanned.value })
    }
}

/// For editors there is only the value.
impl<T: JsonSchema> JsonSchema for At<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

impl<T: PartialEq> PartialEq for At<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T: Eq> Eq for At<T> {}

impl<T: PartialOrd> PartialOrd for At<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.value.partial_cmp(&other.value)
    }
}

impl<T: Ord> Ord for At<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.value.cmp(&other.value)
    }
}

/// One document inside its file.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    pub file: &'a SourceFile,
    /// The byte of the file at which the document's text begins.
    pub start: usize,
    /// Lines of the file above the document's first.
    pub lines_above: usize,
}

impl Page<'_> {
    /// The place of a span of this document.
    pub fn place(&self, span: Span) -> Place {
        self.file.place_on_line(self.lines_above + span.line.max(1), self.start + span.start, self.start + span.end)
    }

    /// A written value with its place.
    pub fn located<T: Clone>(&self, written: &At<T>) -> Located<T> {
        Located { value: written.value.clone(), place: self.place(written.span) }
    }

    /// The source text of a span; empty where the span lies outside the file.
    pub fn text(&self, span: Span) -> &str {
        self.file.text.get(self.start + span.start..self.start + span.end).unwrap_or("")
    }
}

/// The byte of a 1-based line and column, the column in characters.
fn offset_of(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let inside: usize = text
        .get(before..)
        .unwrap_or("")
        .chars()
        .take_while(|c| *c != '\n')
        .take(column.saturating_sub(1))
        .map(char::len_utf8)
        .sum();
    before + inside
}

fn to_usize(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
