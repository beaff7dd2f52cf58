//! Tools that are gained or lost in the same way, together: what a person reads is the way, not a thousand lines of it.

use std::collections::BTreeMap;

use ambit_model::diff::ToolChange;

/// Tools whose changes differ in nothing but the tool.
pub(super) struct Bundle<'a> {
    /// What they have in common.
    pub(super) of: &'a ToolChange,
    pub(super) tools: Vec<&'a ToolChange>,
}

impl Bundle<'_> {
    /// `discover, route, invoke`.
    pub(super) fn actions(&self) -> String {
        self.of.actions.iter().map(|action| action.word()).collect::<Vec<_>>().join(", ")
    }
}

/// In the order of the first tool of each.
pub(super) fn bundles(changes: &[ToolChange]) -> Vec<Bundle<'_>> {
    let mut places = BTreeMap::new();
    let mut bundles: Vec<Bundle<'_>> = Vec::new();
    for change in changes {
        let key = (&change.actions, &change.condition, &change.policies, &change.because);
        let place = *places.entry(key).or_insert(bundles.len());
        match bundles.get_mut(place) {
            Some(bundle) => bundle.tools.push(change),
            None => bundles.push(Bundle { of: change, tools: vec![change] }),
        }
    }
    bundles
}

/// The first few, and how many more there are.
pub(super) fn shown(names: &[String], few: usize) -> String {
    let text = names.iter().take(few).map(String::as_str).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(few) {
        0 => text,
        more => format!("{text} and {more} more"),
    }
}
