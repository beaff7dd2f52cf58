//! Whose the catalogs of one snapshot are. A catalog may have had another owner once, or the same name may have meant another.

use std::collections::{BTreeMap, BTreeSet};

use ambit_engine::cut;
use ambit_model::snapshot::Snapshot;

/// The catalogs of a snapshot.
pub(crate) struct Ownership {
    /// Absent where it is shared.
    owners: BTreeMap<String, Option<String>>,
    /// By tenant: its own, and the shared ones that its projects list.
    in_sight: BTreeMap<String, BTreeSet<String>>,
}

impl Ownership {
    pub(crate) fn of(snapshot: &Snapshot) -> Self {
        let owners = snapshot.catalogs.iter().map(|catalog| (catalog.id.clone(), catalog.tenant.clone()));
        let in_sight = snapshot.tenants.iter().map(|tenant| {
            let catalogs = cut::catalogs(snapshot, &tenant.id);
            (tenant.id.clone(), catalogs.map(|catalog| catalog.id.clone()).collect())
        });
        Self { owners: owners.collect(), in_sight: in_sight.collect() }
    }

    /// Of these catalogs those that were this tenant's or shared.
    pub(crate) fn of_tenant(&self, tenant: &str, catalogs: &BTreeSet<String>) -> BTreeSet<String> {
        let own = |id: &&String| {
            let owner = self.owners.get(*id);
            owner.is_some_and(|owner| owner.as_ref().is_none_or(|owner| owner == tenant))
        };
        catalogs.iter().filter(own).cloned().collect()
    }

    /// All that were in this tenant's sight.
    pub(crate) fn in_sight(&self, tenant: &str) -> BTreeSet<String> {
        self.in_sight.get(tenant).cloned().unwrap_or_default()
    }
}
