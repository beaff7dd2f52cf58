//! Schemas of both dialects and what they become in JSON Schema 2020-12.

use serde_json::json;

use super::*;

/// The output schema of an operation that answers with this one, and the problems with their places below the schema.
fn convert(version: &str, schema: &str, components: &str) -> (Value, Vec<String>) {
    let text = format!(
        "openapi: {version}\npaths: {{/a: {{get: {{responses: {{'200': {{description: d, content: {{application/json: \
         {{schema: {schema}}}}}}}}}}}}}}}\ncomponents: {{schemas: {components}}}"
    );
    let (tools, problems) = tools(&document(&text).unwrap_or_else(|problem| panic!("{problem:?} in {text}")));
    let base = "/paths/~1a/get/responses/200/content/application~1json/schema";
    let said =
        problems.iter().map(|p| format!("{}: {}", p.pointer.strip_prefix(base).unwrap_or(&p.pointer), p.message));
    let schema = tools.first().and_then(|tool| tool.get("outputSchema")).cloned().unwrap_or_default();
    (schema, said.collect())
}

fn check(version: &str, schema: &str, expected: &Value) {
    assert_eq!(convert(version, schema, "{}"), (expected.clone(), vec![]), "for {schema}");
}

#[test]
fn the_dialect_of_3_0_is_translated() {
    check("3.0.3", "{type: string, nullable: true}", &json!({"type": ["string", "null"]}));
    check("3.0.3", "{type: string, nullable: false}", &json!({"type": "string"}));
    check(
        "3.0.3",
        "{type: integer, minimum: 1, exclusiveMinimum: true}",
        &json!({"type": "integer", "exclusiveMinimum": 1}),
    );
    check("3.0.3", "{type: integer, maximum: 9, exclusiveMaximum: false}", &json!({"type": "integer", "maximum": 9}));
    check(
        "3.0.3",
        "{type: string, example: a, format: date, default: b}",
        &json!({"type": "string", "examples": ["a"], "format": "date", "default": "b"}),
    );
    check(
        "3.0.3",
        "{type: array, items: {type: object, additionalProperties: {type: number, nullable: true}, xml: {name: x}, x-y: 1}}",
        &json!({"type": "array", "items": {"type": "object", "additionalProperties": {"type": ["number", "null"]}}}),
    );
    // A property may have the name of a keyword, and an example holds no schema.
    check(
        "3.0.3",
        "{properties: {nullable: {type: string, nullable: true}, example: {type: string}}, example: {nullable: true}}",
        &json!({"properties": {"nullable": {"type": ["string", "null"]}, "example": {"type": "string"}}, "examples": [{"nullable": true}]}),
    );
}

#[test]
fn json_schema_of_3_1_stays() {
    let schema = "{type: [string, 'null'], const: a, exclusiveMinimum: 1, if: {type: string}, prefixItems: [true], examples: [a]}";
    let expected = json!({"type": ["string", "null"], "const": "a", "exclusiveMinimum": 1, "if": {"type": "string"}, "prefixItems": [true], "examples": ["a"]});
    check("3.1.0", schema, &expected);
}

#[test]
fn a_reference_leads_into_the_schema_itself() {
    let pet = "{Pet: {type: object, properties: {child: {$ref: '#/components/schemas/Pet'}, tag: {$ref: '#/components/schemas/Tag'}}}, \
               Tag: {type: string}, Lonely: {type: string}}";
    let child = json!({"$ref": "#/$defs/Pet"});
    let tag = json!({"$ref": "#/$defs/Tag"});
    let of = json!({"type": "object", "properties": {"child": child, "tag": tag}});
    let mut whole = of.clone();
    whole["$defs"] = json!({"Pet": of, "Tag": {"type": "string"}});
    assert_eq!(convert("3.0.3", "{$ref: '#/components/schemas/Pet'}", pet), (whole.clone(), vec![]));
    // Beside a reference 3.0 ignores everything, and 3.1 nothing.
    assert_eq!(
        convert("3.0.3", "{$ref: '#/components/schemas/Tag', description: x}", pet).0,
        json!({"type": "string"})
    );
    assert_eq!(
        convert("3.1.0", "{$ref: '#/components/schemas/Tag', description: x}", pet).0,
        json!({"$ref": "#/$defs/Tag", "description": "x", "$defs": {"Tag": {"type": "string"}}})
    );
    assert_eq!(
        convert("3.0.3", "{items: {$ref: '#/components/schemas/Pet/properties/tag'}}", pet).0,
        json!({"items": {"$ref": "#/$defs/@1"}, "$defs": {"@1": {"$ref": "#/$defs/Tag"}, "Tag": {"type": "string"}}})
    );
}

#[test]
fn what_cannot_be_followed_or_said_is_named() {
    let check = |schema: &str, components: &str, expected: &[&str]| {
        assert_eq!(convert("3.0.3", schema, components).1, expected, "for {schema}");
    };
    check(
        "{items: {$ref: '#/components/schemas/No'}}",
        "{}",
        &["/items/$ref: `#/components/schemas/No` leads nowhere"],
    );
    check("{$ref: 'a.json'}", "{}", &["/$ref: `a.json` points out of the document, and nothing is fetched"]);
    check(
        "{items: {$ref: '#/components/schemas/A'}}",
        "{A: {$ref: '#/components/schemas/B'}, B: {$ref: '#/components/schemas/A'}}",
        &["/components/schemas/A: `#/components/schemas/B` leads back to itself"],
    );
    check(
        "{$ref: '#/components/schemas/A'}",
        "{A: {$ref: '#/components/schemas/A'}}",
        &["/components/schemas/A: `#/components/schemas/A` leads back to itself"],
    );
    check("{properties: {a: 3}}", "{}", &["/properties/a: this is not a schema"]);
    check(
        "{nullable: true, enum: [a]}",
        "{}",
        &["/nullable: `nullable` beside no `type` says nothing (OpenAPI 3.0.4, 4.7.24.1), and is left out"],
    );
    check(
        "{oneOf: [{type: object}], discriminator: {propertyName: kind}}",
        "{}",
        &["/discriminator: `discriminator` has no counterpart in JSON Schema and is left out"],
    );
}

#[test]
fn what_only_comes_back_is_not_asked_for() {
    let body = "{type: object, required: [id, secret], properties: {id: {type: string, readOnly: true}, secret: {type: string, writeOnly: true}}}";
    assert_eq!(convert("3.0.3", body, "{}").0["required"], json!(["id"]));
    let text = format!(
        "openapi: 3.1.0\npaths: {{/a: {{post: {{requestBody: {{content: {{application/json: {{schema: {body}}}}}}}, responses: {{}}}}}}}}"
    );
    let (tools, _) = tools(&document(&text).unwrap());
    assert_eq!(tools[0].pointer("/inputSchema/properties/body/required"), Some(&json!(["secret"])));
}

#[test]
fn a_schema_beyond_reading_costs_the_output_or_the_operation() {
    let wide: String = (0..schema::MOST_NODES).map(|n| format!("p{n}: {{}}, ")).collect();
    let wide = format!("{{type: object, properties: {{{wide}}}}}");
    let (schema, said) = convert("3.1.0", &wide, "{}");
    assert_eq!(schema, Value::Null);
    assert_eq!(said, ["/paths/~1a/get: the answer draws in more than 5000 keys and values of schemas"]);
    let text = format!(
        "openapi: 3.1.0\npaths: {{/a: {{get: {{parameters: [{{name: q, in: query, schema: {wide}}}], responses: {{}}}}, put: {{responses: {{}}}}}}}}"
    );
    let (tools, problems) = tools(&document(&text).unwrap());
    assert_eq!((tools.len(), problems.len()), (1, 1), "{problems:?}");
    assert_eq!(problems[0].severity, Severity::Error);
}
