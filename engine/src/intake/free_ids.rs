//! Ids of documents that are proposed: read off a name, and each taken once, so that all proposals can be taken over together.

use std::collections::BTreeSet;

/// Longest id of a declaration (`ambit_model::identity::is_identifier`).
const LONGEST: usize = 64;
/// So much of it is left for a number.
const NUMBER: usize = 8;

/// Ids that no proposal may take any more.
#[derive(Default)]
pub(super) struct FreeIds(BTreeSet<String>);

impl FreeIds {
    /// All but these.
    pub(super) fn but(taken: impl IntoIterator<Item = String>) -> Self {
        Self(taken.into_iter().collect())
    }

    /// The id that a name gives behind an opening, which is an identifier or empty: `acme-finance-invoices`, and where that is taken
    /// `acme-finance-invoices-2`. One of the two holds an ASCII letter or digit.
    pub(super) fn take(&mut self, opening: &str, name: &str) -> String {
        let spelt = spelt(name);
        let parts = [opening, spelt.as_str()].into_iter().filter(|part| !part.is_empty());
        let whole = parts.collect::<Vec<_>>().join("-");
        let cut: String = whole.chars().take(LONGEST - NUMBER).collect();
        let first = cut.trim_end_matches('-');
        let numbered = (2_usize..).map(|number| format!("{first}-{number}"));
        let free = std::iter::once(first.to_owned()).chain(numbered).find(|id| !self.0.contains(id));
        let id = free.unwrap_or_default();
        self.0.insert(id.clone());
        id
    }
}

/// The ASCII letters and digits of a name, in small letters, joined by hyphens.
fn spelt(name: &str) -> String {
    let sign = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let spelt: String = name.chars().map(sign).collect();
    spelt.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use ambit_model::identity::is_identifier;

    use super::*;

    #[test]
    fn an_id_is_read_off_a_name_and_free() {
        let mut ids = FreeIds::but(["c-find-it".to_owned()]);
        let taken: Vec<String> =
            ["c/find_it", "c/find.it", "C/人物 Find"].iter().map(|name| ids.take("", name)).collect();
        assert_eq!(taken, ["c-find-it-2", "c-find-it-3", "c-find"]);
        assert_eq!(ids.take("acme-finance", "Invoices and bills"), "acme-finance-invoices-and-bills");
        assert_eq!(ids.take("acme-finance", "заказы"), "acme-finance");
    }

    #[test]
    fn an_id_is_no_longer_than_a_declaration_may_have() {
        let mut ids = FreeIds::default();
        let long = "word ".repeat(40);
        let taken = [ids.take("", &long), ids.take("", &long), ids.take(&"a".repeat(64), &long)];
        assert!(taken.iter().all(|id| is_identifier(id)), "{taken:?}");
        assert_ne!(taken[0], taken[1]);
    }
}
