//! The local planner: cuts a question into ordered clauses, each one thing to do. It sees words, never tools.
//! A cut is made only where a new verb or question begins; parts without one are context and fill inputs, never steps.

use std::collections::BTreeSet;

use ambit_model::facts::Operation;

use super::speech::Part;
use super::values::{self, Value};
use super::vocabulary::{Deed, Token, Words};
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
    let mut plan = LocalPlan { values: values::values(question, words), ..LocalPlan::default() };
    for sentence in sentences(question, words) {
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
fn sentences<'a>(question: &'a str, words: &Words) -> Vec<&'a str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut characters = question.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let then_space = characters.peek().is_none_or(|(_, next)| next.is_whitespace())
            && !(character == '.' && is_short_for(question.get(start..at).unwrap_or(""), words));
        if matches!(character, '\n' | ';') || (matches!(character, '.' | '!' | '?') && then_space) {
            found.push(question.get(start..at).unwrap_or(""));
            start = at + character.len_utf8();
        }
    }
    found.push(question.get(start..).unwrap_or(""));
    found.into_iter().map(str::trim).filter(|s| !s.is_empty()).collect()
}

/// The text ends in a word that a dot shortens, or in an initial.
fn is_short_for(before: &str, words: &Words) -> bool {
    let last = before.rsplit(char::is_whitespace).next().unwrap_or("");
    let lower = last.to_lowercase();
    let mut letters = last.chars();
    let initial = letters.next().is_some_and(char::is_uppercase) && letters.next().is_none();
    initial && !words.is(&lower, Part::Capitals) || words.is(&lower, Part::Shortened)
}

/// A sentence and its words.
struct Sentence<'a> {
    text: &'a str,
    words: Vec<Token>,
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
        Self { text, words: vocabulary.tokens(text), vocabulary }
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
                let tokens = self.vocabulary.tokens(left);
                tokens.len() > skip_fillers(&tokens, 0, self.vocabulary) + 1
            }
        }
    }

    /// "After confirming …, send …" begins behind its first word; "Before sending …, check …" too, and is done later.
    fn opening(&self) -> (usize, bool) {
        match self.ordering(0) {
            Some((verb, done_first)) => (self.words.get(verb).map_or(0, |(range, _)| range.start), !done_first),
            None => (0, false),
        }
    }

    /// "Before" or "after" stands here in front of a verb: where the verb stands, and whether it is to be done first.
    fn ordering(&self, at: usize) -> Option<(usize, bool)> {
        let before = self.phrase_at(at, Part::Before);
        let length = before.or_else(|| self.phrase_at(at, Part::After))?;
        self.vocabulary.is_infinitive(self.word(at + length)).then_some((at + length, before.is_none()))
    }

    fn phrase_at(&self, at: usize, part: Part) -> Option<usize> {
        self.vocabulary.phrase_at(&self.words, at, part)
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
        if self.phrase_at(at, Part::Before).is_some() || self.phrase_at(at, Part::After).is_some() {
            let (verb, done_first) = self.ordering(at)?;
            return Some(Cut { left_end, right_start: self.words.get(verb)?.0.start, done_first });
        }
        let without = self.phrase_at(at, Part::Without).map(|_| at);
        let but = || self.phrase_at(at, Part::But).map(|n| at + n).filter(|behind| self.is_negation(*behind));
        if let Some(from) = without.or_else(but) {
            return Some(Cut { left_end, right_start: self.words.get(from)?.0.start, done_first: false });
        }
        let behind = self.skip_connectives(at);
        if behind == at && !comma {
            return None;
        }
        let from = self.skip_fillers(behind);
        let both_end_in_verbs = || self.ends_in_verb(from) && self.vocabulary.verb(self.word(at - 1)).is_some();
        let starts = self.starts_step(from, behind > at) || self.is_negation(behind) || both_end_in_verbs();
        let right_start = self.words.get(behind)?.0.start;
        starts.then_some(Cut { left_end, right_start, done_first: false })
    }

    fn skip_connectives(&self, at: usize) -> usize {
        let mut behind = at;
        while let Some(length) = self.phrase_at(behind, Part::Connectives) {
            behind += length;
        }
        behind
    }

    /// Where a verb may end its clause: the words from here to the next joint end in one, as "den Kunden benachrichtigen" does.
    fn ends_in_verb(&self, from: usize) -> bool {
        if !self.vocabulary.is_verb_last() {
            return false;
        }
        let ends = |at: usize| {
            let end = self.words.get(at).map_or(0, |(range, _)| range.end);
            let next = self.words.get(at + 1).map_or(self.text.len(), |(range, _)| range.start);
            at + 1 >= self.words.len()
                || self.text.get(end..next).is_some_and(|gap| gap.contains([',', ':']))
                || self.phrase_at(at + 1, Part::Connectives).is_some()
        };
        let last = (from..self.words.len()).find(|at| ends(*at));
        last.is_some_and(|at| at > from && !self.is_noun(at) && self.vocabulary.verb(self.word(at)).is_some())
    }

    fn skip_fillers(&self, at: usize) -> usize {
        skip_fillers(&self.words, at, self.vocabulary)
    }

    fn is_negation(&self, at: usize) -> bool {
        let from = self.skip_fillers(at);
        self.phrase_at(from, Part::Negations).is_some()
    }

    /// A verb in its base form begins here (a word that is as often a noun only before something it can act on), or a question.
    fn starts_step(&self, at: usize, after_connective: bool) -> bool {
        let word = self.word(at);
        if word.is_empty() || at >= self.words.len() || self.is_noun(at) {
            return false;
        }
        if self.vocabulary.is(word, Part::Indirect) && !self.vocabulary.is(word, Part::Conditions) {
            return after_connective;
        }
        let parted = || self.vocabulary.parted(&self.words, at).is_some();
        let verb = self.vocabulary.operations(word).is_some() || self.vocabulary.is(word, Part::Native) || parted();
        let gerund = self.vocabulary.is_gerund(word);
        if !verb || gerund && !after_connective {
            return false;
        }
        !self.vocabulary.is(word, Part::NounVerbs) || self.can_be_acted_on(at + 1)
    }

    /// A capital inside the sentence tells a noun, where nouns have one.
    fn is_noun(&self, at: usize) -> bool {
        at > 0 && self.vocabulary.has_capital_nouns() && self.raw(at).starts_with(char::is_uppercase)
    }

    fn can_be_acted_on(&self, at: usize) -> bool {
        let word = self.word(at);
        let raw = self.raw(at);
        let before = at.checked_sub(1).and_then(|b| self.words.get(b)).map_or(0, |(range, _)| range.end);
        let quoted = self.text.get(before..).is_some_and(|rest| rest.trim_start().starts_with(['"', '“', '\'', '#']));
        self.vocabulary.is(word, Part::Determiners)
            || self.vocabulary.is(word, Part::Indirect)
            || self.vocabulary.is(word, Part::Particles)
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
    let tokens = words.tokens(part);
    let start = skip_fillers(&tokens, 0, words);
    if words.phrase_at(&tokens, start, Part::Negations).is_some() || is_denied(&tokens, start, words) {
        return Standing::Excluded;
    }
    // "could you" by itself asks for nothing yet.
    let is_opening = words.phrase_at(&tokens, start, Part::Fillers).is_some_and(|n| start + n >= tokens.len());
    if is_opening {
        return Standing::Context;
    }
    let word = tokens.get(start).map_or("", |(_, word)| word.as_str());
    let wishes = words.phrase_at(&tokens, 0, Part::Wishes).is_some();
    if is_circumstance(part, words) {
        return Standing::Context;
    }
    let asks =
        deed(&tokens, start, words).is_some() || words.is(word, Part::Questions) || part.trim_end().ends_with('?');
    if asks || wishes { Standing::Step } else { Standing::Context }
}

/// The verb that a part opens with, or, where a language puts it there, ends in.
fn deed(tokens: &[Token], start: usize, words: &Words) -> Option<(usize, Deed)> {
    let first = words.deed(tokens, start).map(|deed| (start, deed));
    let last = || {
        let last = tokens.len().checked_sub(1).filter(|last| words.is_verb_last() && *last > start)?;
        words.deed(tokens, last).map(|deed| (last, deed))
    };
    first.or_else(last)
}

/// A verb that changes something is denied behind it, as languages do that deny at the end: "schick sie nicht", "sende keine Mail".
fn is_denied(tokens: &[Token], start: usize, words: &Words) -> bool {
    let denies = |at: usize| tokens.get(at).is_some_and(|(_, word)| words.is(word, Part::Denials));
    let last = tokens.len().saturating_sub(1);
    if !denies(last) && !(start..last).any(denies) {
        return false;
    }
    let Some((at, deed)) = deed(tokens, start, words) else { return false };
    let near =
        if at == start { denies(start + 1) || denies(last) } else { denies(last.saturating_sub(1)) || denies(start) };
    near && !deed.operations.is_empty() && !deed.operations.iter().all(|operation| operation.reads())
}

/// Nothing is named that could tell one tool from another: "could you provide some options". What is done to what came before is a
/// step all the same: "book it".
fn is_general(part: &str, words: &Words) -> bool {
    let tokens = words.tokens(part);
    let start = skip_fillers(&tokens, 0, words);
    let mut rest = tokens.iter().skip(start).map(|(_, word)| word.as_str());
    let opens = rest.next().is_some_and(|first| words.operations(first).is_some() && !words.is(first, Part::Native));
    let acts = deed(&tokens, start, words)
        .is_some_and(|(_, deed)| !deed.operations.is_empty() && !deed.operations.iter().any(|o| o.reads()));
    let mut rest = rest.peekable();
    let empty =
        |word: &str| [Part::General, Part::Determiners, Part::Prepositions].iter().any(|part| words.is(word, *part));
    opens && !acts && rest.peek().is_some() && rest.all(empty)
}

/// Says when or why, and asks for nothing: "once the order is placed", "when you get a chance".
fn is_circumstance(part: &str, words: &Words) -> bool {
    let tokens = words.tokens(part);
    let start = skip_fillers(&tokens, 0, words);
    let word = |at: usize| tokens.get(at).map_or("", |(_, word)| word.as_str());
    // "when is the next eclipse" asks, "when the order is placed" does not.
    let asks = words.is(word(start), Part::Asking) && words.is(word(start + 1), Part::Questions);
    words.is(word(start), Part::Circumstances) && !asks && !part.trim_end().ends_with('?')
}

/// What the verb behind a negation, or before a denial, would do.
fn excluded_operations(part: &str, words: &Words) -> BTreeSet<Operation> {
    let tokens = words.tokens(part);
    let start = skip_fillers(&tokens, 0, words);
    let negation = words.phrase_at(&tokens, start, Part::Negations).unwrap_or(0);
    let verb = skip_fillers(&tokens, start + negation, words);
    deed(&tokens, verb, words).map(|(_, deed)| deed.operations).unwrap_or_default()
}

fn skip_fillers(tokens: &[Token], from: usize, words: &Words) -> usize {
    let mut at = from;
    while let Some(length) = words.phrase_at(tokens, at, Part::Fillers) {
        if at + length >= tokens.len() {
            break;
        }
        at += length;
    }
    at
}

pub(super) fn clause(part: &str, words: &Words) -> Clause {
    let tokens = words.tokens(part);
    let start = skip_fillers(&tokens, 0, words);
    let first = tokens.get(start).map_or("", |(_, word)| word.as_str());
    let found = deed(&tokens, start, words);
    let refers = found.as_ref().is_some_and(|(_, deed)| deed.refers);
    let opens = found.as_ref().is_some_and(|(at, _)| *at == start);
    let verb = found.as_ref().map(|(_, deed)| deed.verb.clone());
    let native = words.is(verb.as_deref().unwrap_or(""), Part::Native);
    let operations = match found {
        Some((_, deed)) => deed.operations,
        None => asked_operations(&tokens, start, words),
    };
    // What is done it to stands behind a verb that opens, and before one that ends.
    let object = start + usize::from(opens);
    let what_from = tokens.get(object).map_or(part.len(), |(range, _)| range.start);
    let what = part.get(what_from..).unwrap_or("").trim_end_matches(['?', '.', '!']).to_owned();
    let values = values::values(part, words);
    let sends = operations.contains(&Operation::Send);
    let needs = if refers {
        vec![REFERENCE.to_owned()]
    } else {
        needs(&tokens, if verb.is_some() { object } else { start + 1 }, &operations, words)
    };
    Clause {
        needs,
        produces: if sends { None } else { thing(&tokens, object, words) },
        repeat: values::repeat(&values),
        text: part.to_owned(),
        is_question: verb.is_none() && words.is(first, Part::Asking),
        verb,
        operations,
        native,
        what,
        values,
    }
}

/// What a question without a verb of ours asks for.
fn asked_operations(tokens: &[Token], start: usize, words: &Words) -> BTreeSet<Operation> {
    if words.phrase_at(tokens, start, Part::Counting).is_some() {
        return BTreeSet::from([Operation::Count, Operation::Summary, Operation::List, Operation::Search]);
    }
    if tokens.get(start).is_some_and(|(_, word)| words.is(word, Part::Questions)) {
        return Operation::ALL.iter().copied().filter(|o| o.reads()).collect();
    }
    BTreeSet::new()
}

/// The noun of the noun phrase that begins at `from`, as catalogs call it.
fn thing(tokens: &[Token], from: usize, words: &Words) -> Option<String> {
    let is = |word: &&str, part: Part| words.is(word, part);
    let phrase = tokens.iter().skip(from).map(|(_, word)| word.as_str()).skip_while(|w| is(w, Part::Determiners));
    let nouns = phrase.take_while(|w| !is(w, Part::Prepositions)).filter(|w| !is(w, Part::Determiners));
    // A verb that ends its clause is no noun of it.
    let is_end_verb = |w: &&str| words.is_verb_last() && words.verb(w).is_some();
    let told = |w: &&str| !w.contains(|c: char| c.is_ascii_digit()) && !text::words_in(w, words.language()).is_empty();
    let mut nouns = nouns.filter(|w| told(w) && !is_end_verb(w));
    let noun = if words.is_head_first() { nouns.next() } else { nouns.last() };
    noun.map(|noun| words.thing(noun))
}

/// A clause that sends takes the definite thing it sends as given; a pronoun stands for what came before.
fn needs(tokens: &[Token], from: usize, operations: &BTreeSet<Operation>, words: &Words) -> Vec<String> {
    let first = tokens.get(from).map_or("", |(_, word)| word.as_str());
    let ends =
        |(_, next): &Token| words.is(next, Part::Prepositions) || words.is_verb_last() && words.verb(next).is_some();
    let pronoun = words.is(first, Part::References) && tokens.get(from + 1).is_none_or(ends);
    if pronoun {
        return vec![REFERENCE.to_owned()];
    }
    let sends = operations.contains(&Operation::Send);
    let definite = words.is(first, Part::Definite);
    if sends && definite { thing(tokens, from, words).into_iter().collect() } else { Vec::new() }
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
