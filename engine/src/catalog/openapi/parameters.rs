//! The parameters of an operation: those of its path and its own merged, each a property of the input schema.
//! A property's name has to lead back to one parameter, so two of one name in different places are refused.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::Problem;
use super::content::chosen;
use super::operation::{BODY, Found};
use super::place::below;
use super::reader::{Node, Reader};
use super::schema::Schemas;

/// Where a parameter goes, as OpenAPI spells it.
const PLACES: [&str; 4] = ["path", "query", "header", "cookie"];
/// Headers whose parameter is ignored (OpenAPI 3.0.4, 4.7.12.2): the client writes them itself.
const OWN_HEADERS: [&str; 3] = ["accept", "content-type", "authorization"];

/// What the input schema takes over from the parameters.
#[derive(Default)]
pub(super) struct Parameters {
    pub(super) properties: Map<String, Value>,
    pub(super) required: Vec<String>,
    /// The place of each.
    pub(super) places: BTreeMap<String, &'static str>,
    /// The resolved objects.
    pub(super) objects: Vec<Value>,
}

/// One parameter, resolved.
struct Parameter<'d> {
    name: &'d str,
    place: &'static str,
    node: Node<'d>,
}

pub(super) fn read<'d>(
    reader: &Reader<'d>,
    found: &Found<'d>,
    schemas: &mut Schemas<'_, 'd>,
    problems: &mut Vec<Problem>,
) -> Parameters {
    let mut read = Parameters::default();
    let template = super::name::parameters(found.path);
    for parameter in merged(reader, found, problems) {
        let Parameter { name, place, node } = &parameter;
        if *place == "path" && !template.contains(name) {
            let message = format!("the path has no `{{{name}}}`, and the parameter is left out");
            problems.push(Problem::warning(&node.pointer, message, "take it out, or put it into the path"));
            continue;
        }
        match (read.places.get(*name).copied(), property(&parameter, schemas)) {
            (Some(other), _) => problems.push(clash(&parameter, other)),
            (None, _) if *name == BODY && found.operation.get("requestBody").is_some() => {
                problems.push(clash(&parameter, "the request's body"));
            }
            (None, Ok(property)) => {
                read.properties.insert((*name).to_owned(), property);
                read.places.insert((*name).to_owned(), *place);
                read.required.extend((*place == "path" || node.is_true("required")).then(|| (*name).to_owned()));
                read.objects.push(node.value.clone());
            }
            (None, Err(problem)) => problems.push(*problem),
        }
    }
    for name in template.into_iter().filter(|name| !read.places.contains_key(*name)) {
        let message = format!("`{{{name}}}` of the path is no parameter of the operation");
        let help = "add a parameter of this name with `in: path`";
        problems.push(Problem::error(&found.operation.pointer, message, help));
    }
    read.required.sort();
    read
}

/// By name and place; the operation's own stand in place of the path's.
fn merged<'d>(reader: &Reader<'d>, found: &Found<'d>, problems: &mut Vec<Problem>) -> Vec<Parameter<'d>> {
    let mut merged = BTreeMap::new();
    for owner in [&found.item, &found.operation] {
        let Some(list) = owner.get("parameters") else { continue };
        for (index, value) in list.value.as_array().into_iter().flatten().enumerate() {
            let node = Node { value, pointer: below(&list.pointer, &index.to_string()) };
            match reader.follow(node).and_then(parameter) {
                Ok(Some(parameter)) => drop(merged.insert((parameter.name, parameter.place), parameter)),
                Ok(None) => {}
                Err(problem) => problems.push(*problem),
            }
        }
    }
    merged.into_values().collect()
}

/// Nothing for a header that is the client's own.
fn parameter(node: Node<'_>) -> Result<Option<Parameter<'_>>, Box<Problem>> {
    let Some(name) = node.text("name") else {
        return Err(Box::new(Problem::error(node.pointer, "the parameter has no `name`", "give it a `name`")));
    };
    let place = node.text("in").and_then(|said| PLACES.iter().find(|place| **place == said));
    let Some(place) = place else {
        let message = format!("the parameter `{name}` does not say where it goes");
        return Err(Box::new(Problem::error(node.pointer, message, "write `in: path`, `query`, `header` or `cookie`")));
    };
    let own = *place == "header" && OWN_HEADERS.contains(&name.to_ascii_lowercase().as_str());
    Ok((!own).then_some(Parameter { name, place, node }))
}

fn clash(parameter: &Parameter<'_>, other: &str) -> Problem {
    let message = format!("two inputs are called `{}`, one of {} and one of {other}", parameter.name, parameter.place);
    Problem::error(&parameter.node.pointer, message, "an argument goes to one place: rename one of them in the API")
}

fn property<'d>(parameter: &Parameter<'d>, schemas: &mut Schemas<'_, 'd>) -> Result<Value, Box<Problem>> {
    let node = &parameter.node;
    let of_content = chosen(node, |_| true).and_then(|(_, content)| content.get("schema"));
    let mut property = match node.get("schema").or(of_content) {
        Some(schema) => schemas.inlined(schema)?,
        None => Value::Object(Map::new()),
    };
    if property.as_bool() == Some(true) {
        property = Value::Object(Map::new());
    }
    if let (Some(description), Some(object)) = (node.text("description"), property.as_object_mut()) {
        // What is said of the parameter is nearer to it than what is said of its type.
        object.insert("description".to_owned(), json!(description.trim_end()));
    }
    if let Some(object) = property.as_object_mut() {
        if node.is_true("deprecated") {
            object.insert("deprecated".to_owned(), json!(true));
        }
        if let Some(examples) = examples(node) {
            object.entry("examples").or_insert(examples);
        }
    }
    Ok(property)
}

fn examples(node: &Node<'_>) -> Option<Value> {
    let listed: Vec<Value> =
        node.members("examples").into_iter().filter_map(|(_, example)| example.value.get("value").cloned()).collect();
    let single = node.value.get("example").map(|example| vec![example.clone()]);
    single.or((!listed.is_empty()).then_some(listed)).map(Value::Array)
}
