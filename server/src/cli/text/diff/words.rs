//! How one value became another, on one line: both where they are short, else word by word as `[-gone-]{+new+}`.

use similar::{ChangeTag, TextDiff};

/// Longest value that is printed beside the other, in characters.
const LONGEST: usize = 60;
/// Characters of what stays the same that are kept before and after a change.
const AROUND: usize = 30;
/// Longest value that is compared word by word, in bytes; finding out takes the product of words and changes.
const COMPARABLE: usize = 20_000;

/// The change of a field; an absent value is `nothing`.
pub(super) fn change(from: Option<&str>, to: Option<&str>) -> String {
    match (from, to) {
        (Some(from), Some(to)) if is_long(from) || is_long(to) => {
            if from.len() > COMPARABLE || to.len() > COMPARABLE {
                cut(from, to)
            } else {
                by_words(from, to)
            }
        }
        _ => format!("{} -> {}", value(from), value(to)),
    }
}

fn is_long(value: &str) -> bool {
    value.chars().nth(LONGEST).is_some()
}

fn value(value: Option<&str>) -> String {
    value.map_or_else(|| "nothing".to_owned(), one_line)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn by_words(from: &str, to: &str) -> String {
    let diff = TextDiff::from_unicode_words(from, to);
    let mut text = String::new();
    let (mut same, mut gone, mut new) = (String::new(), String::new(), String::new());
    for change in diff.iter_all_changes() {
        match change.tag() {
            ChangeTag::Delete => gone.push_str(change.value()),
            ChangeTag::Insert => new.push_str(change.value()),
            // White space between two changed words belongs to the change.
            ChangeTag::Equal if change.value().trim().is_empty() && !(gone.is_empty() && new.is_empty()) => {
                gone.push_str(change.value());
                new.push_str(change.value());
            }
            ChangeTag::Equal => {
                close(&mut text, &mut same, &mut gone, &mut new);
                same.push_str(change.value());
            }
        }
    }
    close(&mut text, &mut same, &mut gone, &mut new);
    text.push_str(&start_of(&same));
    one_line(&text)
}

/// Writes what stays the same before a change, then the change.
fn close(text: &mut String, same: &mut String, gone: &mut String, new: &mut String) {
    if gone.is_empty() && new.is_empty() {
        return;
    }
    text.push_str(&if text.is_empty() { end_of(same) } else { both_ends_of(same) });
    let blank = if gone.ends_with(char::is_whitespace) && new.ends_with(char::is_whitespace) { " " } else { "" };
    let (before, after) =
        if blank.is_empty() { (gone.as_str(), new.as_str()) } else { (gone.trim_end(), new.trim_end()) };
    for (open, words, shut) in [("[-", before, "-]"), ("{+", after, "+}")] {
        if !words.is_empty() {
            text.push_str(&format!("{open}{words}{shut}"));
        }
    }
    text.push_str(blank);
    [same, gone, new].into_iter().for_each(String::clear);
}

fn start_of(same: &str) -> String {
    let kept: String = same.chars().take(AROUND).collect();
    if kept.len() == same.len() { kept } else { format!("{kept}…") }
}

fn end_of(same: &str) -> String {
    let skipped = same.chars().count().saturating_sub(AROUND);
    let kept: String = same.chars().skip(skipped).collect();
    if skipped == 0 { kept } else { format!("…{kept}") }
}

fn both_ends_of(same: &str) -> String {
    if same.chars().nth(2 * AROUND).is_none() {
        return same.to_owned();
    }
    let kept: String = same.chars().take(AROUND).collect();
    format!("{kept}{}", end_of(same))
}

/// Of very long values the part around the first difference, with their lengths.
fn cut(from: &str, to: &str) -> String {
    let same = from.chars().zip(to.chars()).take_while(|(a, b)| a == b).count();
    let skipped = same.saturating_sub(AROUND);
    let part = |text: &str| {
        let kept: String = text.chars().skip(skipped).take(LONGEST).collect();
        let start = if skipped > 0 { "…" } else { "" };
        format!("{start}{}… ({} characters)", one_line(&kept), text.chars().count())
    };
    format!("{} -> {}", part(from), part(to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_value_is_shown_where_it_differs() {
        let check = |from: &str, to: &str, expected: &str| assert_eq!(change(Some(from), Some(to)), expected);
        check("read", "write", "read -> write");
        check("a\n  b", "", "a b -> ");
        assert_eq!(change(None, Some("low")), "nothing -> low");
        let long =
            "Lists the invoices of a customer, newest first, with what is due and since when, and who was reminded.";
        check(
            long,
            &long.replace("newest first", "oldest of all"),
            "…s the invoices of a customer, [-newest first-]{+oldest of all+}, with what is due and since w…",
        );
        check(
            long,
            &long.replace("Lists", "Counts").replace("reminded", "called"),
            "[-Lists-]{+Counts+} the invoices of a customer, n…d since when, and who was [-reminded-]{+called+}.",
        );
        check(long, &format!("{long} Fast."), "… since when, and who was reminded.{+ Fast.+}");
    }

    #[test]
    fn a_very_long_value_is_not_compared_word_by_word() {
        let (from, to) = ("word ".repeat(5_000), format!("{}other", "word ".repeat(4_999)));
        let text = change(Some(&from), Some(&to));
        assert!(text.contains("(25000 characters) -> …") && text.contains("other… (25000 characters)"), "{text}");
    }
}
