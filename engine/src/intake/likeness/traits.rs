//! What one tool is compared by: what it takes and returns, what its name says it does and to what, and the words it is described by.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::card::ToolCard;
use ambit_model::declaration::Vocabulary;
use ambit_model::facts::Origin;

use super::version::{Mark, Versioned};
use crate::schema::{self, JsonType};
use crate::text;

/// Words of names that say nothing about the thing.
const NOISE: &[&str] = &["api", "mcp", "tool", "function", "endpoint"];
/// Operations that all look something up: with the same inputs and outputs nobody can tell them apart.
const LOOKING_UP: &[&str] = &["search", "list", "get", "detail"];

/// Verbs that a name seldom means as anything else, as it may with `order`, `report` or `email`.
const PLAIN_VERBS: &[&str] = &[
    "search", "find", "list", "get", "read", "fetch", "retrieve", "show", "create", "add", "update", "edit", "delete",
    "remove", "send", "count", "check", "run", "execute", "set",
];

/// Verbs to what they do, of all vocabularies.
pub(super) struct Verbs(BTreeMap<String, BTreeSet<&'static str>>);

impl Verbs {
    pub(super) fn of(vocabularies: &[Vocabulary]) -> Self {
        let mut verbs: BTreeMap<String, BTreeSet<&'static str>> = BTreeMap::new();
        for (operation, words) in vocabularies.iter().flat_map(|vocabulary| &vocabulary.verbs) {
            for word in words.iter().chain([operation]) {
                verbs.entry(word.to_lowercase()).or_default().insert(class(operation));
            }
        }
        Self(verbs)
    }

    fn doing(&self, verb: &str) -> BTreeSet<String> {
        if !PLAIN_VERBS.contains(&verb) {
            return BTreeSet::from([text::stem(verb)]);
        }
        self.0.get(verb).into_iter().flatten().map(|class| (*class).to_owned()).collect()
    }

    /// The one word of a name that says what is done: its first or last, a plain verb before others.
    fn of_name<'w>(&self, words: &[&'w str]) -> Option<&'w str> {
        let ends = || words.first().into_iter().chain(words.last()).copied();
        let plain = ends().find(|word| PLAIN_VERBS.contains(word));
        plain.or_else(|| ends().find(|word| self.0.contains_key(*word)))
    }
}

fn class(operation: &str) -> &'static str {
    const OTHERS: &[&str] = &["summary", "count", "check", "create", "update", "delete", "send", "execute"];
    if LOOKING_UP.contains(&operation) {
        return "look up";
    }
    OTHERS.iter().find(|other| **other == operation).copied().unwrap_or("other")
}

/// One tool.
pub(super) struct Traits<'a> {
    pub card: &'a ToolCard,
    pub name: Versioned,
    /// What the verb of its name does; the verb's stem, where it may mean many things: to approve and to deny are both updates.
    pub doing: BTreeSet<String>,
    /// The stems of its name but for the verb.
    pub thing: BTreeSet<String>,
    /// Stems of its name as they stand.
    pub named: BTreeSet<String>,
    /// Arguments by normalised name, with their types.
    pub inputs: BTreeMap<String, String>,
    /// Names in its result at any depth; nothing where it does not say what it returns.
    pub outputs: Option<BTreeSet<String>>,
    /// Stems of its description.
    pub words: BTreeSet<String>,
}

impl<'a> Traits<'a> {
    pub(super) fn of(card: &'a ToolCard, verbs: &Verbs) -> Self {
        let name = Versioned::of(card.id.catalog(), card.id.name());
        let named: BTreeSet<String> = text::words(&name.base).into_iter().collect();
        let spoken: Vec<&str> = name.base.split(' ').collect();
        let verb = verbs.of_name(&spoken);
        let doing = verb.map(|verb| verbs.doing(verb)).unwrap_or_default();
        let others = spoken.iter().filter(|word| Some(**word) != verb && !NOISE.contains(word));
        let thing = others.flat_map(|word| text::words(word)).collect();
        let inputs = schema::inputs(&schema::parse(&card.input_schema));
        let outputs = card.output_schema.as_ref().map(|text| schema::outputs(&schema::parse(text)));
        Self {
            card,
            name,
            doing,
            thing,
            named,
            inputs: inputs.iter().map(|input| (normal(&input.name), types(&input.types))).collect(),
            outputs: outputs.map(|outputs| outputs.iter().map(|output| normal(&output.name)).collect()),
            words: text::words(&card.description).into_iter().collect(),
        }
    }

    /// What it takes and returns, as one text.
    pub(super) fn values(&self) -> String {
        let inputs: Vec<String> = self.inputs.iter().map(|(name, types)| format!("{name}:{types}")).collect();
        let outputs = self.outputs.as_ref().map(|names| names.iter().map(String::as_str).collect::<Vec<_>>().join(","));
        format!("{}->{}", inputs.join(","), outputs.unwrap_or_else(|| "?".to_owned()))
    }

    /// They have one name but for what it says of a version.
    pub(super) fn is_named_like(&self, other: &Self) -> bool {
        (&self.name.catalog, &self.name.base) == (&other.name.catalog, &other.name.base)
    }

    /// The operator said that the two do or are about different things.
    pub(super) fn declared_apart(&self, other: &Self) -> bool {
        let (a, b) = (&self.card.facts, &other.card.facts);
        let said = |a: Origin, b: Origin| a == Origin::Declared && b == Origin::Declared;
        (said(a.effect.origin, b.effect.origin) && a.effect.value != b.effect.value)
            || (said(a.entity.origin, b.entity.origin) && a.entity.value != b.entity.value)
            || (said(a.operation.origin, b.operation.origin)
                && class(a.operation.value.word()) != class(b.operation.value.word()))
    }

    /// Their names say that the same is done to the same.
    pub(super) fn same_by_name(&self, other: &Self) -> bool {
        let both = self.doing.is_empty() && other.doing.is_empty();
        self.thing == other.thing && (both || !self.doing.is_disjoint(&other.doing))
    }

    /// Names of the arguments of both.
    pub(super) fn shared_inputs(&self, other: &Self) -> Vec<&str> {
        self.inputs.keys().filter(|name| other.inputs.contains_key(*name)).map(String::as_str).collect()
    }

    pub(super) fn says_nothing_of_values(&self) -> bool {
        self.inputs.is_empty() && self.outputs.as_ref().is_none_or(BTreeSet::is_empty)
    }

    /// Its name says that it is the old one.
    pub(super) fn is_old(&self) -> bool {
        self.name.mark == Mark::Old
    }
}

/// How many of the words of either are words of both, in hundredths; two tools without words have them all in common.
pub(super) fn overlap(a: &BTreeSet<String>, b: &BTreeSet<String>) -> usize {
    let shared = a.intersection(b).count();
    let all = a.len() + b.len() - shared;
    (shared * 100).checked_div(all).unwrap_or(100)
}

/// `customerId`, `customer_id` and `customer-id` are one name.
fn normal(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// A whole number is a number, and whether null is allowed says little.
fn types(types: &BTreeSet<JsonType>) -> String {
    let words: BTreeSet<&str> = types
        .iter()
        .filter(|t| **t != JsonType::Null)
        .map(|t| if *t == JsonType::Integer { JsonType::Number.word() } else { t.word() })
        .collect();
    words.into_iter().collect::<Vec<_>>().join("|")
}
