//! Who gains and who loses what: every asker of either side in every project of its tenant, complete, and told in classes.
//! Only what can differ is asked about, so that one changed tool among ten thousand takes a few decisions.

mod askers;
mod because;
mod classes;
mod providers;
mod reaches;
mod tools;
mod uses;
mod world;

#[cfg(test)]
mod laws;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use ambit_model::diff::AuthorityChanges;
use ambit_model::snapshot::Snapshot;

use self::askers::Asker;
use self::uses::Seated;
use self::world::{ProjectPair, World};
use super::Side;
use crate::authority::AuthorityError;

/// Compares what everybody may do.
pub(super) fn changes(from: Side<'_>, to: Side<'_>) -> Result<AuthorityChanges, AuthorityError> {
    let askers = askers::all(from.snapshot, to.snapshot);
    let world = World::new(from, to, &askers)?;
    let seated = Seated {
        from: world.from.chairs(askers.iter().map(|asker| asker.from.as_ref())),
        to: world.to.chairs(askers.iter().map(|asker| asker.to.as_ref())),
    };
    let classes = world.projects.iter().flat_map(|project| classes::of_project(&world, &seated, project)).collect();
    let mut changed = providers::compare(from.snapshot, to.snapshot);
    changed.extend(reaches::compare(&world, &seated));
    Ok(AuthorityChanges { classes, reaches: changed, compared: askers.len() })
}

/// Nothing that decides is another: neither policies nor anything that they can see. Then nobody gains or loses.
pub(super) fn unchanged(from: &Snapshot, to: &Snapshot) -> Option<AuthorityChanges> {
    let askers = askers::all(from, to);
    let policies = |of: &Snapshot| {
        of.policies.iter().map(|policy| (policy.id.clone(), policy.cedar.clone())).collect::<BTreeSet<_>>()
    };
    let catalogs = |of: &Snapshot| of.catalogs.iter().map(|catalog| catalog.id.clone()).collect::<BTreeSet<_>>();
    let same = !world::is_broad(from, to)
        && policies(from) == policies(to)
        && catalogs(from) == catalogs(to)
        && providers::compare(from, to).is_empty()
        && askers.iter().all(Asker::is_same)
        && world::projects(from, to).iter().all(ProjectPair::is_same)
        && tools::classes(from, to, &BTreeSet::new()).iter().all(|class| class.is_same);
    same.then(|| AuthorityChanges { compared: askers.len(), ..AuthorityChanges::default() })
}
