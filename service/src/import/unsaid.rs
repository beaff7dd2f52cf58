//! The secrets that an import sends. Whoever is sent one can say it again, in a message or in a tool: what is repeated of a source is
//! masked, and a source that holds one is refused. A value is known as it is and in the escapes of JSON and YAML, in any case of its
//! ASCII letters, for hosts are written in small ones; what a server encodes otherwise is not seen.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ambit_engine::import::{Gathered, Input};
use ambit_model::diagnostic::Diagnostic;

use crate::Error;
use crate::secrets::Secret;

/// Characters of the shortest value that a source is refused for: a shorter one stands in half of all texts by chance.
const LEAST: usize = 8;
/// What stands in the place of a value.
const MASK: &str = "***";
/// Most characters of what a source says that are repeated.
const LONGEST_SAYING: usize = 200;
/// How often a text may have been escaped.
const MOST_ESCAPED: usize = 8;

/// The values, shared by all who learn or repeat something.
#[derive(Clone, Default)]
pub(super) struct Unsaid(Arc<Mutex<Vec<String>>>);

impl std::fmt::Debug for Unsaid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Unsaid")
    }
}

impl Unsaid {
    /// This secret will be sent.
    pub(super) fn keep(&self, secret: &Secret) {
        self.keep_value(secret.expose());
    }

    /// The same of what is a secret and never was a [`Secret`].
    pub(super) fn keep_value(&self, value: &str) {
        let mut values = self.values();
        if !value.is_empty() && !values.iter().any(|known| known == value) {
            values.push(value.to_owned());
            // One that holds another is masked whole.
            values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        }
    }

    /// The first line of what somebody else says, and not all of a long one.
    pub(super) fn shortened(&self, text: &str) -> String {
        // Masked before it is cut: half a secret is one too.
        self.masked(text).lines().next().unwrap_or_default().chars().take(LONGEST_SAYING).collect()
    }

    /// Whether a value that is no short one stands in the text.
    pub(super) fn stands_in(&self, text: &str) -> bool {
        let values = self.values();
        let values: Vec<&str> = values.iter().map(String::as_str).filter(|value| is_long(value)).collect();
        !values.is_empty() && stand_in(&values, text)
    }

    /// Whether one stands in what a source offers, or in what would be said of it.
    pub(super) fn stands_in_any(&self, inputs: &[Input], gathered: &Gathered) -> bool {
        let said = |problem: &Diagnostic| {
            let help = problem.help.as_deref().unwrap_or_default();
            let line = problem.place.as_ref().map_or("", |place| place.text.as_str());
            [problem.message.as_str(), help, line].into_iter().any(|text| self.stands_in(text))
        };
        inputs.iter().any(|input| self.stands_in(&input.file.text))
            || self.stands_in(&gathered.text)
            || gathered.diagnostics.iter().any(said)
    }

    /// A refusal, which may hold what a source said where nobody thought of it: the name of a host, say.
    pub(super) fn out_of(&self, error: Error) -> Error {
        match error {
            Error::Request(mut problem) if self.stands_in(&problem.message) => {
                problem.message = self.masked(&problem.message);
                Error::Request(problem)
            }
            error => error,
        }
    }

    fn masked(&self, text: &str) -> String {
        let values = self.values();
        let masked = values.iter().fold(text.to_owned(), |text, value| without(&text, value));
        let long: Vec<&str> = values.iter().map(String::as_str).filter(|value| is_long(value)).collect();
        // Escaped it can be written in many ways; then nothing of the text is repeated.
        if stand_in(&long, &masked) { MASK.to_owned() } else { masked }
    }

    fn values(&self) -> MutexGuard<'_, Vec<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_long(value: &str) -> bool {
    value.chars().count() >= LEAST
}

fn without(text: &str, value: &str) -> String {
    let (lower, value) = (text.to_ascii_lowercase(), value.to_ascii_lowercase());
    let (mut out, mut from) = (String::with_capacity(text.len()), 0);
    // Lower-case ASCII has the same bytes at the same places.
    for (at, found) in lower.match_indices(&value) {
        out.push_str(text.get(from..at).unwrap_or_default());
        out.push_str(MASK);
        from = at + found.len();
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}

fn stand_in(values: &[&str], text: &str) -> bool {
    let values: Vec<String> = values.iter().map(|value| value.to_ascii_lowercase()).collect();
    let mut form = text.to_owned();
    for _ in 0..=MOST_ESCAPED {
        let lower = form.to_ascii_lowercase();
        if values.iter().any(|value| lower.contains(value)) {
            return true;
        }
        if !form.contains('\\') {
            return false;
        }
        form = unescaped(&form);
    }
    false
}

/// A text with the escapes of JSON (RFC 8259, 7) and YAML (1.2.2, 5.7) taken out of it, wherever they stand.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        let (character, after) = escaped(after);
        out.extend(character);
        rest = after;
    }
    out.push_str(rest);
    out
}

/// The character that an escape means, and what comes after it.
fn escaped(text: &str) -> (Option<char>, &str) {
    let mut characters = text.chars();
    let Some(kind) = characters.next() else { return (None, text) };
    let after = characters.as_str();
    let digits = match kind {
        'x' => 2,
        'u' => 4,
        'U' => 8,
        'b' | 'f' | 'n' | 'r' | 't' => return (Some('\n'), after),
        other => return (Some(other), after),
    };
    let Some((code, after)) = hex(after, digits) else { return (Some(kind), after) };
    let low = after.strip_prefix("\\u").and_then(|after| hex(after, 4));
    match (char::from_u32(code), low) {
        (Some(character), _) => (Some(character), after),
        (None, Some((low, after))) if (0xd800..0xdc00).contains(&code) && (0xdc00..0xe000).contains(&low) => {
            (char::from_u32(0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00)), after)
        }
        (None, _) => (Some(char::REPLACEMENT_CHARACTER), after),
    }
}

fn hex(text: &str, digits: usize) -> Option<(u32, &str)> {
    let (number, after) = text.split_at_checked(digits)?;
    let plain = number.bytes().all(|byte| byte.is_ascii_hexdigit());
    plain.then(|| u32::from_str_radix(number, 16).ok()).flatten().map(|number| (number, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn knowing(values: &[&str]) -> Unsaid {
        let unsaid = Unsaid::default();
        values.iter().for_each(|value| unsaid.keep(&Secret::new((*value).to_owned())));
        unsaid
    }

    #[track_caller]
    fn check(values: &[&str], text: &str, shown: &str, refused: bool) {
        let unsaid = knowing(values);
        assert_eq!((unsaid.shortened(text).as_str(), unsaid.stands_in(text)), (shown, refused), "{text}");
    }

    #[test]
    fn a_value_is_masked_and_found_however_it_is_escaped() {
        let values = ["sk-12/4\"6é😀", ""];
        check(&values, "you sent Bearer sk-12/4\"6é😀!", "you sent Bearer ***!", true);
        check(&values, "SK-12/4\"6é😀", "***", true);
        check(&values, r#"a sk-12\/4\"6é😀"#, "***", true);
        check(&values, r"\u0073k-\u00312/4\u00226\u00e9\ud83d\ude00", "***", true);
        check(&values, r#"{\"a\":\"\\u0073k-12/4\\\"6\\u00e9\\ud83d\\ude00\"}"#, "***", true);
        check(&values, r"\x73k-12/4\x226\xe9\U0001F600", "***", true);
        check(&values, r"\u0073k-12 \", r"\u0073k-12 \", false);
        check(&values, "nothing", "nothing", false);
        check(&[], "nothing", "nothing", false);
    }

    #[test]
    fn a_short_value_is_masked_and_refuses_nothing() {
        check(&["abc"], "an abc of ABC", "an *** of ***", false);
        check(&["abcdefgh", "abc"], "abcdefgh abc", "*** ***", true);
    }

    #[test]
    fn what_is_cut_is_masked_before() {
        let secret = "s".repeat(50);
        let text = format!("{}{secret}\nmore", "x".repeat(180));
        check(&[&secret], &text, &format!("{}***", "x".repeat(180)), true);
    }
}
