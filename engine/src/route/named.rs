//! Tools that a question calls by name. A full id, a quoted name, or a name that is no plain word wins at once;
//! a plain word only adds to the word signal, because it is as likely a word of the question.

use super::values::{Value, ValueKind};
use crate::index::ProjectIndex;

/// Positions of `route` tools that this text calls by name.
pub(super) fn named(text: &str, values: &[Value], index: &ProjectIndex, route: impl Fn(usize) -> bool) -> Vec<usize> {
    let lower = text.to_lowercase();
    let called = |at: usize| {
        index.tools.get(at).is_some_and(|tool| {
            let (id, name) = (tool.card.id.as_str().to_lowercase(), tool.card.id.name().to_lowercase());
            let quoted = values
                .iter()
                .any(|v| v.kind == ValueKind::Quoted && (v.text.to_lowercase() == name || v.text.to_lowercase() == id));
            quoted || stands_alone(&lower, &id) || (!is_plain_word(tool.card.id.name()) && stands_alone(&lower, &name))
        })
    };
    (0..index.tools.len()).filter(|at| route(*at) && called(*at)).collect()
}

/// A name that could be a word of prose: no `_ . /`, digit or inner capital.
fn is_plain_word(name: &str) -> bool {
    let inner_capital = name.chars().skip(1).any(char::is_uppercase);
    !inner_capital && !name.chars().any(|c| matches!(c, '_' | '.' | '/') || c.is_numeric())
}

/// `needle` stands in `text` with no letter, digit or joint beside it.
fn stands_alone(text: &str, needle: &str) -> bool {
    let joint = |c: char| c.is_alphanumeric() || matches!(c, '_' | '/' | '-');
    text.match_indices(needle).any(|(at, _)| {
        let before = text.get(..at).and_then(|t| t.chars().next_back());
        let after = text.get(at + needle.len()..).unwrap_or("");
        let dotted = after.strip_prefix('.').is_some_and(|rest| rest.chars().next().is_some_and(char::is_alphanumeric));
        !before.is_some_and(|c| joint(c) || c == '.') && !after.chars().next().is_some_and(joint) && !dotted
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_word_is_no_name() {
        for (name, plain) in
            [("search", true), ("orders.list", false), ("getUser", false), ("send_email", false), ("v2", false)]
        {
            assert_eq!(is_plain_word(name), plain, "for {name}");
        }
    }

    #[test]
    fn a_name_inside_another_is_not_called() {
        assert!(stands_alone("use send_email now", "send_email"));
        assert!(!stands_alone("use send_email_v2 now", "send_email"));
        assert!(!stands_alone("crm/orders.list", "orders.list"));
        assert!(stands_alone("call orders.list.", "orders.list"));
        assert!(!stands_alone("call orders.list.all", "orders.list"));
    }
}
