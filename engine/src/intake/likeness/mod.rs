//! Undeclared twins and versions: tools that look alike are reported with what speaks for it, and nothing is done about it.
//! INVARIANT: found by buckets, never by all pairs; symmetric; whatever the order of files; and no pair spans two tenants.

mod declared;
mod proposal;
#[cfg(test)]
mod tests;
mod traits;
mod twins;
mod version;
mod versions;

use std::borrow::Cow;
use std::collections::BTreeSet;

use ambit_model::card::ToolCard;
use ambit_model::codes;
use ambit_model::declaration::Vocabulary;
use ambit_model::diagnostic::Severity;
use ambit_model::identity::ToolId;
use ambit_model::intake::{Finding, Likeness, LikenessKind};
use rayon::prelude::*;

pub use declared::Declared;
pub use proposal::Proposal;

use traits::{Traits, Verbs};

/// Every undeclared likeness among admitted tools, and one warning for each side of it.
pub fn find<'a>(
    cards: impl IntoIterator<Item = &'a ToolCard>,
    declared: &Declared<'_>,
    vocabularies: &[Vocabulary],
) -> (Vec<Finding>, Vec<Likeness>) {
    let verbs = Verbs::of(vocabularies);
    let cards: Vec<&ToolCard> = cards.into_iter().collect();
    let traits: Vec<Traits<'_>> = cards.par_iter().map(|c| Traits::of(c, &verbs)).collect();
    let mut found = versions::find(&traits, declared);
    let versions: BTreeSet<(String, String)> = found.iter().map(|l| (l.tool.clone(), l.other.clone())).collect();
    let twins = twins::find(&traits, declared);
    found.extend(twins.into_iter().filter(|like| !versions.contains(&(like.tool.clone(), like.other.clone()))));
    for like in &mut found {
        speak_of(like, declared);
    }
    found.sort();
    found.dedup_by(|a, b| (a.kind, &a.tool, &a.other) == (b.kind, &b.tool, &b.other));
    (found.iter().flat_map(both_sides).collect(), found)
}

/// The declaration that would make these two twins or versions of one tool, among all tools that it would concern; nothing where they
/// do not look like either, or something declared has one of them.
pub fn between<'a>(
    cards: impl IntoIterator<Item = &'a ToolCard>,
    pair: [&ToolCard; 2],
    declared: &Declared<'_>,
    vocabularies: &[Vocabulary],
) -> Option<Proposal> {
    let [first, second] = pair;
    let tenant = first.tenant.as_ref().or(second.tenant.as_ref());
    let in_scope = |card: &ToolCard| card.tenant.is_none() || card.tenant.as_ref() == tenant;
    if !in_scope(first) || !in_scope(second) || pair.iter().any(|card| declared.holds(&card.id)) {
        return None;
    }
    let verbs = Verbs::of(vocabularies);
    let mut free: Vec<&ToolCard> =
        cards.into_iter().filter(|card| in_scope(card) && !declared.holds(&card.id)).collect();
    free.sort_by(|a, b| a.id.cmp(&b.id));
    let traits: Vec<Traits<'_>> = free.into_par_iter().map(|card| Traits::of(card, &verbs)).collect();
    let ids = pair.map(|card| &card.id);
    versions::family_of(&traits, ids, declared).or_else(|| twins::group_of(&traits, ids, declared))
}

/// The pair itself, and what is declared about either of them already, are spoken of too.
fn speak_of(like: &mut Likeness, declared: &Declared<'_>) {
    let named = [like.tool.clone(), like.other.clone()];
    let ids = named.iter().filter_map(|tool| ToolId::parse(tool));
    let beside: Vec<&ToolId> = ids.flat_map(|tool| declared.beside(&tool).collect::<Vec<_>>()).collect();
    like.speaks_of.extend(beside.into_iter().map(ToString::to_string));
    like.speaks_of.extend(named);
    like.speaks_of.sort();
    like.speaks_of.dedup();
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
