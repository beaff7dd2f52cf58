//! Reads the text of a plan strictly: duplicate members are found, and nesting and size are bounded while reading.
//! What lies past a bound is still checked to be JSON, but skipped without recursion and without being kept.

use std::fmt;

use ambit_model::codes::E_VALUE;
use ambit_model::diagnostic::Diagnostic;
use ambit_model::plan::MOST_ACTIONS;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::report::{Report, push};
use crate::source::SourceFile;

/// Deepest level of lists and objects, counted from the plan itself.
const DEEPEST: usize = 64;
/// Longest pointer to a value, in bytes: names along the way are no place for data.
const LONGEST_POINTER: usize = 1_024;
/// Most values of a plan, each text, number, list and object counting as one.
const MOST_VALUES: usize = 20_000;

/// The plan as read; where `complete` is false the rest was skipped and further checks would only guess.
pub(super) struct Document {
    pub(super) value: Value,
    /// Actions written, of which only the first eight are kept.
    pub(super) actions: usize,
    pub(super) complete: bool,
}

/// The document, with problems of its form in the report; or where the text stops being JSON.
pub(super) fn read(text: &str, report: &mut Report) -> Result<Document, Box<Diagnostic>> {
    let mut state = State { report, pointer: String::new(), depth: 0, values: 0, actions: 0 };
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let read = Reader(&mut state).deserialize(&mut deserializer);
    let value =
        read.and_then(|value| deserializer.end().map(|()| value)).map_err(|error| Box::new(not_json(text, &error)))?;
    Ok(Document { value, actions: state.actions, complete: state.values <= MOST_VALUES })
}

fn not_json(text: &str, error: &serde_json::Error) -> Diagnostic {
    let said = error.to_string();
    let reason = said.rsplit_once(" at line ").map_or(said.as_str(), |(reason, _)| reason);
    let before: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let start = before + error.column().saturating_sub(1);
    let file = SourceFile { path: "<plan>".to_owned(), text: text.to_owned() };
    Diagnostic::error(E_VALUE, format!("the plan is not JSON: {reason}"))
        .at(file.place(start, start + 1))
        .help("write the plan as one JSON object: `{\"decision\": \"tools\", \"actions\": [...]}`")
}

struct State<'r> {
    report: &'r mut Report,
    pointer: String,
    depth: usize,
    values: usize,
    actions: usize,
}

impl State<'_> {
    /// Runs `inner` one member down.
    fn within<T>(&mut self, member: &str, inner: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.pointer.len();
        push(&mut self.pointer, member);
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        self.pointer.truncate(length);
        result
    }

    /// Counts a value and says whether it may be kept.
    fn admits(&mut self) -> bool {
        self.values += 1;
        if self.values == MOST_VALUES + 1 {
            let rule = format!("a plan holds at most {MOST_VALUES} values");
            self.report.shape(&self.pointer, rule, "pass large data by reference, or split the plan");
        }
        if self.values > MOST_VALUES {
            return false;
        }
        let deep = self.depth >= DEEPEST || self.pointer.len() > LONGEST_POINTER;
        if deep {
            let rule = format!(
                "a plan nests at most {DEEPEST} levels, and a pointer into it has at most {LONGEST_POINTER} bytes"
            );
            let at = self.near();
            self.report.skipped(&at, rule, "flatten the value, or pass it by reference");
        }
        !deep
    }

    fn duplicate(&mut self, member: &str) {
        self.within(member, |state| {
            let at = state.near();
            state.report.skipped(&at, "a member stands once in its object", "remove the member that stands twice");
        });
    }

    /// The pointer, or the one above where a long name would fill the report.
    fn near(&self) -> String {
        let above = self.pointer.rsplit_once('/').map_or("", |(above, _)| above);
        if self.pointer.len() > LONGEST_POINTER { above.to_owned() } else { self.pointer.clone() }
    }
}

struct Reader<'s, 'r>(&'s mut State<'r>);

impl<'de> DeserializeSeed<'de> for Reader<'_, '_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        if self.0.admits() {
            deserializer.deserialize_any(self)
        } else {
            deserializer.deserialize_ignored_any(IgnoredAny).map(|_| Value::Null)
        }
    }
}

impl<'de> Visitor<'de> for Reader<'_, '_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let state = self.0;
        let actions = state.pointer == "/actions";
        let mut list = Vec::new();
        for index in 0_usize.. {
            if actions && index >= MOST_ACTIONS {
                state.actions = index;
                if items.next_element::<IgnoredAny>()?.is_none() {
                    break;
                }
                continue;
            }
            let next = state.within(&index.to_string(), |state| items.next_element_seed(Reader(state)))?;
            let Some(value) = next else { break };
            list.push(value);
            if actions {
                state.actions = list.len();
            }
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let state = self.0;
        let mut object = Map::new();
        while let Some(member) = members.next_key::<String>()? {
            if object.contains_key(&member) {
                state.duplicate(&member);
                members.next_value::<IgnoredAny>()?;
                continue;
            }
            let value = state.within(&member, |state| members.next_value_seed(Reader(state)))?;
            // A name past the bound is already reported, and would only fill further messages.
            if member.len() <= LONGEST_POINTER {
                object.insert(member, value);
            }
        }
        Ok(Value::Object(object))
    }
}
