//! One document: its version, its operations, and where its references lead.
//! References are followed inside the document only; what points out of it is never fetched.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::Problem;
use super::operation::Found;
use super::place::{below, of_fragment};

/// Methods that a path item may hold, in the order in which they are listed.
const METHODS: [&str; 8] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/// Which OpenAPI it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    /// <https://spec.openapis.org/oas/v3.0.4.html>: schemas of its own dialect.
    V30,
    /// <https://spec.openapis.org/oas/v3.1.1.html>: schemas are JSON Schema 2020-12.
    V31,
}

/// A value and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Node<'d> {
    pub(super) value: &'d Value,
    pub(super) pointer: String,
}

impl<'d> Node<'d> {
    pub(super) fn get(&self, key: &str) -> Option<Node<'d>> {
        self.value.get(key).map(|value| Node { value, pointer: below(&self.pointer, key) })
    }

    pub(super) fn text(&self, key: &str) -> Option<&'d str> {
        self.value.get(key).and_then(Value::as_str)
    }

    pub(super) fn is_true(&self, key: &str) -> bool {
        self.value.get(key).and_then(Value::as_bool).unwrap_or(false)
    }

    /// The members of the object under `key`, sorted, without vendor extensions.
    pub(super) fn members(&self, key: &str) -> Vec<(&'d str, Node<'d>)> {
        let Some(object) = self.get(key) else { return Vec::new() };
        let members = object.value.as_object().into_iter().flat_map(Map::iter);
        let own = members.filter(|(name, _)| !name.starts_with("x-"));
        own.map(|(name, value)| (name.as_str(), Node { value, pointer: below(&object.pointer, name) })).collect()
    }
}

pub(super) struct Reader<'d> {
    pub(super) document: &'d Value,
    pub(super) version: Version,
}

impl<'d> Reader<'d> {
    pub(super) fn of(document: &'d Value) -> Result<Self, Box<Problem>> {
        let version = match document.get("openapi") {
            Some(Value::String(said)) => said.clone(),
            // YAML reads `openapi: 3.0` as a number.
            Some(Value::Number(said)) => said.to_string(),
            _ => return Err(no_openapi(document)),
        };
        let is = |of: &str| version == of || version.starts_with(&format!("{of}."));
        match () {
            () if is("3.0") => Ok(Self { document, version: Version::V30 }),
            () if is("3.1") => Ok(Self { document, version: Version::V31 }),
            () => {
                let message = format!("OpenAPI `{version}` is not read");
                Err(Box::new(Problem::error("/openapi", message, "write the document in OpenAPI 3.0 or 3.1")))
            }
        }
    }

    pub(super) fn root(&self) -> Node<'d> {
        Node { value: self.document, pointer: String::new() }
    }

    /// What the document holds beside operations.
    pub(super) fn notes(&self) -> Vec<Problem> {
        let mut notes = Vec::new();
        let root = self.root();
        if !root.members("webhooks").is_empty() {
            let message = "webhooks are calls that the API makes itself, and become no tools";
            notes.push(Problem::note("/webhooks", message, "nothing has to be done"));
        }
        let dialect = root.text("jsonSchemaDialect").unwrap_or("");
        if !["", "https://spec.openapis.org/oas/3.1/dialect/base"].contains(&dialect) && !dialect.contains("2020-12") {
            let message = format!("schemas are read as JSON Schema 2020-12, and the document says `{dialect}`");
            notes.push(Problem::warning("/jsonSchemaDialect", message, "say in each schema what differs there"));
        }
        if root.get("paths").is_none_or(|paths| !paths.value.is_object()) {
            notes.push(Problem::error("/paths", "the document has no `paths`", "a tool is an operation of a path"));
        }
        notes
    }

    /// Every operation, by path and method.
    pub(super) fn operations(&self, problems: &mut Vec<Problem>) -> Vec<Found<'d>> {
        let mut found = Vec::new();
        for (path, item) in self.root().members("paths") {
            if !path.starts_with('/') {
                let help = "paths begin with `/`";
                problems.push(Problem::error(item.pointer, format!("`{path}` is no path"), help));
                continue;
            }
            let item = match self.follow(item) {
                Ok(item) => item,
                Err(problem) => {
                    problems.push(*problem);
                    continue;
                }
            };
            let operations = METHODS.iter().filter_map(|method| Some((*method, item.get(method)?)));
            found.extend(operations.map(|(method, operation)| Found { path, method, item: item.clone(), operation }));
        }
        found
    }

    /// The node itself, or what its `$ref` leads to.
    pub(super) fn follow(&self, node: Node<'d>) -> Result<Node<'d>, Box<Problem>> {
        let mut seen = BTreeSet::new();
        let mut node = node;
        while let Some(reference) = node.text("$ref") {
            if !seen.insert(node.pointer.clone()) {
                let message = format!("`{reference}` leads back to itself");
                return Err(Box::new(Problem::error(node.pointer, message, "let it lead to what is meant")));
            }
            node = self.target(reference, &below(&node.pointer, "$ref"))?;
        }
        Ok(node)
    }

    /// What a reference leads to; `at` is the place of the reference.
    pub(super) fn target(&self, reference: &str, at: &str) -> Result<Node<'d>, Box<Problem>> {
        let Some(fragment) = reference.strip_prefix('#') else {
            let message = format!("`{reference}` points out of the document, and nothing is fetched");
            return Err(Box::new(Problem::error(at, message, "bundle the document into one file first")));
        };
        let pointer = of_fragment(fragment).unwrap_or_default();
        match self.document.pointer(&pointer) {
            Some(value) if !pointer.is_empty() => Ok(Node { value, pointer }),
            _ => {
                let message = format!("`{reference}` leads nowhere");
                Err(Box::new(Problem::error(at, message, "name a component that the document has")))
            }
        }
    }
}

fn no_openapi(document: &Value) -> Box<Problem> {
    Box::new(match document.get("swagger") {
        Some(_) => Problem::error(
            "/swagger",
            "the document is Swagger 2.0, which is not read",
            "convert it to OpenAPI 3 first: editor.swagger.io and `swagger2openapi` do",
        ),
        None => Problem::error("", "the document has no `openapi`", "an OpenAPI document says its version there"),
    })
}
