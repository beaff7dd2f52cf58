//! Words of catalogs that are one word in another language: the index stems as English does, and "Rechnung" and "Rechnungen" would
//! be two. A question's word stands for every word of the project's tools that has its stem in the language of the question.

use std::collections::{BTreeMap, BTreeSet};

use roaring::RoaringBitmap;

use crate::index::IndexedTool;
use crate::schema;
use crate::text;

/// By stem of one language, the stems of the index, each with the positions of the tools whose word it comes from.
#[derive(Clone, Debug, Default)]
pub(super) struct Kin(BTreeMap<String, BTreeMap<String, RoaringBitmap>>);

impl Kin {
    /// Of every word that the tools are described by.
    pub(super) fn of(tools: &[IndexedTool], language: &str) -> Self {
        let mut described: BTreeMap<String, RoaringBitmap> = BTreeMap::new();
        for (position, tool) in (0..).zip(tools) {
            for word in words_of(tool) {
                described.entry(word).or_default().insert(position);
            }
        }
        let mut kin: BTreeMap<String, BTreeMap<String, RoaringBitmap>> = BTreeMap::new();
        for (word, positions) in described {
            for stem in text::words_in(&word, language) {
                let into = kin.entry(stem).or_default();
                for english in text::words(&word) {
                    *into.entry(english).or_default() |= &positions;
                }
            }
        }
        Self(kin)
    }

    /// Stems of the index for this stem, of words that a tool of `route` has: the words of others tell nothing.
    pub(super) fn of_stem(&self, stem: &str, route: &RoaringBitmap) -> impl Iterator<Item = &String> {
        let all = self.0.get(stem).into_iter().flatten();
        all.filter(move |(_, positions)| !positions.is_disjoint(route)).map(|(english, _)| english)
    }
}

fn words_of(tool: &IndexedTool) -> BTreeSet<String> {
    let card = &tool.card;
    let mut found = BTreeSet::new();
    let mut take = |text: &str| found.extend(text::plain_words(text).into_iter().map(|(_, word)| word));
    take(&text::name_as_prose(card.id.name()));
    card.title.iter().for_each(|title| take(title));
    take(&card.description);
    for (name, description) in schema::words(&schema::parse(&card.input_schema)) {
        take(&text::name_as_prose(&name));
        description.iter().for_each(|text| take(text));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::ProjectIndex;
    use crate::sample;

    #[test]
    fn a_word_is_found_by_its_stem_where_a_tool_of_the_route_set_has_it() {
        let index = ProjectIndex::build(sample::snapshot().unwrap().tools).unwrap();
        let kin = Kin::of(&index.tools, "de");
        let stem = text::stem_in("revenue", "de");
        let found = |route: &RoaringBitmap| kin.of_stem(&stem, route).cloned().collect::<Vec<_>>();
        assert!(found(&index.all()).contains(&text::stem("revenue")));
        assert!(found(&RoaringBitmap::new()).is_empty());
    }
}
