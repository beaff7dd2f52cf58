//! Texts as lines of a list in YAML.

use crate::scalar::quoted;

/// A key whose value is a list of texts, one a line, indented from its column.
pub fn list(key: &str, values: &[String]) -> Vec<String> {
    let items = values.iter().map(|value| format!("  - {}", quoted(value)));
    std::iter::once(format!("{key}:")).chain(items).collect()
}

/// Texts as items of a list that is written already.
pub fn items(values: &[String]) -> Vec<String> {
    values.iter().map(|value| format!("- {}", quoted(value))).collect()
}
