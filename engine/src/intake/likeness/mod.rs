//! Undeclared twins and versions: tools that look alike are reported with what speaks for it, and nothing is done about it.
//! INVARIANT: found by buckets, never by all pairs; symmetric; whatever the order of files; and no pair spans two tenants.

mod proposal;
#[cfg(test)]
mod tests;
mod traits;
mod twins;
mod version;
mod versions;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use ambit_model::card::ToolCard;
use ambit_model::codes;
use ambit_model::declaration::Vocabulary;
use ambit_model::diagnostic::Severity;
use ambit_model::identity::ToolId;
use ambit_model::intake::{Finding, Likeness, LikenessKind};
use rayon::prelude::*;

use crate::resolve::link::Linked;
use traits::{Traits, Verbs};

/// What is declared is law, so it is looked at here only to be left alone.
struct Declared<'a> {
    /// Tool to the twin groups and version families that it is in.
    kin: BTreeMap<&'a ToolId, BTreeSet<(LikenessKind, &'a str)>>,
}

/// Every undeclared likeness among admitted tools, and one warning for each side of it.
pub fn find(
    cards: &BTreeMap<ToolId, ToolCard>,
    linked: &Linked,
    vocabularies: &[Vocabulary],
) -> (Vec<Finding>, Vec<Likeness>) {
    let verbs = Verbs::of(vocabularies);
    let traits: Vec<Traits<'_>> =
        cards.values().collect::<Vec<_>>().par_iter().map(|c| Traits::of(c, &verbs)).collect();
    let declared = Declared::of(linked);
    let mut found = versions::find(&traits, &declared);
    let versions: BTreeSet<(String, String)> = found.iter().map(|l| (l.tool.clone(), l.other.clone())).collect();
    let twins = twins::find(&traits, &declared);
    found.extend(twins.into_iter().filter(|like| !versions.contains(&(like.tool.clone(), like.other.clone()))));
    let beside = declared_beside(linked);
    for like in &mut found {
        speak_of(like, &beside);
    }
    found.sort();
    found.dedup_by(|a, b| (a.kind, &a.tool, &a.other) == (b.kind, &b.tool, &b.other));
    (found.iter().flat_map(both_sides).collect(), found)
}

impl<'a> Declared<'a> {
    fn of(linked: &'a Linked) -> Self {
        let mut kin: BTreeMap<&ToolId, BTreeSet<(LikenessKind, &str)>> = BTreeMap::new();
        for twins in &linked.twins {
            for member in &twins.members {
                kin.entry(member).or_default().insert((LikenessKind::Twins, &twins.id));
            }
        }
        for family in &linked.families {
            for member in &family.members {
                kin.entry(&member.tool).or_default().insert((LikenessKind::Versions, &family.id));
            }
        }
        Self { kin }
    }

    /// One declaration has both.
    fn together(&self, a: &ToolId, b: &ToolId) -> bool {
        self.of_tool(a).any(|kin| self.of_tool(b).any(|other| kin == other))
    }

    fn of_tool(&self, tool: &ToolId) -> impl Iterator<Item = (LikenessKind, &'a str)> {
        self.kin.get(tool).into_iter().flatten().copied()
    }

    /// Ids that a proposal of this kind must not take.
    fn ids(&self, kind: LikenessKind) -> BTreeSet<String> {
        self.kin.values().flatten().filter(|(of, _)| *of == kind).map(|(_, id)| (*id).to_owned()).collect()
    }

    /// A line of evidence for each tool that a declaration of this kind has already: the other belongs there.
    fn standing(&self, kind: LikenessKind, tools: [&ToolId; 2]) -> Vec<String> {
        let noun = if kind == LikenessKind::Twins { "twin group" } else { "version family" };
        let known = |tool: &ToolId| -> Vec<String> {
            let ids = self.of_tool(tool).filter(|(of, _)| *of == kind);
            ids.map(|(_, id)| format!("`{tool}` is in the {noun} `{id}` already")).collect()
        };
        tools.into_iter().flat_map(known).collect()
    }
}

/// The pair itself, and what is declared about either of them already, are spoken of too.
fn speak_of(like: &mut Likeness, declared: &BTreeMap<&str, Vec<&ToolId>>) {
    let named = [like.tool.clone(), like.other.clone()];
    let beside = named.iter().filter_map(|tool| declared.get(tool.as_str())).flatten();
    like.speaks_of.extend(beside.map(ToString::to_string));
    like.speaks_of.extend(named);
    like.speaks_of.sort();
    like.speaks_of.dedup();
}

/// By tool, the members of the twin groups and version families that it is in.
fn declared_beside(linked: &Linked) -> BTreeMap<&str, Vec<&ToolId>> {
    let twins = linked.twins.iter().map(|twins| twins.members.iter().collect::<Vec<_>>());
    let families = linked.families.iter().map(|family| family.members.iter().map(|member| &member.tool).collect());
    let mut beside: BTreeMap<&str, Vec<&ToolId>> = BTreeMap::new();
    for members in twins.chain(families) {
        for tool in &members {
            beside.entry(tool.as_str()).or_default().extend(&members);
        }
    }
    beside
}

/// The tools that one tenant's projects can see together, for each tenant among these, the shared ones alone first.
/// A pair of shared tools stands in the first alone.
fn scopes<'t, 'a>(members: &[&'t Traits<'a>]) -> Vec<Vec<&'t Traits<'a>>> {
    let tenants: BTreeSet<Option<&str>> = members.iter().map(|t| t.card.tenant.as_deref()).collect();
    let of = |tenant: Option<&str>| {
        let seen = |t: &&&Traits<'a>| t.card.tenant.is_none() || t.card.tenant.as_deref() == tenant;
        members.iter().filter(seen).copied().collect()
    };
    std::iter::once(None).chain(tenants.into_iter().filter(Option::is_some)).map(of).collect()
}

/// A warning for each of the two that names the other.
fn both_sides(like: &Likeness) -> [Finding; 2] {
    [warning(like, &like.tool, &like.other), warning(like, &like.other, &like.tool)]
}

fn warning(like: &Likeness, tool: &str, other: &str) -> Finding {
    let (code, what, remedy) = match like.kind {
        LikenessKind::Twins => (codes::W_TWIN_UNDECLARED, "a twin", "declare a TwinGroup"),
        LikenessKind::Versions => (codes::W_VERSION_UNDECLARED, "another version", "declare a VersionFamily"),
    };
    Finding {
        tool: tool.to_owned(),
        severity: Severity::Warning,
        code: Cow::Borrowed(code),
        pointer: String::new(),
        message: format!("it looks like {what} of `{other}`: {}", like.evidence.join("; ")),
        remedy: format!("{remedy}, or say in the descriptions what sets the two apart"),
        acknowledged: false,
        place: None,
        other: Some(other.to_owned()),
    }
}
