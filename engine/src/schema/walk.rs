//! What a tool takes and returns, listed from its schemas: for the router's fit signals, the word index and help lines.
//! Shallow places come first, and a schema that leads back into itself is entered once.

use std::collections::{BTreeSet, VecDeque};

use serde_json::Value;

use super::place::{JsonType, Place};

/// Deepest level listed; real results rarely pass five.
const DEEPEST: usize = 8;
/// Most properties listed of one schema, so that a hostile card costs no more than a large one.
const MOST_OUTPUTS: usize = 2_000;

/// One top-level argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    pub name: String,
    pub required: bool,
    /// Empty where the schema does not say.
    pub types: BTreeSet<JsonType>,
    pub description: Option<String>,
    pub has_default: bool,
    /// Members of `enum`, or the one `const`; a value that is no string as its JSON text.
    pub values: Vec<String>,
    pub format: Option<String>,
}

/// One property of a result, at any depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Property names from the root; `*` stands for every item of a list.
    pub path: Vec<String>,
    /// The last property name.
    pub name: String,
    pub types: BTreeSet<JsonType>,
    /// The nearest enclosing property: `artists` for `artists.*.id`.
    pub parent: Option<String>,
    pub description: Option<String>,
}

/// The top-level arguments, in the order of the file.
pub fn inputs(schema: &Value) -> Vec<Input> {
    let root = Place::root(schema);
    root.properties().into_iter().filter_map(|name| Some(input(&root, name, &root.property(name)?))).collect()
}

fn input(root: &Place<'_>, name: &str, place: &Place<'_>) -> Input {
    let listed = place.keyword("enum").and_then(Value::as_array).into_iter().flatten();
    Input {
        name: name.to_owned(),
        required: root.requires(name),
        types: place.types(),
        description: place.text("description").map(str::to_owned),
        has_default: place.keyword("default").is_some(),
        values: listed.chain(place.keyword("const")).map(written).collect(),
        format: place.text("format").map(str::to_owned),
    }
}

fn written(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Every property that `properties` and `items` lead to, to a depth of 8, shallow ones first.
pub fn outputs(schema: &Value) -> Vec<Output> {
    let mut found = Vec::new();
    let mut pending = VecDeque::from([Visit { place: Place::root(schema), path: Vec::new(), trail: Vec::new() }]);
    while let Some(visit) = pending.pop_front() {
        for next in visit.steps() {
            if found.len() >= MOST_OUTPUTS {
                return found;
            }
            found.extend(next.output());
            let round = next.trail.iter().any(|above| next.place.overlaps(above));
            if !round && next.path.len() < DEEPEST {
                pending.push_back(next);
            }
        }
    }
    found
}

/// Names and descriptions of all properties at any depth, each pair once, shallow ones first.
pub fn words(schema: &Value) -> Vec<(String, Option<String>)> {
    let mut seen = BTreeSet::new();
    let pairs = outputs(schema).into_iter().map(|output| (output.name, output.description));
    pairs.filter(|pair| seen.insert(pair.clone())).collect()
}

/// A place on the way, with the places above it.
struct Visit<'s> {
    place: Place<'s>,
    path: Vec<String>,
    trail: Vec<Place<'s>>,
}

impl<'s> Visit<'s> {
    fn steps(&self) -> Vec<Self> {
        let names = self.place.properties().into_iter();
        let properties = names.filter_map(|name| Some(self.step(name, self.place.property(name)?)));
        properties.chain(self.place.items().map(|items| self.step("*", items))).collect()
    }

    fn step(&self, segment: &str, place: Place<'s>) -> Self {
        let path = self.path.iter().cloned().chain([segment.to_owned()]).collect();
        let trail = self.trail.iter().cloned().chain([self.place.clone()]).collect();
        Self { place, path, trail }
    }

    /// A list's items are no property of their own.
    fn output(&self) -> Option<Output> {
        let (name, above) = self.path.split_last()?;
        (name != "*").then(|| Output {
            path: self.path.clone(),
            name: name.clone(),
            types: self.place.types(),
            parent: above.iter().rev().find(|segment| *segment != "*").cloned(),
            description: self.place.text("description").map(str::to_owned),
        })
    }
}
