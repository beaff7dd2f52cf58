//! Values as one line of YAML: what is read back is the value, to the character.

use ambit_model::hidden::characters;

/// Words that YAML readers take for something else than text.
const RESERVED: &[&str] = &["true", "false", "null", "yes", "no", "on", "off", "y", "n"];

/// A text in double quotes. JSON's escapes are YAML's (YAML 1.2.2, 5.7); what hides is escaped too.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    for (c, hides) in characters(&serde_json::Value::from(text).to_string()) {
        if hides {
            let mut units = [0; 2];
            c.encode_utf16(&mut units).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
        } else {
            out.push(c);
        }
    }
    out
}

/// A key whose value is a list of texts, one a line, indented from its column.
pub fn list(key: &str, values: &[String]) -> Vec<String> {
    let items = values.iter().map(|value| format!("  - {}", quoted(value)));
    std::iter::once(format!("{key}:")).chain(items).collect()
}

/// Texts as items of a list that is written already.
pub fn items(values: &[String]) -> Vec<String> {
    values.iter().map(|value| format!("- {}", quoted(value))).collect()
}

/// A key as it can stand: plain where it can be nothing but a word, else in quotes.
pub(super) fn key(text: &str) -> String {
    let begins = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    let reserved = RESERVED.contains(&text.to_ascii_lowercase().as_str());
    if begins && text.chars().all(plain) && !reserved { text.to_owned() } else { quoted(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        for text in
            ["a", "a: b # c", "say \"hi\"", "tab\tand \u{202e} and \u{7f}", "ü 😀", "\u{2028}", "yes", "", "- x", "1.0"]
        {
            let yaml = format!("{}: {}", key(text), quoted(text));
            let read = crate::parse::values(&yaml).into_iter().next().flatten();
            assert_eq!(read, Some(serde_json::json!({ text: text })), "{yaml}");
        }
    }

    #[test]
    fn a_plain_name_stays_plain() {
        for (name, written) in
            [("list_orders", "list_orders"), ("a.b/c-d", "a.b/c-d"), ("No", "\"No\""), ("7z", "\"7z\"")]
        {
            assert_eq!(key(name), written);
        }
    }
}
