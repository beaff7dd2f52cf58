//! Which language a question is in: what whatlang is sure of, else the one whose vocabulary knows more of its words.

use std::collections::BTreeSet;

use ambit_model::declaration::Vocabulary;

use super::vocabulary::Words;
use crate::text;

/// The language that catalogs are mostly written in, and that the index stems.
pub(crate) const OF_CATALOGS: &str = "en";

/// Shortest text whose language is guessed by its letters, in characters.
const TELLING: usize = 24;

/// The words of every language that a question may be planned in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Languages {
    english: Words,
    others: Vec<Words>,
}

/// A question's language.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spoken<'a> {
    /// What it is planned by.
    pub words: &'a Words,
    /// Its code, as far as is known; a language without a vocabulary is planned as English.
    pub language: &'a str,
}

impl Languages {
    /// Compiles the vocabularies of a snapshot.
    pub(crate) fn new(vocabularies: &[Vocabulary]) -> Self {
        let mut languages = Self::default();
        for words in vocabularies.iter().map(Words::new) {
            if words.is_of_catalogs() {
                languages.english = words;
            } else {
                languages.others.push(words);
            }
        }
        languages
    }

    /// The words of the language that tools are named in.
    pub(crate) fn of_catalogs(&self) -> &Words {
        &self.english
    }

    /// The codes of the other languages.
    pub(crate) fn others(&self) -> impl Iterator<Item = &str> {
        self.others.iter().map(Words::language)
    }

    /// The language of this text. The same text is always in the same language; where nothing tells, it is English.
    pub(crate) fn of(&self, text: &str) -> Spoken<'_> {
        let sure = surely(text);
        if sure == Some(OF_CATALOGS) || self.others.is_empty() {
            return Spoken { words: &self.english, language: sure.unwrap_or(OF_CATALOGS) };
        }
        let plain = plain(text);
        let of_english = self.english.count_known(&plain);
        // What is sure is so by letters; a text of which English knows more words is planned as English all the same.
        if let Some(words) = self.others.iter().find(|words| Some(words.language()) == sure) {
            let words = if known_to(words, text) >= of_english { words } else { &self.english };
            return Spoken { words, language: sure.unwrap_or(OF_CATALOGS) };
        }
        // Letters may take one language for its sister: against them, most of the words have to be known.
        let least = if sure.is_some() { of_english.max(plain.len() / 2) } else { of_english };
        let mut best = Spoken { words: &self.english, language: sure.unwrap_or(OF_CATALOGS) };
        let mut most = least;
        for words in &self.others {
            let known = known_to(words, text);
            if known > most {
                most = known;
                best = Spoken { words, language: words.language() };
            }
        }
        best
    }
}

fn known_to(words: &Words, text: &str) -> usize {
    words.count_known(&words.tokens(text).into_iter().map(|(_, word)| word).collect())
}

fn plain(text: &str) -> BTreeSet<String> {
    text::plain_words(text).into_iter().map(|(_, word)| word).collect()
}

/// The language that the letters of a text surely show, by whatlang's own measure; short texts show none.
fn surely(text: &str) -> Option<&'static str> {
    if text.chars().count() < TELLING {
        return None;
    }
    whatlang::detect(text).filter(whatlang::Info::is_reliable).map(|info| short_code(info.lang()))
}

/// The two letters of ISO 639-1 where vocabularies are likely to be written in the language, else the three of 639-3.
fn short_code(language: whatlang::Lang) -> &'static str {
    use whatlang::Lang;
    match language {
        Lang::Eng => OF_CATALOGS,
        Lang::Deu => "de",
        Lang::Ita => "it",
        Lang::Fra => "fr",
        Lang::Spa => "es",
        Lang::Por => "pt",
        Lang::Nld => "nl",
        Lang::Dan => "da",
        Lang::Swe => "sv",
        Lang::Nob => "nb",
        Lang::Fin => "fi",
        Lang::Pol => "pl",
        Lang::Ces => "cs",
        Lang::Slk => "sk",
        Lang::Slv => "sl",
        Lang::Hrv => "hr",
        Lang::Srp => "sr",
        Lang::Hun => "hu",
        Lang::Ron => "ro",
        Lang::Bul => "bg",
        Lang::Ell => "el",
        Lang::Tur => "tr",
        Lang::Rus => "ru",
        Lang::Ukr => "uk",
        Lang::Ara => "ar",
        Lang::Heb => "he",
        Lang::Hin => "hi",
        Lang::Jpn => "ja",
        Lang::Cmn => "zh",
        Lang::Kor => "ko",
        Lang::Cat => "ca",
        Lang::Est => "et",
        Lang::Lit => "lt",
        Lang::Lav => "lv",
        other => other.code(),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::route::vocabulary::with_built_in;

    /// Every language that is built in.
    pub(crate) fn built_in() -> Languages {
        Languages::new(&with_built_in(&[]))
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(built_in().of(text).words.language(), expected, "for {text}");
    }

    #[test]
    fn a_question_is_planned_in_its_language() {
        check("Show me the overdue invoices", "en");
        check("Mostrami le fatture", "it");
        check("Zeig mir die Rechnungen", "de");
        check("Cerca il cliente e inviagli la fattura per posta elettronica", "it");
        check("Suche den Kunden und schicke ihm die Rechnung per Mail zu", "de");
    }

    #[test]
    fn where_nothing_tells_it_is_english() {
        for text in ["", "?", "Northwind", "INV-7", "🎉🎉"] {
            check(text, "en");
        }
    }

    #[test]
    fn a_language_without_a_vocabulary_is_named_and_planned_as_english() {
        let languages = built_in();
        let spoken = languages.of("Δείξε μου όλα τα απλήρωτα τιμολόγια του περασμένου μήνα");
        assert_eq!((spoken.words.language(), spoken.language), ("en", "el"));
    }

    #[test]
    fn a_language_of_an_operator_is_planned_by_its_words() {
        let own = Vocabulary {
            language: "fr".into(),
            verbs: [("list".to_owned(), vec!["montre".to_owned(), "montrer".to_owned()])].into(),
            synonyms: [("facture".to_owned(), vec!["invoice".to_owned()])].into(),
            words: [("connectives".to_owned(), vec!["et".to_owned(), "puis".to_owned()])].into(),
        };
        let languages = Languages::new(&with_built_in(&[own]));
        assert_eq!(languages.of("montre les factures").words.language(), "fr");
    }
}
