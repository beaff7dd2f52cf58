//! One operation as one tool: its name, its texts, one object of inputs, the schema of its success, and how it is called.

use serde_json::{Map, Value, json};

use super::content::{self, Body};
use super::parameters::{self, Parameters};
use super::place::below;
use super::reader::{Node, Reader};
use super::schema::{Direction, Schemas};
use super::{Problem, book, name, servers};
use ambit_model::diagnostic::Severity;

/// The property of the input schema that is the request's body.
pub(super) const BODY: &str = "body";
/// The member of `_meta` that says how the tool is called.
const HTTP: &str = "ambit/http";

/// An operation where it stands.
#[derive(Clone, Debug)]
pub(super) struct Found<'d> {
    pub(super) path: &'d str,
    /// In lower case.
    pub(super) method: &'static str,
    /// The path item, resolved.
    pub(super) item: Node<'d>,
    pub(super) operation: Node<'d>,
}

/// A tool and the name it goes by.
pub(super) struct Offered {
    pub(super) name: String,
    pub(super) definition: Value,
}

impl Found<'_> {
    /// As people say it: `GET /pets/{id}`.
    pub(super) fn spoken(&self) -> String {
        format!("{} {}", self.method.to_ascii_uppercase(), self.path)
    }

    /// Where its name is written, or would be.
    pub(super) fn name_pointer(&self) -> String {
        below(&self.operation.pointer, "operationId")
    }

    fn name(&self) -> String {
        let own = self.operation.text("operationId").filter(|id| !id.is_empty());
        own.map_or_else(|| name::of(self.method, self.path), str::to_owned)
    }
}

/// The tool, where nothing stands in its way, and every problem of the operation.
pub(super) fn read<'d>(reader: &Reader<'d>, found: &Found<'d>) -> (Option<Offered>, Vec<Problem>) {
    let mut problems = Vec::new();
    if !found.operation.value.is_object() {
        let message = format!("`{}` is no operation", found.spoken());
        problems.push(Problem::error(&found.operation.pointer, message, "write an object"));
        return (None, problems);
    }
    if let Some(callbacks) = found.operation.get("callbacks") {
        let message = "callbacks are calls that the API makes itself, and become no tools";
        problems.push(Problem::note(callbacks.pointer, message, "nothing has to be done"));
    }
    let mut inputs = Schemas::new(reader, Direction::Input);
    let parameters = parameters::read(reader, found, &mut inputs, &mut problems);
    let body = content::body(reader, &found.operation, &mut inputs);
    let body = body.map_err(|problem| problems.push(*problem)).ok().flatten();
    let output = output(reader, found, &mut problems);
    let server = servers::url(reader, found, &mut problems);
    let meta = meta(found, &parameters, body.as_ref(), server);
    let objects = parameters.objects.clone();
    let input = inputs.finish(input(parameters, body), &mut problems);
    let input = input.or_else(|| {
        problems.push(too_large(found, "the inputs draw in", "split the schema, or write fewer into it"));
        None
    });
    if problems.iter().any(|problem| problem.severity == Severity::Error) {
        return (None, problems);
    }
    problems.extend(book::check(reader, found, &objects));
    let tool = input.map(|input| offered(found, input, output, meta));
    (tool, problems)
}

fn offered(found: &Found<'_>, input: Value, output: Option<Value>, meta: Value) -> Offered {
    let said = |key: &str| found.operation.text(key).map(str::trim_end).filter(|text| !text.is_empty());
    let (summary, description) = (said("summary"), said("description"));
    let mut tool = Map::new();
    let mut put = |key: &str, value: Option<Value>| tool.extend(value.map(|value| (key.to_owned(), value)));
    put("name", Some(json!(found.name())));
    put("title", summary.map(|title| json!(title)));
    put("description", description.or(summary).map(|description| json!(description)));
    put("inputSchema", Some(input));
    put("outputSchema", output);
    put("_meta", Some(meta));
    Offered { name: found.name(), definition: Value::Object(tool) }
}

/// The object of all inputs, the body among them under its own name, so that every argument leads back to its place.
fn input(parameters: Parameters, body: Option<Body<'_>>) -> Map<String, Value> {
    let Parameters { mut properties, mut required, .. } = parameters;
    if let Some(body) = body {
        properties.insert(BODY.to_owned(), body.schema);
        required.extend(body.required.then(|| BODY.to_owned()));
    }
    let mut input = Map::new();
    input.insert("type".to_owned(), json!("object"));
    input.insert("properties".to_owned(), Value::Object(properties));
    if !required.is_empty() {
        input.insert("required".to_owned(), json!(required));
    }
    input
}

/// The output schema; one that is too large is left out, for a tool is worth more than the schema of its answer.
fn output<'d>(reader: &Reader<'d>, found: &Found<'d>, problems: &mut Vec<Problem>) -> Option<Value> {
    let mut schemas = Schemas::new(reader, Direction::Output);
    let schema =
        content::output(reader, &found.operation).and_then(|node| node.map(|n| schemas.inlined(n)).transpose());
    let schema = schema.map_err(|problem| problems.push(*problem)).ok().flatten()?;
    let Value::Object(root) = schema else { return None };
    let finished = schemas.finish(root, problems);
    if finished.is_none() {
        let help = "the tool came without an output schema";
        problems.push(Problem { severity: Severity::Warning, ..too_large(found, "the answer draws in", help) });
    }
    finished
}

fn too_large(found: &Found<'_>, what: &str, help: &str) -> Problem {
    let message = format!("{what} more than {} keys and values of schemas", super::schema::MOST_NODES);
    Problem::error(&found.operation.pointer, message, help)
}

fn meta(found: &Found<'_>, parameters: &Parameters, body: Option<&Body<'_>>, server: Option<String>) -> Value {
    let mut http = json!({
        "method": found.method.to_ascii_uppercase(), "path": found.path, "parameters": parameters.places,
    });
    if let Some(object) = http.as_object_mut() {
        object.extend(body.map(|body| ("body".to_owned(), json!(body.media_type))));
        object.extend(server.map(|url| ("server".to_owned(), json!(url))));
        object.extend(found.operation.is_true("deprecated").then(|| ("deprecated".to_owned(), json!(true))));
    }
    json!({ HTTP: http })
}
