//! Names for parts of a project's tools: the things that set a part apart from the others, as people would say them.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::card::ToolCard;
use ambit_model::identity::ToolId;

use crate::text;

/// Most things in a title, and in a description.
const IN_TITLE: usize = 2;
const IN_DESCRIPTION: usize = 6;
/// An entity says more of a tool than a word of its name.
const OF_ENTITY: f64 = 2.0;

/// A part with its name.
pub(super) struct Named {
    pub(super) title: String,
    pub(super) description: String,
    /// Sorted.
    pub(super) members: Vec<ToolId>,
}

/// Names all parts; no two have the same title.
pub(super) fn name(parts: &[Vec<&ToolCard>]) -> Vec<Named> {
    let ranked: Vec<Vec<String>> = ranked_things(parts);
    let mut titles: BTreeSet<String> = BTreeSet::new();
    let mut named: Vec<Named> = parts
        .iter()
        .zip(&ranked)
        .map(|(cards, things)| {
            let mut members: Vec<ToolId> = cards.iter().map(|card| card.id.clone()).collect();
            members.sort();
            Named { title: free_title(things, &mut titles), description: description(things), members }
        })
        .collect();
    named.sort_by(|a, b| a.title.cmp(&b.title));
    named
}

/// The things of each part, those first that are many in it and few elsewhere: term frequency by inverse document frequency
/// (Sparck Jones, 1972), a part being a document.
fn ranked_things(parts: &[Vec<&ToolCard>]) -> Vec<Vec<String>> {
    let weighed: Vec<BTreeMap<String, f64>> = parts.iter().map(|cards| weights(cards)).collect();
    let mut parts_with: BTreeMap<&str, f64> = BTreeMap::new();
    weighed.iter().flat_map(BTreeMap::keys).for_each(|thing| *parts_with.entry(thing).or_default() += 1.0);
    let ranked = |weights: &BTreeMap<String, f64>| {
        let rare = |thing: &str| (1.0 + count(parts.len()) / parts_with.get(thing).copied().unwrap_or(1.0)).ln();
        let mut scored: Vec<(&String, f64)> =
            weights.iter().map(|(thing, weight)| (thing, weight * rare(thing))).collect();
        scored.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        apart(scored.into_iter().map(|(thing, _)| thing))
    };
    weighed.iter().map(ranked).collect()
}

/// Entities as prose, and words of names that belong to none.
fn weights(cards: &[&ToolCard]) -> BTreeMap<String, f64> {
    let mut weights: BTreeMap<String, f64> = BTreeMap::new();
    for card in cards {
        let entity = plain(&card.facts.entity.value);
        if !entity.is_empty() && entity != "data" {
            *weights.entry(entity.clone()).or_default() += OF_ENTITY;
        }
        let own: BTreeSet<String> = text::words(&entity).into_iter().collect();
        // A word that stands for nothing, or for a verb, is no stem of its own here.
        let words = plain(card.id.name()).split(' ').map(str::to_owned).collect::<Vec<_>>();
        for word in words.iter().skip(usize::from(words.len() > 1)) {
            let stems = text::words(word);
            let says = word.chars().count() > 2 && !word.chars().any(|c| c.is_ascii_digit()) && !stems.is_empty();
            if says && stems.iter().all(|stem| !own.contains(stem)) {
                *weights.entry(word.clone()).or_default() += 1.0;
            }
        }
    }
    weights
}

/// A name as plain words; signs that hide or mark up are none.
fn plain(name: &str) -> String {
    let prose = text::name_as_prose(name);
    prose.split(' ').take(3).map(|word| word.chars().take(24).collect::<String>()).collect::<Vec<_>>().join(" ")
}

/// Without those that share a word's stem with an earlier one.
fn apart<'a>(things: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut kept = Vec::new();
    for thing in things {
        let stems = text::words(thing);
        if !stems.is_empty() && stems.iter().all(|stem| !seen.contains(stem)) {
            seen.extend(stems);
            kept.push(thing.clone());
        }
    }
    kept
}

/// The first things as a title; one more where another part has the same.
fn free_title(things: &[String], taken: &mut BTreeSet<String>) -> String {
    let most = if things.len() > IN_TITLE { IN_TITLE } else { things.len() };
    let longer = (most..=things.len().max(most)).map(|n| things.get(..n).unwrap_or(things));
    let mut titles =
        longer.map(|things| if things.is_empty() { "Other tools".to_owned() } else { capital(&listed(things)) });
    let first = titles.next().unwrap_or_else(|| "Other tools".to_owned());
    let free = std::iter::once(first.clone()).chain(titles).find(|title| !taken.contains(title));
    let title = free.unwrap_or_else(|| {
        let numbered = (2..).map(|n| format!("{first} {n}"));
        numbered.into_iter().find(|title| !taken.contains(title)).unwrap_or_default()
    });
    taken.insert(title.clone());
    title
}

fn description(things: &[String]) -> String {
    match things.get(..things.len().min(IN_DESCRIPTION)) {
        Some(first) if !first.is_empty() => format!("What there is to do with {}.", listed(first)),
        _ => "Tools that have nothing in common with the others.".to_owned(),
    }
}

/// `a, b and c`.
fn listed(words: &[String]) -> String {
    match words.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[expect(clippy::cast_precision_loss, reason = "a project has about ten parts")]
fn count(parts: usize) -> f64 {
    parts as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_do_not_repeat() {
        let mut taken = BTreeSet::new();
        let things = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let titles: Vec<String> =
            ["a b c", "a b d", "a b", "a b"].map(|text| free_title(&things(text), &mut taken)).to_vec();
        assert_eq!(titles, ["A and b", "A, b and d", "A and b 2", "A and b 3"]);
    }
}
