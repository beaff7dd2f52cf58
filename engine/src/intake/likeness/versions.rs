//! Versions: one name but for what it says of its version, and inputs or words in common.

use std::collections::BTreeMap;

use ambit_model::identity::ToolId;
use ambit_model::intake::{Likeness, LikenessKind};

use super::proposal::{Ids, Proposal};
use super::traits::{Traits, overlap};
use super::twins::listed;
use super::version::Mark;
use super::{Declared, scopes};

/// Words in common, in hundredths, that are enough where the name counts versions.
const COUNTED: usize = 20;
/// And, beside half of the inputs, where a word or a date is all that sets the names apart: `old` may be about the thing.
const SPOKEN: usize = 30;
/// Inputs in common, in hundredths of all.
const INPUTS: usize = 50;

pub(super) fn find(traits: &[Traits<'_>], declared: &Declared<'_>) -> Vec<Likeness> {
    let mut ids = Ids::new(declared.ids(LikenessKind::Versions));
    let mut by_name: BTreeMap<(&str, &str), Vec<&Traits<'_>>> = BTreeMap::new();
    for one in traits.iter().filter(|one| !one.name.base.is_empty()) {
        by_name.entry((&one.name.catalog, &one.name.base)).or_default().push(one);
    }
    let buckets = by_name.values().filter(|bucket| bucket.len() > 1);
    buckets.flat_map(|bucket| scopes(bucket)).flat_map(|scope| of_scope(&scope, declared, &mut ids)).collect()
}

fn of_scope(scope: &[&Traits<'_>], declared: &Declared<'_>, ids: &mut Ids) -> Vec<Likeness> {
    let own_tenant = scope.iter().any(|one| one.card.tenant.is_some());
    let versions = in_order(scope);
    let pairs = versions.iter().zip(versions.iter().skip(1));
    // Shared tools are paired in the scope that holds them alone.
    let is_new = |a: &Traits<'_>, b: &Traits<'_>| !own_tenant || a.card.tenant.is_some() || b.card.tenant.is_some();
    let open = pairs.filter(|(a, b)| is_new(a, b) && !declared.together(&a.card.id, &b.card.id));
    let open: Vec<(&Traits<'_>, &Traits<'_>)> = open.map(|(a, b)| (*a, *b)).collect();
    let Some(newest) = versions.last().filter(|_| !open.is_empty()) else { return Vec::new() };
    let proposal = Proposal::versions(ids.of(&family_name(newest)), &versions);
    let members: Vec<String> = proposal.members().into_iter().map(ToString::to_string).collect();
    let proposal = proposal.yaml();
    let like = |(a, b): (&Traits<'_>, &Traits<'_>)| Likeness {
        speaks_of: members.clone(),
        ..likeness(a, b, proposal.clone(), declared)
    };
    open.into_iter().map(like).collect()
}

/// The family of all versions among which these two are.
pub(super) fn family_of(traits: &[Traits<'_>], pair: [&ToolId; 2], declared: &Declared<'_>) -> Option<Proposal> {
    let first = traits.iter().find(|one| one.card.id == *pair[0]).filter(|one| !one.name.base.is_empty())?;
    let named = |one: &Traits<'_>| (one.name.catalog.clone(), one.name.base.clone());
    let scope: Vec<&Traits<'_>> = traits.iter().filter(|one| named(one) == named(first)).collect();
    let versions = in_order(&scope);
    let newest = versions.last()?;
    let both = pair.iter().all(|id| versions.iter().any(|one| one.card.id == **id));
    let id = Ids::new(declared.ids(LikenessKind::Versions)).of(&family_name(newest));
    both.then(|| Proposal::versions(id, &versions))
}

fn family_name(newest: &Traits<'_>) -> String {
    format!("{}/{}", newest.card.id.catalog(), newest.name.base)
}

/// One tool of each version, the oldest first, each with enough in common with the one before it.
fn in_order<'t, 'a>(scope: &[&'t Traits<'a>]) -> Vec<&'t Traits<'a>> {
    let mut by_mark: BTreeMap<Mark, &'t Traits<'a>> = BTreeMap::new();
    for one in scope {
        by_mark.entry(one.name.mark).or_insert(*one);
    }
    let mut ordered: Vec<&'t Traits<'a>> = Vec::new();
    for one in by_mark.into_values() {
        if ordered.last().is_none_or(|before| have_enough_in_common(before, one)) {
            ordered.push(one);
        }
    }
    ordered
}

fn have_enough_in_common(older: &Traits<'_>, newer: &Traits<'_>) -> bool {
    let words = overlap(&older.words, &newer.words);
    let shared = older.shared_inputs(newer).len();
    let all = older.inputs.len() + newer.inputs.len() - shared;
    let inputs = (shared * 100).checked_div(all).unwrap_or(100);
    let counted = matches!(newer.name.mark, Mark::Number(..)) && !older.is_old();
    if counted { words >= COUNTED || (inputs >= INPUTS && all > 0) } else { words >= SPOKEN && inputs >= INPUTS }
}

fn likeness(older: &Traits<'_>, newer: &Traits<'_>, proposal: String, declared: &Declared<'_>) -> Likeness {
    let (a, b) = if older.card.id <= newer.card.id { (older, newer) } else { (newer, older) };
    let mut evidence = vec![
        format!("one name but for the version: `{}`", older.name.base),
        format!("`{}` is {}, `{}` is {}", a.card.id, a.name.mark.shown(), b.card.id, b.name.mark.shown()),
    ];
    let shared = older.shared_inputs(newer);
    if !shared.is_empty() {
        evidence.push(format!("inputs of both: {}", listed(&shared)));
    }
    evidence.push(format!("{} % of the words of their descriptions are in both", overlap(&a.words, &b.words)));
    evidence.extend(declared.standing(LikenessKind::Versions, [&a.card.id, &b.card.id]));
    Likeness {
        kind: LikenessKind::Versions,
        tool: a.card.id.to_string(),
        other: b.card.id.to_string(),
        evidence,
        proposal,
        speaks_of: Vec::new(),
    }
}
