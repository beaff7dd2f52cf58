//! Turns what serde-saphyr says of a document into a diagnostic: a code, the user's own words, and the span to underline.
//! Errors are told apart by their variant; only the text of syntax errors is taken over as it is.

use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;
use serde_saphyr::Error;
use serde_saphyr::budget::BudgetBreach;

use super::at::{Page, Span};
use super::body::Kind;
use super::documents::Chunk;
use super::long::MAX_TEXT;
use super::read::{MAX_DEPTH, MAX_NODES, Opening, Stage, Watch, is_no_mapping};
use super::syntax;
use crate::nearest::did_you_mean;

/// The one problem that ended the reading of `chunk`.
pub(crate) fn diagnose(error: &Error, watch: &Watch, chunk: &Chunk<'_>, page: Page<'_>) -> Diagnostic {
    let span = error.location().map_or_else(Span::default, |location| Span::of(location, chunk.text));
    if let Some(opening) = &watch.opening {
        return bad_opening(opening, chunk, page);
    }
    if is_no_mapping(watch, error) {
        return bad_opening(&Opening::NoMapping, chunk, page);
    }
    shape(error.without_snippet(), watch, span, chunk, page)
}

fn bad_opening(opening: &Opening, chunk: &Chunk<'_>, page: Page<'_>) -> Diagnostic {
    match opening {
        Opening::NoMapping => Diagnostic::error(codes::E_KIND, "a document is a mapping that opens with `kind`")
            .at(page.place(syntax::first_word(chunk.text)))
            .help(first_kind()),
        Opening::OtherKey(key) => {
            Diagnostic::error(codes::E_KIND, format!("the document opens with `{}`, not with `kind`", key.value))
                .at(page.place(key.span))
                .help(first_kind())
        }
        // A plain value goes on over lines that are indented more: `kind: Tenant` and below it ` id: acme`.
        Opening::UnknownKind(word) if page.text(word.span).contains('\n') => {
            yaml("the lines below `kind` are indented more than `kind` itself")
                .at(page.place(word.span))
                .help("put every key of the document in the column of `kind`")
        }
        Opening::UnknownKind(word) => {
            let help =
                did_you_mean(&word.value, kinds()).unwrap_or_else(|| format!("the kinds are {}", listed(kinds())));
            Diagnostic::error(codes::E_KIND, format!("no kind is named `{}`", word.value))
                .at(page.place(word.span))
                .help(help)
        }
    }
}

fn first_kind() -> String {
    format!("put `kind:` first; the kinds are {}", listed(kinds()))
}

fn kinds() -> impl Iterator<Item = &'static str> + Clone {
    Kind::ALL.iter().map(|kind| kind.word())
}

fn shape(error: &Error, watch: &Watch, span: Span, chunk: &Chunk<'_>, page: Page<'_>) -> Diagnostic {
    match error {
        Error::SerdeUnknownField { field, expected, .. } => unknown_key(field, expected, watch, span, page),
        Error::DuplicateMappingKey { key, .. } => duplicate_key(key.as_deref(), span, chunk, page),
        Error::SerdeMissingField { field, .. } => missing_key(field, watch, span, page),
        Error::Budget { breach, .. } => budget(breach).at(page.place(span)),
        Error::UnknownAnchor { .. } => syntax::alias().at(page.place(syntax::word_at(chunk.text, span))),
        Error::MergeKeyNotAllowed { .. } => {
            yaml("merge keys are not allowed").at(page.place(span)).help("write the keys out")
        }
        Error::MultipleDocuments { .. } => yaml("another document begins here")
            .at(page.place(syntax::word_at(chunk.text, span)))
            .help("part documents with a line `---`"),
        Error::UnsupportedTag { tag, .. } => {
            yaml(format!("the tag `{tag}` is not allowed")).at(page.place(span)).help("write the value without a tag")
        }
        Error::TaggedScalarCannotDeserializeIntoString { .. } => {
            yaml("this value's tag is not allowed").at(page.place(span)).help("write the value without a tag")
        }
        Error::ExternalMessage { source, msg, .. } => syntax::diagnose(source, msg, span, chunk, page),
        Error::Eof { .. } => yaml("the document ends too early").at(page.place(span)),
        other => value(other, watch, span, chunk, page),
    }
}

fn unknown_key(field: &str, expected: &[&'static str], watch: &Watch, span: Span, page: Page<'_>) -> Diagnostic {
    let (owner, span) = match (&watch.key, watch.stage) {
        (Some(key), Stage::Value) => (Some(key.value.as_str()), span),
        (Some(key), _) => (watch.kind.map(|(kind, _)| kind.word()), key.span),
        (None, _) => (watch.kind.map(|(kind, _)| kind.word()), span),
    };
    let owner = owner.map_or_else(String::new, |owner| format!(" in `{owner}`"));
    let keys = expected.iter().copied();
    let help = did_you_mean(field, keys.clone()).unwrap_or_else(|| format!("the keys are {}", listed(keys)));
    Diagnostic::error(codes::E_UNKNOWN_KEY, format!("unknown key `{field}`{owner}")).at(page.place(span)).help(help)
}

fn duplicate_key(key: Option<&str>, span: Span, chunk: &Chunk<'_>, page: Page<'_>) -> Diagnostic {
    let name = key.unwrap_or_else(|| page.text(span));
    let first = syntax::first_of_key(chunk.text, name, span).map(|span| page.place(span));
    Diagnostic::error(codes::E_DUPLICATE_KEY, format!("the key `{name}` stands twice"))
        .at(page.place(span))
        .related("it stands here first", first)
        .help("keep one of the two")
}

fn missing_key(field: &str, watch: &Watch, span: Span, page: Page<'_>) -> Diagnostic {
    let (owner, span) = match (watch.stage, watch.kind, &watch.key) {
        (Stage::Value, _, Some(key)) => (format!(" in `{}`", key.value), span),
        (_, Some((kind, kind_span)), _) => (format!(" in `{}`", kind.word()), kind_span),
        _ => (String::new(), span),
    };
    Diagnostic::error(codes::E_MISSING_KEY, format!("missing key `{field}`{owner}"))
        .at(page.place(span))
        .help(format!("add `{field}: …`"))
}

fn budget(breach: &BudgetBreach) -> Diagnostic {
    match breach {
        BudgetBreach::Aliases { .. } | BudgetBreach::AliasAnchorRatio { .. } => syntax::alias(),
        BudgetBreach::Depth { .. } => too_deep(),
        BudgetBreach::Nodes { .. } | BudgetBreach::Events { .. } => {
            yaml(format!("the document holds more than {MAX_NODES} keys and values"))
                .help("split it into several documents")
        }
        _ => yaml("the document is larger than a declaration may be").help("split it into several documents"),
    }
}

/// Nesting that no declaration needs.
pub(crate) fn too_deep() -> Diagnostic {
    yaml(format!("the document is nested deeper than {MAX_DEPTH} levels")).help("no declaration needs more than eight")
}

/// A text that no declaration needs. The line is shown as far as a place goes.
pub(crate) fn too_long(span: Span, page: Page<'_>) -> Diagnostic {
    yaml(format!("a text is longer than {} KiB", MAX_TEXT / 1024))
        .at(page.place(span))
        .help("shorten it, or split it: a `.cedar` file may be longer, and holds any number of policies")
}

fn yaml(message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(codes::E_YAML, message)
}

/// A value of the wrong form. Where nothing was written, the key is underlined.
fn value(error: &Error, watch: &Watch, span: Span, chunk: &Chunk<'_>, page: Page<'_>) -> Diagnostic {
    let found = syntax::found(chunk.text, span);
    let place = match found {
        syntax::Found::Nothing => syntax::word_before(chunk.text, span),
        syntax::Found::List | syntax::Found::Mapping | syntax::Found::Word(_) => span,
    };
    let (wanted, help) = wanted(error);
    let message = match (&watch.key, watch.stage) {
        (Some(key), Stage::Value) => format!("expected {wanted} in `{}`, found {found}", key.value),
        _ => format!("expected {wanted}, found {found}"),
    };
    let diagnostic = Diagnostic::error(codes::E_VALUE, message).at(page.place(place));
    match help {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}

/// What the place wants, and how to write it.
fn wanted(error: &Error) -> (String, Option<&'static str>) {
    const LIST: &str = "write `[one, two]`, or one `- …` a line";
    const MAPPING: &str = "write keys and values, `key: value`";
    match error {
        Error::Unexpected { expected: "sequence start", .. } => ("a list".into(), Some(LIST)),
        Error::Unexpected { expected: "mapping start", .. } => ("a mapping".into(), Some(MAPPING)),
        Error::Unexpected { expected: "string scalar", .. } => {
            ("a single value".into(), Some("write one word or text, in quotes where it holds `: ` or `#`"))
        }
        Error::NullIntoString { .. } => {
            ("a text".into(), Some("write a value after the colon, or leave the key out where it is optional"))
        }
        Error::InvalidBooleanStrict { .. } => ("a boolean".into(), Some("write `true` or `false`")),
        Error::InvalidScalar { ty, .. } if ty.starts_with(['u', 'i']) => {
            ("a whole number".into(), Some("write digits alone, without quotes"))
        }
        Error::Unexpected { expected, .. } | Error::InvalidScalar { ty: expected, .. } => {
            ((*expected).to_owned(), None)
        }
        Error::SerdeInvalidType { expected, .. }
        | Error::SerdeInvalidValue { expected, .. }
        | Error::SerdeInvalidLength { expected, .. } => (expected.clone(), None),
        _ => ("another form".into(), None),
    }
}

/// `` `a`, `b` and `c` ``.
pub(crate) fn listed<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let words: Vec<String> = words.into_iter().map(|word| format!("`{word}`")).collect();
    match words.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => "none".to_owned(),
    }
}
