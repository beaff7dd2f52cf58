//! Example questions of a tool, proposed: as its users would ask, made of its verb, its entity, its inputs and its outputs.
//! INVARIANT: names and descriptions are data: only letters, digits and plain punctuation of them reach a question.

mod answer;
mod asked;
mod clean;
mod nouns;
mod phrases;
mod prompt;
mod subject;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use ambit_model::card::ToolCard;

use crate::text;
use subject::Subject;

pub use answer::{FEWEST, LONGEST, MOST, SHORTEST, answer_schema, read_answer};
pub use prompt::{VERSION as PROMPT_VERSION, prompt};

/// How many questions are wanted of a tool.
pub const WANTED: usize = 8;

/// About eight questions, fewer where the tool says too little of itself. The same for the same card, none twice, and none of those
/// that are `taken`, in lower case, by other tools.
pub fn propose(card: &ToolCard, taken: &BTreeSet<String>) -> Vec<String> {
    let subject = Subject::of(card);
    let mut seen: BTreeSet<Vec<String>> = BTreeSet::new();
    let questions = phrases::candidates(&subject).into_iter().map(|question| finished(&question));
    questions
        .filter(|question| is_fit(question, card) && !taken.contains(&question.to_lowercase()))
        .filter(|question| seen.insert(words_of(question)))
        .take(WANTED)
        .collect()
}

/// It can stand as an example of this tool: long enough, not too long, plain (so no placeholder stands in it), and without the tool's
/// own name.
pub fn is_fit(question: &str, card: &ToolCard) -> bool {
    let length = question.chars().count();
    (SHORTEST..=LONGEST).contains(&length) && clean::is_plain(question) && !names(question, card.id.name())
}

/// A name with a joint in it wins a route at once, so an example with it would show nothing. A plain word is a word.
fn names(question: &str, name: &str) -> bool {
    let jointed = name.contains(|c: char| !c.is_alphabetic()) || name.chars().skip(1).any(char::is_uppercase);
    jointed && question.to_lowercase().contains(&name.to_lowercase())
}

/// The words by which two questions are the same.
fn words_of(question: &str) -> Vec<String> {
    text::plain_words(question).into_iter().map(|(_, word)| word).collect()
}

/// One space between words, and a capital at the beginning.
fn finished(question: &str) -> String {
    let spaced = question.split_whitespace().collect::<Vec<_>>().join(" ").replace(" ,", ",").replace(" ?", "?");
    let mut letters = spaced.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
