//! Undeclared twins and versions: tools that look alike are reported with what speaks for it, and nothing is done about it.
//! INVARIANT: found by buckets, never by all pairs; symmetric; whatever the order of files; and no pair spans two tenants.

mod declared;
mod kin;
mod neighbours;
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
use ambit_model::intake::{Finding, Likeness, LikenessKind};
use rayon::prelude::*;

pub use declared::Declared;
pub use neighbours::Neighbours;
pub use proposal::Proposal;

use kin::Kin;
use traits::{Traits, Verbs};

/// What would say of tools what they look like.
#[derive(Clone, Debug, PartialEq)]
pub enum Remedy {
    /// A document of its own, about all that are alike.
    Declare(Proposal),
    /// Some of them are in a document already: what to add to it, in words.
    Extend(String),
}

impl Remedy {
    /// The document, or a comment in its place.
    fn yaml(&self) -> String {
        match self {
            Self::Declare(proposal) => proposal.yaml(),
            Self::Extend(words) => format!("# {words}\n"),
        }
    }

    /// What to do, in words.
    fn says(&self) -> String {
        let (document, all) = match self {
            Self::Extend(words) => return words.clone(),
            Self::Declare(Proposal::Twins(_)) => ("a TwinGroup", "all that are alike"),
            Self::Declare(Proposal::Versions(_)) => ("a VersionFamily", "all versions"),
        };
        let pair = matches!(self, Self::Declare(proposal) if proposal.members().len() == 2);
        if pair { format!("declare {document}") } else { format!("declare {document} of {all}") }
    }
}

/// A likeness, and what to do about it.
struct Told {
    likeness: Likeness,
    remedy: String,
}

/// Every undeclared likeness among admitted tools, and one warning for each side of it.
pub fn find<'a>(
    cards: impl IntoIterator<Item = &'a ToolCard>,
    declared: &Declared,
    vocabularies: &[Vocabulary],
) -> (Vec<Finding>, Vec<Likeness>) {
    let traits = traits_of(cards, vocabularies);
    let mut told: Vec<Told> = kin::find(&traits, declared).iter().flat_map(|kin| told(kin, declared)).collect();
    told.sort_by(|a, b| a.likeness.cmp(&b.likeness));
    let findings = told.iter().flat_map(both_sides).collect();
    (findings, told.into_iter().map(|one| one.likeness).collect())
}

/// The same of each part of the tools that projects list together; no pair spans two parts.
pub fn find_among<'a>(
    neighbours: &Neighbours<'_>,
    cards: impl IntoIterator<Item = &'a ToolCard>,
    declared: &Declared,
    vocabularies: &[Vocabulary],
) -> (Vec<Finding>, Vec<Likeness>) {
    let (mut findings, mut likenesses) = (Vec::new(), Vec::new());
    for part in neighbours.parted(cards) {
        let (mut of_part, mut alike) = find(part, declared, vocabularies);
        findings.append(&mut of_part);
        likenesses.append(&mut alike);
    }
    likenesses.sort();
    (findings, likenesses)
}

/// What would make these two twins or versions of one tool, with all tools that are alike beside them; nothing where they do not look like
/// either, or one declaration has both.
pub fn between<'a>(
    cards: impl IntoIterator<Item = &'a ToolCard>,
    pair: [&ToolCard; 2],
    declared: &Declared,
    vocabularies: &[Vocabulary],
) -> Option<Remedy> {
    let [first, second] = pair;
    let tenant = first.tenant.as_ref().or(second.tenant.as_ref());
    let in_scope = |card: &ToolCard| card.tenant.is_none() || card.tenant.as_ref() == tenant;
    if !in_scope(first) || !in_scope(second) || declared.together(&first.id, &second.id) {
        return None;
    }
    let traits = traits_of(cards.into_iter().filter(|card| in_scope(card)), vocabularies);
    let found = kin::find(&traits, declared);
    found.iter().find(|kin| kin.has(&first.id) && kin.has(&second.id))?.remedy([&first.id, &second.id])
}

/// The refused tools that are looked at beside the admitted ones: those that lost their own questions, for that is how a twin shows.
pub fn refused_alike<'r>(refused: &'r [ToolCard], findings: &[Finding]) -> Vec<&'r ToolCard> {
    let lost = findings.iter().filter(|finding| finding.code == codes::E_SELF_RETRIEVAL);
    let lost: BTreeSet<&str> = lost.map(|finding| finding.tool.as_str()).collect();
    refused.iter().filter(|card| lost.contains(card.id.as_str())).collect()
}

/// In canonical order, each tool once.
fn traits_of<'a>(cards: impl IntoIterator<Item = &'a ToolCard>, vocabularies: &[Vocabulary]) -> Vec<Traits<'a>> {
    let verbs = Verbs::of(vocabularies);
    let mut cards: Vec<&'a ToolCard> = cards.into_iter().collect();
    cards.sort_by(|a, b| a.id.cmp(&b.id));
    cards.dedup_by(|a, b| a.id == b.id);
    cards.into_par_iter().map(|card| Traits::of(card, &verbs)).collect()
}

/// Every open pair of some kin.
fn told(kin: &Kin<'_, '_>, declared: &Declared) -> Vec<Told> {
    let spoken_of: Vec<String> = kin.spoken_of().into_iter().map(ToString::to_string).collect();
    let told = |(kind, [a, b]): &(LikenessKind, [&Traits<'_>; 2])| {
        let pair = [&a.card.id, &b.card.id];
        let remedy = kin.remedy(pair)?;
        let mut evidence = match kind {
            LikenessKind::Twins => twins::evidence(a, b),
            LikenessKind::Versions => versions::evidence(a, b),
        };
        evidence.extend(declared.standing(kin.kind, pair));
        let beside = pair.into_iter().flat_map(|tool| declared.beside(tool)).chain(pair);
        let mut speaks_of: Vec<String> = spoken_of.iter().cloned().chain(beside.map(ToString::to_string)).collect();
        speaks_of.sort();
        speaks_of.dedup();
        let [tool, other] = pair.map(ToString::to_string);
        let likeness = Likeness { kind: *kind, tool, other, evidence, proposal: remedy.yaml(), speaks_of };
        Some(Told { likeness, remedy: remedy.says() })
    };
    kin.open.iter().filter_map(told).collect()
}

/// A warning for each of the two that names the other.
fn both_sides(told: &Told) -> [Finding; 2] {
    let Likeness { tool, other, .. } = &told.likeness;
    [warning(told, tool, other), warning(told, other, tool)]
}

fn warning(told: &Told, tool: &str, other: &str) -> Finding {
    let (code, what) = match told.likeness.kind {
        LikenessKind::Twins => (codes::W_TWIN_UNDECLARED, "a twin"),
        LikenessKind::Versions => (codes::W_VERSION_UNDECLARED, "another version"),
    };
    Finding {
        tool: tool.to_owned(),
        severity: Severity::Warning,
        code: Cow::Borrowed(code),
        pointer: String::new(),
        message: format!("it looks like {what} of `{other}`: {}", told.likeness.evidence.join("; ")),
        remedy: format!("{}, or say in the descriptions what sets the two apart", told.remedy),
        acknowledged: false,
        place: None,
        other: Some(other.to_owned()),
    }
}
