//! Twins: the same inputs and the same outputs, and either names that say the same or descriptions that do.
//! Tools are put into buckets by what they take and return, then by name and by their rarest words; inside a bucket each is compared
//! with the first of each kind only.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::identity::ToolId;
use ambit_model::intake::{Likeness, LikenessKind};

use super::proposal::{self, Ids, Proposal};
use super::traits::{Traits, overlap};
use super::{Declared, scopes};

/// Most kinds of tools in one bucket that are told apart; a bucket of more holds tools that have nothing in common but a word.
const MOST_LEADERS: usize = 16;
/// How many of its rarest words a tool is looked up by.
const RARE_WORDS: usize = 3;
/// Words in common, in hundredths, that are enough where the names say the same; and where they also say nothing of values.
const SAME_NAME: usize = 30;
const SAME_NAME_ALONE: usize = 50;
/// And where the names do not.
const SAME_WORDS: usize = 80;

pub(super) fn find(traits: &[Traits<'_>], declared: &Declared<'_>) -> Vec<Likeness> {
    let mut ids = Ids::new(declared.ids(LikenessKind::Twins));
    let mut by_values: BTreeMap<String, Vec<&Traits<'_>>> = BTreeMap::new();
    for one in traits {
        by_values.entry(values(one)).or_default().push(one);
    }
    let buckets = by_values.values().filter(|bucket| bucket.len() > 1);
    buckets.flat_map(|bucket| scopes(bucket)).flat_map(|scope| of_scope(&scope, declared, &mut ids)).collect()
}

/// What a tool takes and returns, as one text.
fn values(one: &Traits<'_>) -> String {
    let inputs: Vec<String> = one.inputs.iter().map(|(name, types)| format!("{name}:{types}")).collect();
    let outputs = one.outputs.as_ref().map(|names| names.iter().map(String::as_str).collect::<Vec<_>>().join(","));
    format!("{}->{}", inputs.join(","), outputs.unwrap_or_else(|| "?".to_owned()))
}

fn of_scope(scope: &[&Traits<'_>], declared: &Declared<'_>, ids: &mut Ids) -> Vec<Likeness> {
    let own_tenant = scope.iter().any(|one| one.card.tenant.is_some());
    // Shared tools are paired in the scope that holds them alone.
    let is_new = |a: &Traits<'_>, b: &Traits<'_>| !own_tenant || a.card.tenant.is_some() || b.card.tenant.is_some();
    let mut found = Vec::new();
    for component in proposal::components(&pairs_of(scope)) {
        let at = |index: &usize| scope.get(*index).copied();
        let group: Vec<&Traits<'_>> = component.members.iter().filter_map(at).collect();
        let pairs = component.pairs.iter().filter_map(|(a, b)| Some((at(a)?, at(b)?)));
        let open: Vec<_> = pairs.filter(|(a, b)| is_new(a, b) && !declared.together(&a.card.id, &b.card.id)).collect();
        let Some(first) = group.first().filter(|_| !open.is_empty()) else { continue };
        let id = ids.of(first.card.id.as_str());
        found.extend(open.iter().map(|(a, b)| likeness(a, b, Proposal::twins(id.clone(), &group, [a, b]), declared)));
    }
    found
}

/// The group of all tools that these two are twins of.
pub(super) fn group_of(traits: &[Traits<'_>], pair: [&ToolId; 2], declared: &Declared<'_>) -> Option<Proposal> {
    let find = |id: &ToolId| traits.iter().find(|one| one.card.id == *id);
    let (a, b) = (find(pair[0])?, find(pair[1])?);
    let taken = values(a);
    if values(b) != taken {
        return None;
    }
    let scope: Vec<&Traits<'_>> = traits.iter().filter(|one| values(one) == taken).collect();
    let place = |id: &ToolId| scope.iter().position(|one| one.card.id == *id);
    let (at_a, at_b) = (place(pair[0])?, place(pair[1])?);
    let components = proposal::components(&pairs_of(&scope));
    let component = components.iter().find(|one| one.members.contains(&at_a) && one.members.contains(&at_b))?;
    let group: Vec<&Traits<'_>> = component.members.iter().filter_map(|at| scope.get(*at).copied()).collect();
    let id = Ids::new(declared.ids(LikenessKind::Twins)).of(group.first()?.card.id.as_str());
    Some(Proposal::twins(id, &group, [a, b]))
}

/// Positions of tools that are alike, two by two.
fn pairs_of(scope: &[&Traits<'_>]) -> BTreeSet<(usize, usize)> {
    let buckets = buckets(scope);
    buckets.values().filter(|bucket| bucket.len() > 1).flat_map(|bucket| alike_in(bucket, scope)).collect()
}

/// Positions of tools that say the same by name, by all their words, or share one of their rarest words.
fn buckets(scope: &[&Traits<'_>]) -> BTreeMap<String, Vec<usize>> {
    let mut frequency: BTreeMap<&str, usize> = BTreeMap::new();
    for word in scope.iter().flat_map(|one| &one.words) {
        *frequency.entry(word).or_default() += 1;
    }
    let mut buckets: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (position, one) in scope.iter().enumerate() {
        let mut rare: Vec<(usize, &str)> =
            one.words.iter().map(|w| (frequency.get(w.as_str()).copied().unwrap_or(0), w.as_str())).collect();
        rare.retain(|(count, _)| *count > 1);
        rare.sort_unstable();
        let joined = |words: &BTreeSet<String>| words.iter().map(String::as_str).collect::<Vec<_>>().join(" ");
        let keys = [format!("name {}", joined(&one.thing)), format!("words {}", joined(&one.words))];
        let rare = rare.into_iter().take(RARE_WORDS).map(|(_, word)| format!("word {word}"));
        for key in keys.into_iter().chain(rare) {
            buckets.entry(key).or_default().push(position);
        }
    }
    buckets
}

/// Each tool of a bucket with the first, in canonical order, that it is alike.
fn alike_in(bucket: &[usize], scope: &[&Traits<'_>]) -> Vec<(usize, usize)> {
    let mut leaders: Vec<usize> = Vec::new();
    let mut pairs = Vec::new();
    for &position in bucket {
        let Some(one) = scope.get(position) else { continue };
        let leader = leaders.iter().find(|leader| scope.get(**leader).is_some_and(|leader| are_alike(leader, one)));
        match leader {
            Some(leader) => pairs.push((*leader, position)),
            None if leaders.len() < MOST_LEADERS => leaders.push(position),
            None => {}
        }
    }
    pairs
}

/// Two tools with the same inputs and outputs that nobody could choose between.
fn are_alike(a: &Traits<'_>, b: &Traits<'_>) -> bool {
    let versions = a.name.mark != b.name.mark && (&a.name.catalog, &a.name.base) == (&b.name.catalog, &b.name.base);
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

fn likeness(a: &Traits<'_>, b: &Traits<'_>, proposal: Proposal, declared: &Declared<'_>) -> Likeness {
    let inputs = a.shared_inputs(b);
    let inputs =
        if inputs.is_empty() { "neither has inputs".to_owned() } else { format!("same inputs: {}", listed(&inputs)) };
    let outputs = match &a.outputs {
        None => "neither says what it returns".to_owned(),
        Some(names) if names.is_empty() => "neither names what it returns".to_owned(),
        Some(names) => format!("same outputs: {}", listed(&names.iter().map(String::as_str).collect::<Vec<_>>())),
    };
    let words = format!("{} % of the words of their descriptions are in both", overlap(&a.words, &b.words));
    let mut evidence = vec![inputs, outputs, words];
    evidence.extend(declared.standing(LikenessKind::Twins, [&a.card.id, &b.card.id]));
    Likeness {
        kind: LikenessKind::Twins,
        tool: a.card.id.to_string(),
        other: b.card.id.to_string(),
        evidence,
        proposal: proposal.yaml(),
        speaks_of: proposal.members().into_iter().map(ToString::to_string).collect(),
    }
}

/// At most eight names.
pub(super) fn listed(names: &[&str]) -> String {
    const MOST: usize = 8;
    let shown = names.iter().take(MOST).copied().collect::<Vec<_>>().join(", ");
    if names.len() > MOST { format!("{shown} and {} more", names.len() - MOST) } else { shown }
}
