//! Names whose values identify something: `customer_id`, `order-number`. Facts are inferred from them, and routing chains by them.
//! They live here once, so that what a card shows as needed is what the router looks for.

use crate::text;

/// Last words of names whose values identify something.
const ID_WORDS: &[&str] =
    &["id", "ids", "uri", "uuid", "key", "token", "number", "no", "code", "sku", "ref", "reference", "guid"];

/// Those of them that name nothing but a row: a `country_code` is known to anybody, a `customer_id` is not.
const ROW_WORDS: &[&str] = &["id", "ids", "uuid", "guid"];

/// Last words of names whose values only a system hands out; a code or a number is often known to whoever asks.
const HANDED_OUT: &[&str] = &["id", "ids", "uri", "uuid", "guid", "key", "token"];

/// Those that mean another thing at each tool.
const BARE_WORDS: &[&str] = &["id", "ids", "uuid", "guid", "key", "number", "no", "code", "ref", "reference"];

/// The name's last word says that its values identify something.
pub(crate) fn is_identifier(name: &str) -> bool {
    ends_in(name, ID_WORDS)
}

/// The name says which thing a row is of, and that it is known by this: `customer_id`, and not `id` or `country_code`.
pub(crate) fn identifies_a_row(name: &str) -> bool {
    ends_in(name, ROW_WORDS) && identified(name).is_some()
}

/// Nobody knows its value who was not told it.
pub(crate) fn is_handed_out(name: &str) -> bool {
    ends_in(name, HANDED_OUT)
}

/// The name says that a row is identified, and not of what: `id`; a `token` is one thing wherever it stands.
pub(crate) fn is_bare(name: &str) -> bool {
    BARE_WORDS.contains(&text::name_as_prose(name).as_str())
}

/// The stem of the thing an identifier names: `customer` in `customer_id`; nothing in a bare `id`.
pub(crate) fn identified(name: &str) -> Option<String> {
    let prose = text::name_as_prose(name);
    let words: Vec<&str> = prose.split(' ').filter(|word| !ID_WORDS.contains(word)).collect();
    words.last().map(|word| text::stem(word))
}

fn ends_in(name: &str, words: &[&str]) -> bool {
    text::name_as_prose(name).split(' ').next_back().is_some_and(|word| words.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, identifier: bool, row: bool, thing: Option<&str>) {
        let found = (is_identifier(name), identifies_a_row(name), identified(name));
        assert_eq!(found, (identifier, row, thing.map(str::to_owned)), "for {name}");
    }

    #[test]
    fn the_last_word_of_a_name_tells() {
        check("customerId", true, true, Some("custom"));
        check("id", true, false, None);
        check("country_code", true, false, Some("countri"));
        check("idea", false, false, Some("idea"));
    }
}
