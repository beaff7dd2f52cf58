//! How one value became another, on one line: both where they are short, else its words as `[-gone-]{+new+}`.

use ambit_model::diff::{FieldChange, Piece, PieceKind};

/// Longest value that is printed beside the other, in characters.
const LONGEST: usize = 60;
/// Longest value that is printed alone.
const LONGEST_ALONE: usize = 400;
/// Characters of what stays the same that are kept before and after a change.
const AROUND: usize = 30;

/// The change of a field; a member that a list gained or lost stands alone.
pub(super) fn change(field: &FieldChange) -> String {
    match (field.from.as_deref(), field.to.as_deref()) {
        (Some(from), Some(to)) if !is_long(from) && !is_long(to) => format!("{} -> {}", one_line(from), one_line(to)),
        (Some(from), Some(to)) if field.pieces.is_empty() => cut(from, to),
        (Some(_), Some(_)) => by_words(&field.pieces),
        (from, to) => {
            let sign = if from.is_some() { '-' } else { '+' };
            format!("{sign} {}", start(&one_line(from.or(to).unwrap_or_default()), LONGEST_ALONE))
        }
    }
}

fn is_long(value: &str) -> bool {
    value.chars().nth(LONGEST).is_some()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn by_words(pieces: &[Piece]) -> String {
    let last = pieces.len().saturating_sub(1);
    let shown = pieces.iter().enumerate().map(|(at, Piece { kind, text })| match kind {
        PieceKind::Removed => format!("[-{text}-]"),
        PieceKind::Added => format!("{{+{text}+}}"),
        PieceKind::Same if at == 0 => end(text, AROUND),
        PieceKind::Same if at == last => start(text, AROUND),
        PieceKind::Same if text.chars().nth(2 * AROUND).is_none() => text.clone(),
        PieceKind::Same => format!("{}{}", text.chars().take(AROUND).collect::<String>(), end(text, AROUND)),
    });
    one_line(&shown.collect::<String>())
}

fn start(text: &str, length: usize) -> String {
    let kept: String = text.chars().take(length).collect();
    if kept.len() == text.len() { kept } else { format!("{kept}…") }
}

fn end(text: &str, length: usize) -> String {
    let skipped = text.chars().count().saturating_sub(length);
    let kept: String = text.chars().skip(skipped).collect();
    if skipped == 0 { kept } else { format!("…{kept}") }
}

/// Of long values the part around the first difference, with their lengths.
fn cut(from: &str, to: &str) -> String {
    let same = from.chars().zip(to.chars()).take_while(|(a, b)| a == b).count();
    let skipped = same.saturating_sub(AROUND);
    let part = |text: &str| {
        let rest: String = text.chars().skip(skipped).collect();
        let begins = if skipped > 0 { "…" } else { "" };
        format!("{begins}{} ({} characters)", one_line(&start(&rest, LONGEST)), text.chars().count())
    };
    format!("{} -> {}", part(from), part(to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_shown_where_it_differs() {
        let check = |from: Option<&str>, to: Option<&str>, pieces: &[(PieceKind, &str)], expected: &str| {
            let piece = |(kind, text): &(PieceKind, &str)| Piece { kind: *kind, text: (*text).to_owned() };
            let pieces = pieces.iter().map(piece).collect();
            let (from, to) = (from.map(str::to_owned), to.map(str::to_owned));
            assert_eq!(change(&FieldChange { field: "x".to_owned(), from, to, pieces }), expected);
        };
        check(Some("read"), Some("write"), &[], "read -> write");
        check(Some("a\n  b"), Some(""), &[], "a b -> ");
        check(None, Some("low"), &[], "+ low");
        check(Some("low"), None, &[], "- low");
        let long = "word ".repeat(30);
        let (same, other) = (PieceKind::Same, format!("{long}more"));
        let pieces = [
            (same, "Lists the invoices of a customer, "),
            (PieceKind::Removed, "newest first"),
            (PieceKind::Added, "oldest first"),
            (same, ", with what is due and since when, and who was reminded of it by "),
            (PieceKind::Added, "mail or "),
            (same, "letter, and when the next reminder leaves."),
        ];
        let shown = "…s the invoices of a customer, [-newest first-]{+oldest first+}, with what is due and since \
                     w…and who was reminded of it by {+mail or +}letter, and when the next remi…";
        check(Some(&long), Some(&other), &pieces, shown);
        let cut = cut(&long, &other);
        assert!(cut.contains("(150 characters) -> …"), "{cut}");
        assert!(cut.ends_with("more (154 characters)"), "{cut}");
    }
}
