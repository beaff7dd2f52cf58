//! A place in the values that a schema describes: every schema that holds there at once.
//! A local `$ref` and the members of `allOf` hold beside the schema that names them, so they are gathered here once.

use std::collections::BTreeSet;
use std::ptr;

use serde_json::{Map, Value};

/// Most schemas gathered for one place; a card that needs more is cut, not followed for ever.
const MOST_SCHEMAS: usize = 64;

/// The types of JSON Schema, in the order of their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum JsonType {
    Array,
    Boolean,
    Integer,
    Null,
    Number,
    Object,
    String,
}

impl JsonType {
    /// The type of JSON Schema's word.
    pub fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "array" => Self::Array,
            "boolean" => Self::Boolean,
            "integer" => Self::Integer,
            "null" => Self::Null,
            "number" => Self::Number,
            "object" => Self::Object,
            "string" => Self::String,
            _ => return None,
        })
    }

    /// The type of a value; a whole number is an integer.
    pub fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(_) => Self::Boolean,
            Value::Number(number) if number.is_f64() => Self::Number,
            Value::Number(_) => Self::Integer,
            Value::String(_) => Self::String,
            Value::Array(_) => Self::Array,
            Value::Object(_) => Self::Object,
        }
    }

    /// JSON Schema's word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Array => "array",
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Null => "null",
            Self::Number => "number",
            Self::Object => "object",
            Self::String => "string",
        }
    }

    /// The word with its article, for sentences.
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Array => "a list",
            Self::Boolean => "a boolean",
            Self::Integer => "an integer",
            Self::Null => "null",
            Self::Number => "a number",
            Self::Object => "an object",
            Self::String => "a string",
        }
    }
}

/// Every object schema that holds at one place, inside the document `root` that local references point into.
#[derive(Clone, Debug)]
pub struct Place<'s> {
    root: &'s Value,
    schemas: Vec<&'s Map<String, Value>>,
    /// Some schema is `false`: no value can stand here.
    impossible: bool,
}

impl<'s> Place<'s> {
    /// The place of the whole value.
    pub fn root(schema: &'s Value) -> Self {
        Self::inside(schema, [schema])
    }

    /// The place that these schemas of the document `root` describe together.
    pub fn inside(root: &'s Value, schemas: impl IntoIterator<Item = &'s Value>) -> Self {
        let mut place = Self { root, schemas: Vec::new(), impossible: false };
        let mut seen: Vec<&Map<String, Value>> = Vec::new();
        let mut pending: Vec<&Value> = schemas.into_iter().collect();
        pending.reverse();
        while let Some(schema) = pending.pop() {
            place.impossible |= schema == &Value::Bool(false);
            let Some(object) = schema.as_object() else { continue };
            if seen.len() < MOST_SCHEMAS && !seen.iter().any(|known| ptr::eq(*known, object)) {
                seen.push(object);
                place.gather(object, &mut pending);
            }
        }
        place
    }

    fn gather(&mut self, object: &'s Map<String, Value>, pending: &mut Vec<&'s Value>) {
        let reference = object.get("$ref").and_then(Value::as_str);
        pending.extend(reference.and_then(|reference| local(self.root, reference)));
        if reference.is_some() && reference_stands_alone(self.root) {
            return;
        }
        self.schemas.push(object);
        if let Some(members) = object.get("allOf").and_then(Value::as_array) {
            pending.extend(members.iter().take(MOST_SCHEMAS).rev());
        }
    }

    /// The types a value here may have; empty where nothing is said. `properties` says object and `items` says array.
    pub fn types(&self) -> BTreeSet<JsonType> {
        let mut said = self.schemas.iter().filter_map(|schema| written_types(schema));
        match said.next() {
            Some(first) => said.fold(first, |types, other| both(&types, &other)),
            None => self.schemas.iter().flat_map(|schema| implied_types(schema)).collect(),
        }
    }

    /// A list may stand here.
    pub fn is_list(&self) -> bool {
        self.types().contains(&JsonType::Array)
    }

    /// Nothing but values of this type can stand here, by a written `type`.
    pub fn is_only(&self, wanted: JsonType) -> bool {
        let written = self.schemas.iter().any(|schema| schema.contains_key("type"));
        written && self.types().into_iter().eq([wanted])
    }

    /// Names of the declared properties, in the order of the file, each once.
    pub fn properties(&self) -> Vec<&'s str> {
        let mut seen = BTreeSet::new();
        let names = self.schemas.iter().filter_map(|schema| schema.get("properties")?.as_object());
        names.flat_map(Map::keys).map(String::as_str).filter(|name| seen.insert(*name)).collect()
    }

    /// The place of a declared property.
    pub fn property(&self, name: &str) -> Option<Self> {
        let schemas = self.schemas.iter().filter_map(|schema| schema.get("properties")?.get(name));
        self.step(schemas.collect())
    }

    /// The place of every item, where `items` is one schema.
    pub fn items(&self) -> Option<Self> {
        let schemas = self.schemas.iter().filter_map(|schema| schema.get("items"));
        self.step(schemas.filter(|items| !items.is_array()).collect())
    }

    fn step(&self, schemas: Vec<&'s Value>) -> Option<Self> {
        let place = (!schemas.is_empty()).then(|| Self::inside(self.root, schemas))?;
        (!place.impossible).then_some(place)
    }

    /// The property cannot be left out.
    pub fn requires(&self, name: &str) -> bool {
        let lists = self.schemas.iter().filter_map(|schema| schema.get("required")?.as_array());
        lists.flatten().any(|required| required.as_str() == Some(name))
    }

    /// A list here has at least so many items.
    pub fn least_items(&self) -> u64 {
        self.numbers("minItems").max().unwrap_or(0)
    }

    fn numbers(&self, key: &'s str) -> impl Iterator<Item = u64> + '_ {
        self.schemas.iter().filter_map(move |schema| schema.get(key)?.as_u64())
    }

    /// The first value of this keyword: the nearest schema's word counts.
    pub fn keyword(&self, key: &str) -> Option<&'s Value> {
        self.schemas.iter().find_map(|schema| schema.get(key))
    }

    /// The first text of this keyword.
    pub fn text(&self, key: &str) -> Option<&'s str> {
        self.schemas.iter().find_map(|schema| schema.get(key)?.as_str())
    }

    /// The place is described by a schema that also describes `other`: the walk has come round.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.schemas.iter().any(|mine| other.schemas.iter().any(|theirs| ptr::eq(*mine, *theirs)))
    }
}

/// Before 2019-09 everything beside a `$ref` was ignored (JSON Schema draft 7, section 8.3).
fn reference_stands_alone(root: &Value) -> bool {
    let dialect = root.get("$schema").and_then(Value::as_str).unwrap_or("");
    ["draft-03", "draft-04", "draft-06", "draft-07"].iter().any(|old| dialect.contains(old))
}

/// What `#/…` or `#` points at inside the document.
pub(super) fn local<'s>(root: &'s Value, reference: &str) -> Option<&'s Value> {
    root.pointer(&percent_decoded(reference.strip_prefix('#')?)?)
}

/// Pointers in a fragment are percent-encoded (RFC 6901, section 6).
fn percent_decoded(text: &str) -> Option<String> {
    let mut parts = text.split('%');
    let mut bytes = parts.next().unwrap_or("").as_bytes().to_vec();
    for part in parts {
        let (code, rest) = part.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(code, 16).ok()?);
        bytes.extend_from_slice(rest.as_bytes());
    }
    String::from_utf8(bytes).ok()
}

fn written_types(schema: &Map<String, Value>) -> Option<BTreeSet<JsonType>> {
    match schema.get("type")? {
        Value::String(word) => Some(JsonType::parse(word).into_iter().collect()),
        Value::Array(words) => Some(words.iter().filter_map(Value::as_str).filter_map(JsonType::parse).collect()),
        _ => None,
    }
}

fn implied_types(schema: &Map<String, Value>) -> BTreeSet<JsonType> {
    let listed = schema.get("enum").and_then(Value::as_array).into_iter().flatten();
    let mut types: BTreeSet<JsonType> = listed.chain(schema.get("const")).map(JsonType::of).collect();
    if schema.contains_key("properties") {
        types.insert(JsonType::Object);
    }
    if schema.contains_key("items") {
        types.insert(JsonType::Array);
    }
    types
}

/// Types that both sets allow; an integer is a number too.
fn both(left: &BTreeSet<JsonType>, right: &BTreeSet<JsonType>) -> BTreeSet<JsonType> {
    let allows = |set: &BTreeSet<JsonType>, one: JsonType| {
        set.contains(&one) || (one == JsonType::Integer && set.contains(&JsonType::Number))
    };
    left.union(right).copied().filter(|one| allows(left, *one) && allows(right, *one)).collect()
}
