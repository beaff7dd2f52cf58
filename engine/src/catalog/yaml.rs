//! Why a YAML text of a source cannot be read, and what to do about it. Errors are told apart by their variant; only the text of syntax
//! errors is the parser's.

use serde_saphyr::Error;
use serde_saphyr::budget::BudgetBreach;

const KINDS: &str = "import takes JSON or YAML";
/// Most characters of a key that are repeated.
const LONGEST_KEY: usize = 100;

/// What is wrong, after a colon; and the help.
pub(crate) fn unread(error: &Error) -> (String, &'static str) {
    let said = |why: &str, help| (why.to_owned(), help);
    match error.without_snippet() {
        Error::MultipleDocuments { .. } => said(
            "another document begins in it",
            "put each document into a file of its own; a folder of them is one source",
        ),
        Error::RecursiveReferencesRequireWeakTypes { .. } => {
            said("an alias stands inside what it repeats", "write out what the alias should say")
        }
        Error::UnknownAnchor { .. } => said(
            "an alias repeats what no anchor before it names",
            "write out what the alias should say; quote a text that begins with `*`",
        ),
        Error::DuplicateMappingKey { key: Some(key), .. } => {
            let key: String = key.chars().take(LONGEST_KEY).collect();
            (format!("the key `{key}` stands twice"), "keep one of the two")
        }
        Error::Budget { breach: BudgetBreach::Depth { .. }, .. } => {
            said("it nests too deep", "flatten what nests in it; 128 levels are the most")
        }
        Error::Budget { breach: BudgetBreach::Nodes { .. } | BudgetBreach::Events { .. }, .. } => {
            said("it holds too many keys and values", "import it in parts")
        }
        Error::Budget { .. }
        | Error::AliasReplayCounterOverflow { .. }
        | Error::AliasReplayLimitExceeded { .. }
        | Error::AliasExpansionLimitExceeded { .. }
        | Error::AliasReplayStackDepthExceeded { .. } => {
            said("its aliases repeat too much", "write out what they repeat, or import it in parts")
        }
        Error::NonFiniteFloat { .. } => said("a number in it is none that JSON can say", "quote it, or write another"),
        Error::Eof { .. } => said("it ends too early", KINDS),
        other => (other.to_string().lines().next().unwrap_or_default().to_owned(), KINDS),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(yaml: &str, expected: &str) {
        let error = serde_saphyr::from_str::<serde_json::Value>(yaml).unwrap_err();
        assert_eq!(unread(&error).0, expected, "{yaml}");
    }

    #[test]
    fn what_is_wrong_is_said_in_our_words() {
        check("a: 1\n---\nb: 1\n", "another document begins in it");
        check("a: &a [*a]\n", "an alias stands inside what it repeats");
        check("a: *b\n", "an alias repeats what no anchor before it names");
        check("a: 1\na: 2\n", "the key `a` stands twice");
        check("a: 1e999\n", "a number in it is none that JSON can say");
    }
}
