//! Which inputs of a tool a question supplies, and which only another tool can: the line between filling in and chaining.

use ambit_model::facts::Operation;

pub(super) use crate::identifier::{identified, is_bare, is_handed_out, is_identifier};

use super::values::{Value, ValueKind};
use crate::index::IndexedTool;
use crate::schema::{Input, JsonType};
use crate::text;

/// Where an input's value can come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Supply {
    /// The question holds a value of its kind.
    Question,
    /// An agent can write it: free text, a choice, a default.
    Agent,
    /// The question holds none, and an agent would have to guess.
    Guess,
    /// An identifier that neither the question nor an agent knows.
    Missing,
}

/// Words of names whose values an agent writes by itself.
const FREE_WORDS: &[&str] = &[
    "body",
    "message",
    "text",
    "subject",
    "title",
    "description",
    "content",
    "note",
    "notes",
    "summary",
    "query",
    "comment",
    "reason",
    "name",
    "label",
    "q",
    "search",
    "keyword",
    "keywords",
    "topic",
    "prompt",
    "question",
    "term",
    "phrase",
];
const DATE_WORDS: &[&str] = &[
    "date", "day", "period", "from", "until", "to", "start", "end", "since", "quarter", "month", "year", "time", "due",
];
const ADDRESS_WORDS: &[&str] = &["email", "recipient", "recipients", "to", "cc", "bcc", "address", "attendees"];

/// The value may be somebody's identifier: one by its form, a long number, or one quoted word with a digit.
fn identifies(value: &Value) -> bool {
    let digits = value.text.chars().filter(char::is_ascii_digit).count();
    match value.kind {
        ValueKind::Id => true,
        ValueKind::Number => value.text.len() >= LONG_NUMBER,
        ValueKind::Quoted => digits > 0 && !value.text.contains(char::is_whitespace),
        _ => false,
    }
}

/// Digits of a number that identifies something: shorter ones count.
const LONG_NUMBER: usize = 4;

/// Where the value of this input can come from, by its name, type and format.
pub(super) fn supply(input: &Input, values: &[Value]) -> Supply {
    let has = |kinds: &[ValueKind]| values.iter().any(|v| kinds.contains(&v.kind));
    let known = |kinds: &[ValueKind], otherwise| if has(kinds) { Supply::Question } else { otherwise };
    let prose = text::name_as_prose(&input.name);
    let names = |list: &[&str]| prose.split(' ').any(|word| list.contains(&word));
    if input.has_default || !input.values.is_empty() || input.types.contains(&JsonType::Boolean) {
        Supply::Agent
    } else if is_identifier(&input.name) {
        let open = if is_handed_out(&input.name) { Supply::Missing } else { Supply::Guess };
        if values.iter().any(identifies) { Supply::Question } else { open }
    } else if names(ADDRESS_WORDS) || input.format.as_deref() == Some("email") {
        known(&[ValueKind::Email, ValueKind::Name, ValueKind::Quoted], Supply::Guess)
    } else if names(DATE_WORDS) || input.format.as_deref().is_some_and(|f| f.starts_with("date")) {
        known(&[ValueKind::Date, ValueKind::Number], Supply::Guess)
    } else if names(FREE_WORDS) {
        Supply::Agent
    } else if input.types.contains(&JsonType::Integer) || input.types.contains(&JsonType::Number) {
        known(&[ValueKind::Number], Supply::Guess)
    } else {
        known(&[ValueKind::Name, ValueKind::Quoted, ValueKind::Number, ValueKind::Url], Supply::Guess)
    }
}

/// What the tools before this one hand on.
#[derive(Clone, Debug, Default)]
pub(super) struct HandedOn {
    /// Names of outputs and declared products.
    names: std::collections::BTreeSet<String>,
    /// Stems of things whose rows carry an identifier.
    things: std::collections::BTreeSet<String>,
    /// A declared collection of rows is among it.
    pub(super) rows: bool,
}

impl HandedOn {
    /// Adds what this tool returns.
    pub(super) fn add(&mut self, tool: &IndexedTool) {
        self.names.extend(tool.outputs.iter().map(|o| o.name.clone()));
        self.names.extend(tool.facts.produces.iter().cloned());
        self.rows |= tool.facts.collection.is_some();
        self.things.extend(tool.facts.produces.iter().map(|p| text::stem(p)));
        let identifies = tool.outputs.iter().any(|o| is_identifier(&o.name)) || !tool.facts.identity.is_empty();
        if identifies {
            self.things.extend(text::words(&tool.facts.entity.value).pop());
        }
        let parents = tool.outputs.iter().filter(|o| is_identifier(&o.name)).filter_map(|o| o.parent.as_deref());
        self.things.extend(parents.map(text::stem));
    }

    /// An input of this name can be filled from what is here.
    pub(super) fn fills(&self, name: &str) -> bool {
        self.names.contains(name) && !is_bare(name)
            || identified(name).is_some_and(|thing| self.things.contains(&thing))
    }

    /// A thing with this stem was made or found.
    pub(super) fn holds(&self, stem: &str) -> bool {
        self.things.contains(stem) || self.names.iter().any(|name| text::words(name).iter().any(|w| w == stem))
    }
}

/// The share of a tool's required inputs that can be filled, 0 to 1. A tool that requires nothing is as good as one that is mostly filled.
pub(super) fn param_fit(tool: &IndexedTool, values: &[Value], before: &HandedOn) -> f64 {
    let fits: Vec<f64> = tool
        .inputs
        .iter()
        .filter(|input| input.required)
        .map(|input| match supply(input, values) {
            _ if before.fills(&input.name) => 1.0,
            Supply::Question | Supply::Agent => 1.0,
            Supply::Guess => 0.9,
            Supply::Missing => 0.7,
        })
        .collect();
    if fits.is_empty() {
        return NOTHING_REQUIRED;
    }
    #[expect(clippy::cast_precision_loss, reason = "a tool has a handful of required inputs")]
    let count = fits.len() as f64;
    fits.iter().sum::<f64>() / count
}

/// `param_fit` of a tool that requires nothing: filled, yet nothing of the question speaks for it.
const NOTHING_REQUIRED: f64 = 0.9;

/// Names of required identifiers that nothing so far supplies.
pub(super) fn missing<'a>(tool: &'a IndexedTool, values: &[Value], before: &HandedOn) -> Vec<&'a str> {
    let required = tool.inputs.iter().filter(|input| input.required);
    required
        .filter(|i| supply(i, values) == Supply::Missing && !before.fills(&i.name))
        .map(|i| i.name.as_str())
        .collect()
}

/// Reading comes before writing when a value has to be found; `search` first where the question names something.
pub(super) fn finding_preference(operation: Operation, names_something: bool) -> f64 {
    match operation {
        Operation::Search if names_something => 0.4,
        Operation::Search => 0.15,
        Operation::List => 0.2,
        Operation::Get | Operation::Check | Operation::Count | Operation::Summary => 0.1,
        Operation::Detail => 0.05,
        _ => -0.5,
    }
}
