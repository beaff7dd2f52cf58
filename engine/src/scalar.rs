//! Texts of others as scalars of YAML, for whatever writes a declaration: plain where nobody can read them otherwise, else in double quotes.
//! A JSON string is a double-quoted scalar (YAML 1.2.2, 7.3.1), but for characters that are not printable and have no short escape.

use ambit_model::hidden::characters;

/// Words that a reader of YAML 1.1 or 1.2 takes for something else than a text.
const WORDS: [&str; 9] = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"];

/// The text as one scalar on one line, as a key or a value.
pub(crate) fn scalar(text: &str) -> String {
    if is_plain(text) { text.to_owned() } else { quoted(text) }
}

/// The text in double quotes.
pub(crate) fn quoted(text: &str) -> String {
    let json = serde_json::to_string(text).unwrap_or_default();
    let mut out = String::with_capacity(json.len());
    // What is not printable to YAML (1.2.2, 5.1) and what breaks a line somewhere is among what hides.
    for (character, hides) in characters(&json) {
        let code = u32::from(character);
        match code {
            _ if !hides => out.push(character),
            0..=0xffff => out.push_str(&format!("\\u{code:04x}")),
            _ => out.push_str(&format!("\\U{code:08x}")),
        }
    }
    out
}

/// Letters, digits and a few signs, after a letter or `_`: no number, no date and no indicator.
fn is_plain(text: &str) -> bool {
    let sign = |c: char| matches!(c, '_' | '-' | '.' | '/');
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || sign(c))
        && !WORDS.contains(&text.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(scalar(text), expected);
        reads_back(text);
    }

    #[track_caller]
    fn reads_back(text: &str) {
        let yaml = format!("{}: {} # proposed\n", scalar(text), scalar(text));
        let read: std::collections::BTreeMap<String, String> =
            serde_saphyr::with_deserializer_from_str(&yaml, |read| serde::Deserialize::deserialize(read)).unwrap();
        assert_eq!(read.into_iter().collect::<Vec<_>>(), [(text.to_owned(), text.to_owned())], "{yaml}");
    }

    #[test]
    fn what_could_be_misread_is_quoted() {
        check("orders.list", "orders.list");
        check("_a.b/c-d", "_a.b/c-d");
        check("7z", "\"7z\"");
        check("\u{7f}\tx", "\"\\u007f\\tx\"");
        check("No", "\"No\"");
        check("2026-11-30", "\"2026-11-30\"");
        check("a b", "\"a b\"");
        check("x # y: \"z\"\n- w", "\"x # y: \\\"z\\\"\\n- w\"");
        check("\u{202e}\u{85}\u{1f600}", "\"\\u202e\\u0085\u{1f600}\"");
        check("\u{e0041}", "\"\\U000e0041\"");
        check("\u{2028}\u{ffff}\u{61c}\u{3164}", "\"\\u2028\\uffff\\u061c\\u3164\"");
        check("❤\u{fe0f}", "\"❤\u{fe0f}\"");
        check("", "\"\"");
    }

    proptest! {
        #[test]
        fn whatever_is_quoted_reads_back(text in "\\PC{0,40}", any in prop::collection::vec(any::<char>(), 0..20)) {
            reads_back(&text);
            reads_back(&any.into_iter().collect::<String>());
        }
    }
}
