//! Finds a single text that is longer than any declaration needs: what a slip pasted in, or what was made to fill memory.
//! Only a document that is that large itself is looked through, so this costs nobody else anything.

use serde_saphyr::granit_parser::{Event, Parser};

use super::at::Span;

/// Longest text of a document, in bytes: a block of Cedar with a thousand policies.
pub(crate) const MAX_TEXT: usize = 256 * 1024;

/// Where the first text begins that is longer than [`MAX_TEXT`]; nothing behind a syntax error, which is reported as such.
pub(crate) fn too_long(text: &str) -> Option<Span> {
    if text.len() <= MAX_TEXT {
        return None;
    }
    let events = Parser::new_from_str(text).map_while(Result::ok);
    let long = events.filter(|(event, _)| matches!(event, Event::Scalar(value, ..) if value.len() > MAX_TEXT));
    let found = long.map(|(_, span)| {
        let start = span.start.byte_offset().unwrap_or(0);
        Span { start, end: start, line: span.start.line() }
    });
    found.into_iter().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<(usize, usize)>) {
        assert_eq!(too_long(text).map(|span| (span.line, span.start)), expected);
    }

    #[test]
    fn one_long_text_is_found_and_many_short_ones_are_not() {
        let long = "x".repeat(MAX_TEXT);
        check(&format!("a: {long}\n"), None);
        check(&format!("a: 1\nb: {long}y\n"), Some((2, 8)));
        check(&format!("a: 1\nb: |\n  {long}\n  y\n"), Some((3, 12)));
        check(&format!("a: b: c\nd: {long}y\n"), None);
        check(&"- some words\n".repeat(MAX_TEXT / 8), None);
        check(&format!("a: &a [{}]\nb: [*a, *a]\n", "x,".repeat(MAX_TEXT)), None);
    }
}
