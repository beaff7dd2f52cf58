//! The words of a text that changed: what stayed, what is gone and what is new.
//! INVARIANT: the pieces without those added are the text before, and without those removed the text after.

use ambit_model::diff::{Piece, PieceKind};
use similar::{ChangeTag, TextDiff};

/// Bytes of both texts together beyond which words are not compared.
const LONGEST: usize = 20_000;

/// The pieces of two texts that differ; none where one of them is a single word, where they are too long, or where they have no
/// word in common: then both are better read whole.
pub(super) fn pieces(from: &str, to: &str) -> Vec<Piece> {
    let is_word = |text: &str| !text.trim().contains(char::is_whitespace);
    if is_word(from) || is_word(to) || from.len() + to.len() > LONGEST {
        return Vec::new();
    }
    // Compared the same way round whichever came first, so that turning round says the opposite.
    let is_turned = from > to;
    let (first, second) = if is_turned { (to, from) } else { (from, to) };
    let words = TextDiff::from_unicode_words(first, second);
    let (mut pieces, mut removed, mut added) = (Vec::new(), String::new(), String::new());
    for change in words.iter_all_changes() {
        match (change.tag(), is_turned) {
            (ChangeTag::Equal, _) => {
                push(&mut pieces, PieceKind::Removed, &std::mem::take(&mut removed));
                push(&mut pieces, PieceKind::Added, &std::mem::take(&mut added));
                push(&mut pieces, PieceKind::Same, change.value());
            }
            (ChangeTag::Delete, false) | (ChangeTag::Insert, true) => removed.push_str(change.value()),
            (ChangeTag::Insert, false) | (ChangeTag::Delete, true) => added.push_str(change.value()),
        }
    }
    push(&mut pieces, PieceKind::Removed, &removed);
    push(&mut pieces, PieceKind::Added, &added);
    let says = |piece: &Piece| piece.kind == PieceKind::Same && piece.text.chars().any(char::is_alphanumeric);
    if pieces.iter().any(says) { pieces } else { Vec::new() }
}

/// Adds to the last piece where that is of the same kind.
fn push(pieces: &mut Vec<Piece>, kind: PieceKind, text: &str) {
    if text.is_empty() {
        return;
    }
    match pieces.last_mut() {
        Some(last) if last.kind == kind => last.text.push_str(text),
        _ => pieces.push(Piece { kind, text: text.to_owned() }),
    }
}

/// The same pieces seen from the other side, for tests of this law.
#[cfg(test)]
pub(super) fn turned(pieces: Vec<Piece>) -> Vec<Piece> {
    let turn = |piece: Piece| {
        let kind = match piece.kind {
            PieceKind::Same => PieceKind::Same,
            PieceKind::Added => PieceKind::Removed,
            PieceKind::Removed => PieceKind::Added,
        };
        Piece { kind, ..piece }
    };
    let mut turned: Vec<Piece> = pieces.into_iter().map(turn).collect();
    // What is gone stands before what is new.
    for at in 1..turned.len() {
        if turned[at - 1].kind == PieceKind::Added && turned[at].kind == PieceKind::Removed {
            turned.swap(at - 1, at);
        }
    }
    turned
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words gone in `[-…-]`, words new in `{+…+}`.
    #[track_caller]
    fn check(from: &str, to: &str, expected: &str) {
        let pieces = pieces(from, to);
        let shown = pieces.iter().map(|piece| match piece.kind {
            PieceKind::Same => piece.text.clone(),
            PieceKind::Added => format!("{{+{}+}}", piece.text),
            PieceKind::Removed => format!("[-{}-]", piece.text),
        });
        assert_eq!(shown.collect::<String>(), expected);
        let without = |kind| pieces.iter().filter(|p| p.kind != kind).map(|p| p.text.as_str()).collect::<String>();
        if !pieces.is_empty() {
            assert_eq!((without(PieceKind::Added).as_str(), without(PieceKind::Removed).as_str()), (from, to));
        }
    }

    #[test]
    fn words_that_stayed_stand_between_those_that_changed() {
        check("Lists all bills.", "Lists open bills.", "Lists [-all-]{+open+} bills.");
        check("Lists open bills.", "Lists bills.", "Lists [-open -]bills.");
        check("Sends a mail", "Sends a mail to a team", "Sends a mail{+ to a team+}");
    }

    #[test]
    fn what_is_better_read_whole_has_no_pieces() {
        check("read", "write", "");
        check("one two", "three four", "");
        check(&"a ".repeat(LONGEST), "a b", "");
    }
}
