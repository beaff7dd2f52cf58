//! Which tools answer to the same questions: one record a pair, however many of its questions went astray, and whichever way.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::card::ToolCard;
use ambit_model::identity::ToolId;
use ambit_model::intake::Clash;
use ambit_model::ratio::Ratio;
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use super::Judged;
use super::arena::Arena;
use crate::index::IndexError;
use crate::text;

/// Most words that a clash names.
const MOST_WORDS: usize = 12;

/// Two tools, the first by id first.
pub(super) type Pair = (ToolId, ToolId);

/// What the cards of two tools have in common.
pub(super) struct Alike {
    words: Vec<String>,
    likeness: Ratio,
}

/// Compares the cards of these pairs of places in a project.
pub(super) fn alike(arena: &Arena<'_>, pairs: BTreeSet<(usize, usize)>) -> Result<BTreeMap<Pair, Alike>, IndexError> {
    let places: BTreeSet<usize> = pairs.iter().flat_map(|(one, other)| [*one, *other]).collect();
    let spoken: BTreeMap<usize, Vec<Spoken>> =
        places.into_par_iter().filter_map(|place| arena.cards.get(place).map(|card| (place, spoken(card)))).collect();
    let stems = spoken.values().flatten().flat_map(|word| &word.stems).cloned().collect();
    let known = arena.index.known(stems)?;
    let frequency = |word: &Spoken| word.stems.iter().map(|stem| known.frequency(stem)).min().unwrap_or(0);
    let compared = pairs.into_par_iter().filter_map(|(one, other)| {
        let (first, second) = (arena.cards.get(one)?, arena.cards.get(other)?);
        let words = shared(spoken.get(&one)?, spoken.get(&other)?, frequency);
        Some(((first.id.clone(), second.id.clone()), Alike { words, likeness: arena.likeness(one, other) }))
    });
    Ok(compared.collect())
}

/// The clashes of these trials.
pub(super) fn clashes(judged: impl Iterator<Item = Judged>, alike: &mut BTreeMap<Pair, Alike>) -> Vec<Clash> {
    let mut pairs: BTreeMap<Pair, Clash> = BTreeMap::new();
    for one in judged {
        for (rival, mut questions) in one.lost {
            let first = one.tool < rival;
            let key = if first { (one.tool.clone(), rival) } else { (rival, one.tool.clone()) };
            let clash = pairs.entry(key).or_default();
            if first { &mut clash.questions } else { &mut clash.taken }.append(&mut questions);
        }
    }
    let told = pairs.into_iter().map(|(pair, clash)| {
        let (words, likeness) = alike.remove(&pair).map(|alike| (alike.words, alike.likeness.0)).unwrap_or_default();
        Clash { tool: pair.0.to_string(), rival: pair.1.to_string(), words, likeness, ..clash }
    });
    told.collect()
}

/// A word of a card as written, and what it is compared by.
struct Spoken {
    written: String,
    stems: Vec<String>,
}

/// The words of a tool's name and description, each once.
fn spoken(card: &ToolCard) -> Vec<Spoken> {
    let said = format!("{}: {}", text::name_as_prose(card.id.name()), card.description);
    let mut seen = BTreeSet::new();
    let written = text::plain_words(&said).into_iter().filter_map(|(range, _)| said.get(range));
    let words = written.map(|written| Spoken { written: written.to_owned(), stems: text::words(written) });
    words.filter(|word| !word.stems.is_empty() && seen.insert(word.stems.clone())).collect()
}

/// Words of the first that the second has too, the rarest in the project first, then in the order of the text.
fn shared(first: &[Spoken], second: &[Spoken], frequency: impl Fn(&Spoken) -> usize) -> Vec<String> {
    let of_second: BTreeSet<&String> = second.iter().flat_map(|word| &word.stems).collect();
    let mut both: Vec<(usize, &Spoken)> = first
        .iter()
        .filter(|word| word.stems.iter().all(|stem| of_second.contains(stem)))
        .map(|word| (frequency(word), word))
        .collect();
    both.sort_by_key(|(frequency, _)| *frequency);
    both.into_iter().take(MOST_WORDS).map(|(_, word)| word.written.clone()).collect()
}
