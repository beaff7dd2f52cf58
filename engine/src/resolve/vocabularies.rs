//! Vocabularies: words by operation and words that mean the same; documents of one language are one vocabulary.

use std::collections::BTreeMap;

use ambit_model::declaration::Vocabulary;
use ambit_model::facts::Operation;

use super::forms::Reader;
use crate::parse::written;
use crate::route::Part;

impl Reader<'_> {
    pub(super) fn vocabulary(&mut self, vocabulary: &written::Vocabulary) -> Vocabulary {
        self.identifier(&vocabulary.language);
        let verbs = vocabulary.verbs.iter().filter_map(|(operation, verbs)| {
            let operation = self.word(operation, Operation::ALL, Operation::word)?;
            Some((operation.word().to_owned(), verbs.clone()))
        });
        let verbs = verbs.collect();
        let words = vocabulary.words.iter().filter_map(|(part, words)| {
            let part = self.word(part, Part::ALL, Part::word)?;
            Some((part.word().to_owned(), words.clone()))
        });
        Vocabulary {
            language: vocabulary.language.value.clone(),
            verbs,
            synonyms: vocabulary.synonyms.clone(),
            words: words.collect(),
        }
    }
}

/// One vocabulary for each language, sorted, with the words of each entry sorted and distinct.
pub(super) fn merged(vocabularies: Vec<Vocabulary>) -> Vec<Vocabulary> {
    let mut by_language: BTreeMap<String, Vocabulary> = BTreeMap::new();
    for vocabulary in vocabularies {
        let language = vocabulary.language.clone();
        let into = by_language.entry(language.clone()).or_insert_with(|| Vocabulary {
            language,
            verbs: BTreeMap::new(),
            synonyms: BTreeMap::new(),
            words: BTreeMap::new(),
        });
        add(&mut into.verbs, vocabulary.verbs);
        add(&mut into.synonyms, vocabulary.synonyms);
        add(&mut into.words, vocabulary.words);
    }
    by_language.into_values().collect()
}

fn add(into: &mut BTreeMap<String, Vec<String>>, from: BTreeMap<String, Vec<String>>) {
    for (word, words) in from {
        let entry = into.entry(word).or_default();
        entry.extend(words);
        entry.sort();
        entry.dedup();
    }
}
