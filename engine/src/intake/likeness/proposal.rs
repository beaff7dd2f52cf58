//! The declaration that would say that tools are twins or versions, as a YAML document that compiles as it is.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::traits::Traits;
use super::version::Mark;

/// Most tools that a proposal lists beside the pair it is about.
const MOST_MEMBERS: usize = 20;
/// Longest id of a declaration (`ambit_model::identity::is_identifier`).
const LONGEST_ID: usize = 64;

/// Ids of proposals: read off a tool, and taken only once.
pub(super) struct Ids(BTreeSet<String>);

impl Ids {
    pub(super) fn new(taken: BTreeSet<String>) -> Self {
        Self(taken)
    }

    pub(super) fn of(&mut self, name: &str) -> String {
        let spelt: String =
            name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect();
        let joined = spelt.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-");
        let slug: String = joined.chars().take(LONGEST_ID - 8).collect();
        let slug = slug.trim_end_matches('-');
        let mut numbered = (2_usize..).map(|number| format!("{slug}-{number}"));
        let mut id = slug.to_owned();
        while self.0.contains(&id) {
            id = numbered.next().unwrap_or_default();
        }
        self.0.insert(id.clone());
        id
    }
}

/// Tools that pairs join, in rising order, and those pairs.
#[derive(Default)]
pub(super) struct Component {
    pub members: BTreeSet<usize>,
    pub pairs: Vec<(usize, usize)>,
}

/// The groups that pairs join, in the order of their first members.
pub(super) fn components(pairs: &BTreeSet<(usize, usize)>) -> Vec<Component> {
    let mut near: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for &(a, b) in pairs {
        near.entry(a).or_default().push(b);
        near.entry(b).or_default().push(a);
    }
    let mut group: BTreeMap<usize, usize> = BTreeMap::new();
    for &first in near.keys() {
        let mut pending = vec![first];
        while let Some(tool) = pending.pop() {
            if let Entry::Vacant(entry) = group.entry(tool) {
                entry.insert(first);
                pending.extend(near.get(&tool).into_iter().flatten());
            }
        }
    }
    let mut components: BTreeMap<usize, Component> = BTreeMap::new();
    for (&tool, &first) in &group {
        components.entry(first).or_default().members.insert(tool);
    }
    for &(a, b) in pairs {
        components.entry(group.get(&a).copied().unwrap_or(a)).or_default().pairs.push((a, b));
    }
    components.into_values().collect()
}

/// The whole group, or its first members and the pair; and whom it names.
pub(super) fn twins(id: &str, group: &[&Traits<'_>], pair: [&Traits<'_>; 2]) -> (String, Vec<String>) {
    let first = group.iter().take(MOST_MEMBERS).chain(&pair);
    let members: BTreeMap<&str, &Traits<'_>> = first.map(|one| (one.card.id.as_str(), *one)).collect();
    let mut by_age = members.values().filter(|one| !one.is_old()).chain(members.values());
    let preferred = by_age.next().map_or("", |one| one.card.id.as_str());
    let mut yaml = format!("kind: TwinGroup\nid: {id}\nmembers:\n");
    for member in members.keys() {
        let _ = writeln!(yaml, "  - {}", scalar(member));
    }
    let _ = write!(
        yaml,
        "preferred: {}\nreason: the same inputs, the same outputs, and alike in what they say\n",
        scalar(preferred)
    );
    (yaml, members.into_keys().map(str::to_owned).collect())
}

/// All versions, the oldest first. The numbers are those of the names where each has one of its own, else they are counted.
pub(super) fn family(id: &str, versions: &[&Traits<'_>]) -> String {
    let named: Option<Vec<u32>> = versions.iter().map(|one| number(one.name.mark)).collect();
    let rising = |numbers: &Vec<u32>| numbers.is_sorted_by(|a, b| a < b);
    let numbers = named.filter(rising).unwrap_or_else(|| (1..).take(versions.len()).collect());
    let current = numbers.last().copied().unwrap_or(1);
    let mut yaml = format!("kind: VersionFamily\nid: {id}\ncurrent: {current}\nmembers:\n");
    for (one, number) in versions.iter().zip(numbers) {
        let old = if one.is_old() { ", deprecated: true" } else { "" };
        let _ = writeln!(yaml, "  - {{ tool: {}, version: {number}{old} }}", scalar(one.card.id.as_str()));
    }
    yaml
}

/// A tool without a version is the first.
fn number(mark: Mark) -> Option<u32> {
    match mark {
        Mark::None => Some(1),
        Mark::Number(major, 0) => Some(major),
        Mark::Day(day) => Some(day),
        Mark::Number(..) | Mark::Old => None,
    }
}

/// An id as it stands, or in quotes where YAML could read it otherwise. (A JSON string is a YAML string.)
fn scalar(id: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    if id.chars().all(plain) { id.to_owned() } else { serde_json::Value::from(id).to_string() }
}
