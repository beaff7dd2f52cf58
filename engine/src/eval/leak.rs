//! Questions that give their answer away: they hold the name of a tool that they want.

use crate::text;

use super::set::Question;

/// The wanted tools whose names stand in the question as they are written, or as the words that they are made of where those are
/// two or more: `get_weather` in "please get weather for Turin".
pub fn leaked(question: &Question) -> Vec<&str> {
    let asked = question.query.to_lowercase();
    let words = spaced(&asked);
    let leaks = |name: &&String| {
        let lower = name.to_lowercase();
        let prose = spaced(&text::name_as_prose(name).to_lowercase());
        let jointed = prose.trim().contains(' ') || lower.contains(|c: char| !c.is_alphabetic());
        jointed && (asked.contains(&lower) || words.contains(&prose))
    };
    question.gold.iter().filter(leaks).map(String::as_str).collect()
}

/// Its words between single spaces.
fn spaced(text: &str) -> String {
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    format!(" {} ", words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(query: &str, gold: &str, leaks: bool) {
        let question = Question {
            id: String::new(),
            query: query.to_owned(),
            gold: vec![gold.to_owned()],
            ordered: false,
            context: Vec::new(),
        };
        assert_eq!(!leaked(&question).is_empty(), leaks, "{gold} in {query}");
    }

    #[test]
    fn a_name_leaks_as_it_is_or_as_words_and_a_plain_word_does_not() {
        check("Call get_weather for Turin", "get_weather", true);
        check("Please get weather, for Turin", "getWeather", true);
        check("Will the weather get better?", "get_weather", false);
        check("Search for flights", "search", false);
    }
}
