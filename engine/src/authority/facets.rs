//! Everything that a policy can see of tools, the other way round: for each thing to be seen, the set of tools that have it.
//! Built once a snapshot; a condition on tools becomes a few unions and intersections (`residual`).
//! INVARIANT: it says of a tool what its entity says; `laws` compares views with plain Cedar.

use std::collections::HashMap;

use ambit_model::card::ToolCard;
use cedar_policy::{Entities, EntityTypeName, EntityUid};
use roaring::RoaringBitmap;

use super::vocabulary::{Vocabulary, uid};

/// Tools by what policies see of them. Position `n` is the `n`th tool by canonical id.
#[derive(Debug, Default)]
pub(super) struct Facets {
    pub(super) all: RoaringBitmap,
    /// The type and id of something that tools are, or are in, and those tools.
    within: HashMap<Named, RoaringBitmap>,
    attributes: HashMap<&'static str, Attribute>,
}

/// The tools that have an attribute, and those that have it with one value.
#[derive(Debug, Default)]
pub(super) struct Attribute {
    pub(super) has: RoaringBitmap,
    values: HashMap<Seen, RoaringBitmap>,
}

/// An entity, by the written form of its type and its id.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Named {
    pub(super) of: String,
    pub(super) id: String,
}

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Seen {
    Text(String),
    Flag(bool),
    Entity(Named),
}

impl Facets {
    /// Of these cards, in this order, as their entities stand in `entities`.
    pub(super) fn new<'a>(
        cards: impl Iterator<Item = &'a ToolCard>,
        vocabulary: &Vocabulary,
        entities: &Entities,
    ) -> Self {
        let mut facets = Self::default();
        for (position, card) in (0_u32..).zip(cards) {
            facets.all.insert(position);
            facets.place(position, card, vocabulary, entities);
            facets.describe(position, card, vocabulary);
        }
        #[cfg(test)]
        if super::FORGETS_TOOLS.get() {
            facets.all.clear();
        }
        facets
    }

    /// The tools of a catalog.
    pub(super) fn of_catalog(&self, vocabulary: &Vocabulary, catalog: &str) -> RoaringBitmap {
        self.within(&Named { of: vocabulary.catalog.to_string(), id: catalog.to_owned() })
    }

    /// The tools that are this entity or are in it.
    pub(super) fn within(&self, outer: &Named) -> RoaringBitmap {
        self.within.get(outer).cloned().unwrap_or_default()
    }

    /// What is known of an attribute; nothing where tools have none of this name.
    pub(super) fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.get(name)
    }

    fn place(&mut self, position: u32, card: &ToolCard, vocabulary: &Vocabulary, entities: &Entities) {
        let tool = uid(&vocabulary.tool, card.id.as_str());
        for outer in entities.ancestors(&tool).into_iter().flatten().chain([&tool]) {
            self.within.entry(Named::of(outer)).or_default().insert(position);
        }
    }

    /// The attributes that `entities::build` gives a tool.
    fn describe(&mut self, position: u32, card: &ToolCard, vocabulary: &Vocabulary) {
        let facts = &card.facts;
        let mut see = |name: &'static str, seen: Seen| {
            let attribute = self.attributes.entry(name).or_default();
            attribute.has.insert(position);
            attribute.values.entry(seen).or_default().insert(position);
        };
        let entity = |of: &EntityTypeName, id: &str| Seen::Entity(Named { of: of.to_string(), id: id.to_owned() });
        see("catalog", entity(&vocabulary.catalog, card.id.catalog()));
        see("effect", entity(&vocabulary.effect, facts.effect.value.word()));
        see("risk", entity(&vocabulary.risk, facts.risk.value.word()));
        see("operation", entity(&vocabulary.operation, facts.operation.value.word()));
        see("source", entity(&vocabulary.source_kind, facts.source.word()));
        see("entity", Seen::Text(facts.entity.value.clone()));
        see("confirmation", Seen::Flag(facts.confirmation));
        if let Some(tenant) = &card.tenant {
            see("tenant", entity(&vocabulary.tenant, tenant));
        }
        // Known also where no tool has one.
        self.attributes.entry("tenant").or_default();
    }
}

impl Attribute {
    /// The tools whose attribute has this value.
    pub(super) fn is(&self, seen: &Seen) -> RoaringBitmap {
        self.values.get(seen).cloned().unwrap_or_default()
    }
}

impl Named {
    fn of(uid: &EntityUid) -> Self {
        Self { of: uid.type_name().to_string(), id: uid.id().unescaped().to_owned() }
    }
}
