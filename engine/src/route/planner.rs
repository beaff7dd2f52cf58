//! The local planner: cuts a question into ordered clauses, each one thing to do. It sees words, never tools.
//! A cut is made only where a new verb or question begins; parts without one are context and fill inputs, never steps.

use std::collections::BTreeSet;
use std::ops::Range;

use ambit_model::facts::Operation;

use super::values::{self, Value};
use super::vocabulary::Words;
use crate::text;

/// One thing to do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Clause {
    /// As it stands in the question.
    pub text: String,
    /// In its base form.
    pub verb: Option<String>,
    /// Operations that the verb or the question word asks for; empty where nothing tells.
    pub operations: BTreeSet<Operation>,
    /// The verb is one that an agent follows without a tool.
    pub native: bool,
    /// It asks what is, with a question word or "is", "does", "did": nothing is to be changed.
    pub is_question: bool,
    /// What follows the verb.
    pub what: String,
    /// Things this clause takes as given, as written: `chart` in "email the chart".
    pub needs: Vec<String>,
    /// The thing it makes or finds, as written: `revenue` in "pull last quarter's revenue". What is sent is neither.
    pub produces: Option<String>,
    pub values: Vec<Value>,
    pub repeat: usize,
}

/// A question as clauses in the order they are to be done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LocalPlan {
    pub clauses: Vec<Clause>,
    /// Parts that ask for nothing by themselves.
    pub context: Vec<String>,
    /// Parts that say what not to do.
    pub excluded: Vec<String>,
    /// Operations that those parts name.
    pub forbidden: BTreeSet<Operation>,
    /// Values of the whole question.
    pub values: Vec<Value>,
}

/// Cuts a question into clauses. A question in which no clause is found is one clause as a whole.
pub(crate) fn plan(question: &str, words: &Words) -> LocalPlan {
    let question = unquoted(question);
    let mut plan = LocalPlan { values: values::values(question), ..LocalPlan::default() };
    for sentence in sentences(question) {
        for part in Sentence::new(sentence, words).parts() {
            plan.take(&part, words);
        }
    }
    if plan.clauses.is_empty() && plan.excluded.is_empty() {
        plan.clauses.push(clause(question.trim(), words));
        plan.context.clear();
    }
    resolve_references(&mut plan.clauses);
    plan
}

/// The text without quotes around the whole of it.
fn unquoted(question: &str) -> &str {
    let trimmed = question.trim();
    let inner = trimmed.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inner.filter(|inner| !inner.contains('"')).map_or(trimmed, str::trim)
}

impl LocalPlan {
    fn take(&mut self, part: &str, words: &Words) {
        match standing(part, words) {
            Standing::Step if !self.clauses.is_empty() && is_general(part, words) => self.context.push(part.to_owned()),
            Standing::Step => self.clauses.push(clause(part, words)),
            Standing::Excluded => {
                self.forbidden.extend(excluded_operations(part, words));
                self.excluded.push(part.to_owned());
            }
            Standing::Context => self.context.push(part.to_owned()),
        }
    }
}

/// Stretches that end with `.`, `!`, `?`, `;` or a line break; a dot inside a number, address or file name ends nothing.
fn sentences(question: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut characters = question.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let then_space = characters.peek().is_none_or(|(_, next)| next.is_whitespace())
            && !(character == '.' && is_short_for(question.get(start..at).unwrap_or("")));
        if matches!(character, '\n' | ';') || (matches!(character, '.' | '!' | '?') && then_space) {
            found.push(question.get(start..at).unwrap_or(""));
            start = at + character.len_utf8();
        }
    }
    found.push(question.get(start..).unwrap_or(""));
    found.into_iter().map(str::trim).filter(|s| !s.is_empty()).collect()
}

/// Words that a dot shortens.
const SHORTENED: &[&str] =
    &["dr", "mr", "mrs", "ms", "prof", "st", "no", "vs", "e.g", "i.e", "etc", "approx", "inc", "jr", "sr"];

/// The text ends in a word that a dot shortens, or in an initial.
fn is_short_for(before: &str) -> bool {
    let last = before.rsplit(char::is_whitespace).next().unwrap_or("");
    let mut letters = last.chars();
    let initial = letters.next().is_some_and(|c| c.is_uppercase() && c != 'I') && letters.next().is_none();
    initial || SHORTENED.contains(&last.to_lowercase().as_str())
}

/// A sentence and its words.
struct Sentence<'a> {
    text: &'a str,
    words: Vec<(Range<usize>, String)>,
    vocabulary: &'a Words,
}

/// Where a new clause begins, and whether it is to be done before what stands to its left.
struct Cut {
    /// Byte at which the left side ends.
    left_end: usize,
    /// Byte at which the right side begins.
    right_start: usize,
    done_first: bool,
}

impl<'a> Sentence<'a> {
    fn new(text: &'a str, vocabulary: &'a Words) -> Self {
        Self { text, words: text::plain_words(text), vocabulary }
    }

    fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |(_, word)| word.as_str())
    }

    fn raw(&self, at: usize) -> &str {
        self.words.get(at).and_then(|(range, _)| self.text.get(range.clone())).unwrap_or("")
    }

    /// The sentence's parts in the order they are to be done.
    fn parts(&self) -> Vec<String> {
        let mut parts: Vec<String> = Vec::new();
        let mut start = self.opening().0;
        let mut first_done_later = self.opening().1;
        let mut at = 1;
        while at < self.words.len() {
            let left = self.text.get(start..self.words.get(at).map_or(start, |(r, _)| r.start)).unwrap_or("");
            match self.cut_before(at).filter(|_| self.ends_a_part(left)) {
                Some(cut) => {
                    let left = self.text.get(start..cut.left_end).unwrap_or("").trim().to_owned();
                    parts.push(left);
                    if cut.done_first || first_done_later {
                        let right = self.rest_until_cut(cut.right_start);
                        let before = parts.len() - 1;
                        parts.insert(before, self.text.get(cut.right_start..right).unwrap_or("").trim().to_owned());
                        start = right;
                        first_done_later = false;
                    } else {
                        start = cut.right_start;
                    }
                    at = self
                        .words
                        .iter()
                        .position(|(range, _)| range.start >= start)
                        .map_or(self.words.len(), |p| p + 1);
                }
                None => at += 1,
            }
        }
        let last = self.text.get(start..).unwrap_or("").trim_start_matches([',', ' ']).trim();
        parts.push(last.to_owned());
        parts.into_iter().map(|p| p.trim_matches([',', ' ', ':']).to_owned()).filter(|p| !p.is_empty()).collect()
    }

    /// What stands to the left of a cut is something by itself: a step with an object, or a circumstance such as "once it is live".
    fn ends_a_part(&self, left: &str) -> bool {
        match standing(left, self.vocabulary) {
            Standing::Context => is_circumstance(left, self.vocabulary),
            Standing::Excluded => true,
            Standing::Step => {
                let tokens = text::plain_words(left);
                tokens.len() > skip_fillers(&tokens, 0, self.vocabulary) + 1
            }
        }
    }

    /// "After confirming …, send …" begins behind its first word; "Before sending …, check …" too, and is done later.
    fn opening(&self) -> (usize, bool) {
        let second = self.words.get(1).map_or(0, |(range, _)| range.start);
        let gerund = self.word(1).ends_with("ing") && self.vocabulary.verb(self.word(1)).is_some();
        match self.word(0) {
            word if gerund && self.vocabulary.is(word, "before") => (second, true),
            word if gerund && self.vocabulary.is(word, "after") => (second, false),
            _ => (0, false),
        }
    }

    fn rest_until_cut(&self, from: usize) -> usize {
        let next = self.words.iter().position(|(range, _)| range.start > from);
        let cuts = next.into_iter().flat_map(|first| first..self.words.len());
        cuts.filter_map(|at| self.cut_before(at))
            .map(|cut| cut.left_end)
            .find(|end| *end > from)
            .unwrap_or(self.text.len())
    }

    /// A cut in front of word `at`, where a connective or comma stands there and a verb or question begins behind it.
    fn cut_before(&self, at: usize) -> Option<Cut> {
        let left_end = self.words.get(at.checked_sub(1)?)?.0.end;
        let gap = self.text.get(left_end..self.words.get(at)?.0.start)?;
        let comma = gap.contains([',', ':', '—', '–']);
        let word = self.word(at);
        if self.vocabulary.is(word, "before") || self.vocabulary.is(word, "after") {
            let verb = at + 1;
            let gerund = self.word(verb).ends_with("ing") && self.vocabulary.verb(self.word(verb)).is_some();
            let right_start = self.words.get(verb)?.0.start;
            return gerund.then(|| Cut { left_end, right_start, done_first: self.vocabulary.is(word, "after") });
        }
        let negation = word == "without" || word == "but" && self.is_negation(at + 1);
        if negation {
            let from = if word == "without" { at } else { at + 1 };
            return Some(Cut { left_end, right_start: self.words.get(from)?.0.start, done_first: false });
        }
        let behind = self.skip_connectives(at);
        if behind == at && !comma {
            return None;
        }
        let starts = self.starts_step(self.skip_fillers(behind), behind > at) || self.is_negation(behind);
        let right_start = self.words.get(behind)?.0.start;
        starts.then_some(Cut { left_end, right_start, done_first: false })
    }

    fn skip_connectives(&self, at: usize) -> usize {
        let mut behind = at;
        while self.vocabulary.is(self.word(behind), "connectives")
            || (self.word(behind) == "after" && self.word(behind + 1) == "that")
            || (self.word(behind) == "that" && behind > at && self.word(behind - 1) == "after")
        {
            behind += 1;
        }
        behind
    }

    fn skip_fillers(&self, at: usize) -> usize {
        skip_fillers(&self.words, at, self.vocabulary)
    }

    fn is_negation(&self, at: usize) -> bool {
        let from = self.skip_fillers(at);
        starts_with_phrase(&self.words, from, &self.vocabulary.phrases("negations")).is_some()
    }

    /// A verb in its base form begins here (a word that is as often a noun only before something it can act on), or a question.
    fn starts_step(&self, at: usize, after_connective: bool) -> bool {
        let word = self.word(at);
        if word.is_empty() || at >= self.words.len() {
            return false;
        }
        if self.vocabulary.is(word, "indirect") && word != "if" {
            return after_connective;
        }
        let verb = self.vocabulary.operations(word).is_some() || self.vocabulary.is(word, "native");
        let gerund = word.ends_with("ing") && self.vocabulary.verb(word).is_some();
        if !verb || gerund && !after_connective {
            return false;
        }
        !self.vocabulary.is(word, "noun_verbs") || self.can_be_acted_on(at + 1)
    }

    fn can_be_acted_on(&self, at: usize) -> bool {
        let word = self.word(at);
        let raw = self.raw(at);
        let before = at.checked_sub(1).and_then(|b| self.words.get(b)).map_or(0, |(range, _)| range.end);
        let quoted = self.text.get(before..).is_some_and(|rest| rest.trim_start().starts_with(['"', '“', '\'', '#']));
        self.vocabulary.is(word, "determiners")
            || self.vocabulary.is(word, "indirect")
            || PARTICLES.contains(&word)
            || quoted
            || raw.chars().next().is_some_and(|c| c.is_uppercase() || c.is_ascii_digit())
    }
}

enum Standing {
    Step,
    Context,
    Excluded,
}

/// What a part of a sentence is: something to do, something not to do, or neither.
fn standing(part: &str, words: &Words) -> Standing {
    let tokens = text::plain_words(part);
    let start = skip_fillers(&tokens, 0, words);
    if starts_with_phrase(&tokens, start, &words.phrases("negations")).is_some() {
        return Standing::Excluded;
    }
    // "could you" by itself asks for nothing yet.
    let is_opening =
        starts_with_phrase(&tokens, start, &words.phrases("fillers")).is_some_and(|n| start + n >= tokens.len());
    if is_opening {
        return Standing::Context;
    }
    let word = tokens.get(start).map_or("", |(_, word)| word.as_str());
    let wishes = starts_with_phrase(&tokens, 0, &words.phrases("wishes")).is_some();
    if is_circumstance(part, words) {
        return Standing::Context;
    }
    let asks = words.verb(word).is_some() || words.is(word, "questions") || part.trim_end().ends_with('?');
    if asks || wishes { Standing::Step } else { Standing::Context }
}

/// Nothing is named that could tell one tool from another: "could you provide some options".
fn is_general(part: &str, words: &Words) -> bool {
    let tokens = text::plain_words(part);
    let start = skip_fillers(&tokens, 0, words);
    let mut rest = tokens.iter().skip(start).map(|(_, word)| word.as_str());
    let opens = rest.next().is_some_and(|first| words.operations(first).is_some() && !words.is(first, "native"));
    let mut rest = rest.peekable();
    opens
        && rest.peek().is_some()
        && rest.all(|w| words.is(w, "general") || words.is(w, "determiners") || PREPOSITIONS.contains(&w))
}

/// Says when or why, and asks for nothing: "once the order is placed", "when you get a chance".
fn is_circumstance(part: &str, words: &Words) -> bool {
    let tokens = text::plain_words(part);
    let first = tokens.get(skip_fillers(&tokens, 0, words)).map_or("", |(_, word)| word.as_str());
    words.is(first, "circumstances") && !part.trim_end().ends_with('?')
}

/// What the verb behind a negation would do.
fn excluded_operations(part: &str, words: &Words) -> BTreeSet<Operation> {
    let tokens = text::plain_words(part);
    let start = skip_fillers(&tokens, 0, words);
    let negation = starts_with_phrase(&tokens, start, &words.phrases("negations")).unwrap_or(0);
    let verb = tokens.get(skip_fillers(&tokens, start + negation, words)).map_or("", |(_, word)| word.as_str());
    words.operations(verb).cloned().unwrap_or_default()
}

fn skip_fillers(tokens: &[(Range<usize>, String)], from: usize, words: &Words) -> usize {
    let phrases = words.phrases("fillers");
    let mut at = from;
    while let Some(length) = starts_with_phrase(tokens, at, &phrases) {
        if at + length >= tokens.len() {
            break;
        }
        at += length;
    }
    at
}

/// How many words of `tokens` from `at` are one of these phrases.
fn starts_with_phrase(tokens: &[(Range<usize>, String)], at: usize, phrases: &[&str]) -> Option<usize> {
    phrases.iter().find_map(|phrase| {
        let wanted: Vec<&str> = phrase.split(' ').collect();
        let found = tokens.get(at..at + wanted.len())?;
        found.iter().zip(&wanted).all(|((_, word), wanted)| word == wanted).then_some(wanted.len())
    })
}

pub(super) fn clause(part: &str, words: &Words) -> Clause {
    let tokens = text::plain_words(part);
    let start = skip_fillers(&tokens, 0, words);
    let first = tokens.get(start).map_or("", |(_, word)| word.as_str());
    let verb = words.verb(first);
    let native = words.is(verb.as_deref().unwrap_or(""), "native");
    let operations = match &verb {
        Some(verb) => words.operations(verb).cloned().unwrap_or_default(),
        None => asked_operations(&tokens, start, words),
    };
    let what_from = tokens.get(start + usize::from(verb.is_some())).map_or(part.len(), |(range, _)| range.start);
    let what = part.get(what_from..).unwrap_or("").trim_end_matches(['?', '.', '!']).to_owned();
    let values = values::values(part);
    let sends = operations.contains(&Operation::Send);
    Clause {
        needs: needs(&tokens, start + 1, &operations, words),
        produces: if sends { None } else { thing(&tokens, start + usize::from(verb.is_some()), words).pop() },
        repeat: values::repeat(&values),
        text: part.to_owned(),
        is_question: verb.is_none() && words.is(first, "asking"),
        verb,
        operations,
        native,
        what,
        values,
    }
}

/// What a question without a verb of ours asks for.
fn asked_operations(tokens: &[(Range<usize>, String)], start: usize, words: &Words) -> BTreeSet<Operation> {
    let word = |at: usize| tokens.get(at).map_or("", |(_, word)| word.as_str());
    if word(start) == "how" && matches!(word(start + 1), "many" | "often") {
        return BTreeSet::from([Operation::Count, Operation::Summary, Operation::List, Operation::Search]);
    }
    if words.is(word(start), "questions") {
        return Operation::ALL.iter().copied().filter(|o| o.reads()).collect();
    }
    BTreeSet::new()
}

/// Words that make a verb of the word before them: "switch to", "turn off".
const PARTICLES: &[&str] = &["to", "up", "off", "out", "down", "on", "over", "back"];

/// Words that end a noun phrase.
const PREPOSITIONS: &[&str] = &[
    "to", "for", "of", "from", "in", "on", "at", "with", "by", "about", "as", "into", "via", "per", "between",
    "during", "since", "and", "or", "that", "which", "who",
];

/// The words of the noun phrase that begins at `from`.
fn thing(tokens: &[(Range<usize>, String)], from: usize, words: &Words) -> Vec<String> {
    let phrase = tokens.iter().skip(from).map(|(_, word)| word.as_str()).skip_while(|w| words.is(w, "determiners"));
    let nouns = phrase.take_while(|w| !PREPOSITIONS.contains(w)).filter(|w| !words.is(w, "determiners"));
    nouns
        .filter(|noun| !noun.contains(|c: char| c.is_ascii_digit()) && !text::words(noun).is_empty())
        .map(str::to_owned)
        .collect()
}

/// A clause that sends takes the definite thing it sends as given; a pronoun stands for what came before.
fn needs(
    tokens: &[(Range<usize>, String)],
    from: usize,
    operations: &BTreeSet<Operation>,
    words: &Words,
) -> Vec<String> {
    let first = tokens.get(from).map_or("", |(_, word)| word.as_str());
    let pronoun = words.is(first, "references")
        && tokens.get(from + 1).is_none_or(|(_, next)| PREPOSITIONS.contains(&next.as_str()));
    if pronoun {
        return vec![REFERENCE.to_owned()];
    }
    let sends = operations.contains(&Operation::Send);
    let definite = matches!(first, "the" | "this" | "that" | "these" | "those");
    if sends && definite { thing(tokens, from, words).pop().into_iter().collect() } else { Vec::new() }
}

/// Stands for "it" until the clause before says what it is.
const REFERENCE: &str = "\u{0}it";

fn resolve_references(clauses: &mut [Clause]) {
    let mut before: Option<String> = None;
    for clause in clauses {
        clause.needs.retain_mut(|need| {
            if need == REFERENCE {
                match &before {
                    Some(thing) => need.clone_from(thing),
                    None => return false,
                }
            }
            true
        });
        before = clause
            .needs
            .first()
            .cloned()
            .filter(|_| clause.operations.contains(&Operation::Send))
            .or_else(|| clause.produces.clone())
            .or(before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::vocabulary::tests::english;

    fn check(question: &str, expected: &[&str]) {
        let plan = plan(question, &english());
        let mut lines: Vec<String> = plan.clauses.iter().map(|c| c.text.clone()).collect();
        lines.extend(plan.context.iter().map(|c| format!("context: {c}")));
        lines.extend(plan.excluded.iter().map(|c| format!("not: {c}")));
        assert_eq!(lines, expected, "for {question}");
    }

    #[test]
    fn a_cut_is_made_where_a_verb_begins() {
        check(
            "Pull last quarter's revenue and email the chart to finance.",
            &["Pull last quarter's revenue", "email the chart to finance"],
        );
        check("Show the orders for Northwind Supplies", &["Show the orders for Northwind Supplies"]);
        check("List customers and email addresses", &["List customers and email addresses"]);
        check("list customers, then delete the ticket T-12", &["list customers", "delete the ticket T-12"]);
        check(
            "Find invoice INV-7, send it to Ada and close the ticket",
            &["Find invoice INV-7", "send it to Ada", "close the ticket"],
        );
        check(
            "What is the stock of bolts and which orders are late?",
            &["What is the stock of bolts", "which orders are late"],
        );
    }

    #[test]
    fn a_word_that_is_as_often_a_noun_is_a_verb_before_a_particle() {
        check("Pause the music, turn off the lamp", &["Pause the music", "turn off the lamp"]);
        check("List charge and refund requests", &["List charge and refund requests"]);
    }

    #[test]
    fn context_and_negation_are_no_steps() {
        check("My account is A-77. Show my invoices.", &["Show my invoices", "context: My account is A-77"]);
        check(
            "Do not send any email, just list the invoices for Q3",
            &["just list the invoices for Q3", "not: Do not send any email"],
        );
        check("List the invoices but do not send them", &["List the invoices", "not: do not send them"]);
        check("Northwind", &["Northwind"]);
    }

    #[test]
    fn greetings_circumstances_and_what_names_nothing_are_no_steps() {
        check("Hi, can you show my invoices?", &["Hi, can you show my invoices"]);
        check(
            "Find my appointment with Dr. Smith. Could you provide some options?",
            &["Find my appointment with Dr. Smith", "context: Could you provide some options"],
        );
        check("Once the order is placed, send it to Ada", &["send it to Ada", "context: Once the order is placed"]);
        check("Locate and provide the invoice of Northwind", &["Locate and provide the invoice of Northwind"]);
    }

    #[test]
    fn before_and_after_order_the_steps() {
        check("Check the balance before paying the invoice", &["Check the balance", "paying the invoice"]);
        check("Before paying the invoice, check the balance", &["check the balance", "paying the invoice"]);
        check("Close the ticket after emailing the customer", &["emailing the customer", "Close the ticket"]);
        check("After checking the stock, create an order", &["checking the stock", "create an order"]);
    }

    #[test]
    fn a_sending_clause_needs_what_it_sends() {
        let needs =
            |question: &str| plan(question, &english()).clauses.last().map(|c| c.needs.clone()).unwrap_or_default();
        assert_eq!(needs("Pull last quarter's revenue and email the chart to finance."), ["chart"]);
        assert_eq!(
            needs("Get invoice INV-7 and send it to Ada"),
            [plan("Get invoice INV-7", &english())
                .clauses
                .first()
                .and_then(|c| c.produces.clone())
                .unwrap_or_default()]
        );
        assert!(needs("Email Ada about the delay").is_empty());
    }

    #[test]
    fn any_text_is_at_least_one_clause_or_an_exclusion() {
        for question in ["?", "…", "don't", "and and and", "ääää öö", "\n\n.;"] {
            let plan = plan(question, &english());
            assert!(!plan.clauses.is_empty() || !plan.excluded.is_empty(), "for {question}");
        }
    }
}
