//! What people give with a question: a value for an input, said as people say it: `of customer C-1042`, `since March`.

use crate::schema::{Input, JsonType};

use super::clean;
use super::nouns;

/// Inputs that steer a listing and that nobody asks about.
const STEERING: &[&str] = &[
    "limit",
    "offset",
    "page",
    "pagesize",
    "perpage",
    "cursor",
    "sort",
    "sortby",
    "order",
    "orderby",
    "fields",
    "include",
    "expand",
    "format",
    "locale",
    "token",
    "timeout",
    "dryrun",
    "idempotencykey",
    "requestid",
    "url",
    "uri",
    "callback",
    "webhook",
    "size",
    "top",
    "skip",
    "count",
    "max",
    "min",
    "maxresults",
    "direction",
    "verbose",
    "pretty",
    "version",
    "tenant",
    "tenantid",
    "apikey",
];

/// Last word of an input, and what people would say in its place.
const SPOKEN: &[(&str, &str)] = &[
    ("email", "ana@example.com"),
    ("recipient", "ana@example.com"),
    ("recipients", "the finance team"),
    ("to", "ana@example.com"),
    ("cc", "the finance team"),
    ("city", "Lisbon"),
    ("location", "Lisbon"),
    ("place", "Lisbon"),
    ("address", "12 Harbour Street"),
    ("country", "Portugal"),
    ("region", "the north"),
    ("currency", "euros"),
    ("amount", "250 euros"),
    ("price", "19 euros"),
    ("quantity", "12"),
    ("language", "French"),
    ("lang", "French"),
    ("month", "March"),
    ("year", "2025"),
    ("quarter", "the third quarter"),
    ("period", "last quarter"),
    ("timezone", "Lisbon time"),
    ("branch", "main"),
    ("repo", "billing"),
    ("repository", "billing"),
    ("path", "notes.md"),
    ("file", "notes.md"),
    ("filename", "notes.md"),
    ("folder", "reports"),
    ("directory", "reports"),
    ("subject", "the delivery"),
    ("title", "Quarterly plan"),
    ("phone", "our office line"),
    ("tag", "urgent"),
    ("label", "urgent"),
    ("labels", "urgent"),
    ("tags", "urgent"),
    ("company", "Northwind"),
    ("team", "support"),
    ("department", "sales"),
    ("channel", "general"),
    ("owner", "Ana Ruiz"),
    ("author", "Ana Ruiz"),
    ("assignee", "Ana Ruiz"),
    ("user", "Ana Ruiz"),
    ("username", "Ana Ruiz"),
    ("employee", "Ana Ruiz"),
    ("person", "Ana Ruiz"),
    ("sku", "SKU-204"),
    ("symbol", "ACME"),
    ("ticker", "ACME"),
    ("reason", "a mistake"),
    ("host", "web-1"),
    ("server", "web-1"),
    ("environment", "production"),
    ("env", "production"),
    ("table", "orders"),
];

/// What one input lends to questions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    /// The input as words: `due date`.
    pub(super) name: String,
    pub(super) required: bool,
    pub(super) kind: Kind,
    /// As people say it.
    pub(super) value: String,
}

/// How a value is joined to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It names the thing itself: `invoice C-1042`.
    Own,
    /// It names another thing: `of customer C-1042`.
    Other,
    /// A day or a span begins there.
    Since,
    /// It ends there.
    Until,
    /// A moment or a span itself.
    When,
    /// A word of a closed list.
    Choice,
    /// The same, of the states that the thing can be in: asked for in a way of its own.
    State,
    /// Words to look for.
    Words,
    /// It comes from there.
    From,
    /// It goes there.
    To,
    /// Anything else that has a value.
    Plain,
    /// A switch.
    Switch,
}

impl Asked {
    /// The input as it lends itself, where it does. `entity` is the singular of the tool's own thing.
    /// `travels`: what the tool is about goes from one place to another.
    pub(super) fn of(input: &Input, entity: &str, travels: bool) -> Option<Self> {
        let words = clean::name_words(&input.name, 4);
        let joined = words.concat();
        if words.is_empty() || STEERING.contains(&joined.as_str()) {
            return None;
        }
        let places = if travels { place(&joined) } else { None };
        let (kind, value) = places.or_else(|| kind(input, &words, entity))?;
        let name = words.iter().filter(|word| *word != "id" && *word != "ids").cloned().collect::<Vec<_>>().join(" ");
        Some(Self { name, required: input.required, kind, value })
    }

    /// Inputs `from` and `to` that are no dates are places.
    pub(super) fn travels(inputs: &[Input]) -> bool {
        let is = |list: &[&str]| {
            let dated = |input: &&Input| input.format.as_deref().is_some_and(|format| format.starts_with("date"));
            inputs.iter().filter(|input| !dated(input)).any(|input| list.contains(&input.name.to_lowercase().as_str()))
        };
        is(&["from", "origin", "departure"]) && is(&["to", "destination", "arrival"])
    }

    /// As it follows a thing: `of customer C-1042`, `since 1 March`.
    pub(super) fn after(&self) -> String {
        let Self { name, value, .. } = self;
        match self.kind {
            Kind::Own => value.clone(),
            Kind::Other => format!("of {name} {value}"),
            Kind::Since => format!("since {value}"),
            Kind::Until => format!("until {value}"),
            Kind::When => match name.rsplit(' ').next().unwrap_or("") {
                "month" | "year" | "quarter" => format!("in {value}"),
                "period" => value.clone(),
                _ => format!("on {value}"),
            },
            Kind::Choice if name.ends_with(" by") => format!("by {value}"),
            Kind::Choice | Kind::State => format!("with {name} {value}"),
            Kind::Words => format!("about {value}"),
            Kind::From => format!("from {value}"),
            Kind::To => format!("to {value}"),
            Kind::Plain => match name.as_str() {
                "city" | "location" | "place" | "country" | "region" | "folder" | "directory" => format!("in {value}"),
                "to" | "recipient" | "recipients" | "email" => format!("to {value}"),
                "subject" => format!("about {value}"),
                "language" | "lang" | "target language" => format!("in {value}"),
                "reason" => format!("because of {value}"),
                "sku" | "symbol" | "ticker" => format!("of {value}"),
                "branch" | "channel" | "host" | "server" => format!("on {value}"),
                "repo" | "repository" => format!("in the {value} repository"),
                _ => format!("with {name} {value}"),
            },
            Kind::Switch => String::new(),
        }
    }
}

/// The places of what goes from one to another.
fn place(joined: &str) -> Option<(Kind, String)> {
    match joined {
        "from" | "origin" | "departure" => Some((Kind::From, "Lisbon".to_owned())),
        "to" | "destination" | "arrival" => Some((Kind::To, "Porto".to_owned())),
        _ => None,
    }
}

fn kind(input: &Input, words: &[String], entity: &str) -> Option<(Kind, String)> {
    let (last, before) = words.split_last()?;
    let is = |list: &[&str]| list.contains(&last.as_str());
    if let Some(value) = input.values.iter().find_map(|value| clean::value(value)) {
        let state = is(&["status", "state", "condition", "stage"]);
        return Some((if state { Kind::State } else { Kind::Choice }, value));
    }
    if input.types.iter().all(|one| *one == JsonType::Boolean) && !input.types.is_empty() {
        return Some((Kind::Switch, String::new()));
    }
    if is(&["id", "ids", "key", "uuid", "number", "no", "code", "ref", "reference", "identifier"]) {
        let thing = before.join(" ");
        let own = before.is_empty() || nouns::singular(before.last()?) == nouns::singular(entity.rsplit(' ').next()?);
        let of = if thing.is_empty() { entity } else { &thing };
        return Some((if own { Kind::Own } else { Kind::Other }, code(of)));
    }
    if is(&[
        "query", "q", "search", "keyword", "keywords", "term", "terms", "text", "question", "topic", "phrase", "prompt",
    ]) {
        return Some((Kind::Words, "late deliveries".to_owned()));
    }
    if is(&["from", "since", "after", "start", "begin"])
        || words.iter().any(|word| word == "start" || word == "from" || word == "since")
    {
        return Some((Kind::Since, "1 March".to_owned()));
    }
    let dated = input.format.as_deref().is_some_and(|format| format.starts_with("date"));
    if is(&["until", "before", "end"])
        || words.iter().any(|word| word == "end" || word == "until")
        || (dated && is(&["to"]))
    {
        return Some((Kind::Until, "30 June".to_owned()));
    }
    if is(&["month", "year", "quarter", "period"]) {
        return Some((Kind::When, spoken(last)?));
    }
    if dated || is(&["date", "day", "time", "datetime"]) {
        return Some((Kind::When, "12 May".to_owned()));
    }
    if is(&["name"]) {
        return Some((if before.is_empty() { Kind::Own } else { Kind::Plain }, "Northwind".to_owned()));
    }
    if let Some(value) = spoken(last) {
        return Some((Kind::Plain, value));
    }
    let numeric = |one: &JsonType| matches!(one, JsonType::Integer | JsonType::Number);
    (!input.types.is_empty() && input.types.iter().all(numeric)).then(|| (Kind::Plain, "12".to_owned()))
}

fn spoken(word: &str) -> Option<String> {
    SPOKEN.iter().find(|(name, _)| *name == word).map(|(_, value)| (*value).to_owned())
}

/// A number as such things have: the first letters of the thing, and a figure that depends on its name alone.
fn code(thing: &str) -> String {
    let letters: String =
        thing.split(' ').next_back().unwrap_or("").chars().filter(char::is_ascii_alphabetic).take(3).collect();
    let figure =
        thing.bytes().fold(7_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(u32::from(byte))) % 9_000 + 1_000;
    if letters.is_empty() { figure.to_string() } else { format!("{}-{figure}", letters.to_ascii_uppercase()) }
}
