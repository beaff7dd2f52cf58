//! Documents and the tools they become: what is taken over, what is refused, and where the refusal points.

use proptest::prelude::*;
use serde_json::json;

use super::*;

/// A document of one version with these paths, and components after them.
fn written(version: &str, rest: &str) -> Value {
    let text = format!("openapi: {version}\ninfo: {{title: T, version: '1'}}\n{rest}");
    document(&text).unwrap_or_else(|problem| panic!("{problem:?} in {text}"))
}

/// Names of the tools, and each problem as `severity pointer: message`.
fn check(version: &str, rest: &str, names: &[&str], expected: &[&str]) {
    let (tools, problems) = tools(&written(version, rest));
    let found: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    let said: Vec<String> =
        problems.iter().map(|p| format!("{} {}: {}", p.severity.word(), p.pointer, p.message)).collect();
    assert_eq!(
        (found.as_slice(), said.as_slice()),
        (names, expected.iter().map(|s| s.to_string()).collect::<Vec<_>>().as_slice()),
        "for {rest}"
    );
    assert!(problems.iter().all(|problem| !problem.help.is_empty()));
}

/// The first tool whole.
fn first(version: &str, rest: &str) -> Value {
    let (tools, problems) = tools(&written(version, rest));
    assert!(problems.iter().all(|problem| problem.severity == Severity::Note), "{problems:?}");
    tools.into_iter().next().unwrap_or_default()
}

const FULL: &str = r"
servers: [{url: 'https://{at}.example/v{n}', variables: {at: {default: api}, n: {default: 2}}}]
paths:
  /pets/{id}:
    parameters:
      - {name: id, in: path, required: true, schema: {type: integer}, description: of the path}
      - {name: lang, in: query, schema: {type: string}}
    put:
      operationId: pets.replace
      summary: Replace a pet
      description: |
        Puts another pet in its place.
      deprecated: true
      parameters:
        - {$ref: '#/components/parameters/Id'}
        - {name: dry, in: query, required: true, schema: {type: boolean, default: false}, example: true}
        - {name: Authorization, in: header, schema: {type: string}}
        - {name: X-Trace, in: header, schema: {type: string, format: uuid}}
        - {name: sort, in: cookie, schema: {type: string, enum: [up, down]}, deprecated: true}
      requestBody: {$ref: '#/components/requestBodies/Pet'}
      responses:
        '404': {description: none, content: {application/json: {schema: {type: string}}}}
        '200': {$ref: '#/components/responses/Pet'}
components:
  parameters:
    Id: {name: id, in: path, required: true, schema: {type: string}, description: of the operation}
  requestBodies:
    Pet:
      required: true
      description: the new one
      content:
        application/xml: {schema: {type: string}}
        application/json: {schema: {$ref: '#/components/schemas/Pet'}}
  responses:
    Pet: {description: it, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
  schemas:
    Pet: {type: object, properties: {name: {type: string}}, x-table: pets}
";

#[test]
fn an_operation_becomes_a_tool() {
    let pet = json!({"type": "object", "properties": {"name": {"type": "string"}}});
    let mut body = pet.clone();
    body["description"] = json!("the new one");
    let expected = json!({
        "name": "pets.replace", "title": "Replace a pet", "description": "Puts another pet in its place.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "X-Trace": {"type": "string", "format": "uuid"}, "body": body,
                "dry": {"type": "boolean", "default": false, "examples": [true]},
                "id": {"type": "string", "description": "of the operation"}, "lang": {"type": "string"},
                "sort": {"type": "string", "enum": ["up", "down"], "deprecated": true},
            },
            "required": ["dry", "id", "body"],
        },
        "outputSchema": pet,
        "_meta": {"ambit/http": {
            "method": "PUT", "path": "/pets/{id}", "body": "application/json", "server": "https://api.example/v2", "deprecated": true,
            "parameters": {"X-Trace": "header", "dry": "query", "id": "path", "lang": "query", "sort": "cookie"},
        }},
    });
    assert_eq!(first("3.0.3", FULL), expected);
    assert_eq!(first("3.1.0", FULL), expected);
}

#[test]
fn what_is_converted_is_read_as_a_catalog() {
    let file = |tools: Value| crate::source::SourceFile { path: "c.json".into(), text: tools.to_string() };
    let (read, problems) = crate::catalog::read("c", &file(json!({ "tools": [first("3.0.3", FULL)] })));
    assert_eq!((problems, read.iter().map(|tool| tool.flaws.len()).sum::<usize>()), (vec![], 0));
    assert_eq!(read.first().map(|tool| tool.label()).as_deref(), Some("c/pets.replace"));
}

#[test]
fn the_catalog_of_the_sample_is_what_its_document_becomes() {
    let sample = document(include_str!("../../../../catalogs/shipping.openapi.yaml")).unwrap();
    let (tools, problems) = tools(&sample);
    assert_eq!(problems, []);
    let written = format!("{}\n", serde_json::to_string_pretty(&json!({ "tools": tools })).unwrap());
    assert_eq!(written, include_str!("../../../../catalogs/shipping.json"));
}

#[test]
fn a_summary_describes_where_nothing_else_does_and_nothing_is_invented() {
    let tool = first("3.0.3", "paths: {/a: {get: {summary: All of it, responses: {'200': {description: d}}}}}");
    let meta = json!({"ambit/http": {"method": "GET", "path": "/a", "parameters": {}}});
    let inputs = json!({"type": "object", "properties": {}});
    assert_eq!(
        tool,
        json!({"name": "get/a", "title": "All of it", "description": "All of it", "inputSchema": inputs, "_meta": meta})
    );
}

#[test]
fn the_output_is_that_of_success() {
    let check = |responses: &str, expected: Option<&str>| {
        let tool = first("3.0.3", &format!("paths: {{/a: {{get: {{responses: {responses}}}}}}}"));
        assert_eq!(tool.pointer("/outputSchema/type").and_then(Value::as_str), expected, "for {responses}");
    };
    let of = |status: &str, media: &str, kind: &str| {
        format!("'{status}': {{description: d, content: {{{media}: {{schema: {{type: {kind}}}}}}}}}")
    };
    let json = |status: &str, kind: &str| of(status, "application/json", kind);
    check(&format!("{{{}, {}}}", json("201", "array"), json("200", "object")), Some("object"));
    check(&format!("{{{}, {}}}", json("201", "array"), json("default", "object")), Some("array"));
    check(&format!("{{{}, {}}}", json("2XX", "array"), json("202", "object")), Some("object"));
    check(&format!("{{{}, {}}}", json("2XX", "array"), json("default", "object")), Some("array"));
    check(&format!("{{{}}}", json("default", "object")), Some("object"));
    check(&format!("{{'204': {{description: none}}, {}}}", json("default", "object")), None);
    check(&format!("{{{}}}", of("200", "text/html", "string")), None);
    check(&format!("{{{}}}", of("200", "application/problem+json", "object")), Some("object"));
    check(&format!("{{{}}}", of("200", "'*/*'", "object")), Some("object"));
}

#[test]
fn one_bad_operation_costs_itself_alone() {
    let good = "/good: {get: {responses: {'200': {description: d}}}}";
    let check = |bad: &str, expected: &[&str]| {
        check("3.0.3", &format!("paths:\n  {good}\n  /bad: {bad}"), &["get/good"], expected);
    };
    check("{get: 3}", &["error /paths/~1bad/get: `GET /bad` is no operation"]);
    check(
        "{get: {parameters: [{in: query}, {name: a}, {name: b, in: body}], responses: {}}}",
        &[
            "error /paths/~1bad/get/parameters/0: the parameter has no `name`",
            "error /paths/~1bad/get/parameters/1: the parameter `a` does not say where it goes",
            "error /paths/~1bad/get/parameters/2: the parameter `b` does not say where it goes",
        ],
    );
    check(
        "{get: {parameters: [{name: a, in: query}, {name: a, in: header}], responses: {}}}",
        &["error /paths/~1bad/get/parameters/0: two inputs are called `a`, one of query and one of header"],
    );
    check(
        "{post: {parameters: [{name: body, in: query}], requestBody: {content: {}}, responses: {}}}",
        &[
            "error /paths/~1bad/post/parameters/0: two inputs are called `body`, one of query and one of the request's body",
        ],
    );
    check(
        "{get: {parameters: [{$ref: 'more.yaml#/p'}, {$ref: '#/components/parameters/No'}, {$ref: '#/paths/~1bad/get/parameters/2'}], responses: {}}}",
        &[
            "error /paths/~1bad/get/parameters/0/$ref: `more.yaml#/p` points out of the document, and nothing is fetched",
            "error /paths/~1bad/get/parameters/1/$ref: `#/components/parameters/No` leads nowhere",
            "error /paths/~1bad/get/parameters/2: `#/paths/~1bad/get/parameters/2` leads back to itself",
        ],
    );
    check(
        "{$ref: 'https://a.example/bad.yaml'}",
        &["error /paths/~1bad/$ref: `https://a.example/bad.yaml` points out of the document, and nothing is fetched"],
    );
    check(
        "{get: {responses: {'200': {$ref: '#/no'}}}}",
        &["error /paths/~1bad/get/responses/200/$ref: `#/no` leads nowhere"],
    );
}

#[test]
fn a_template_and_its_parameters_have_to_agree() {
    let paths = |parameters: &str| {
        format!("paths: {{'/a/{{id}}': {{get: {{operationId: a, parameters: {parameters}, responses: {{}}}}}}}}")
    };
    check(
        "3.1.0",
        &paths("[]"),
        &[],
        &["error /paths/~1a~1{id}/get: `{id}` of the path is no parameter of the operation"],
    );
    check(
        "3.1.0",
        &paths("[{name: id, in: path, required: true, schema: {}}, {name: od, in: path, required: true, schema: {}}]"),
        &["a"],
        &["warning /paths/~1a~1{id}/get/parameters/1: the path has no `{od}`, and the parameter is left out"],
    );
}

#[test]
fn nobody_is_renamed() {
    let paths = "paths: {/a: {get: {operationId: x, responses: {}}, put: {responses: {}}}, /b: {get: {operationId: x, responses: {}}}, \
                 /c: {get: {operationId: put/a, responses: {}}, post: {operationId: c, responses: {}}}}";
    check(
        "3.0.3",
        paths,
        &["c"],
        &[
            "error /paths/~1a/get/operationId: the name `x` is that of `GET /a` and `GET /b`, and none of them is taken",
            "error /paths/~1a/put/operationId: the name `put/a` is that of `PUT /a` and `GET /c`, and none of them is taken",
            "error /paths/~1b/get/operationId: the name `x` is that of `GET /a` and `GET /b`, and none of them is taken",
            "error /paths/~1c/get/operationId: the name `put/a` is that of `PUT /a` and `GET /c`, and none of them is taken",
        ],
    );
}

#[test]
fn what_becomes_no_tool_is_said() {
    check(
        "3.1.0",
        "webhooks: {w: {post: {responses: {}}}}\npaths: {/a: {post: {callbacks: {c: {}}, responses: {}}}}",
        &["post/a"],
        &[
            "note /paths/~1a/post/callbacks: callbacks are calls that the API makes itself, and become no tools",
            "note /webhooks: webhooks are calls that the API makes itself, and become no tools",
        ],
    );
    check("3.0.3", "x-paths: {}", &[], &["error /paths: the document has no `paths`"]);
    check("3.0.3", "paths: {x-a: {get: {}}, b: {get: {}}}", &[], &["error /paths/b: `b` is no path"]);
    check("4.0.0", "paths: {}", &[], &["error /openapi: OpenAPI `4.0.0` is not read"]);
    check("3.0", "paths: {/a: {get: {responses: {}}}}", &["get/a"], &[]);
    let swagger = document("swagger: '2.0'\npaths: {}").unwrap();
    assert_eq!(tools(&swagger).1.first().map(|problem| problem.pointer.as_str()), Some("/swagger"));
    assert!(tools(&json!([])).1.first().is_some_and(|problem| problem.message.contains("has no `openapi`")));
}

#[test]
fn what_is_not_by_the_book_comes_with_a_warning() {
    check(
        "3.0.3",
        "paths: {/a: {get: {responses: {'200': {}}}}}",
        &["get/a"],
        &["warning /paths/~1a/get: the operation is not quite OpenAPI 3.0: missing field `description`"],
    );
    check(
        "3.1.0",
        "paths: {/a: {get: {tags: 3, responses: {}}}}",
        &["get/a"],
        &[
            "warning /paths/~1a/get: the operation is not quite OpenAPI 3.1: invalid type: integer `3`, expected a sequence",
        ],
    );
}

#[test]
fn a_server_needs_all_its_variables() {
    let server = |of: &str| format!("servers: [{of}]\npaths: {{/a: {{get: {{responses: {{}}}}}}}}");
    check(
        "3.0.3",
        &server("{url: 'https://{x}.example'}"),
        &["get/a"],
        &["warning /servers/0: the variable `x` of `https://{x}.example` has no default, and no address is kept"],
    );
    check(
        "3.0.3",
        &server("{url: 'https://ada:hunter2@{x}.example?key=hunter2'}"),
        &["get/a"],
        &["warning /servers/0: the variable `x` of `https://{x}.example` has no default, and no address is kept"],
    );
    let tool = first(
        "3.0.3",
        &server("{url: 'https://{x}api.example/v1?k=hunter2', variables: {x: {default: 'ada:hunter2@'}}}"),
    );
    assert_eq!(tool.pointer("/_meta/ambit~1http/server"), Some(&json!("https://api.example/v1")));
    let tool = first("3.0.3", &server("{url: /v1}"));
    assert_eq!(tool.pointer("/_meta/ambit~1http/server"), Some(&json!("/v1")));
}

fn shuffled(value: &Value, turn: usize) -> String {
    match value {
        Value::Object(object) => {
            let mut members: Vec<String> =
                object.iter().map(|(key, value)| format!("{}:{}", json!(key), shuffled(value, turn + 1))).collect();
            let by = turn % members.len().max(1);
            members.rotate_left(by);
            format!("{{{}}}", members.join(","))
        }
        Value::Array(list) => format!("[{}]", list.iter().map(|v| shuffled(v, turn)).collect::<Vec<_>>().join(",")),
        plain => plain.to_string(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_order_of_keys_changes_no_byte(turn in 0_usize..1000) {
        let value = written("3.0.3", FULL);
        let other = document(&shuffled(&value, turn)).unwrap();
        let text = |value: &Value| json!(tools(value).0).to_string();
        prop_assert_eq!(text(&other), text(&value));
    }

    /// Whatever stands anywhere in a document, reading it ends, and every problem points into it.
    #[test]
    fn anything_at_all_is_read(at in 0_usize..10_000, with in 0_usize..7) {
        let odd = [json!(null), json!(3), json!("x"), json!([]), json!({}), json!([7]), json!({"$ref": "#/paths"})];
        let mut value = written("3.0.3", FULL);
        let mut places = vec![String::new()];
        pointers(&value, "", &mut places);
        *value.pointer_mut(&places[at % places.len()]).unwrap() = odd[with].clone();
        for problem in tools(&value).1 {
            let parent = problem.pointer.rsplit_once('/').map_or("", |(parent, _)| parent);
            prop_assert!(value.pointer(parent).is_some(), "{:?}", problem);
        }
    }
}

fn pointers(value: &Value, above: &str, out: &mut Vec<String>) {
    let inner: Vec<(String, &Value)> = match value {
        Value::Object(object) => object.iter().map(|(key, value)| (key.clone(), value)).collect(),
        Value::Array(list) => list.iter().enumerate().map(|(n, value)| (n.to_string(), value)).collect(),
        _ => return,
    };
    for (key, value) in inner {
        let pointer = place::below(above, &key);
        pointers(value, &pointer, out);
        out.push(pointer);
    }
}
