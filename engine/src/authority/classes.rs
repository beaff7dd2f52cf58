//! Tools that no policy can tell apart: asked once, so that a view of thousands of tools takes as many decisions as there are
//! kinds of tools.
//! INVARIANT: tools of one class get one answer from every policy; `laws` compares views with plain Cedar.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::card::ToolCard;
use ambit_model::snapshot::Snapshot;
use cedar_policy::EntityUid;

use super::compile::ScopedPolicy;
use super::vocabulary::{Vocabulary, uid};

/// The class of each tool, in the order of the snapshot. A policy sees of a tool its attributes and what it is in; its id only
/// where the policy names it. So tools are of one class where all of that is equal, and a tool that is named is alone in its own.
pub(super) fn of(snapshot: &Snapshot, policies: &[ScopedPolicy], vocabulary: &Vocabulary) -> Vec<usize> {
    let literals: BTreeSet<EntityUid> = policies.iter().flat_map(|policy| policy.policy.entity_literals()).collect();
    let mut classes: BTreeMap<_, usize> = BTreeMap::new();
    let class = |card| {
        let seen = Visible::new(card);
        let named = literals.contains(&uid(&vocabulary.tool, card.id.as_str())).then_some(&card.id);
        let next = classes.len();
        *classes.entry((seen, named)).or_insert(next)
    };
    snapshot.tools.iter().map(class).collect()
}

/// Everything but its id that a policy can see of a tool; `entities::build` makes the entity of the same.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Visible<'a> {
    catalog: &'a str,
    tenant: Option<&'a str>,
    groups: BTreeSet<&'a str>,
    entity: &'a str,
    words: [&'static str; 4],
    confirmation: bool,
}

impl<'a> Visible<'a> {
    pub(crate) fn new(card: &'a ToolCard) -> Self {
        let facts = &card.facts;
        Self {
            catalog: card.id.catalog(),
            tenant: card.tenant.as_deref(),
            groups: card.groups.iter().map(String::as_str).collect(),
            entity: &facts.entity.value,
            words: [
                facts.effect.value.word(),
                facts.risk.value.word(),
                facts.operation.value.word(),
                facts.source.word(),
            ],
            confirmation: facts.confirmation,
        }
    }
}
