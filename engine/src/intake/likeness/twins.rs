//! Twins: the same inputs and the same outputs, and either names that say the same or descriptions that do.
//! Tools are put into buckets by what they take and return, then by name and by their rarest words; inside a bucket each is compared
//! with the first of each kind only.

use std::collections::{BTreeMap, BTreeSet};

use super::kin::{Pair, Placed, in_scopes};
use super::traits::{Traits, overlap};

/// Most kinds of tools in one bucket that are told apart; a bucket of more holds tools that have nothing in common but a word.
const MOST_LEADERS: usize = 16;
/// How many of its rarest words a tool is looked up by.
const RARE_WORDS: usize = 3;
/// Words in common, in hundredths, that are enough where the names say the same; and where they also say nothing of values.
const SAME_NAME: usize = 30;
const SAME_NAME_ALONE: usize = 50;
/// And where the names do not.
const SAME_WORDS: usize = 80;

/// Tools that are alike, two by two, by the tenant in whose sight they are together.
pub(super) fn pairs<'a>(traits: &[Traits<'a>]) -> Vec<(Option<&'a str>, Pair)> {
    let mut by_values: BTreeMap<String, Vec<Placed<'_, 'a>>> = BTreeMap::new();
    for (place, one) in traits.iter().enumerate() {
        by_values.entry(one.values()).or_default().push((place, one));
    }
    let buckets = by_values.values().filter(|bucket| bucket.len() > 1);
    buckets.flat_map(|bucket| in_scopes(bucket, alike)).collect()
}

fn alike(scope: &[Placed<'_, '_>]) -> Vec<Pair> {
    let buckets = buckets(scope);
    buckets.values().filter(|bucket| bucket.len() > 1).flat_map(|bucket| alike_in(bucket)).collect()
}

/// Tools that say the same by name, by all their words, or share one of their rarest words.
fn buckets<'t, 'a>(scope: &[Placed<'t, 'a>]) -> BTreeMap<String, Vec<Placed<'t, 'a>>> {
    let mut frequency: BTreeMap<&str, usize> = BTreeMap::new();
    for word in scope.iter().flat_map(|(_, one)| &one.words) {
        *frequency.entry(word).or_default() += 1;
    }
    let mut buckets: BTreeMap<String, Vec<Placed<'t, 'a>>> = BTreeMap::new();
    for (place, one) in scope {
        let mut rare: Vec<(usize, &str)> =
            one.words.iter().map(|w| (frequency.get(w.as_str()).copied().unwrap_or(0), w.as_str())).collect();
        rare.retain(|(count, _)| *count > 1);
        rare.sort_unstable();
        let joined = |words: &BTreeSet<String>| words.iter().map(String::as_str).collect::<Vec<_>>().join(" ");
        let keys = [format!("name {}", joined(&one.thing)), format!("words {}", joined(&one.words))];
        let rare = rare.into_iter().take(RARE_WORDS).map(|(_, word)| format!("word {word}"));
        for key in keys.into_iter().chain(rare) {
            buckets.entry(key).or_default().push((*place, *one));
        }
    }
    buckets
}

/// Each tool of a bucket with the first, in canonical order, that it is alike.
fn alike_in(bucket: &[Placed<'_, '_>]) -> Vec<Pair> {
    let mut leaders: Vec<&Placed<'_, '_>> = Vec::new();
    let mut pairs = Vec::new();
    for placed in bucket {
        let leader = leaders.iter().find(|leader| are_alike(leader.1, placed.1));
        match leader {
            Some(leader) => pairs.push((leader.0, placed.0)),
            None if leaders.len() < MOST_LEADERS => leaders.push(placed),
            None => {}
        }
    }
    pairs
}

/// Two tools with the same inputs and outputs that nobody could choose between.
fn are_alike(a: &Traits<'_>, b: &Traits<'_>) -> bool {
    let versions = a.name.mark != b.name.mark && a.is_named_like(b);
    if versions || a.declared_apart(b) {
        return false;
    }
    let common = overlap(&a.words, &b.words);
    if a.same_by_name(b) {
        return common >= if a.says_nothing_of_values() { SAME_NAME_ALONE } else { SAME_NAME };
    }
    // A word of its own name that only one of the two descriptions has is what sets them apart: orders here, invoices there.
    let own = |one: &Traits<'_>, other: &Traits<'_>| one.words.difference(&other.words).any(|w| one.named.contains(w));
    common >= SAME_WORDS && !own(a, b) && !own(b, a)
}

/// What speaks for two tools being twins.
pub(super) fn evidence(a: &Traits<'_>, b: &Traits<'_>) -> Vec<String> {
    let inputs = a.shared_inputs(b);
    let inputs =
        if inputs.is_empty() { "neither has inputs".to_owned() } else { format!("same inputs: {}", listed(&inputs)) };
    let outputs = match &a.outputs {
        None => "neither says what it returns".to_owned(),
        Some(names) if names.is_empty() => "neither names what it returns".to_owned(),
        Some(names) => format!("same outputs: {}", listed(&names.iter().map(String::as_str).collect::<Vec<_>>())),
    };
    vec![inputs, outputs, words_of_both(a, b)]
}

/// How many words two tools have in common.
pub(super) fn words_of_both(a: &Traits<'_>, b: &Traits<'_>) -> String {
    format!("{} % of the words of their descriptions are in both", overlap(&a.words, &b.words))
}

/// At most eight names.
pub(super) fn listed(names: &[&str]) -> String {
    const MOST: usize = 8;
    let shown = names.iter().take(MOST).copied().collect::<Vec<_>>().join(", ");
    if names.len() > MOST { format!("{shown} and {} more", names.len() - MOST) } else { shown }
}
