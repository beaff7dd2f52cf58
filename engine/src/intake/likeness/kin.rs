//! Kin: tools that are alike, directly or by way of others, and the one document that would say so of all of them.
//! INVARIANT: what is proposed for a tenant's tools depends on them and the shared ones alone, so it tells of no other tenant.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ambit_model::identity::ToolId;
use ambit_model::intake::LikenessKind;

use super::declared::{Declared, Document};
use super::proposal::Proposal;
use super::traits::Traits;
use super::{Remedy, twins, versions};
use crate::intake::free_ids::FreeIds;

/// Most tools that one document lists.
const MOST_MEMBERS: usize = 50;

/// Places of two tools, the lower first.
pub(super) type Pair = (usize, usize);
/// A tool and its place among all, which are in canonical order.
pub(super) type Placed<'t, 'a> = (usize, &'t Traits<'a>);
/// Pairs, and what the two look like.
type Links = BTreeMap<Pair, LikenessKind>;

/// Tools of which one document can say what they are.
pub(super) struct Kin<'t, 'a> {
    pub kind: LikenessKind,
    /// In canonical order; versions the oldest first.
    members: Vec<&'t Traits<'a>>,
    /// Pairs that no declaration has, and what the two look like.
    pub open: Vec<(LikenessKind, [&'t Traits<'a>; 2])>,
    /// Nothing where some of them are in a document of this kind already.
    proposal: Option<Proposal>,
    /// The documents that have some of them, to which the others can be added.
    homes: BTreeMap<ToolId, Arc<Document>>,
}

impl Kin<'_, '_> {
    pub(super) fn has(&self, tool: &ToolId) -> bool {
        self.members.iter().any(|one| one.card.id == *tool)
    }

    /// What would say of two of them what they are.
    pub(super) fn remedy(&self, pair: [&ToolId; 2]) -> Option<Remedy> {
        match &self.proposal {
            Some(proposal) if pair.iter().all(|tool| proposal.has(tool)) => Some(Remedy::Declare(proposal.clone())),
            _ => self.addition(pair).map(Remedy::Extend),
        }
    }

    /// Every tool that a remedy may speak of, but for the two that it is for.
    pub(super) fn spoken_of(&self) -> BTreeSet<&ToolId> {
        let documents: BTreeMap<&str, &Arc<Document>> =
            self.homes.values().map(|document| (document.id.as_str(), document)).collect();
        let of_documents = documents.into_values().flat_map(|document| &document.members);
        shown(self.kind, &self.members).into_iter().map(|one| &one.card.id).chain(of_documents).collect()
    }

    /// What to add to which document, in words.
    fn addition(&self, pair: [&ToolId; 2]) -> Option<String> {
        let noun = match self.kind {
            LikenessKind::Twins => "TwinGroup",
            LikenessKind::Versions => "VersionFamily",
        };
        let [first, second] = pair.map(|tool| self.homes.get(tool));
        if let (Some(first), Some(second)) = (first, second) {
            return Some(format!("make one {noun} of `{}` and `{}`", first.id, second.id));
        }
        let home = first.or(second).or_else(|| self.homes.values().next())?;
        let outside = pair.into_iter().filter(|tool| !self.homes.contains_key(*tool));
        let outside = outside.map(|tool| format!("`{tool}`")).collect::<Vec<_>>().join(" and ");
        Some(if home.is_written {
            format!("add {outside} to the {noun} `{}`", home.id)
        } else {
            format!("declare the {noun} `{}` and add {outside} to it", home.id)
        })
    }
}

/// All kin among these tools, which are in canonical order.
pub(super) fn find<'t, 'a>(traits: &'t [Traits<'a>], declared: &Declared) -> Vec<Kin<'t, 'a>> {
    let by_tenant = links(traits);
    let shared = by_tenant.get(&None::<&str>).cloned().unwrap_or_default();
    let mut of_shared = Declared::default();
    let mut found = Vec::new();
    // The shared tools come first.
    for (tenant, own) in &by_tenant {
        let kin = Scope { traits, tenant: *tenant, standing: [declared, &of_shared] }.kin(&shared, own);
        if tenant.is_none() {
            let documents: Vec<Document> =
                kin.iter().filter_map(|one| Some(one.proposal.as_ref()?.document())).collect();
            documents.into_iter().for_each(|document| of_shared.put(document));
        }
        found.extend(kin);
    }
    found
}

/// Pairs by the tenant that has one of the two; those of shared tools under none.
fn links<'a>(traits: &[Traits<'a>]) -> BTreeMap<Option<&'a str>, Links> {
    let twins = twins::pairs(traits).into_iter().map(|found| (found, LikenessKind::Twins));
    let versions = versions::pairs(traits).into_iter().map(|found| (found, LikenessKind::Versions));
    let mut links: BTreeMap<Option<&'a str>, Links> = BTreeMap::new();
    for ((tenant, pair), kind) in twins.chain(versions) {
        links.entry(tenant).or_default().insert(pair, kind);
    }
    links
}

/// The pairs of a bucket, each in the tools that one tenant's projects can see together: the shared ones alone, then each tenant's with
/// the shared ones. A pair of shared tools is found in the first alone.
pub(super) fn in_scopes<'t, 'a>(
    bucket: &[Placed<'t, 'a>],
    pairs: impl Fn(&[Placed<'t, 'a>]) -> Vec<Pair>,
) -> Vec<(Option<&'a str>, Pair)> {
    let owner = |placed: &Placed<'t, 'a>| -> Option<&'a str> { placed.1.card.tenant.as_deref() };
    let tenants: BTreeSet<Option<&'a str>> = bucket.iter().map(owner).collect();
    let mut found = Vec::new();
    for tenant in std::iter::once(None).chain(tenants.into_iter().filter(Option::is_some)) {
        let is_seen = |placed: &&Placed<'t, 'a>| placed.1.card.tenant.is_none() || owner(placed) == tenant;
        let scope: Vec<Placed<'t, 'a>> = bucket.iter().filter(is_seen).copied().collect();
        let own: BTreeSet<usize> = scope.iter().filter(|placed| owner(placed) == tenant).map(|one| one.0).collect();
        let of_own = pairs(&scope).into_iter().filter(|(a, b)| own.contains(a) || own.contains(b));
        found.extend(of_own.map(|pair| (tenant, pair)));
    }
    found
}

/// The tools that one tenant's projects can see together, or the shared ones alone.
struct Scope<'s, 't, 'a> {
    traits: &'t [Traits<'a>],
    tenant: Option<&'a str>,
    /// What is declared, and what is proposed for the shared tools.
    standing: [&'s Declared; 2],
}

impl<'t, 'a> Scope<'_, 't, 'a> {
    /// The kin that pairs of its own join, with the shared tools that these are kin of.
    fn kin(&self, shared: &Links, own: &Links) -> Vec<Kin<'t, 'a>> {
        let joined: Links = shared.iter().chain(own).map(|(pair, kind)| (*pair, *kind)).collect();
        let is_own = |one: &Component| one.links.keys().any(|pair| own.contains_key(pair));
        let kinds = [LikenessKind::Twins, LikenessKind::Versions];
        let mut ids = BTreeMap::from(kinds.map(|kind| (kind, self.free_ids(kind))));
        let parts = components(&joined).into_iter().filter(is_own).flat_map(|whole| self.parts(whole));
        parts.filter_map(|(kind, part)| self.kin_of(kind, &part, own, &mut ids)).collect()
    }

    fn free_ids(&self, kind: LikenessKind) -> FreeIds {
        FreeIds::but(self.standing.iter().flat_map(|known| known.ids(kind)))
    }

    /// Nothing where no pair is open.
    fn kin_of(
        &self,
        kind: LikenessKind,
        part: &Component,
        own: &Links,
        ids: &mut BTreeMap<LikenessKind, FreeIds>,
    ) -> Option<Kin<'t, 'a>> {
        let open = self.open(part, own);
        if open.is_empty() {
            return None;
        }
        let mut members = self.members(part);
        if kind == LikenessKind::Versions {
            members.sort_by_key(|one| one.name.mark);
        }
        let mut homes: BTreeMap<ToolId, Arc<Document>> =
            members.iter().filter_map(|one| self.home(kind, one)).collect();
        let proposal = if homes.is_empty() { self.proposal(kind, &members, ids) } else { None };
        if let Some(proposal) = proposal.as_ref().filter(|_| members.len() > MOST_MEMBERS) {
            let document = Arc::new(proposal.document());
            homes.extend(document.members.iter().map(|member| (member.clone(), Arc::clone(&document))));
        }
        Some(Kin { kind, members, open, proposal, homes })
    }

    fn members(&self, of: &Component) -> Vec<&'t Traits<'a>> {
        of.members.iter().filter_map(|place| self.traits.get(*place)).collect()
    }

    fn open(&self, part: &Component, own: &Links) -> Vec<(LikenessKind, [&'t Traits<'a>; 2])> {
        let [declared, _] = self.standing;
        let links = part.links.iter().filter(|(pair, _)| own.contains_key(*pair));
        let pairs = links.filter_map(|((a, b), kind)| Some((*kind, [self.traits.get(*a)?, self.traits.get(*b)?])));
        pairs.filter(|(_, [a, b])| !declared.together(&a.card.id, &b.card.id)).collect()
    }

    fn home(&self, kind: LikenessKind, one: &Traits<'_>) -> Option<(ToolId, Arc<Document>)> {
        let id = &one.card.id;
        let home = self.standing.iter().find_map(|known| known.home(kind, id))?;
        Some((id.clone(), Arc::clone(home)))
    }

    /// Called after a tool of its own: the name of a shared one could be wanted by every tenant.
    fn proposal(
        &self,
        kind: LikenessKind,
        members: &[&'t Traits<'a>],
        ids: &mut BTreeMap<LikenessKind, FreeIds>,
    ) -> Option<Proposal> {
        let shown = shown(kind, members);
        let is_own = |one: &&&Traits<'_>| one.card.tenant.as_deref() == self.tenant;
        let ids = ids.entry(kind).or_default();
        match kind {
            LikenessKind::Twins => {
                let first = shown.iter().find(is_own).or(shown.first())?;
                Proposal::twins(ids.take("", first.card.id.as_str()), &shown)
            }
            LikenessKind::Versions => {
                let newest = shown.iter().rev().find(is_own).or(shown.last())?;
                Some(Proposal::versions(ids.take("", &versions::family_name(newest)), &shown))
            }
        }
    }

    /// What one document each can say: all of them, where that is of one kind; else the versions of each tool, and the twins besides.
    fn parts(&self, whole: Component) -> Vec<(LikenessKind, Component)> {
        if let Some(kind) = self.kind_of(&whole) {
            return vec![(kind, whole)];
        }
        let of_one_name = |((a, b), _): &(Pair, LikenessKind)| {
            let both = self.traits.get(*a).zip(self.traits.get(*b));
            both.is_some_and(|(a, b)| a.is_named_like(b))
        };
        let (within, mut across): (Links, Links) = whole.links.into_iter().partition(of_one_name);
        let mut parts = Vec::new();
        for part in components(&within) {
            if part.has_versions() {
                parts.push((LikenessKind::Versions, part));
            } else {
                across.extend(part.links);
            }
        }
        parts.extend(components(&across).into_iter().map(|part| (LikenessKind::Twins, part)));
        parts
    }

    /// Versions of one tool are a family, whatever is twice among them. Of several tools they are twins if all take and return the same.
    fn kind_of(&self, whole: &Component) -> Option<LikenessKind> {
        if !whole.has_versions() {
            return Some(LikenessKind::Twins);
        }
        let members = self.members(whole);
        let first = members.first()?;
        if members.iter().all(|one| one.is_named_like(first)) {
            return Some(LikenessKind::Versions);
        }
        let values = first.values();
        members.iter().all(|one| one.values() == values).then_some(LikenessKind::Twins)
    }
}

/// The members that a document lists: the first, but of versions the newest.
fn shown<'t, 'a>(kind: LikenessKind, members: &[&'t Traits<'a>]) -> Vec<&'t Traits<'a>> {
    let skipped = match kind {
        LikenessKind::Twins => 0,
        LikenessKind::Versions => members.len().saturating_sub(MOST_MEMBERS),
    };
    members.iter().skip(skipped).take(MOST_MEMBERS).copied().collect()
}

/// Tools that links join, by their places, and those links.
#[derive(Default)]
struct Component {
    members: BTreeSet<usize>,
    links: Links,
}

impl Component {
    fn has_versions(&self) -> bool {
        self.links.values().any(|kind| *kind == LikenessKind::Versions)
    }
}

/// What links join, in the order of first members.
fn components(links: &Links) -> Vec<Component> {
    let mut near: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for &(a, b) in links.keys() {
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
    for (&(a, b), &kind) in links {
        components.entry(group.get(&a).copied().unwrap_or(a)).or_default().links.insert((a, b), kind);
    }
    components.into_values().collect()
}
