//! Schemas of a document as JSON Schema 2020-12 that stands alone: references lead into its own `$defs`.
//! The dialect of OpenAPI 3.0 is translated keyword by keyword (<https://spec.openapis.org/oas/v3.0.4.html>, 4.7.24).

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::Problem;
use super::place::At;
use super::reader::{Node, Reader, Version};
use crate::schema::keywords::{LISTS, MAPS, SINGLE};

/// Most keys and values of one schema with everything that it refers to: about 200 KB, more than a model reads.
pub(super) const MOST_NODES: usize = 5_000;

/// Keywords of OpenAPI that say nothing about a value.
const ABOUT: [&str; 2] = ["xml", "externalDocs"];

/// Which way a value goes: `readOnly` members are not sent, `writeOnly` ones do not come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Input,
    Output,
}

/// The schemas of one tool's input or output.
pub(super) struct Schemas<'r, 'd> {
    reader: &'r Reader<'d>,
    direction: Direction,
    /// The name under `$defs` of each place that is referred to.
    names: BTreeMap<String, String>,
    waiting: Vec<Node<'d>>,
    nodes: usize,
    problems: Vec<Problem>,
}

impl<'r, 'd> Schemas<'r, 'd> {
    pub(super) fn new(reader: &'r Reader<'d>, direction: Direction) -> Self {
        Self { reader, direction, names: BTreeMap::new(), waiting: Vec::new(), nodes: 0, problems: Vec::new() }
    }

    /// The schema itself where it is only a reference, so that a reader need not look for it.
    pub(super) fn inlined(&mut self, schema: Node<'d>) -> Result<Value, Box<Problem>> {
        let mut seen = BTreeSet::new();
        let mut schema = schema;
        while let Some(reference) = self.whole_reference(schema.value) {
            if !seen.insert(schema.pointer.clone()) {
                return self.reader.follow(schema).map(|_| Value::Null);
            }
            schema = self.reader.target(reference, &format!("{}/$ref", schema.pointer))?;
        }
        Ok(self.convert(schema.value, At::Pointer(&schema.pointer)))
    }

    /// `root` with everything that it refers to; nothing where that is too much.
    pub(super) fn finish(mut self, mut root: Map<String, Value>, problems: &mut Vec<Problem>) -> Option<Value> {
        let mut definitions = match root.remove("$defs") {
            Some(Value::Object(own)) => own,
            _ => Map::new(),
        };
        while let Some(next) = self.waiting.pop() {
            if self.nodes > MOST_NODES {
                break;
            }
            let name = self.names.get(&next.pointer).cloned().unwrap_or_default();
            let schema = self.convert(next.value, At::Pointer(&next.pointer));
            definitions.insert(name, schema);
        }
        problems.append(&mut self.problems);
        if !definitions.is_empty() {
            root.insert("$defs".to_owned(), Value::Object(definitions));
        }
        (self.nodes <= MOST_NODES).then_some(Value::Object(root))
    }

    /// The reference of a schema that holds nothing else that counts: in OpenAPI 3.0 whatever stands beside it is ignored.
    fn whole_reference(&self, schema: &'d Value) -> Option<&'d str> {
        let object = schema.as_object()?;
        let reference = object.get("$ref")?.as_str()?;
        (self.reader.version == Version::V30 || object.len() == 1).then_some(reference)
    }

    fn convert(&mut self, schema: &'d Value, at: At<'_>) -> Value {
        self.nodes += 1;
        let object = match schema {
            _ if self.nodes > MOST_NODES => return json!(true),
            Value::Bool(said) => return json!(said),
            Value::Object(object) => object,
            _ => {
                let help = "write an object, `{\"type\": \"object\"}`";
                self.problems.push(Problem::error(at.to_string(), "this is not a schema", help));
                return json!(true);
            }
        };
        if let Some(reference) = self.whole_reference(schema) {
            return json!({ "$ref": self.refer(reference, at) });
        }
        let mut out = Map::new();
        for (key, value) in object {
            if let Some(converted) = self.member(key, value, object, at) {
                out.insert(key.clone(), converted);
            }
        }
        if self.reader.version == Version::V30 {
            self.translate(object, &mut out, at);
        }
        Value::Object(out)
    }

    /// One keyword in JSON Schema; nothing where it says nothing there, or is translated with others.
    fn member(&mut self, key: &str, value: &'d Value, of: &'d Map<String, Value>, at: At<'_>) -> Option<Value> {
        let place = at.below(key);
        match (key, value) {
            ("$ref", Value::String(reference)) => Some(json!(self.refer(reference, at))),
            ("discriminator", _) => {
                let message = "`discriminator` has no counterpart in JSON Schema and is left out";
                let help = "give the property that tells the variants apart a `const` or an `enum` in each of them";
                self.problems.push(Problem::warning(place.to_string(), message, help));
                None
            }
            ("required", Value::Array(names)) => self.required(names, of),
            (list, Value::Array(schemas)) if LISTS.contains(&list) || list == "items" => {
                let converted = schemas.iter().enumerate().map(|(n, s)| self.convert(s, place.below(&n.to_string())));
                Some(Value::Array(converted.collect()))
            }
            (map, Value::Object(schemas)) if MAPS.contains(&map) => {
                let converted = schemas.iter().map(|(name, s)| (name.clone(), self.convert(s, place.below(name))));
                Some(Value::Object(converted.collect()))
            }
            (single, schema) if SINGLE.contains(&single) => Some(self.convert(schema, place)),
            (other, _) if other.starts_with("x-") || ABOUT.contains(&other) => None,
            (_, plain) => {
                self.nodes += weight(plain);
                Some(plain.clone())
            }
        }
    }

    /// The names that are required in this direction.
    fn required(&self, names: &[Value], of: &Map<String, Value>) -> Option<Value> {
        let absent = if self.direction == Direction::Input { "readOnly" } else { "writeOnly" };
        let properties = of.get("properties");
        let is_absent = |name: &str| {
            let property = properties.and_then(|properties| properties.get(name));
            property.and_then(|property| property.get(absent)).and_then(Value::as_bool) == Some(true)
        };
        let kept: Vec<&Value> = names.iter().filter(|name| !name.as_str().is_some_and(is_absent)).collect();
        (!kept.is_empty()).then(|| json!(kept))
    }

    /// What OpenAPI 3.0 says otherwise than JSON Schema.
    fn translate(&mut self, schema: &Map<String, Value>, out: &mut Map<String, Value>, at: At<'_>) {
        for (exclusive, bound) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
            match (schema.get(exclusive).and_then(Value::as_bool), schema.get(bound)) {
                (Some(true), Some(number)) => {
                    out.remove(bound);
                    out.insert(exclusive.to_owned(), number.clone());
                }
                (Some(_), _) => drop(out.remove(exclusive)),
                (None, _) => {}
            }
        }
        if let Some(example) = out.remove("example") {
            out.entry("examples").or_insert_with(|| json!([example]));
        }
        if out.remove("nullable") == Some(json!(true)) {
            match out.get("type") {
                Some(Value::String(one)) if one != "null" => drop(out.insert("type".to_owned(), json!([one, "null"]))),
                Some(_) => {}
                None => {
                    let message = "`nullable` beside no `type` says nothing (OpenAPI 3.0.4, 4.7.24.1), and is left out";
                    let help = "write the `type` beside it";
                    self.problems.push(Problem::warning(at.below("nullable").to_string(), message, help));
                }
            }
        }
    }

    /// The reference as it leads into `$defs`.
    fn refer(&mut self, reference: &str, at: At<'_>) -> String {
        let place = at.below("$ref").to_string();
        let target = self.reader.target(reference, &place);
        let resolved = target.and_then(|target| self.reader.follow(target.clone()).map(|_| target));
        match resolved {
            Ok(target) => format!("#/$defs/{}", self.definition(target)),
            Err(problem) => {
                self.problems.push(*problem);
                reference.to_owned()
            }
        }
    }

    /// A component keeps its name; any other place gets one that no component can have.
    fn definition(&mut self, target: Node<'d>) -> String {
        if let Some(known) = self.names.get(&target.pointer) {
            return known.clone();
        }
        let component = target.pointer.strip_prefix("/components/schemas/").filter(|name| is_component(name));
        let name = component.map_or_else(|| format!("@{}", self.names.len() + 1), str::to_owned);
        self.names.insert(target.pointer.clone(), name.clone());
        self.waiting.push(target);
        name
    }
}

/// The names that OpenAPI gives components (3.0.4, 4.7.7.1).
fn is_component(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_'))
}

/// Keys and values of a plain value.
fn weight(value: &Value) -> usize {
    match value {
        Value::Array(list) => 1 + list.iter().map(weight).sum::<usize>(),
        Value::Object(object) => 1 + object.values().map(weight).sum::<usize>(),
        _ => 1,
    }
}
