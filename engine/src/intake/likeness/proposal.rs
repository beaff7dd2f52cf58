//! The declaration that would say that tools are twins or versions, as a YAML document that compiles as it is.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use ambit_model::declaration::{FamilyMember, TwinGroup, VersionFamily};
use ambit_model::identity::ToolId;

use super::traits::Traits;
use super::version::Mark;
use crate::scalar::{quoted, scalar};

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

/// A declaration that nobody wrote yet.
#[derive(Clone, Debug, PartialEq)]
pub enum Proposal {
    Twins(TwinGroup),
    Versions(VersionFamily),
}

impl Proposal {
    /// The whole group, or its first members and the pair.
    pub(super) fn twins(id: String, group: &[&Traits<'_>], pair: [&Traits<'_>; 2]) -> Self {
        let first = group.iter().take(MOST_MEMBERS).chain(&pair);
        let members: BTreeMap<&ToolId, &Traits<'_>> = first.map(|one| (&one.card.id, *one)).collect();
        let mut by_age = members.values().filter(|one| !one.is_old()).chain(members.values());
        let preferred = by_age.next().map_or_else(|| pair[0].card.id.clone(), |one| one.card.id.clone());
        Self::Twins(TwinGroup {
            id,
            members: members.into_keys().cloned().collect(),
            preferred,
            reason: "the same inputs, the same outputs, and alike in what they say".to_owned(),
        })
    }

    /// All versions, the oldest first. The numbers are those of the names where each has one of its own, else they are counted.
    pub(super) fn versions(id: String, versions: &[&Traits<'_>]) -> Self {
        let named: Option<Vec<u32>> = versions.iter().map(|one| number(one.name.mark)).collect();
        let rising = |numbers: &Vec<u32>| numbers.is_sorted_by(|a, b| a < b);
        let numbers = named.filter(rising).unwrap_or_else(|| (1..).take(versions.len()).collect());
        let current = numbers.last().copied().unwrap_or(1);
        let member = |(one, version): (&&Traits<'_>, u32)| FamilyMember {
            tool: one.card.id.clone(),
            version,
            deprecated: one.is_old(),
            retired_on: None,
            pin: Vec::new(),
        };
        Self::Versions(VersionFamily { id, members: versions.iter().zip(numbers).map(member).collect(), current })
    }

    /// The tools that it is about.
    pub fn members(&self) -> Vec<&ToolId> {
        match self {
            Self::Twins(twins) => twins.members.iter().collect(),
            Self::Versions(family) => family.members.iter().map(|member| &member.tool).collect(),
        }
    }

    /// The document.
    pub fn yaml(&self) -> String {
        self.yaml_with("")
    }

    /// The document with a comment behind its id.
    pub fn yaml_with(&self, comment: &str) -> String {
        let comment = if comment.is_empty() { String::new() } else { format!(" # {comment}") };
        match self {
            Self::Twins(twins) => {
                let members: String =
                    twins.members.iter().map(|member| format!("  - {}\n", scalar(member.as_str()))).collect();
                format!(
                    "kind: TwinGroup\nid: {}{comment}\nmembers:\n{members}preferred: {}\nreason: {}\n",
                    scalar(&twins.id),
                    scalar(twins.preferred.as_str()),
                    quoted(&twins.reason)
                )
            }
            Self::Versions(family) => {
                let members: String = family.members.iter().map(member_line).collect();
                let id = scalar(&family.id);
                format!("kind: VersionFamily\nid: {id}{comment}\ncurrent: {}\nmembers:\n{members}", family.current)
            }
        }
    }
}

fn member_line(member: &FamilyMember) -> String {
    let old = if member.deprecated { ", deprecated: true" } else { "" };
    format!("  - {{ tool: {}, version: {}{old} }}\n", scalar(member.tool.as_str()), member.version)
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
