//! Values a question supplies: ids, addresses, dates, numbers, quoted texts and proper names.
//! They tell which inputs of a tool are already filled, and how often a call is to be made.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use super::speech::Part;
use super::vocabulary::Words;

/// What kind of value a stretch of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ValueKind {
    Id,
    Email,
    Url,
    Date,
    Number,
    Quoted,
    Name,
}

/// One value as it stands in the question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    pub kind: ValueKind,
    pub text: String,
}

static PATTERNS: LazyLock<Vec<(ValueKind, Regex)>> = LazyLock::new(|| {
    let table = [
        (
            ValueKind::Quoted,
            r#""([^"]{1,200})"|“([^”]{1,200})”|«([^»]{1,200})»|(?:^|[\s(])'([^']{2,200})'(?:$|[\s.,;:!?)])"#,
        ),
        (ValueKind::Email, r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
        (ValueKind::Url, r"https?://\S+"),
        (
            ValueKind::Id,
            r"\b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b|\b[A-Za-z]{1,8}[-_#]?\d{2,}[\w-]*\b|\b[A-Z]{1,8}[-_#]\d+[\w-]*\b|#\d+",
        ),
        (ValueKind::Number, r"\b\d+(?:[.,]\d+)*\b"),
    ];
    table.into_iter().filter_map(|(kind, pattern)| Regex::new(pattern).ok().map(|regex| (kind, regex))).collect()
});

/// The kinds in the order in which they take a stretch: dates, which each language writes in its way, come before numbers.
fn patterns(words: &Words) -> impl Iterator<Item = (ValueKind, &Regex)> {
    let is_number = |kind: ValueKind| kind == ValueKind::Number;
    let before = PATTERNS.iter().filter(move |(kind, _)| !is_number(*kind));
    let numbers = PATTERNS.iter().filter(move |(kind, _)| is_number(*kind));
    let dates = words.dates().map(|regex| (ValueKind::Date, regex));
    before.map(|(kind, regex)| (*kind, regex)).chain(dates).chain(numbers.map(|(kind, regex)| (*kind, regex)))
}

impl ValueKind {
    /// The word that stands for a value of this kind where questions are kept by type.
    fn mark(self) -> &'static str {
        match self {
            Self::Id => "<id>",
            Self::Email => "<email>",
            Self::Url => "<url>",
            Self::Date => "<date>",
            Self::Number => "<number>",
            Self::Quoted => "<quoted>",
            Self::Name => "<name>",
        }
    }
}

/// Every value of a text. A stretch counts once, as the first kind of the table that takes it.
pub(crate) fn values(text: &str, words: &Words) -> Vec<Value> {
    located(text, words).into_iter().map(|(_, value)| value).collect()
}

/// The text with every value but dates replaced by its type, for keeping: `show the orders for <name>`.
///
/// A capitalised word that opens a sentence counts as a name too, unless `words` knows it. Names in lower case are not seen.
pub(crate) fn typed(text: &str, words: &Words) -> String {
    let mut out = String::with_capacity(text.len());
    let mut end = 0;
    let mut found = located(text, words);
    for (range, word) in opening_words(text, words) {
        let free = found.iter().all(|(other, _)| range.end <= other.start || range.start >= other.end);
        if free && !words.knows(&word) {
            found.push((range, Value { kind: ValueKind::Name, text: word }));
        }
    }
    found.sort_by_key(|(range, _)| range.start);
    for (range, value) in found.into_iter().filter(|(_, v)| v.kind != ValueKind::Date) {
        out.push_str(text.get(end..range.start).unwrap_or(""));
        out.push_str(value.kind.mark());
        end = range.end;
    }
    out.push_str(text.get(end..).unwrap_or(""));
    out
}

fn located(text: &str, words: &Words) -> Vec<(std::ops::Range<usize>, Value)> {
    let mut taken: Vec<(std::ops::Range<usize>, Value)> = Vec::new();
    for (kind, pattern) in patterns(words) {
        for captures in pattern.captures_iter(text) {
            let Some(whole) = captures.get(0) else { continue };
            let inner = captures.iter().skip(1).flatten().next().unwrap_or(whole);
            let free = taken.iter().all(|(range, _)| inner.end() <= range.start || inner.start() >= range.end);
            if free {
                taken.push((inner.range(), Value { kind, text: inner.as_str().to_owned() }));
            }
        }
    }
    for (range, name) in proper_names(text, words) {
        if taken.iter().all(|(other, _)| range.end <= other.start || range.start >= other.end) {
            taken.push((range, Value { kind: ValueKind::Name, text: name }));
        }
    }
    taken.sort_by_key(|(range, _)| range.start);
    taken
}

/// Capitalised words that open a sentence.
fn opening_words(text: &str, words: &Words) -> Vec<(std::ops::Range<usize>, String)> {
    let capital = |range: &std::ops::Range<usize>| {
        text.get(range.clone()).and_then(|raw| raw.chars().next()).is_some_and(char::is_uppercase)
    };
    words.tokens(text).into_iter().filter(|(range, _)| capital(range) && opens(text, range.start)).collect()
}

/// Nothing but the end of another sentence stands before this place.
fn opens(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or("").trim_end();
    before.is_empty() || before.ends_with(['.', '!', '?', ':', '"', '“', '\n'])
}

/// Runs of capitalised words that do not begin a sentence; nouns that a language writes with a capital are none.
fn proper_names(text: &str, words: &Words) -> Vec<(std::ops::Range<usize>, String)> {
    let mut names: Vec<(std::ops::Range<usize>, String)> = Vec::new();
    for (range, word) in &words.tokens(text) {
        let raw = text.get(range.clone()).unwrap_or("");
        let capital = raw.chars().next().is_some_and(char::is_uppercase);
        // "I" and what is joined to it: "I'd".
        let first = word.split('\'').next().unwrap_or("");
        let no_name = words.is(first, Part::Capitals) || words.is_known_noun(word);
        if !capital || no_name || opens(text, range.start) {
            continue;
        }
        match names.last_mut() {
            Some((last, _)) if text.get(last.end..range.start).is_some_and(|gap| gap == " ") => last.end = range.end,
            _ => names.push((range.clone(), String::new())),
        }
    }
    names.into_iter().map(|(range, _)| (range.clone(), text.get(range).unwrap_or("").to_owned())).collect()
}

/// How often a call is meant: the distinct ids of one shape that stand in a list ("U-1, U-2 and U-3"), at least one.
pub(crate) fn repeat(values: &[Value]) -> usize {
    let shape = |text: &str| text.chars().take_while(|c| !c.is_ascii_digit()).collect::<String>();
    let ids: BTreeSet<(String, &str)> =
        values.iter().filter(|v| v.kind == ValueKind::Id).map(|v| (shape(&v.text), v.text.as_str())).collect();
    let count_of = |wanted: &str| ids.iter().filter(|(shape, _)| shape == wanted).count();
    ids.iter().map(|(shape, _)| count_of(shape)).max().unwrap_or(1).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::vocabulary::tests::{built_in, english};

    fn check(text: &str, expected: &[(ValueKind, &str)]) {
        let found = values(text, &english());
        let found: Vec<(ValueKind, &str)> = found.iter().map(|v| (v.kind, v.text.as_str())).collect();
        assert_eq!(found, expected, "for {text}");
    }

    #[test]
    fn values_are_typed_once() {
        check("Show the orders for Northwind Supplies", &[(ValueKind::Name, "Northwind Supplies")]);
        check("reset the password for U-1234", &[(ValueKind::Id, "U-1234")]);
        check(
            "Email ada@example.com on 2026-03-01",
            &[(ValueKind::Email, "ada@example.com"), (ValueKind::Date, "2026-03-01")],
        );
        check("Pull last quarter's revenue", &[(ValueKind::Date, "last quarter")]);
        check("Find “late fee” in 3 files", &[(ValueKind::Quoted, "late fee"), (ValueKind::Number, "3")]);
        check("I need Invoice INV-2041", &[(ValueKind::Id, "INV-2041")]);
    }

    #[test]
    fn a_question_is_kept_by_types() {
        let kept = |text: &str| typed(text, &english());
        let sent = "Send INV-2041 to Ada Byron at ada@example.com by March";
        assert_eq!(kept(sent), "Send <id> to <name> at <email> by March");
        assert_eq!(kept("find \"late fee\" in 3 files"), "find \"<quoted>\" in <number> files");
        assert_eq!(kept("list invoices"), "list invoices");
        assert_eq!(kept("Northwind owes us money. What does Ada owe?"), "<name> owes us money. What does <name> owe?");
    }

    #[test]
    fn a_list_of_ids_repeats_the_call() {
        assert_eq!(repeat(&values("reset U-1, U-2 and U-3", &english())), 3);
        assert_eq!(repeat(&values("reset U-12 for INV-77", &english())), 1);
        assert_eq!(repeat(&values("reset everything", &english())), 1);
    }

    #[test]
    fn dates_and_names_are_told_in_other_languages() {
        let found = |language: &str, text: &str| -> Vec<(ValueKind, String)> {
            values(text, &built_in(language)).into_iter().map(|v| (v.kind, v.text)).collect()
        };
        assert_eq!(
            found("it", "mostra i ricavi del trimestre scorso"),
            [(ValueKind::Date, "trimestre scorso".to_owned())]
        );
        assert_eq!(
            found("de", "zeig den Umsatz vom letzten Quartal"),
            [(ValueKind::Date, "letzten Quartal".to_owned())]
        );
        assert_eq!(found("de", "zeig die Rechnungen von Contoso"), [(ValueKind::Name, "Contoso".to_owned())]);
    }
}
