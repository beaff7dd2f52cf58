//! The words a planner goes by, compiled from Vocabulary documents: built-in English and what operators add.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::declaration::Vocabulary;
use ambit_model::facts::Operation;

use crate::text;

/// Built-in English. A test reads it; a text that cannot be read is a defect of this crate.
const ENGLISH: &str = include_str!("english.yaml");

/// The built-in words with the operator's added, one Vocabulary a language, sorted by language.
pub fn with_built_in(declared: &[Vocabulary]) -> Vec<Vocabulary> {
    let mut merged: BTreeMap<String, Vocabulary> = BTreeMap::new();
    let built_in: Option<Vocabulary> = serde_saphyr::from_str(ENGLISH).ok();
    for vocabulary in built_in.iter().chain(declared) {
        let into = merged.entry(vocabulary.language.clone()).or_insert_with(|| Vocabulary {
            language: vocabulary.language.clone(),
            verbs: BTreeMap::new(),
            synonyms: BTreeMap::new(),
            words: BTreeMap::new(),
        });
        merge(&mut into.verbs, &vocabulary.verbs);
        merge(&mut into.synonyms, &vocabulary.synonyms);
        merge(&mut into.words, &vocabulary.words);
    }
    merged.into_values().collect()
}

fn merge(into: &mut BTreeMap<String, Vec<String>>, from: &BTreeMap<String, Vec<String>>) {
    for (key, words) in from {
        let list = into.entry(key.clone()).or_default();
        list.extend(words.iter().cloned());
        list.sort();
        list.dedup();
    }
}

/// Words ready to be looked up.
#[derive(Clone, Debug, Default)]
pub(crate) struct Words {
    /// Verb, as written in the base form, to the operations it may ask for.
    verbs: BTreeMap<String, BTreeSet<Operation>>,
    /// Stem to stems that mean the same, both ways.
    synonyms: BTreeMap<String, BTreeSet<String>>,
    lists: BTreeMap<String, BTreeSet<String>>,
}

impl Words {
    /// Compiles the vocabularies of a snapshot.
    pub(crate) fn new(vocabularies: &[Vocabulary]) -> Self {
        let mut words = Self::default();
        for vocabulary in vocabularies {
            for (operation, verbs) in &vocabulary.verbs {
                let Some(operation) = Operation::parse(operation) else { continue };
                for verb in verbs {
                    words.verbs.entry(verb.to_lowercase()).or_default().insert(operation);
                }
            }
            for (word, same) in &vocabulary.synonyms {
                let stem = text::stem(word);
                for other in same.iter().map(|other| text::stem(other)) {
                    words.synonyms.entry(stem.clone()).or_default().insert(other.clone());
                    words.synonyms.entry(other).or_default().insert(stem.clone());
                }
            }
            for (part, list) in &vocabulary.words {
                words.lists.entry(part.clone()).or_default().extend(list.iter().map(|w| w.to_lowercase()));
            }
        }
        words
    }

    /// The operations a verb may ask for, where it is one; `…ing` is read as its base form.
    pub(crate) fn operations(&self, word: &str) -> Option<&BTreeSet<Operation>> {
        self.verbs.get(word).or_else(|| base_forms(word).iter().find_map(|base| self.verbs.get(base)))
    }

    /// The base form of a verb, where the word is one.
    pub(crate) fn verb(&self, word: &str) -> Option<String> {
        if self.verbs.contains_key(word) || self.is(word, "native") {
            return Some(word.to_owned());
        }
        base_forms(word).into_iter().find(|base| self.verbs.contains_key(base) || self.is(base, "native"))
    }

    /// Whether the word is in the list of this part of speech.
    pub(crate) fn is(&self, word: &str, part: &str) -> bool {
        self.lists.get(part).is_some_and(|list| list.contains(word))
    }

    /// The word stands in any of the lists, alone or in a phrase.
    pub(crate) fn knows(&self, word: &str) -> bool {
        let in_phrase = |phrase: &String| phrase.split(' ').any(|part| part == word);
        self.verb(word).is_some() || self.lists.values().flatten().any(in_phrase)
    }

    /// The phrases of a part, longest first.
    pub(crate) fn phrases(&self, part: &str) -> Vec<&str> {
        let mut phrases: Vec<&str> = self.lists.get(part).into_iter().flatten().map(String::as_str).collect();
        phrases.sort_by(|a, b| b.len().cmp(&a.len()).then(a.cmp(b)));
        phrases
    }

    /// These stems and the ones that mean the same.
    pub(crate) fn widened(&self, stems: &[String]) -> Vec<String> {
        let same = stems.iter().flat_map(|stem| self.synonyms.get(stem).into_iter().flatten());
        let all: BTreeSet<String> = stems.iter().chain(same).cloned().collect();
        all.into_iter().collect()
    }
}

/// What a gerund may come from: `confirming` from `confirm`, `making` from `make`, `getting` from `get`.
fn base_forms(word: &str) -> Vec<String> {
    let Some(root) = word.strip_suffix("ing").filter(|root| root.len() >= 2) else { return Vec::new() };
    let mut forms = vec![root.to_owned(), format!("{root}e")];
    let mut letters = root.chars().rev();
    if let (Some(last), Some(before)) = (letters.next(), letters.next())
        && last == before
    {
        forms.push(root.chars().take(root.chars().count() - 1).collect());
    }
    forms
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Built-in English alone.
    pub(crate) fn english() -> Words {
        Words::new(&with_built_in(&[]))
    }

    #[test]
    fn built_in_english_can_be_read() {
        let words = english();
        assert_eq!(words.verb("getting").as_deref(), Some("get"));
        assert_eq!(words.verb("making").as_deref(), Some("make"));
        assert_eq!(words.verb("invoices"), None);
        assert!(words.operations("email").is_some_and(|o| o.contains(&Operation::Send)));
        assert!(words.widened(&["turnov".into()]).contains(&"revenu".to_owned()));
        let unknown: Vec<&str> = with_built_in(&[])
            .iter()
            .flat_map(|v| v.verbs.keys())
            .filter(|o| Operation::parse(o).is_none())
            .map(|_| "unknown operation")
            .collect();
        assert!(unknown.is_empty());
    }

    #[test]
    fn an_operator_adds_and_never_takes_away() {
        let own = Vocabulary {
            language: "en".into(),
            verbs: BTreeMap::from([("send".into(), vec!["dispatch".into()])]),
            synonyms: BTreeMap::new(),
            words: BTreeMap::new(),
        };
        let words = Words::new(&with_built_in(&[own]));
        assert!(words.operations("dispatch").is_some() && words.operations("email").is_some());
    }
}
