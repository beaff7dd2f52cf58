//! Words of a text, the same everywhere: names split at their joints, lower case, ASCII-folded, stop words dropped, stemmed.
//! The word index, the planner and intake all compare words made here, so that they never disagree.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;
use tantivy::tokenizer::{
    AsciiFoldingFilter, Language, LowerCaser, RemoveLongFilter, SimpleTokenizer, Stemmer, StopWordFilter, TextAnalyzer,
};

/// Words of English questions that say nothing about a tool, beside Lucene's list that tantivy ships.
const QUESTION_WORDS: &[&str] = &[
    "about", "all", "also", "am", "any", "can", "could", "did", "do", "does", "from", "get", "give", "had", "has",
    "have", "he", "her", "here", "him", "his", "how", "i", "just", "let", "me", "my", "need", "now", "our", "please",
    "s", "she", "should", "so", "some", "than", "them", "those", "too", "us", "want", "we", "were", "what", "when",
    "where", "which", "who", "whose", "why", "would", "you", "your",
];

/// Longest word kept, in bytes.
const LONGEST_WORD: usize = 40;

static CAMEL: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(\p{Ll}|\d)(\p{Lu})").ok());

/// The languages whose words are stemmed, by their short codes.
const STEMMED: &[(&str, Language)] = &[
    ("ar", Language::Arabic),
    ("da", Language::Danish),
    ("de", Language::German),
    ("el", Language::Greek),
    ("es", Language::Spanish),
    ("fi", Language::Finnish),
    ("fr", Language::French),
    ("hu", Language::Hungarian),
    ("it", Language::Italian),
    ("nl", Language::Dutch),
    ("pt", Language::Portuguese),
    ("ro", Language::Romanian),
    ("ru", Language::Russian),
    ("sv", Language::Swedish),
    ("ta", Language::Tamil),
    ("tr", Language::Turkish),
];

/// Folded before they are stemmed, so that a word typed without its accents is the same word.
static ANALYZERS: LazyLock<BTreeMap<&'static str, TextAnalyzer>> = LazyLock::new(|| {
    let analyzer = |language: Language| {
        let words = TextAnalyzer::builder(SimpleTokenizer::default())
            .filter(RemoveLongFilter::limit(LONGEST_WORD))
            .filter(LowerCaser)
            .dynamic();
        let words = match StopWordFilter::new(language) {
            Some(list) => words.filter_dynamic(list),
            None => words,
        };
        words.filter_dynamic(AsciiFoldingFilter).filter_dynamic(Stemmer::new(language)).build()
    };
    STEMMED.iter().map(|(code, language)| (*code, analyzer(*language))).collect()
});

/// Of a language whose stems are unknown.
static UNSTEMMED: LazyLock<TextAnalyzer> = LazyLock::new(|| {
    TextAnalyzer::builder(SimpleTokenizer::default())
        .filter(RemoveLongFilter::limit(LONGEST_WORD))
        .filter(LowerCaser)
        .filter(AsciiFoldingFilter)
        .build()
});

static ANALYZER: LazyLock<TextAnalyzer> = LazyLock::new(|| {
    let stop_words = QUESTION_WORDS.iter().map(|word| (*word).to_owned());
    let words = TextAnalyzer::builder(SimpleTokenizer::default())
        .filter(RemoveLongFilter::limit(LONGEST_WORD))
        .filter(LowerCaser)
        .filter(AsciiFoldingFilter)
        .filter(StopWordFilter::remove(stop_words))
        .dynamic();
    let words = match StopWordFilter::new(Language::English) {
        Some(lucene) => words.filter_dynamic(lucene),
        None => words,
    };
    words.filter_dynamic(Stemmer::new(Language::English)).build()
});

/// The stemmed words of a text in order, stop words left out.
pub fn words(text: &str) -> Vec<String> {
    analyzed(text, &ANALYZER)
}

/// The words of a text in the language of this code, stemmed as that language's are; stop words left out. English is [`words`].
pub fn words_in(text: &str, language: &str) -> Vec<String> {
    if language == "en" {
        return words(text);
    }
    analyzed(text, ANALYZERS.get(language).unwrap_or(&UNSTEMMED))
}

fn analyzed(text: &str, analyzer: &TextAnalyzer) -> Vec<String> {
    let mut analyzer = analyzer.clone();
    let parted = part_name(text);
    let mut stream = analyzer.token_stream(&parted);
    let mut words = Vec::new();
    while let Some(token) = stream.next() {
        words.push(token.text.clone());
    }
    words
}

/// The stem of one word; a stop word stays as it is.
pub fn stem(word: &str) -> String {
    words(word).into_iter().next().unwrap_or_else(|| word.to_lowercase())
}

/// The stem of one word in the language of this code; a stop word stays as it is.
pub fn stem_in(word: &str, language: &str) -> String {
    words_in(word, language).into_iter().next().unwrap_or_else(|| word.to_lowercase())
}

/// A name as words: `getUser_profile.v2` becomes `get user profile v2`, so that a model reads it as prose.
pub fn name_as_prose(name: &str) -> String {
    let parted = part_name(name);
    let spaced: String = parted.chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Puts a space at each inner capital and each underscore.
fn part_name(text: &str) -> String {
    let spaced = text.replace('_', " ");
    match CAMEL.as_ref() {
        Some(camel) => camel.replace_all(&spaced, "$1 $2").into_owned(),
        None => spaced,
    }
}

/// The lower-case words of a text as they stand, with their byte ranges; apostrophes and hyphens stay inside a word.
pub fn plain_words(text: &str) -> Vec<(std::ops::Range<usize>, String)> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, character) in text.char_indices() {
        let inside =
            character.is_alphanumeric() || (start.is_some() && matches!(character, '\'' | '’' | '-' | '_' | '@' | '.'));
        match (inside, start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                push_word(text, from..at, &mut found);
                start = None;
            }
            _ => {}
        }
    }
    if let Some(from) = start {
        push_word(text, from..text.len(), &mut found);
    }
    found
}

fn push_word(text: &str, range: std::ops::Range<usize>, found: &mut Vec<(std::ops::Range<usize>, String)>) {
    let raw = text.get(range.clone()).unwrap_or("");
    let trimmed = raw.trim_end_matches(['\'', '’', '-', '.', '@', '_']);
    if !trimmed.is_empty() {
        found.push((range.start..range.start + trimmed.len(), trimmed.to_lowercase().replace('’', "'")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(words(text), expected, "for {text}");
    }

    #[test]
    fn words_are_split_folded_and_stemmed() {
        check("Show me the overdue invoices", &["show", "overdu", "invoic"]);
        check("getUserProfile send_email_v2 orders.list", &["user", "profil", "send", "email", "v2", "order", "list"]);
        check("Größe der Lieferung", &["gross", "der", "lieferung"]);
        check("", &[]);
    }

    #[test]
    fn another_language_has_its_own_stems() {
        assert_eq!(stem_in("fatture", "it"), stem_in("fattura", "it"));
        assert_eq!(stem_in("Rechnungen", "de"), stem_in("Rechnung", "de"));
        assert_eq!(words_in("Show invoices", "en"), words("Show invoices"));
        assert_eq!(words_in("Größe", "xx"), ["grosse"]);
    }

    #[test]
    fn names_read_as_prose() {
        assert_eq!(name_as_prose("getUser_profile.v2"), "get user profile v2");
        assert_eq!(name_as_prose("customers/search"), "customers search");
    }

    #[test]
    fn plain_words_keep_their_place() {
        let found = plain_words("Pull Q3's data, e-mail a@b.io.");
        let texts: Vec<&str> = found.iter().map(|(_, word)| word.as_str()).collect();
        assert_eq!(
            texts,
            ["pull", "q3's", "data", "e-mail", "a", "a@b.io"]
                .into_iter()
                .filter(|w| *w != "a")
                .collect::<Vec<_>>()
                .as_slice()
        );
        assert_eq!(found.first().map(|(range, _)| range.clone()), Some(0..4));
    }
}
