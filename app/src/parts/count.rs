//! A number with its noun, in the singular where it is one.

/// `1 tool`, `2 tools`.
pub fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn one_is_singular_and_none_is_plural() {
        assert_eq!(count(1, "clash", "clashes"), "1 clash");
        assert_eq!(count(0, "clash", "clashes"), "0 clashes");
    }
}
