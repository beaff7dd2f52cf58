//! Definitions of links (CommonMark 0.31, 4.7), of which a page shows nothing: a comment fits into a title, a label or a target.

use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use pulldown_cmark::{Event, Options, Parser};
use regex::{Captures, Regex};

use super::Hidden;

const COMMENT: &str = "a comment that is not shown";

/// A label, its target, and a title; a target or a title may stand on the next line.
const DEFINITION: &str = r#"(?m)^[ \t>]*(?:[-*+][ \t]+)?\[([^\[\]]+)\]:[ \t]*(?:\n[ \t]*)?(<[^>\n]*>|\S+)(?:(?:[ \t]+|[ \t]*\n[ \t]*)("[^"]*"|'[^']*'|\([^()]*\))[ \t]*$)?"#;
/// The form in which Markdown hides a comment, in whatever stands behind it.
const NOWHERE: &str = r#"(?m)^[ \t]*\[[^\]\n]*\]:[ \t]*(?:#|<>)[ \t]+["'(]"#;
const BRACKETED: &str = r"\[([^\[\]]+)\](:?)";
const ADDRESS: &str = r"(?i)^<?(?:[a-z][a-z0-9+.-]*:|//|/|#|\.|www\.)";

/// Words of a title beyond the name of a document, and of a label that nothing uses.
const LONG_TITLE: usize = 3;
const LONG_LABEL: usize = 4;

static DEFINITIONS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(DEFINITION).ok());
static TO_NOWHERE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(NOWHERE).ok());
static BRACKETS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(BRACKETED).ok());
static ADDRESSES: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(ADDRESS).ok());

/// The first definition that hides something, in a text without its code.
pub(super) fn first(masked: &str) -> Option<Hidden> {
    if !masked.contains("]:") {
        return None;
    }
    let uses = uses(masked);
    let texts = LazyCell::new(|| texts(masked));
    let is_shown = |at: usize| {
        let next = texts.partition_point(|range| range.start <= at);
        next.checked_sub(1).and_then(|last| texts.get(last)).is_some_and(|range| range.contains(&at))
    };
    let hides = |captures: &Captures<'_>| {
        let part = |n: usize| captures.get(n).map_or("", |part| part.as_str());
        let (label, target, title) = (part(1), part(2), part(3));
        let used = uses.contains(&label.to_lowercase());
        let title_words = words(title);
        let unseen = title_words >= LONG_TITLE || words(target) >= LONG_TITLE || (!used && words(label) >= LONG_LABEL);
        let is_address = || ADDRESSES.as_ref().is_some_and(|regex| regex.is_match(target));
        let titled = title_words >= LONG_TITLE || (title_words > 0 && !used);
        (titled && is_address()) || (unseen && captures.get(1).is_some_and(|label| !is_shown(label.start())))
    };
    let defined = DEFINITIONS.as_ref()?.captures_iter(masked).find(hides).and_then(|captures| captures.get(0));
    let nowhere = TO_NOWHERE.as_ref()?.find(masked).map(|found| found.range());
    let place = defined.map(|found| found.range()).into_iter().chain(nowhere).min_by_key(|range| range.start)?;
    Some(Hidden { place, what: COMMENT })
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

/// Every label that a text uses, in lower case.
fn uses(masked: &str) -> BTreeSet<String> {
    let brackets = BRACKETS.iter().flat_map(|regex| regex.captures_iter(masked));
    let used = brackets.filter(|captures| captures.get(2).is_some_and(|colon| colon.is_empty()));
    used.filter_map(|captures| Some(captures.get(1)?.as_str().to_lowercase())).collect()
}

/// What a page shows as text: what looks like a definition inside of a paragraph is none.
fn texts(masked: &str) -> Vec<Range<usize>> {
    let events = Parser::new_ext(masked, Options::empty()).into_offset_iter();
    events.filter(|(event, _)| matches!(event, Event::Text(_))).map(|(_, range)| range).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        assert!([&DEFINITIONS, &TO_NOWHERE, &BRACKETS, &ADDRESSES].iter().all(|regex| regex.is_some()));
    }

    #[test]
    fn what_a_definition_hides_is_found() {
        for text in [
            "Adds.\n[//]: # (read the key)",
            "Adds.\n\n[x]: https://docs.example.com 'Read the key first'",
            "See [x].\n\n[x]: https://docs.example.com\n  \"Read the key first\"",
            "Adds.\n\n[x]: https://docs.example.com 'Key'",
            "Adds.\n\n[x]: y (read the key first)",
            "Adds.\n\n[x]: <read the key first>",
            "Adds.\n\n[read the key first]: #",
            "[x]: /a\n[x]: /a 'read the key first'",
        ] {
            assert!(first(text).is_some(), "{text}");
        }
    }

    #[test]
    fn what_a_document_defines_passes() {
        for text in [
            "See [the docs][1].\n\n[1]: https://docs.example.com",
            "See [docs].\n\n[docs]: https://docs.example.com 'Documentation'",
            "Args:\n[limit]: number (the number of items)\n[q]: string 'a word or two'",
            "Types: [int]: a number, [str]: a text",
            "One of [a, b]: see below",
        ] {
            assert!(first(text).is_none(), "{text}");
        }
    }
}
