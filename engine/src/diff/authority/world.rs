//! The two sides side by side: what of all that decides is another, so that only what can differ is asked about.
//! INVARIANT: what is left out here decides alike on both sides.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::declaration::Project;
use ambit_model::identity::ProjectId;
use ambit_model::snapshot::Snapshot;

use super::askers::{self, Asker, Held};
use super::tools::{ToolClass, classes};
use crate::authority::{AuthorityError, BUILT_IN_PREFIX, Chair, Hearing};
use crate::diff::Side;

/// Both sides, and what they have in common.
pub(super) struct World<'a> {
    pub(super) from: SideOf<'a>,
    pub(super) to: SideOf<'a>,
    pub(super) askers: &'a [Asker],
    pub(super) projects: Vec<ProjectPair<'a>>,
    pub(super) classes: Vec<ToolClass<'a>>,
    /// Something changed that a policy may look at from anywhere: everything is compared.
    pub(super) broad: bool,
    /// Ids of the policies that are shown: those of the snapshots, and the built-in ones.
    shown: BTreeSet<String>,
    /// What became of each policy that is another.
    changed: BTreeMap<String, &'static str>,
}

/// One side.
pub(super) struct SideOf<'a> {
    pub(super) side: Side<'a>,
    pub(super) hearing: Hearing<'a>,
    /// Policies that are not on the other side, or are others there.
    pub(super) changed: BTreeSet<usize>,
}

/// A project of at least one side.
pub(super) struct ProjectPair<'a> {
    pub(super) id: &'a ProjectId,
    pub(super) from: Option<&'a Project>,
    pub(super) to: Option<&'a Project>,
}

impl ProjectPair<'_> {
    /// What policies see of it.
    pub(super) fn is_same(&self) -> bool {
        let seen = |project: &Project| (project.ceiling, project.catalogs.iter().cloned().collect::<BTreeSet<_>>());
        self.from.map(seen) == self.to.map(seen)
    }
}

impl<'a> World<'a> {
    pub(super) fn new(from: Side<'a>, to: Side<'a>, askers: &'a [Asker]) -> Result<Self, AuthorityError> {
        let before = SideOf::new(from, askers.iter().filter_map(|asker| asker.from.as_ref()))?;
        let after = SideOf::new(to, askers.iter().filter_map(|asker| asker.to.as_ref()))?;
        let (removed, added) = (before.unlike(&after), after.unlike(&before));
        let changed = fates(&before, &removed, &after, &added);
        let named: BTreeSet<String> =
            before.hearing.tools_named().into_iter().chain(after.hearing.tools_named()).collect();
        let shown = [from, to].into_iter().flat_map(|side| &side.snapshot.policies).map(|policy| policy.id.clone());
        Ok(Self {
            projects: projects(from.snapshot, to.snapshot),
            classes: classes(from.snapshot, to.snapshot, &named),
            broad: is_broad(from.snapshot, to.snapshot) || before.looks_elsewhere() || after.looks_elsewhere(),
            shown: shown.collect(),
            changed,
            from: SideOf { changed: removed, ..before },
            to: SideOf { changed: added, ..after },
            askers,
        })
    }

    /// `is new`, `is gone`, `changed`; nothing where it is the same.
    pub(super) fn fate(&self, policy: &str) -> Option<&'static str> {
        self.changed.get(policy).copied()
    }

    /// Both snapshots show who reads them that there is such a policy, or at least one does.
    pub(super) fn shows(&self, policy: &str) -> bool {
        policy.starts_with(BUILT_IN_PREFIX) || self.shown.contains(policy)
    }
}

impl<'a> SideOf<'a> {
    fn new<'h>(side: Side<'a>, held: impl Iterator<Item = &'h Held>) -> Result<Self, AuthorityError> {
        let hearing = Hearing::new(side.authority, &askers::strangers(held))?;
        Ok(Self { side, hearing, changed: BTreeSet::new() })
    }

    /// Everybody's chair, by their place among the askers.
    pub(super) fn chairs(&self, held: impl Iterator<Item = Option<&'a Held>>) -> Vec<Option<Chair<'_>>> {
        held.map(|held| held.and_then(|held| self.hearing.chair(&held.principal))).collect()
    }

    fn bodies(&self) -> BTreeMap<&str, &str> {
        self.hearing.policies().iter().map(|policy| (policy.id, policy.body.as_str())).collect()
    }

    /// Policies that the other side has not, or otherwise.
    fn unlike(&self, other: &Self) -> BTreeSet<usize> {
        let others = other.bodies();
        let policies = self.hearing.policies().iter().enumerate();
        let unlike = policies.filter(|(_, policy)| others.get(policy.id) != Some(&policy.body.as_str()));
        unlike.map(|(at, _)| at).collect()
    }

    fn looks_elsewhere(&self) -> bool {
        self.hearing.policies().iter().any(|policy| policy.glance.elsewhere)
    }

    fn id(&self, policy: usize) -> Option<&str> {
        self.hearing.policies().get(policy).map(|policy| policy.id)
    }
}

fn fates(
    from: &SideOf<'_>,
    removed: &BTreeSet<usize>,
    to: &SideOf<'_>,
    added: &BTreeSet<usize>,
) -> BTreeMap<String, &'static str> {
    let mut fates = BTreeMap::new();
    for id in removed.iter().filter_map(|at| from.id(*at)) {
        fates.insert(id.to_owned(), "is gone");
    }
    for id in added.iter().filter_map(|at| to.id(*at)) {
        let fate = if fates.contains_key(id) { "changed" } else { "is new" };
        fates.insert(id.to_owned(), fate);
    }
    fates
}

pub(super) fn projects<'a>(from: &'a Snapshot, to: &'a Snapshot) -> Vec<ProjectPair<'a>> {
    let by_id = |snapshot: &'a Snapshot| -> BTreeMap<&'a ProjectId, &'a Project> {
        snapshot.projects.iter().map(|project| (&project.id, project)).collect()
    };
    let (before, after) = (by_id(from), by_id(to));
    let ids: BTreeSet<&ProjectId> = before.keys().chain(after.keys()).copied().collect();
    let pair = |id| ProjectPair { id, from: before.get(id).copied(), to: after.get(id).copied() };
    ids.into_iter().map(pair).collect()
}

/// The schema, the workspace's name or whose a catalog is.
pub(super) fn is_broad(from: &Snapshot, to: &Snapshot) -> bool {
    let owners = |snapshot: &Snapshot| -> BTreeMap<String, Option<String>> {
        snapshot.catalogs.iter().map(|catalog| (catalog.id.clone(), catalog.tenant.clone())).collect()
    };
    let (before, after) = (owners(from), owners(to));
    let moved = before.iter().any(|(id, owner)| after.get(id).is_some_and(|now| now != owner));
    from.schema != to.schema || from.settings.workspace != to.settings.workspace || moved
}
