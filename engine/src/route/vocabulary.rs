//! The words of one language, compiled from Vocabulary documents: those that are built in and what operators add.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use ambit_model::declaration::Vocabulary;
use ambit_model::facts::Operation;
use regex::Regex;

use super::speech::Part;
use crate::text;

/// The languages that are built in. A test reads them; a text that cannot be read is a defect of this crate.
const BUILT_IN: &[&str] = &[include_str!("english.yaml"), include_str!("german.yaml"), include_str!("italian.yaml")];

/// The built-in words with the operator's added, one Vocabulary a language, sorted by language.
pub fn with_built_in(declared: &[Vocabulary]) -> Vec<Vocabulary> {
    let mut merged: BTreeMap<String, Vocabulary> = BTreeMap::new();
    let built_in: Vec<Vocabulary> = BUILT_IN.iter().filter_map(|text| serde_saphyr::from_str(text).ok()).collect();
    for vocabulary in built_in.iter().chain(declared) {
        let into = merged.entry(vocabulary.language.clone()).or_insert_with(|| Vocabulary {
            language: vocabulary.language.clone(),
            verbs: BTreeMap::new(),
            synonyms: BTreeMap::new(),
            words: BTreeMap::new(),
        });
        merge(&mut into.verbs, &vocabulary.verbs);
        append(&mut into.synonyms, &vocabulary.synonyms);
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

/// The order is kept: the first word is the most usual one.
fn append(into: &mut BTreeMap<String, Vec<String>>, from: &BTreeMap<String, Vec<String>>) {
    for (key, words) in from {
        let list = into.entry(key.clone()).or_default();
        let fresh: Vec<String> = words.iter().filter(|word| !list.contains(word)).cloned().collect();
        list.extend(fresh);
    }
}

/// The words of one language, ready to be looked up. Every table is made once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Words {
    language: String,
    /// Verb, in a form as written, to the operations it may ask for.
    verbs: BTreeMap<String, BTreeSet<Operation>>,
    /// First word of a verb in two parts to its second, and what both together ask for: "schick … ab".
    separable: BTreeMap<String, BTreeMap<String, BTreeSet<Operation>>>,
    /// Stem to stems that mean the same; both ways in the language of the catalogs, else from this language into that.
    synonyms: BTreeMap<String, BTreeSet<String>>,
    /// Stem of another language to the words of catalogs for it, the first the most usual.
    translations: BTreeMap<String, Vec<String>>,
    lists: BTreeMap<Part, BTreeSet<String>>,
    phrases: BTreeMap<Part, Phrases>,
    /// Every word that stands in a list, alone or in a phrase.
    listed: BTreeSet<String>,
    /// Of these, the spoken ones.
    spoken: BTreeSet<String>,
    /// Endings of gerunds and what stands in their place in the base form.
    gerunds: Vec<Ending>,
    /// Endings of the forms that stand behind "before" and "after", likewise.
    infinitives: Vec<Ending>,
    dates: Option<Regex>,
    order: Order,
}

/// Phrases by their first word, longest first.
type Phrases = BTreeMap<String, Vec<Vec<String>>>;

/// An ending of a verb, and the ending of its base form.
#[derive(Clone, Debug)]
struct Ending {
    ending: String,
    base: String,
}

/// How a language orders and writes its words, where that differs from English.
#[derive(Clone, Copy, Debug, Default)]
struct Order {
    /// The noun opens its phrase: "le fatture scadute".
    head_first: bool,
    /// A verb may end its clause: "die Rechnung anzeigen".
    verb_last: bool,
    /// Nouns are written with a capital, so that one says nothing of a name.
    capital_nouns: bool,
    /// Nouns are joined into one word.
    compounds: bool,
}

/// What a verb asks for.
pub(crate) struct Deed {
    pub verb: String,
    pub operations: BTreeSet<Operation>,
    /// It is written with a pronoun for what came before: "inviala".
    pub refers: bool,
}

/// Shortest part of a joined noun, in bytes.
const SHORTEST_PART: usize = 3;
/// What may stand between the parts of a joined noun.
const JOINTS: &[&str] = &["", "s", "es", "n", "en"];

impl Words {
    /// Compiles one vocabulary.
    pub(crate) fn new(vocabulary: &Vocabulary) -> Self {
        let mut words = Self { language: vocabulary.language.clone(), ..Self::default() };
        for (operation, verbs) in &vocabulary.verbs {
            let Some(operation) = Operation::parse(operation) else { continue };
            for verb in verbs {
                words.add_verb(&verb.to_lowercase(), operation);
            }
        }
        for (word, same) in &vocabulary.synonyms {
            words.add_synonyms(word, same);
        }
        for part in Part::ALL {
            let Some(list) = vocabulary.words.get(part.word()) else { continue };
            words.add_list(*part, list);
        }
        words.gerunds = words.endings(Part::Gerunds);
        words.infinitives = words.endings(Part::Infinitives);
        words.order = words.ordered();
        words.dates = words.date_pattern();
        words
    }

    fn add_verb(&mut self, verb: &str, operation: Operation) {
        match verb.split_once(' ') {
            Some((head, particle)) => {
                let parted = self.separable.entry(head.to_owned()).or_default();
                parted.entry(particle.to_owned()).or_default().insert(operation);
                self.spoken.insert(head.to_owned());
            }
            None => {
                self.verbs.entry(verb.to_owned()).or_default().insert(operation);
                self.spoken.insert(verb.to_owned());
            }
        }
    }

    fn add_synonyms(&mut self, word: &str, same: &[String]) {
        if self.is_of_catalogs() {
            self.spoken.extend(same.iter().chain([&word.to_owned()]).map(|word| word.to_lowercase()));
            let stem = text::stem(word);
            for other in same.iter().map(|other| text::stem(other)) {
                self.synonyms.entry(stem.clone()).or_default().insert(other.clone());
                self.synonyms.entry(other).or_default().insert(stem.clone());
            }
            return;
        }
        self.spoken.insert(word.to_lowercase());
        let stem = text::stem_in(word, &self.language);
        self.synonyms.entry(stem.clone()).or_default().extend(same.iter().flat_map(|other| text::words(other)));
        let into = self.translations.entry(stem).or_default();
        into.extend(same.iter().map(|other| other.to_lowercase()));
    }

    fn add_list(&mut self, part: Part, list: &[String]) {
        let mut phrases: Vec<String> = list.iter().map(|phrase| phrase.to_lowercase()).collect();
        phrases.sort_by(|a, b| b.len().cmp(&a.len()).then(a.cmp(b)));
        let table = self.phrases.entry(part).or_default();
        for phrase in &phrases {
            let parts: Vec<String> = phrase.split(' ').map(str::to_owned).collect();
            if part.is_spoken() {
                self.spoken.extend(parts.iter().cloned());
                self.listed.extend(parts.iter().cloned());
            }
            if let Some(first) = parts.first() {
                table.entry(first.clone()).or_default().push(parts.clone());
            }
        }
        self.lists.entry(part).or_default().extend(phrases);
    }

    /// `ing=e` says that `making` comes from `make`; `ing` that `confirming` comes from `confirm`.
    fn endings(&self, part: Part) -> Vec<Ending> {
        let ending = |written: &String| match written.split_once('=') {
            Some((ending, base)) => Ending { ending: ending.to_owned(), base: base.to_owned() },
            None => Ending { ending: written.clone(), base: String::new() },
        };
        self.lists.get(&part).into_iter().flatten().map(ending).collect()
    }

    fn ordered(&self) -> Order {
        let has = |word: &str| self.is(word, Part::Order);
        Order {
            head_first: has("head first"),
            verb_last: has("verb last"),
            capital_nouns: has("capital nouns"),
            compounds: has("compounds"),
        }
    }

    /// Dates as this language writes them in words, and as numbers.
    fn date_pattern(&self) -> Option<Regex> {
        let any = |part: Part| {
            let list: Vec<String> =
                self.lists.get(&part).into_iter().flatten().map(|word| regex::escape(word)).collect();
            (!list.is_empty()).then(|| list.join("|"))
        };
        let mut pattern = r"(?i)\b\d{4}-\d{2}(?:-\d{2})?\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\bq[1-4]\b".to_owned();
        if let Some(dates) = any(Part::Dates) {
            pattern.push_str(&format!(r"|\b(?:{dates})\b"));
        }
        if let (Some(openers), Some(units)) = (any(Part::DateOpeners), any(Part::DateUnits)) {
            pattern.push_str(&format!(r"|\b(?:{openers})\s+(?:\d+\s+)?(?:{units})\b"));
            if self.order.head_first {
                pattern.push_str(&format!(r"|\b(?:{units})\s+(?:{openers})\b"));
            }
        }
        Regex::new(&pattern).ok()
    }

    /// The short code of the language.
    pub(crate) fn language(&self) -> &str {
        &self.language
    }

    /// It is the language that catalogs are written in, and the index stems.
    pub(crate) fn is_of_catalogs(&self) -> bool {
        self.language == super::languages::OF_CATALOGS
    }

    /// Dates in words and numbers.
    pub(crate) fn dates(&self) -> Option<&Regex> {
        self.dates.as_ref()
    }

    /// Nouns are written with a capital, and so no verb inside a sentence has one.
    pub(crate) fn has_capital_nouns(&self) -> bool {
        self.order.capital_nouns
    }

    /// A verb may end its clause.
    pub(crate) fn is_verb_last(&self) -> bool {
        self.order.verb_last
    }

    /// The noun opens its phrase.
    pub(crate) fn is_head_first(&self) -> bool {
        self.order.head_first
    }

    /// The operations a verb may ask for, where it is one; a gerund is read as its base form.
    pub(crate) fn operations(&self, word: &str) -> Option<&BTreeSet<Operation>> {
        self.verbs.get(word).or_else(|| self.base_forms(word).iter().find_map(|base| self.verbs.get(base)))
    }

    /// The base form of a verb, where the word is one.
    pub(crate) fn verb(&self, word: &str) -> Option<String> {
        let known = |word: &str| self.verbs.contains_key(word) || self.is(word, Part::Native);
        if known(word) {
            return Some(word.to_owned());
        }
        self.base_forms(word).into_iter().find(|base| known(base))
    }

    /// The verb at this place with what it asks for, its second part looked for in all that follows.
    pub(crate) fn deed(&self, tokens: &[Token], at: usize) -> Option<Deed> {
        if let Some(parted) = self.parted(tokens, at) {
            return Some(parted);
        }
        let word = tokens.get(at).map(|(_, word)| word.as_str())?;
        let verb = self.verb(word).or_else(|| self.of_infinitive(word))?;
        let operations = self.verbs.get(&verb).cloned().unwrap_or_default();
        let behind = word.strip_prefix(verb.trim_end_matches('e')).filter(|_| verb != word);
        let refers = behind.is_some_and(|pronoun| self.is(pronoun, Part::References));
        Some(Deed { verb, operations, refers })
    }

    /// A verb in two parts begins at this place, and its second stands behind.
    pub(crate) fn parted(&self, tokens: &[Token], at: usize) -> Option<Deed> {
        let (_, head) = tokens.get(at)?;
        let parted = self.separable.get(head)?;
        // The last one: "ein" may be an article before it, as in "lade ein Dokument hoch".
        let rest = tokens.get(at + 1..).unwrap_or_default();
        let (particle, operations) = rest.iter().rev().find_map(|(_, word)| parted.get_key_value(word))?;
        Some(Deed { verb: format!("{particle}{head}"), operations: operations.clone(), refers: false })
    }

    /// The word ends as a gerund does and is a verb.
    pub(crate) fn is_gerund(&self, word: &str) -> bool {
        self.gerunds.iter().any(|form| word.ends_with(&form.ending)) && self.verb(word).is_some()
    }

    /// The word is a form that stands behind "before" or "after": a gerund, an infinitive, a participle.
    pub(crate) fn is_infinitive(&self, word: &str) -> bool {
        self.is_gerund(word)
            || self.of_infinitive(word).is_some()
            || self.verb(word).is_some_and(|base| base != word && self.of_infinitive(&base).is_some())
    }

    fn of_infinitive(&self, word: &str) -> Option<String> {
        let mut bases = self.infinitives.iter().filter_map(|form| {
            let root = word.strip_suffix(form.ending.as_str())?;
            Some(format!("{root}{}", form.base))
        });
        bases.find(|base| self.verbs.contains_key(base))
    }

    /// Whether the word is in the list of this part of speech.
    pub(crate) fn is(&self, word: &str, part: Part) -> bool {
        self.lists.get(&part).is_some_and(|list| list.contains(word))
    }

    /// The word stands in any of the lists, alone or in a phrase, or is a verb; where nouns have capitals, or is a known noun.
    pub(crate) fn knows(&self, word: &str) -> bool {
        self.listed.contains(word) || self.verb(word).is_some() || self.is_known_noun(word)
    }

    /// A capital says nothing of this word: nouns have one, and this is a noun that is known.
    pub(crate) fn is_known_noun(&self, word: &str) -> bool {
        self.order.capital_nouns && (self.spoken.contains(word) || !self.same(word).is_empty())
    }

    /// How many of these words are of this language.
    pub(super) fn count_known(&self, words: &BTreeSet<String>) -> usize {
        let (known, rest): (Vec<&String>, Vec<&String>) =
            words.iter().partition(|word| self.spoken.contains(*word) || self.verb(word).is_some());
        if rest.is_empty() {
            return known.len();
        }
        let rest = rest.into_iter().map(String::as_str).collect::<Vec<_>>().join(" ");
        let inflected =
            text::words_in(&rest, &self.language).into_iter().filter(|stem| self.synonyms.contains_key(stem));
        known.len() + inflected.count()
    }

    /// How many words from `at` are a phrase of this part, the longest.
    pub(crate) fn phrase_at(&self, tokens: &[Token], at: usize, part: Part) -> Option<usize> {
        let (_, first) = tokens.get(at)?;
        self.phrases.get(&part)?.get(first)?.iter().find_map(|wanted| {
            let found = tokens.get(at..at + wanted.len())?;
            found.iter().zip(wanted).all(|((_, word), wanted)| word == wanted).then_some(wanted.len())
        })
    }

    /// The words of a text as they stand, in lower case; an elided article is a word of its own: "l'" and "ordine".
    pub(crate) fn tokens(&self, text: &str) -> Vec<Token> {
        let plain = text::plain_words(text);
        let Some(elisions) = self.lists.get(&Part::Elisions).filter(|list| !list.is_empty()) else { return plain };
        let mut tokens = Vec::with_capacity(plain.len());
        for (range, word) in plain {
            let elided =
                elisions.iter().find(|elision| word.len() > elision.len() && word.starts_with(elision.as_str()));
            // A typographic apostrophe has more bytes than the plain one that stands for it in the word.
            let raw = text.get(range.clone()).unwrap_or("");
            let joint = raw.char_indices().find(|(_, c)| matches!(c, '\'' | '’')).map(|(at, c)| at + c.len_utf8());
            match (elided, joint) {
                (Some(elision), Some(joint)) if raw.len() > joint => {
                    tokens.push((range.start..range.start + joint, elision.clone()));
                    tokens.push((range.start + joint..range.end, word.get(elision.len()..).unwrap_or("").to_owned()));
                }
                _ => tokens.push((range, word)),
            }
        }
        tokens
    }

    /// A thing as catalogs call it, where this is another language; else as it is.
    pub(crate) fn thing(&self, noun: &str) -> String {
        let translated = || self.translations.get(&text::stem_in(noun, &self.language)).and_then(|list| list.first());
        if self.is_of_catalogs() { noun.to_owned() } else { translated().cloned().unwrap_or_else(|| noun.to_owned()) }
    }

    /// Every word of catalogs for the words of a text in another language, as written.
    pub(crate) fn translated(&self, text: &str) -> BTreeSet<String> {
        if self.is_of_catalogs() {
            return BTreeSet::new();
        }
        let lists = self
            .tokens(text)
            .into_iter()
            .filter_map(|(_, word)| self.translations.get(&text::stem_in(&word, &self.language)));
        lists.flatten().cloned().collect()
    }

    /// These stems and the ones that mean the same.
    pub(crate) fn widened(&self, stems: &[String]) -> Vec<String> {
        let same = stems.iter().flat_map(|stem| self.synonyms.get(stem).into_iter().flatten());
        let all: BTreeSet<String> = stems.iter().chain(same).cloned().collect();
        all.into_iter().collect()
    }

    /// The telling words of a text in another language, each with the stems that catalogs may have for it. Small words, and verbs
    /// that stand for an operation alone, tell nothing.
    pub(crate) fn telling(&self, text: &str) -> Vec<Telling> {
        let mut found = Vec::new();
        for (_, word) in self.tokens(text) {
            let same = self.same(&word);
            let stem = text::words_in(&word, &self.language).into_iter().next();
            let small = self.listed.contains(&word) || self.verb(&word).is_some() || self.separable.contains_key(&word);
            if same.is_empty() && (small || stem.is_none()) {
                continue;
            }
            found.push(Telling {
                own: stem.unwrap_or_else(|| text::stem(&word)),
                as_english: text::words(&word),
                same,
            });
        }
        found
    }

    /// Stems of catalogs for a word of this language, or for the two nouns that it is joined of.
    fn same(&self, word: &str) -> BTreeSet<String> {
        let own = self.own_same(word);
        if !own.is_empty() || !self.order.compounds || self.spoken.contains(word) {
            return own;
        }
        let splits = word.char_indices().map(|(at, _)| at).filter(|at| *at >= SHORTEST_PART);
        let mut found = BTreeSet::new();
        for at in splits {
            let (Some(first), Some(second)) = (word.get(..at), word.get(at..)) else { continue };
            if second.len() < SHORTEST_PART {
                break;
            }
            let Some(second) = self.synonyms.get(&text::stem_in(second, &self.language)) else { continue };
            let mut parts = JOINTS.iter().filter_map(|joint| first.strip_suffix(joint));
            if let Some(first) = parts.find_map(|part| self.synonyms.get(&text::stem_in(part, &self.language))) {
                found.extend(first.iter().chain(second).cloned());
                break;
            }
        }
        found
    }

    /// Stems of catalogs for a word of another language; none in the language of the catalogs.
    fn own_same(&self, word: &str) -> BTreeSet<String> {
        if self.is_of_catalogs() {
            return BTreeSet::new();
        }
        let forms = [Some(word.to_owned()), self.verb(word)];
        let stems = forms.into_iter().flatten().map(|form| text::stem_in(&form, &self.language));
        stems.filter_map(|stem| self.synonyms.get(&stem)).find(|same| !same.is_empty()).cloned().unwrap_or_default()
    }

    /// What a verb in another form may come from: `making` from `make`, `getting` from `get`, `inviala` from `invia`.
    fn base_forms(&self, word: &str) -> Vec<String> {
        let mut forms = Vec::new();
        let mut undoubled = None;
        for form in &self.gerunds {
            let Some(root) = word.strip_suffix(form.ending.as_str()).filter(|root| root.len() >= 2) else { continue };
            forms.push(format!("{root}{}", form.base));
            let mut letters = root.chars().rev();
            if let (Some(last), Some(before)) = (letters.next(), letters.next())
                && last == before
            {
                undoubled = Some(root.chars().take(root.chars().count() - 1).collect());
            }
        }
        forms.extend(undoubled);
        for clitic in self.lists.get(&Part::Clitics).into_iter().flatten() {
            if let Some(root) = word.strip_suffix(clitic.as_str()).filter(|root| root.len() >= 2) {
                forms.extend([root.to_owned(), format!("{root}e")]);
            }
        }
        forms
    }
}

/// A word of a text, in lower case, with its place.
pub(crate) type Token = (Range<usize>, String);

/// One telling word of a question in another language than the catalogs'.
pub(crate) struct Telling {
    /// Its stem in its own language, for cards that are written in it.
    pub own: String,
    /// Its stem as the index would make it: names and loan words.
    pub as_english: Vec<String>,
    /// Stems that catalogs have for it.
    pub same: BTreeSet<String>,
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A built-in language.
    pub(crate) fn built_in(language: &str) -> Words {
        let vocabularies = with_built_in(&[]);
        Words::new(vocabularies.iter().find(|vocabulary| vocabulary.language == language).unwrap())
    }

    /// Built-in English.
    pub(crate) fn english() -> Words {
        built_in("en")
    }

    #[test]
    fn built_in_english_can_be_read() {
        let words = english();
        assert_eq!(words.verb("getting").as_deref(), Some("get"));
        assert_eq!(words.verb("making").as_deref(), Some("make"));
        assert_eq!(words.verb("invoices"), None);
        assert!(words.operations("email").is_some_and(|o| o.contains(&Operation::Send)));
        assert!(words.widened(&["turnov".into()]).contains(&"revenu".to_owned()));
    }

    #[test]
    fn every_built_in_language_names_operations_and_parts_that_there_are() {
        let vocabularies = with_built_in(&[]);
        let languages: Vec<&str> = vocabularies.iter().map(|v| v.language.as_str()).collect();
        assert_eq!(languages, ["de", "en", "it"]);
        for vocabulary in &vocabularies {
            let unknown: Vec<&String> =
                vocabulary.verbs.keys().filter(|operation| Operation::parse(operation).is_none()).collect();
            assert!(unknown.is_empty(), "{}: {unknown:?}", vocabulary.language);
            let parts = vocabulary.words.keys().filter(|key| Part::ALL.iter().all(|part| part.word() != key.as_str()));
            let parts: Vec<&String> = parts.collect();
            assert!(parts.is_empty(), "{}: {parts:?}", vocabulary.language);
        }
        for language in ["de", "it"] {
            let found = vocabularies.iter().find(|v| v.language == language).unwrap();
            assert!(found.synonyms.len() >= 150, "{language}: {}", found.synonyms.len());
        }
    }

    #[test]
    fn a_verb_is_known_in_its_forms() {
        let italian = built_in("it");
        assert_eq!(italian.verb("inviala").as_deref(), Some("invia"));
        assert_eq!(italian.verb("inviarla").as_deref(), Some("inviare"));
        assert!(italian.is_infinitive("pagare"));
        let german = built_in("de");
        let tokens = german.tokens("leg einen Kunden an");
        assert!(german.deed(&tokens, 0).is_some_and(|deed| deed.operations.contains(&Operation::Create)));
    }

    #[test]
    fn a_word_of_another_language_stands_for_words_of_catalogs() {
        let same = |language: &str, text: &str| -> BTreeSet<String> {
            built_in(language).telling(text).into_iter().flat_map(|word| word.same).collect()
        };
        assert!(same("it", "mostrami le fatture").contains("invoic"));
        assert!(same("de", "zeig mir die Rechnungen").contains("invoic"));
        let joined = same("de", "die Kundenrechnung");
        assert!(joined.contains("invoic") && joined.contains("custom"), "{joined:?}");
        let small = built_in("it").telling("mostrami le");
        assert!(small.is_empty());
    }

    #[test]
    fn an_operator_adds_and_never_takes_away() {
        let own = Vocabulary {
            language: "en".into(),
            verbs: BTreeMap::from([("send".into(), vec!["dispatch".into()])]),
            synonyms: BTreeMap::new(),
            words: BTreeMap::new(),
        };
        let merged = with_built_in(&[own]);
        let words = Words::new(merged.iter().find(|vocabulary| vocabulary.language == "en").unwrap());
        assert!(words.operations("dispatch").is_some() && words.operations("email").is_some());
    }
}
