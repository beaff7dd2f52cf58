//! Tools that no policy of either side can tell apart, on either side: compared once.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::card::ToolCard;
use ambit_model::identity::ToolId;
use ambit_model::snapshot::Snapshot;

use crate::authority::Visible;

/// Tools that are one tool to every policy of both sides.
pub(super) struct ToolClass<'a> {
    /// Any of them as it was and as it is; nothing where they are not there.
    pub(super) from: Option<&'a ToolCard>,
    pub(super) to: Option<&'a ToolCard>,
    /// Sorted.
    pub(super) tools: Vec<&'a ToolId>,
    pub(super) is_same: bool,
}

impl ToolClass<'_> {
    /// The catalog that all of them are in.
    pub(super) fn catalog(&self) -> &str {
        self.tools.first().map_or("", |tool| tool.catalog())
    }
}

/// All tools of both sides in classes; one that a policy names is alone in its own.
pub(super) fn classes<'a>(from: &'a Snapshot, to: &'a Snapshot, named: &BTreeSet<String>) -> Vec<ToolClass<'a>> {
    let by_id = |of: &'a Snapshot| -> BTreeMap<&'a ToolId, &'a ToolCard> {
        of.tools.iter().map(|card| (&card.id, card)).collect()
    };
    let (before, after) = (by_id(from), by_id(to));
    let ids: BTreeSet<&ToolId> = before.keys().chain(after.keys()).copied().collect();
    let mut classes: BTreeMap<_, ToolClass<'a>> = BTreeMap::new();
    for id in ids {
        let (from, to) = (before.get(id).copied(), after.get(id).copied());
        let seen = (from.map(Visible::new), to.map(Visible::new));
        let is_same = seen.0 == seen.1;
        let key = (seen, named.contains(id.as_str()).then_some(id));
        classes.entry(key).or_insert_with(|| ToolClass { from, to, tools: Vec::new(), is_same }).tools.push(id);
    }
    classes.into_values().collect()
}
