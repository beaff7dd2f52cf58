//! Sets made harder, or other than they are, on purpose: what a router has to bear of a growing or changing catalog.
//! The same set and change give the same set again; the order of questions stays.

use std::collections::BTreeMap;

use ambit_model::digest::Digest;
use serde_json::{Map, Value, json};

use super::set::Question;

/// A change of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The tools in another order.
    Shuffle(u64),
    /// So many tools more that no question wants.
    AddDistractors(usize),
    /// The tool is gone; where it was wanted, the rest of the gold stays and a gap is right.
    DropTool(String),
    /// Another provider's tool stands in its place: the same definition under a name that says as much in another way.
    SwapTool(String),
    /// A second version stands beside it, and is the current one.
    VersionBump(String),
    /// Every name says nothing: `t0001`.
    OpaqueNames,
}

/// A catalog, its questions, and what has to be declared beside it.
#[derive(Clone, Debug, Default)]
pub struct Changed {
    /// Definitions as they stand in the catalog.
    pub tools: Vec<Value>,
    pub questions: Vec<Question>,
    /// YAML documents.
    pub further: String,
}

impl Changed {
    /// A set as it is; nothing where the catalog holds no list of tools.
    pub fn new(catalog: &str, questions: Vec<Question>) -> Option<Self> {
        let read: Value = serde_json::from_str(catalog.trim_start_matches('\u{feff}')).ok()?;
        let tools = match read {
            Value::Array(tools) => tools,
            Value::Object(mut of) => match of.remove("tools")? {
                Value::Array(tools) => tools,
                _ => return None,
            },
            _ => return None,
        };
        Some(Self { tools, questions, further: String::new() })
    }

    /// As the text of a catalog file.
    pub fn catalog(&self) -> String {
        json!({ "tools": self.tools }).to_string()
    }

    /// The names of its tools.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tools.iter().filter_map(name)
    }

    /// Makes a change; false where the tool that it is about is not there.
    pub fn make(&mut self, change: &Change) -> bool {
        match change {
            Change::Shuffle(seed) => self.shuffle(*seed),
            Change::AddDistractors(count) => self.tools.extend(distractors(*count)),
            Change::DropTool(tool) => return self.drop(tool),
            Change::SwapTool(tool) => return self.rename(&BTreeMap::from([(tool.clone(), other_name(tool))])),
            Change::VersionBump(tool) => return self.bump(tool),
            Change::OpaqueNames => {
                let names = self.names().map(str::to_owned).zip(1_usize..);
                let opaque = names.map(|(name, number)| (name, format!("t{number:05}"))).collect();
                return self.rename(&opaque);
            }
        }
        true
    }

    fn shuffle(&mut self, seed: u64) {
        self.tools.sort_by_cached_key(|tool| Digest::of(format!("{seed} {tool}").as_bytes()));
    }

    fn drop(&mut self, tool: &str) -> bool {
        let before = self.tools.len();
        self.tools.retain(|one| name(one) != Some(tool));
        for question in self.questions.iter_mut().filter(|q| q.gold.iter().any(|wanted| wanted == tool)) {
            question.gold.clear();
        }
        self.tools.len() < before
    }

    fn rename(&mut self, names: &BTreeMap<String, String>) -> bool {
        let mut found = false;
        for tool in &mut self.tools {
            if let Some(new) = name(tool).and_then(|old| names.get(old)).cloned() {
                found |= set(tool, "name", new.into());
            }
        }
        for wanted in self.questions.iter_mut().flat_map(|question| &mut question.gold) {
            if let Some(new) = names.get(wanted) {
                wanted.clone_from(new);
            }
        }
        found
    }

    fn bump(&mut self, tool: &str) -> bool {
        let new = format!("{tool}_v2");
        let Some(mut second) = self.tools.iter().find(|one| name(one) == Some(tool)).cloned() else { return false };
        set(&mut second, "name", new.clone().into());
        self.tools.push(second);
        let quoted = |name: &str| Value::from(format!("set/{name}")).to_string();
        self.further.push_str(&format!(
            "---\nkind: VersionFamily\nid: bumped-{}\ncurrent: 2\nmembers:\n  - {{ tool: {}, version: 1 }}\n  - {{ tool: {}, version: 2 }}\n",
            self.tools.len(),
            quoted(tool),
            quoted(&new)
        ));
        for wanted in self.questions.iter_mut().flat_map(|question| &mut question.gold).filter(|wanted| *wanted == tool)
        {
            wanted.clone_from(&new);
        }
        true
    }
}

fn name(tool: &Value) -> Option<&str> {
    tool.get("name").or_else(|| tool.get("function")?.get("name"))?.as_str()
}

fn set(tool: &mut Value, key: &str, value: Value) -> bool {
    let holder = if tool.get(key).is_some() { Some(tool) } else { tool.get_mut("function") };
    holder.and_then(Value::as_object_mut).is_some_and(|of| of.insert(key.to_owned(), value).is_some())
}

/// The words of a name in reverse, which says the same and is another name: `get_weather` becomes `weather_get`.
fn other_name(name: &str) -> String {
    let prose = crate::text::name_as_prose(name);
    let reversed = prose.split_whitespace().rev().collect::<Vec<_>>().join("_");
    if reversed == name || reversed.is_empty() { format!("{name}_other") } else { reversed }
}

const VERBS: [(&str, &str); 8] = [
    ("list", "Lists all"),
    ("get", "Returns one of the"),
    ("search", "Searches the"),
    ("create", "Creates one of the"),
    ("update", "Changes one of the"),
    ("delete", "Removes one of the"),
    ("count", "Counts the"),
    ("export", "Writes to a file the"),
];
const THINGS: [&str; 16] = [
    "lighthouses",
    "beehives",
    "tramways",
    "greenhouses",
    "observatories",
    "vineyards",
    "aquariums",
    "windmills",
    "quarries",
    "sawmills",
    "ferries",
    "orchards",
    "glaciers",
    "monasteries",
    "breweries",
    "carousels",
];
const PLACES: [&str; 16] = [
    "harbour", "valley", "island", "district", "ridge", "delta", "county", "parish", "canton", "prairie", "coast",
    "plateau", "estuary", "hamlet", "borough", "fjord",
];

/// Ordinary tools about things that few people ask about, each about another: 2,048 of them, then again with a number.
fn distractors(count: usize) -> impl Iterator<Item = Value> {
    let all = (0_usize..).flat_map(|round| {
        PLACES.iter().flat_map(move |place| {
            THINGS.iter().flat_map(move |thing| VERBS.iter().map(move |verb| distractor(*verb, thing, place, round)))
        })
    });
    all.take(count)
}

fn distractor((verb, says): (&str, &str), thing: &str, place: &str, round: usize) -> Value {
    let number = if round == 0 { String::new() } else { format!("_{round}") };
    let mut properties = Map::new();
    properties
        .insert(format!("{place}_name"), json!({ "type": "string", "description": format!("Name of the {place}") }));
    json!({
        "name": format!("{verb}_{place}_{thing}{number}"),
        "description": format!("{says} {thing} of a {place}{}.", number.replace('_', " number ")),
        "inputSchema": { "type": "object", "properties": properties },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set_of(names: &[&str]) -> Changed {
        let tools: Vec<Value> = names.iter().map(|name| json!({ "name": name, "description": "Does it." })).collect();
        let question = Question {
            id: "1".into(),
            query: "q".into(),
            gold: vec!["get_weather".into(), "b".into()],
            ordered: false,
            context: Vec::new(),
        };
        Changed { tools, questions: vec![question], further: String::new() }
    }

    fn after(change: Change) -> (Vec<String>, Vec<String>) {
        let mut set = set_of(&["get_weather", "b", "c"]);
        assert!(set.make(&change));
        let gold = set.questions.iter().flat_map(|question| question.gold.clone()).collect();
        (set.names().map(str::to_owned).collect(), gold)
    }

    #[test]
    fn the_truth_changes_with_the_catalog() {
        assert_eq!(after(Change::DropTool("b".into())), (vec!["get_weather".into(), "c".into()], vec![]));
        let (names, gold) = after(Change::SwapTool("get_weather".into()));
        assert_eq!(
            (names.first().map(String::as_str), gold.first().map(String::as_str)),
            (Some("weather_get"), Some("weather_get"))
        );
        let (names, gold) = after(Change::VersionBump("b".into()));
        assert_eq!((names.last().map(String::as_str), gold.last().map(String::as_str)), (Some("b_v2"), Some("b_v2")));
        let (names, gold) = after(Change::OpaqueNames);
        assert_eq!((names.join(" "), gold.join(" ")), ("t00001 t00002 t00003".into(), "t00001 t00002".into()));
        assert!(!set_of(&["a"]).make(&Change::DropTool("z".into())));
    }

    #[test]
    fn distractors_are_told_apart_and_enter() {
        let mut set = set_of(&[]);
        assert!(set.make(&Change::AddDistractors(3_000)));
        let names: std::collections::BTreeSet<&str> = set.names().collect();
        assert_eq!(names.len(), 3_000);
        let compiled = super::super::world::compile(&set.catalog(), "").unwrap();
        assert_eq!(compiled.report.accepted.len(), 3_000);
    }
}
