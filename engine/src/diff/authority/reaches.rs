//! Administration and acting for others: what each asker could do before, and what it can do now.
//! A part is gained or lost only where the whole did not hold it, or does not hold it now.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::administration::{AdminAction, AdminResource};
use ambit_model::diff::{ReachChange, Who};
use ambit_model::identity::{Principal, PrincipalKind};
use ambit_model::snapshot::Snapshot;
use rayon::prelude::*;

use super::askers::{Asker, Held};
use super::uses::Seated;
use super::world::{SideOf, World};
use crate::authority::{Chair, Reach};

/// The changes of all askers, in their order.
pub(super) fn compare(world: &World<'_>, seated: &Seated<'_>) -> Vec<ReachChange> {
    let whole = is_another(world);
    let targets_differ = world.askers.iter().any(|asker| !asker.is_same());
    let compared = |(at, asker): (usize, &Asker)| {
        let from = Standing::new(&world.from, world.askers, asker, seated.from.get(at), |asker| asker.from.as_ref());
        let to = Standing::new(&world.to, world.askers, asker, seated.to.get(at), |asker| asker.to.as_ref());
        if from.is_none() && to.is_none() {
            return None;
        }
        let met = [&from, &to].into_iter().flatten().any(Standing::meets_a_change);
        let differs = whole || met || !asker.is_same();
        let mut change = Compared::default();
        if differs {
            AdminAction::ALL.into_iter().for_each(|action| change.administration(from.as_ref(), to.as_ref(), action));
        }
        if differs || targets_differ {
            change.acting(from.as_ref(), to.as_ref());
        }
        change.done(world, asker.who.clone())
    };
    let found: Vec<Option<ReachChange>> = world.askers.par_iter().enumerate().map(compared).collect();
    found.into_iter().flatten().collect()
}

/// The workspace, a tenant, a project or a catalog is another, or what a project lists.
fn is_another(world: &World<'_>) -> bool {
    let catalogs = |of: &Snapshot| of.catalogs.iter().map(|catalog| catalog.id.clone()).collect::<BTreeSet<_>>();
    let tenants = |of: &Snapshot| of.tenants.iter().map(|tenant| tenant.id.clone()).collect::<BTreeSet<_>>();
    let (from, to) = (world.from.side.snapshot, world.to.side.snapshot);
    world.broad
        || world.projects.iter().any(|project| !project.is_same())
        || catalogs(from) != catalogs(to)
        || tenants(from) != tenants(to)
}

/// An asker on a side where it may administer something, or act for somebody.
struct Standing<'a> {
    side: &'a SideOf<'a>,
    askers: &'a [Asker],
    chair: &'a Chair<'a>,
    tenant: &'a str,
    held: fn(&Asker) -> Option<&Held>,
}

impl<'a> Standing<'a> {
    fn new(
        side: &'a SideOf<'a>,
        askers: &'a [Asker],
        asker: &'a Asker,
        chair: Option<&'a Option<Chair<'a>>>,
        held: fn(&Asker) -> Option<&Held>,
    ) -> Option<Self> {
        let chair = chair?.as_ref()?;
        let tenant = asker.tenant.as_str();
        side.hearing.may_administer(chair).then_some(Self { side, askers, chair, tenant, held })
    }

    fn meets_a_change(&self) -> bool {
        let policies = self.side.hearing.policies();
        let speaks = |at: &usize| policies.get(*at).is_some_and(|policy| policy.administers);
        self.side.changed.iter().filter(|at| speaks(at)).any(|at| self.side.hearing.means(self.chair, *at))
    }

    fn reach(&self, action: AdminAction) -> Reach {
        self.side.hearing.reach(self.chair, self.tenant, action)
    }

    /// Users and roles of its tenant, with the roles that each holds.
    fn targets(&self) -> BTreeMap<&Principal, &BTreeSet<String>> {
        let declared = |asker: &&Asker| asker.tenant == self.tenant && matches!(asker.who, Who::Principal { .. });
        let held = self.askers.iter().filter(declared).filter_map(self.held);
        let held = held.filter(|held| held.principal.kind != PrincipalKind::Agent);
        held.map(|held| (&held.principal, &held.roles)).collect()
    }

    fn acts_for(&self) -> BTreeMap<&Principal, Vec<String>> {
        self.side.hearing.acts_for(self.chair, self.targets().into_keys())
    }

    fn owner(&self, catalog: &str) -> Option<&str> {
        self.side.side.snapshot.catalogs.iter().find(|of| of.id == catalog)?.tenant.as_deref()
    }

    /// What is reached, the widest alone: with the Workspace nothing else, with a tenant nothing that is its own.
    fn parts(&self, reach: &Reach) -> Vec<AdminResource> {
        if reach.everything {
            return vec![AdminResource::Workspace];
        }
        let tenant = reach.tenant.as_deref();
        let projects = reach.projects.iter().filter(|project| tenant != Some(project.tenant.as_str()));
        let catalogs = reach.catalogs.iter().filter(|catalog| tenant.is_none() || self.owner(catalog) != tenant);
        let tenant = tenant.map(|id| AdminResource::Tenant(id.to_owned()));
        let projects = projects.cloned().map(AdminResource::Project);
        tenant.into_iter().chain(projects).chain(catalogs.cloned().map(AdminResource::Catalog)).collect()
    }

    /// A part of this side is reached there, by itself or within a whole.
    fn covers(&self, part: &AdminResource, there: &Reach) -> bool {
        there.everything
            || match part {
                AdminResource::Workspace => false,
                AdminResource::Tenant(id) => there.tenant.as_ref() == Some(id),
                AdminResource::Project(id) => there.covers(&id.tenant, Some(id)),
                AdminResource::Catalog(id) => {
                    there.catalogs.contains(id) || (there.tenant.is_some() && self.owner(id) == there.tenant.as_deref())
                }
            }
    }
}

#[derive(Default)]
struct Compared {
    gains: BTreeSet<String>,
    loses: BTreeSet<String>,
    policies: BTreeSet<String>,
}

impl Compared {
    fn administration(&mut self, from: Option<&Standing<'_>>, to: Option<&Standing<'_>>, action: AdminAction) {
        let reach = |side: Option<&Standing<'_>>| side.map(|side| side.reach(action)).unwrap_or_default();
        let (was, is) = (reach(from), reach(to));
        let lines = |side: Option<&Standing<'_>>, here: &Reach, there: &Reach| -> Vec<String> {
            let parts = side.map(|side| side.parts(here)).unwrap_or_default();
            let more = parts.into_iter().filter(|part| side.is_some_and(|side| !side.covers(part, there)));
            more.map(|part| format!("{} on {part}", action.word())).collect()
        };
        let (gained, lost) = (lines(to, &is, &was), lines(from, &was, &is));
        if !gained.is_empty() || !lost.is_empty() {
            self.blame(&was.policies, &is.policies);
        }
        self.gains.extend(gained);
        self.loses.extend(lost);
    }

    fn acting(&mut self, from: Option<&Standing<'_>>, to: Option<&Standing<'_>>) {
        let acts = |side: Option<&Standing<'_>>| -> BTreeMap<Principal, Vec<String>> {
            let allowed = side.map(Standing::acts_for).unwrap_or_default();
            allowed.into_iter().map(|(target, policies)| (target.clone(), policies)).collect()
        };
        let (was, is) = (acts(from), acts(to));
        for (target, policies) in was.iter().filter(|(target, _)| !is.contains_key(*target)) {
            self.blame(policies, is.get(target).map_or(&[], Vec::as_slice));
        }
        for (target, policies) in is.iter().filter(|(target, _)| !was.contains_key(*target)) {
            self.blame(was.get(target).map_or(&[], Vec::as_slice), policies);
        }
        self.gains.extend(to.iter().flat_map(|side| targets(side, &is, &was)));
        self.loses.extend(from.iter().flat_map(|side| targets(side, &was, &is)));
    }

    /// The policies that decide on one side alone; where they are the same on both, all of them.
    fn blame(&mut self, was: &[String], is: &[String]) {
        let (was, is): (BTreeSet<&String>, BTreeSet<&String>) = (was.iter().collect(), is.iter().collect());
        let mut differing: Vec<&String> = was.symmetric_difference(&is).copied().collect();
        if differing.is_empty() {
            differing = was.into_iter().collect();
        }
        self.policies.extend(differing.into_iter().cloned());
    }

    fn done(self, world: &World<'_>, who: Who) -> Option<ReachChange> {
        let Self { gains, loses, policies } = self;
        let changed = !gains.is_empty() || !loses.is_empty();
        changed.then(|| ReachChange {
            who,
            gains: gains.into_iter().collect(),
            loses: loses.into_iter().collect(),
            policies: policies.into_iter().filter(|policy| world.shows(policy)).collect(),
        })
    }
}

/// Whom it may act for here and not there. Of a role whose holders are all here, the role alone is named.
fn targets(
    side: &Standing<'_>,
    here: &BTreeMap<Principal, Vec<String>>,
    there: &BTreeMap<Principal, Vec<String>>,
) -> Vec<String> {
    let all = side.targets();
    let more: BTreeSet<&Principal> = here.keys().filter(|target| !there.contains_key(*target)).collect();
    let is_whole = |role: &Principal| {
        all.iter().filter(|(_, roles)| roles.contains(&role.name)).all(|(holder, _)| here.contains_key(*holder))
    };
    let roles: BTreeSet<&Principal> =
        more.iter().copied().filter(|of| of.kind == PrincipalKind::Role && is_whole(of)).collect();
    let is_implied = |target: &Principal| {
        let held = all.get(target);
        held.is_some_and(|held| roles.iter().any(|role| *role != target && held.contains(&role.name)))
    };
    more.into_iter().filter(|target| !is_implied(target)).map(|target| format!("act_for {target}")).collect()
}
