//! Versions: one name but for what it says of its version, and inputs or words in common.

use std::collections::BTreeMap;

use super::kin::{Pair, Placed, in_scopes};
use super::traits::{Traits, overlap};
use super::twins::{listed, words_of_both};
use super::version::Mark;

/// Words in common, in hundredths, that are enough where the name counts versions.
const COUNTED: usize = 20;
/// And, beside half of the inputs, where a word or a date is all that sets the names apart: `old` may be about the thing.
const SPOKEN: usize = 30;
/// Inputs in common, in hundredths of all.
const INPUTS: usize = 50;

/// Each version with the next, by the tenant in whose sight they are together.
pub(super) fn pairs<'a>(traits: &[Traits<'a>]) -> Vec<(Option<&'a str>, Pair)> {
    let mut by_name: BTreeMap<(&str, &str), Vec<Placed<'_, 'a>>> = BTreeMap::new();
    for (place, one) in traits.iter().enumerate().filter(|(_, one)| !one.name.base.is_empty()) {
        by_name.entry((&one.name.catalog, &one.name.base)).or_default().push((place, one));
    }
    let buckets = by_name.values().filter(|bucket| bucket.len() > 1);
    buckets.flat_map(|bucket| in_scopes(bucket, in_a_row)).collect()
}

/// One tool of each version with that of the next, the oldest first, where it has enough in common with the one before it.
fn in_a_row(scope: &[Placed<'_, '_>]) -> Vec<Pair> {
    let mut by_mark: BTreeMap<Mark, &Placed<'_, '_>> = BTreeMap::new();
    for placed in scope {
        by_mark.entry(placed.1.name.mark).or_insert(placed);
    }
    let mut row: Vec<&Placed<'_, '_>> = Vec::new();
    for placed in by_mark.into_values() {
        if row.last().is_none_or(|before| have_enough_in_common(before.1, placed.1)) {
            row.push(placed);
        }
    }
    let in_order = |(older, newer): (&&Placed<'_, '_>, &&Placed<'_, '_>)| {
        let (older, newer) = (older.0, newer.0);
        (older.min(newer), older.max(newer))
    };
    row.iter().zip(row.iter().skip(1)).map(in_order).collect()
}

/// The name of a family of which this is the newest.
pub(super) fn family_name(newest: &Traits<'_>) -> String {
    format!("{}/{}", newest.card.id.catalog(), newest.name.base)
}

fn have_enough_in_common(older: &Traits<'_>, newer: &Traits<'_>) -> bool {
    let words = overlap(&older.words, &newer.words);
    let shared = older.shared_inputs(newer).len();
    let all = older.inputs.len() + newer.inputs.len() - shared;
    let inputs = (shared * 100).checked_div(all).unwrap_or(100);
    let counted = matches!(newer.name.mark, Mark::Number(..)) && !older.is_old();
    if counted { words >= COUNTED || (inputs >= INPUTS && all > 0) } else { words >= SPOKEN && inputs >= INPUTS }
}

/// What speaks for two tools being versions of one.
pub(super) fn evidence(a: &Traits<'_>, b: &Traits<'_>) -> Vec<String> {
    let mut evidence = vec![
        format!("one name but for the version: `{}`", a.name.base),
        format!("`{}` is {}, `{}` is {}", a.card.id, a.name.mark.shown(), b.card.id, b.name.mark.shown()),
    ];
    let shared = a.shared_inputs(b);
    if !shared.is_empty() {
        evidence.push(format!("inputs of both: {}", listed(&shared)));
    }
    evidence.push(words_of_both(a, b));
    evidence
}
