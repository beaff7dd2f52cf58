//! Front matter: the YAML between two lines `---` at the very beginning of a document, as static site generators have it.
//! Only `title` is taken from it; what does not read as a mapping is text like any other.

use std::collections::BTreeMap;

use serde_json::Value;

/// The title that front matter names, and the byte at which the text after it begins.
pub(super) fn split(text: &str) -> (Option<String>, usize) {
    let none = (None, 0);
    let Some(rest) = text.strip_prefix("---\n") else { return none };
    let Some((inside, length)) = until_line(rest) else { return none };
    let Ok(keys) = serde_saphyr::from_str::<BTreeMap<String, Value>>(inside) else { return none };
    let title = match keys.get("title") {
        Some(Value::String(title)) => Some(title.clone()),
        Some(Value::Number(title)) => Some(title.to_string()),
        _ => None,
    };
    (title, text.len() - rest.len() + length)
}

/// What stands before the closing line, and the bytes up to its end.
fn until_line(text: &str) -> Option<(&str, usize)> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if matches!(line.trim_end(), "---" | "...") {
            return Some((text.get(..at)?, at + line.len()));
        }
        at += line.len();
    }
    None
}
