//! Reads the raw text around an error: which word stands there, where a key stood first, which tab broke the indentation.
//! The YAML parser tells where it gave up; people look for what they wrote.

use std::fmt;

use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;
use serde_saphyr::granit_parser::ErrorKind;
use serde_saphyr::localizer::ExternalMessageSource;

use super::at::{Page, Span};
use super::documents::Chunk;

/// A syntax error, in the parser's words except where tabs are the cause.
pub(crate) fn diagnose(
    source: &ExternalMessageSource,
    message: &str,
    span: Span,
    chunk: &Chunk<'_>,
    page: Page<'_>,
) -> Diagnostic {
    if is_tab(source)
        && let Some(tab) = tab_near(chunk.text, span)
    {
        return Diagnostic::error(codes::E_YAML, "a tab indents this line")
            .at(page.place(tab))
            .help("indent with spaces");
    }
    if is_too_deep(source) {
        return super::problem::too_deep().at(page.place(Span { end: span.start, ..span }));
    }
    if chunk.text.get(span.start..).is_some_and(|rest| rest.starts_with('*')) {
        return alias().at(page.place(word_at(chunk.text, span)));
    }
    Diagnostic::error(codes::E_YAML, format!("not valid YAML: {}", lower_first(message)))
        .at(page.place(word_at(chunk.text, span)))
}

/// Aliases are refused, and a glob that opens with `*` looks like one.
pub(crate) fn alias() -> Diagnostic {
    Diagnostic::error(codes::E_YAML, "aliases are not allowed here")
        .help("write the value out; quote it where it begins with `*`")
}

/// What was found in place of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found<'a> {
    Nothing,
    List,
    Mapping,
    Word(&'a str),
}

impl fmt::Display for Found<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("nothing"),
            Self::List => f.write_str("a list"),
            Self::Mapping => f.write_str("a mapping"),
            Self::Word(word) => write!(f, "`{word}`"),
        }
    }
}

/// What stands at the span: an empty one is the start of a block list or mapping, or a value that was left out.
pub(crate) fn found(text: &str, span: Span) -> Found<'_> {
    let word = text.get(span.start..span.end).unwrap_or("");
    let rest = text.get(span.start..).unwrap_or("");
    match word.lines().next().unwrap_or("") {
        "[" => Found::List,
        "{" => Found::Mapping,
        "" if rest.starts_with("- ") || rest.starts_with("-\n") => Found::List,
        "" if rest.is_empty() || rest.starts_with([':', ',', ']', '}', '\n', '\r', '#', ' ']) => Found::Nothing,
        "" => Found::Mapping,
        word => Found::Word(word),
    }
}

/// The first word of the document that is no comment.
pub(crate) fn first_word(text: &str) -> Span {
    let mut start = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let indent = line.len() - line.trim_start().len();
        let said = line.trim();
        if !said.is_empty() && !said.starts_with('#') {
            return Span { start: start + indent, end: start + indent + said.len(), line: number + 1 };
        }
        start += line.len();
    }
    Span { start: 0, end: 0, line: 1 }
}

/// The span, grown to the end of the word where it is empty.
pub(crate) fn word_at(text: &str, span: Span) -> Span {
    let rest = text.get(span.start..).unwrap_or("");
    let length = rest.find([' ', '\n', '\r', ',', ']', '}']).unwrap_or(rest.len());
    Span { end: span.end.max(span.start + length), ..span }
}

/// The word that ends where the span starts: the key whose value is missing.
pub(crate) fn word_before(text: &str, span: Span) -> Span {
    let before = text.get(..span.start).unwrap_or("").trim_end_matches([' ', ':']);
    let start = before.rfind([' ', '\n', ',', '{', '[']).map_or(0, |at| at + 1);
    if start == before.len() { span } else { Span { start, end: before.len(), line: span.line } }
}

/// Where the key `name` stood before `second`: the nearest line above of the same indentation in the same mapping, or, in a flow
/// mapping, the nearest one on its line.
pub(crate) fn first_of_key(text: &str, name: &str, second: Span) -> Option<Span> {
    let before = text.get(..second.start)?;
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let lead = before.get(line_start..)?;
    if let Some(brace) = lead.rfind('{') {
        let within = lead.get(brace + 1..)?;
        let at = within.find(&format!("{name}:"))?;
        let start = line_start + brace + 1 + at;
        return Some(Span { start, end: start + name.len(), line: second.line });
    }
    let column = lead.chars().count();
    let mut end = line_start;
    for (above, line) in before.get(..line_start)?.split_inclusive('\n').rev().enumerate() {
        let start = end - line.len();
        end = start;
        // An entry's first key may stand after its dash: `- id: x`.
        let indent = line.chars().take_while(|c| matches!(c, ' ' | '-')).count();
        let key = line.get(indent..).unwrap_or("");
        if indent == column && is_key(key, name) {
            let quote = usize::from(key.starts_with(['"', '\'']));
            return Some(Span {
                start: start + indent,
                end: start + indent + name.len() + 2 * quote,
                line: second.line - above - 1,
            });
        }
        let is_remark = line.trim().is_empty() || line.trim_start().starts_with('#');
        if indent < column && !is_remark {
            return None;
        }
    }
    None
}

fn is_key(line: &str, name: &str) -> bool {
    let line = line.trim_start_matches(['"', '\'']);
    line.strip_prefix(name).is_some_and(|rest| rest.trim_start_matches(['"', '\'']).trim_start().starts_with(':'))
}

/// The parser's own limit, which it meets before the budget is looked at where keys nest.
fn is_too_deep(source: &ExternalMessageSource) -> bool {
    matches!(source, ExternalMessageSource::Parser(error) if matches!(error.kind(), ErrorKind::RecursionLimitExceeded))
}

fn is_tab(source: &ExternalMessageSource) -> bool {
    let ExternalMessageSource::Parser(error) = source else {
        return false;
    };
    matches!(
        error.kind(),
        ErrorKind::TabNotAllowed
            | ErrorKind::TabInBlockIndentation
            | ErrorKind::TabAtBlockScalarStart
            | ErrorKind::TabInIndentation
            | ErrorKind::TabInPlainScalar
    )
}

/// The first tab at or after the line where the parser gave up, in the white space that opens its line if one is there.
fn tab_near(text: &str, span: Span) -> Option<Span> {
    let mut start = 0;
    let mut inside = None;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        if number + 1 >= span.line
            && let Some(at) = line.find('\t')
        {
            let tab = Span { start: start + at, end: start + at + 1, line: number + 1 };
            if line.get(..at).is_some_and(|lead| lead.trim().is_empty()) {
                return Some(tab);
            }
            inside = inside.or(Some(tab));
        }
        start += line.len();
    }
    inside
}

fn lower_first(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_lowercase().chain(characters).collect())
}
