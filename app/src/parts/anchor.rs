//! Ids of rows, so that every row can be linked to. What they are made of is untrusted, so only letters and digits stay.

/// An id of letters, digits and dashes.
pub fn anchor(kind: &str, name: &str) -> String {
    let kept = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    format!("{kind}-{}", name.chars().map(kept).collect::<String>())
}

/// Ids for the rows of one list; a repeated one gets a number, so that each stands once on its page.
pub fn anchors<'a>(kind: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut given: Vec<String> = Vec::new();
    for name in names {
        let wanted = anchor(kind, name);
        let mut id = wanted.clone();
        let mut next = 2;
        while given.contains(&id) {
            id = format!("{wanted}-{next}");
            next += 1;
        }
        given.push(id);
    }
    given
}

#[cfg(test)]
mod tests {
    use super::{anchor, anchors};

    #[test]
    fn only_letters_and_digits_stay() {
        assert_eq!(anchor("tool", "mail/Send \"x\""), "tool-mail-send--x-");
    }

    #[test]
    fn a_repeated_id_gets_a_number() {
        assert_eq!(anchors("t", ["a.b", "a-b", "c"].into_iter()), ["t-a-b", "t-a-b-2", "t-c"]);
    }
}
