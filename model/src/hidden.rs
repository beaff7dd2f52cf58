//! Characters that cannot be seen, or that change how others are seen: shown as their escapes wherever people read texts of others.

/// Control, zero-width and bidirectional characters (Unicode 16, Cc and the ranges named here).
pub fn hides(c: char) -> bool {
    let invisible =
        matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}');
    c.is_control() || invisible
}

/// The text with what hides as its escape; line breaks and tabs stay.
pub fn visible(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut out, c| {
        if hides(c) && !matches!(c, '\n' | '\t') {
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
        assert_eq!(visible("a\u{1b}[31m\nb\u{202e}\tc"), "a\\u{1b}[31m\nb\\u{202e}\tc");
    }
}
