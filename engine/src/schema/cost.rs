//! How many evaluations a JSON Schema validator may need for a value, before it is asked: a schema of ten lines that branches into itself
//! needs 2^depth of them. The count is made in polynomial time, by remembering each pair of schema and value.

use std::collections::HashMap;
use std::ptr;

use serde_json::{Map, Value};

use super::place::local;

/// Deepest chain of evaluations followed: a validator keeps a stack frame for each.
const DEEPEST: usize = 400;
/// Most pairs remembered, so that counting stays cheaper than what it guards.
const MOST_PAIRS: usize = 200_000;
/// Keywords with a list of schemas for the same value.
const LISTS: [&str; 3] = ["allOf", "anyOf", "oneOf"];
/// Keywords with one schema for the same value.
const SAME: [&str; 4] = ["not", "if", "then", "else"];
/// Keywords whose reference or base is not a plain pointer into the document.
const OPAQUE: [&str; 6] = ["$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveAnchor", "$recursiveRef", "$id"];

/// At most so many evaluations; nothing where more than `limit`, or where references cannot be followed by pointer alone.
pub fn evaluation_cost(schema: &Value, value: &Value, limit: u64) -> Option<u64> {
    if is_opaque(schema) {
        return None;
    }
    let mut counter = Counter { root: schema, known: HashMap::new() };
    Some(counter.cost(schema, value, 0)).filter(|cost| *cost <= limit)
}

/// Some part of the document has a name or a base of its own. The document's own `$id` does not matter to pointers.
fn is_opaque(schema: &Value) -> bool {
    let draft_4 = schema.get("$schema").and_then(Value::as_str).is_some_and(|dialect| dialect.contains("draft-04"));
    let parts = schema.as_object().into_iter().flat_map(Map::values);
    let own = |key: &&str| *key != "$id" && schema.get(*key).is_some_and(Value::is_string);
    OPAQUE.iter().any(own) || parts.into_iter().any(|part| is_named(part, draft_4))
}

fn is_named(schema: &Value, draft_4: bool) -> bool {
    match schema {
        Value::Array(list) => list.iter().any(|inner| is_named(inner, draft_4)),
        Value::Object(object) => {
            let named = |key: &str| object.get(key).is_some_and(Value::is_string);
            OPAQUE.iter().any(|key| named(key))
                || (draft_4 && named("id"))
                || object.values().any(|inner| is_named(inner, draft_4))
        }
        _ => false,
    }
}

struct Counter<'s> {
    root: &'s Value,
    known: HashMap<(*const Value, *const Value), u64>,
}

impl<'s> Counter<'s> {
    fn cost(&mut self, schema: &'s Value, value: &Value, depth: usize) -> u64 {
        let Some(object) = schema.as_object() else { return 1 };
        let pair = (ptr::from_ref(schema), ptr::from_ref(value));
        if let Some(cost) = self.known.get(&pair) {
            return *cost;
        }
        if depth >= DEEPEST || self.known.len() >= MOST_PAIRS {
            return u64::MAX;
        }
        // Met again before it is known, the pair leads into itself.
        self.known.insert(pair, u64::MAX);
        let same = self.sum(same_value(self.root, object).into_iter().map(|schema| (schema, value)), depth);
        // `unevaluated…` looks at the same schemas once more.
        let again = object.keys().any(|key| key.starts_with("unevaluated"));
        let same = same.saturating_mul(if again { 2 } else { 1 });
        let cost = same.saturating_add(self.children(object, value, depth)).saturating_add(1);
        self.known.insert(pair, cost);
        cost
    }

    fn sum<'v>(&mut self, pairs: impl IntoIterator<Item = (&'s Value, &'v Value)>, depth: usize) -> u64 {
        pairs.into_iter().fold(0, |sum: u64, (schema, value)| sum.saturating_add(self.cost(schema, value, depth + 1)))
    }

    fn children(&mut self, object: &'s Map<String, Value>, value: &Value, depth: usize) -> u64 {
        let everywhere = |keys: &[&str]| -> Vec<&'s Value> { keys.iter().filter_map(|key| object.get(*key)).collect() };
        match value {
            Value::Array(list) => {
                let all = everywhere(&["items", "additionalItems", "contains", "unevaluatedItems"]);
                let by_place: Vec<_> =
                    ["prefixItems", "items"].iter().filter_map(|key| object.get(*key)?.as_array()).collect();
                let mut pairs = Vec::new();
                for (index, item) in list.iter().enumerate() {
                    let here = by_place.iter().filter_map(|schemas| schemas.get(index));
                    pairs.extend(here.chain(all.iter().copied()).map(|schema| (schema, item)));
                }
                self.sum(pairs, depth)
            }
            Value::Object(members) => {
                let patterns = object.get("patternProperties").and_then(Value::as_object);
                let mut all = everywhere(&["additionalProperties", "unevaluatedProperties", "propertyNames"]);
                all.extend(patterns.into_iter().flat_map(Map::values));
                let mut pairs = Vec::new();
                for (name, member) in members {
                    let here = object.get("properties").and_then(|properties| properties.get(name));
                    pairs.extend(here.into_iter().chain(all.iter().copied()).map(|schema| (schema, member)));
                }
                self.sum(pairs, depth)
            }
            _ => 0,
        }
    }
}

/// Every schema that is asked about the same value.
fn same_value<'s>(root: &'s Value, object: &'s Map<String, Value>) -> Vec<&'s Value> {
    let lists = LISTS.iter().filter_map(|key| object.get(*key)?.as_array()).flatten();
    let single = SAME.iter().filter_map(|key| object.get(*key));
    let dependent = ["dependentSchemas", "dependencies"].iter().filter_map(|key| object.get(*key)?.as_object());
    let reference = object.get("$ref").and_then(Value::as_str).and_then(|reference| local(root, reference));
    lists.chain(single).chain(dependent.flat_map(Map::values)).chain(reference).collect()
}
