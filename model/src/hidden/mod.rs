//! Characters that cannot be seen, or that change how others are seen: the one list of them, by which intake judges texts and names,
//! and everything that is shown or written escapes them.

mod company;

use std::ops::Range;

pub use company::{is_selector, may_hide};

/// A character that hides something where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// In bytes of the text.
    pub place: Range<usize>,
    pub character: char,
    pub what: &'static str,
}

/// Every character of a text that hides something, given what stands around it.
pub fn found(text: &str) -> Vec<Found> {
    if text.chars().any(may_hide) { company::all(text) } else { Vec::new() }
}

/// Each character with whether it hides: as `found`, line by line, because a page holds the texts of several authors.
pub fn characters(text: &str) -> Vec<(char, bool)> {
    let mut out = Vec::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let hidden = found(line);
        let mut hidden = hidden.iter().map(|found| found.place.start).peekable();
        out.extend(line.char_indices().map(|(at, c)| (c, hidden.next_if_eq(&at).is_some())));
    }
    out
}

/// One line, on which nothing hides.
pub fn is_plain_line(text: &str) -> bool {
    !text.chars().any(char::is_control) && found(text).is_empty()
}

/// The text with what hides as its escape; line breaks and tabs stay.
pub fn visible(text: &str) -> String {
    if !text.chars().any(|c| c == '\r' || may_hide(c)) {
        return text.to_owned();
    }
    characters(text).into_iter().fold(String::with_capacity(text.len()), |mut out, (c, hides)| {
        if hides || c == '\r' {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hides_is_shown() {
        assert_eq!(visible("a\u{1b}[31m\r\nb\u{202e}\tc"), "a\\u{1b}[31m\\u{d}\nb\\u{202e}\tc");
        assert_eq!(visible("a\u{61c}\u{3164}\u{fe01}"), "a\\u{61c}\\u{3164}\\u{fe01}");
        assert_eq!(visible("\u{e0069}\u{e0080}\u{2028}"), "\\u{e0069}\\u{e0080}\\u{2028}");
        assert_eq!(visible("שלום\na\u{200f}"), "שלום\na\\u{200f}");
    }

    #[test]
    fn what_is_written_with_them_stays() {
        for honest in ["❤\u{fe0f} 👩\u{200d}💻", "می\u{200c}خواهم", "שלום (abc)\u{200f}."] {
            assert_eq!(visible(honest), honest);
            assert!(is_plain_line(honest));
        }
        assert!(!is_plain_line("a\nb") && !is_plain_line("a\u{200b}b"));
    }
}
