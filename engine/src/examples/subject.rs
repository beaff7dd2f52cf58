//! What a tool is about, as nouns: read off its entity, the rest of its name, its inputs and its outputs.

use ambit_model::card::ToolCard;
use ambit_model::facts::{Effect, Operation};

use super::asked::{Asked, Kind};
use super::{clean, nouns};
use crate::{schema, text};

/// Words of names that say what is done, not with what.
const VERBS: &[&str] = &[
    "get",
    "list",
    "search",
    "find",
    "fetch",
    "retrieve",
    "read",
    "show",
    "query",
    "lookup",
    "create",
    "add",
    "insert",
    "new",
    "register",
    "open",
    "book",
    "generate",
    "update",
    "edit",
    "modify",
    "change",
    "set",
    "assign",
    "close",
    "move",
    "rename",
    "patch",
    "reset",
    "delete",
    "remove",
    "purge",
    "cancel",
    "revoke",
    "destroy",
    "send",
    "post",
    "notify",
    "publish",
    "forward",
    "reply",
    "count",
    "check",
    "exists",
    "verify",
    "validate",
    "run",
    "execute",
    "start",
    "stop",
    "trigger",
    "invoke",
    "void",
    "record",
    "make",
    "draw",
    "build",
    "export",
    "import",
    "convert",
    "translate",
    "compute",
    "calculate",
    "summarize",
    "summarise",
    "describe",
    "detail",
    "details",
    "all",
    "index",
    "upload",
    "download",
    "merge",
    "compare",
    "schedule",
    "refund",
    "approve",
];
/// Those of them that, in the middle of a name, say how the thing is.
const ALSO_STATES: &[&str] = &["open", "new"];
/// Words of names that say nothing about the thing.
const NOISE: &[&str] = &[
    "api", "mcp", "tool", "my", "by", "for", "with", "the", "to", "of", "a", "an", "and", "in", "on", "from", "id",
    "data",
];
/// Output fields that nobody asks for.
const BARE: &[&str] = &[
    "id", "items", "rows", "data", "results", "result", "total", "count", "next", "cursor", "page", "url", "ok",
    "success", "has more",
];
/// Things that are texts: one looks for what they are about; for others one looks by name.
const TEXTS: &[&str] = &[
    "document",
    "article",
    "message",
    "ticket",
    "note",
    "page",
    "issue",
    "email",
    "mail",
    "post",
    "knowledge",
    "record",
    "report",
    "text",
    "comment",
    "conversation",
    "contract",
    "policy",
    "question",
    "answer",
    "guide",
    "file",
    "thread",
    "news",
    "event",
    "log",
];
/// Most words of a thing: more is a sentence.
const MOST_WORDS: usize = 3;
/// Most words taken over from a description.
const MOST_CLAUSE: usize = 9;

/// Everything that questions are made of.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    pub(super) operation: Operation,
    /// It changes something, by its effect or by its operation.
    pub(super) writes: bool,
    /// One of it: `overdue invoice`.
    pub(super) one: String,
    /// Many: `overdue invoices`.
    pub(super) many: String,
    /// The thing is a text, which is about something.
    pub(super) text: bool,
    /// The thing is not counted: `revenue`.
    pub(super) uncounted: bool,
    /// The verb of the name, where it begins with one: `void`.
    pub(super) verb: Option<String>,
    /// What it is asked with, in the order of the schema, required ones first.
    pub(super) asked: Vec<Asked>,
    /// Words of a closed list that say in which state a thing is: `overdue`.
    pub(super) states: Vec<String>,
    /// Fields of the result that people ask for: `due date`.
    pub(super) fields: Vec<String>,
    /// The description's first clause, as a wish: `list the open orders of a customer`.
    pub(super) wish: Option<String>,
}

impl Subject {
    pub(super) fn of(card: &ToolCard) -> Self {
        let name = clean::name_words(card.id.name(), 8);
        let verb = verb(&name, &card.description);
        let phrase = thing(&card.facts.entity.value, &name, verb.as_ref());
        let (before, last) = phrase.split_at(phrase.len().saturating_sub(1));
        let last = last.first().cloned().unwrap_or_else(|| "record".to_owned());
        let joined =
            |noun: String| before.iter().map(|word| nouns::singular(word)).chain([noun]).collect::<Vec<_>>().join(" ");
        let one = joined(nouns::singular(&last));
        let mut inputs = schema::inputs(&schema::parse(&card.input_schema));
        // The order of a file's keys says nothing.
        inputs.sort_by(|a, b| a.name.cmp(&b.name));
        let travels = Asked::travels(&inputs);
        let mut asked: Vec<Asked> = inputs.iter().filter_map(|input| Asked::of(input, &one, travels)).collect();
        asked.sort_by_key(|asked| !asked.required);
        let states = inputs.iter().filter(|input| is_state(&input.name)).flat_map(|input| &input.values);
        let operation = card.facts.operation.value;
        Self {
            operation,
            writes: !operation.reads() || card.facts.effect.value == Effect::Destructive,
            many: joined(nouns::plural(&last)),
            text: TEXTS.contains(&nouns::singular(&last).as_str()),
            uncounted: nouns::is_uncounted(&last),
            one,
            verb,
            asked,
            states: states
                .filter_map(|value| clean::value(value))
                .filter(|word| word != "all" && word != "any")
                .take(3)
                .collect(),
            fields: fields(card),
            wish: wish(&card.description),
        }
    }

    /// The thing by its own number or name: `invoice INV-1042`, or `this invoice` where it has none.
    pub(super) fn this(&self) -> String {
        match self.asked.iter().find(|asked| asked.kind == Kind::Own) {
            Some(own) => format!("{} {}", self.one, own.value),
            None if self.uncounted => format!("the {}", self.one),
            None => format!("this {}", self.one),
        }
    }

    /// What can follow the thing, required inputs first: each as `of customer C-1042`.
    pub(super) fn filters(&self) -> Vec<String> {
        let follows = |asked: &&Asked| !matches!(asked.kind, Kind::Own | Kind::Switch | Kind::State);
        self.asked.iter().filter(follows).map(Asked::after).collect()
    }
}

/// What is done, where the name begins or ends with it: a verb of ours, or the one that the description begins with.
fn verb(name: &[String], description: &str) -> Option<String> {
    let ends = [name.first()?, name.last()?];
    let known = ends.iter().find(|word| VERBS.contains(&word.as_str()));
    let begins = text::words(description.split(' ').next()?);
    let told = || ends.iter().find(|word| !begins.is_empty() && text::words(word) == begins);
    known.or_else(told).map(|word| (*word).clone())
}

/// The entity with what the name says of it: `list_overdue_invoices` is about `overdue invoices`.
fn thing(entity: &str, name: &[String], verb: Option<&String>) -> Vec<String> {
    let is_verb = |word: &String| {
        let ends = name.first() == Some(word) || name.last() == Some(word);
        (VERBS.contains(&word.as_str()) || Some(word) == verb) && (ends || !ALSO_STATES.contains(&word.as_str()))
    };
    let says = |word: &&String| !is_verb(word) && !NOISE.contains(&word.as_str()) && !is_version(word);
    let entity: Vec<String> = clean::name_words(entity, MOST_WORDS).into_iter().filter(|word| says(&word)).collect();
    let rest: Vec<String> = name.iter().filter(says).cloned().collect();
    let stem = |word: &String| nouns::singular(word);
    let speaks_of_it = entity.last().is_some_and(|last| rest.iter().any(|word| stem(word) == stem(last)));
    // The name's words up to the entity's own, which is what they say of it.
    if let (true, Some(last)) = (speaks_of_it, entity.last()) {
        let end = rest.iter().position(|word| stem(word) == stem(last)).map_or(rest.len(), |at| at + 1);
        let own: Vec<String> = rest.iter().take(end).cloned().collect();
        let from = own.len().saturating_sub(MOST_WORDS);
        let qualified: Vec<String> = own.into_iter().skip(from).collect();
        return if qualified.len() >= entity.len() { qualified } else { entity };
    }
    match (entity.is_empty(), rest.is_empty()) {
        (false, _) => entity,
        (true, false) => rest.into_iter().take(MOST_WORDS).collect(),
        (true, true) => vec!["record".to_owned()],
    }
}

fn is_version(word: &str) -> bool {
    let digits = word.strip_prefix('v').unwrap_or(word);
    !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit())
}

fn is_state(input: &str) -> bool {
    let words = clean::name_words(input, 4);
    words.last().is_some_and(|word| matches!(word.as_str(), "status" | "state" | "condition" | "stage"))
}

/// Plain names of result fields, shallow ones first, at most four.
fn fields(card: &ToolCard) -> Vec<String> {
    let schema = card.output_schema.as_ref().map(schema::parse);
    let mut outputs = schema.as_ref().map(schema::outputs).unwrap_or_default();
    outputs.sort_by(|a, b| (a.path.len(), &a.path).cmp(&(b.path.len(), &b.path)));
    let mut fields: Vec<String> = Vec::new();
    for output in outputs.iter().filter(|output| output.path.len() <= 3) {
        let words = clean::name_words(&output.name, 3);
        let field = words.join(" ");
        let asked_for = !field.is_empty()
            && !BARE.contains(&field.as_str())
            && words.last().is_some_and(|last| last != "id" && last != "ids");
        if asked_for && !fields.contains(&field) {
            fields.push(field);
        }
        if fields.len() == 4 {
            break;
        }
    }
    fields
}

/// `Lists the open orders of a customer` as a wish: `list the open orders of a customer`. Nothing where it begins with no verb.
fn wish(description: &str) -> Option<String> {
    let mut words = clean::first_clause(description, MOST_CLAUSE)?;
    let ended = |word: &String| {
        matches!(
            word.as_str(),
            "a" | "an"
                | "the"
                | "of"
                | "by"
                | "with"
                | "and"
                | "or"
                | "to"
                | "in"
                | "for"
                | "from"
                | "that"
                | "which"
                | "its"
                | "their"
                | "as"
                | "on"
                | "at"
                | "this"
        )
    };
    while words.last().is_some_and(ended) {
        words.pop();
    }
    let (first, rest) = words.split_first()?;
    let verb = imperative(first)?;
    (rest.len() >= 2).then(|| format!("{verb} {}", rest.join(" ")))
}

/// `lists` is `list`; a word that is no verb of ours is none. What `returns` and `provides` give is shown.
fn imperative(word: &str) -> Option<String> {
    if matches!(word, "returns" | "return" | "provides" | "provide" | "retrieves" | "fetches" | "gets" | "displays") {
        return Some("show".to_owned());
    }
    let es = word.strip_suffix("es").filter(|stem| VERBS.contains(stem));
    let s = word.strip_suffix('s').filter(|stem| VERBS.contains(stem));
    let ies = word.strip_suffix("ies").map(|stem| format!("{stem}y")).filter(|stem| VERBS.contains(&stem.as_str()));
    let plain = Some(word).filter(|word| VERBS.contains(word));
    ies.or_else(|| es.or(s).or(plain).map(str::to_owned))
}
