//! Bad input, one kind a test: what is said of it, where, and that the rest of the file is still checked.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use ambit_model::diagnostic::Severity;

use super::{GOOD, admitted, compiled, report};

/// What refuses tools of a file, and what is wrong with the file; the good tool is admitted where it stands in it.
#[track_caller]
fn check(catalog: &str, expected: &[&str]) {
    let compiled = compiled(catalog, "");
    let errors = compiled.report.findings.iter().filter(|f| f.severity == Severity::Error);
    let place = |place: &Option<ambit_model::diagnostic::Place>| {
        place.as_ref().map_or_else(String::new, |p| format!("{}:{}:{}", p.file, p.line, p.column))
    };
    let mut lines: Vec<String> =
        errors.map(|f| format!("{} {} {} {}", place(&f.place), f.tool, f.code, f.pointer)).collect();
    let problems = compiled.diagnostics.iter().filter(|d| d.is_error());
    lines.extend(problems.map(|d| format!("{} {} {}", place(&d.place), d.code, d.help.clone().unwrap_or_default())));
    assert_eq!(lines, expected, "for {:.200}", catalog);
    let good = usize::from(catalog.contains("parcels.late"));
    assert_eq!(compiled.report.accepted.len(), good, "for {:.200}", catalog);
}

/// A tool on the second line, the good one after it.
#[track_caller]
fn check_tool(tool: &str, expected: &[&str]) {
    check(&format!("{{\"tools\": [\n{tool},\n{GOOD}]}}"), expected);
}

#[test]
fn names_and_descriptions_that_are_missing_null_or_numbers() {
    let description = r#""description": "Finds the orders of a customer.""#;
    check_tool(&format!("{{{description}}}"), &["c.json:2:1 c/#1 E_NAME /name"]);
    check_tool(&format!("{{\"name\": null, {description}}}"), &["c.json:2:1 c/#1 E_NAME /name"]);
    check_tool(&format!("{{\"name\": 3, {description}}}"), &["c.json:2:1 c/#1 E_NAME /name"]);
    check_tool(r#"{"name": "find"}"#, &["c.json:2:1 c/find E_DESC_MISSING /description"]);
    check_tool(r#"{"name": "find", "description": null}"#, &["c.json:2:1 c/find E_DESC_MISSING /description"]);
    check_tool(r#"{"name": "find", "description": 1e3}"#, &["c.json:2:1 c/find E_DESC_MISSING /description"]);
    check_tool("{}", &["c.json:2:1 c/#1 E_DESC_MISSING /description", "c.json:2:1 c/#1 E_NAME /name"]);
}

#[test]
fn tools_that_are_no_objects() {
    for tool in ["7", "null", "\"find\"", "[]", "true"] {
        check_tool(tool, &["c.json:2:1 c/#1 E_DESC_MISSING /description", "c.json:2:1 c/#1 E_NAME "]);
    }
}

#[test]
fn schemas_of_a_wrong_shape() {
    let tool = |schema: &str| {
        format!(r#"{{"name": "find", "description": "Finds the orders of a customer.", "inputSchema": {schema}}}"#)
    };
    check_tool(&tool("true"), &["c.json:2:1 c/find E_SCHEMA /inputSchema"]);
    check_tool(&tool("false"), &["c.json:2:1 c/find E_SCHEMA /inputSchema"]);
    check_tool(&tool(r#"{"required": "id"}"#), &["c.json:2:1 c/find E_SCHEMA /inputSchema/required"]);
    check_tool(&tool(r#"{"required": {"id": true}}"#), &["c.json:2:1 c/find E_SCHEMA /inputSchema/required"]);
}

#[test]
fn schemas_that_are_unusual_and_valid() {
    for schema in [
        r##"{"$defs": {"n": {"type": "object", "properties": {"next": {"$ref": "#/$defs/n"}}}}, "$ref": "#/$defs/n"}"##,
        r##"{"type": "object", "properties": {"child": {"$ref": "#"}}}"##,
        r##"{"definitions": {"a": {"$ref": "#/definitions/a"}}, "type": "object", "properties": {"a": {"$ref": "#/definitions/a"}}}"##,
        r#"{"properties": {"n": {"type": "integer", "minimum": -9223372036854775808, "maximum": 9223372036854775807}}}"#,
        r#"{"properties": {"n": {"maximum": 18446744073709551615}, "m": {"maximum": 123456789012345678901234567890}}}"#,
        r#"{"properties": {"n": {"type": "number", "minimum": -1e400, "maximum": 1e400, "default": 1e999}}}"#,
        r#"{"properties": {"anything": true, "nothing": false}}"#,
        r#"{"type": ["object", "null"], "properties": {"n": {"type": ["string", "integer", "null"]}}}"#,
        r#"{"properties": {"pair": {"type": "array", "items": [{"type": "string"}, {"type": "number"}]}}}"#,
        r#"{"properties": {"n": {"type": "number", "minimum": 0, "exclusiveMinimum": true, "nullable": true}}}"#,
        r#"{"properties": {"n": {"type": "string", "pattern": "^(?!tmp)[a-z]+$", "format": "our-own"}}}"#,
        r#"{"$schema": "http://json-schema.org/draft-04/schema#", "properties": {"n": {"exclusiveMaximum": false, "maximum": 3}}}"#,
        r#"{"$schema": "http://json-schema.org/draft-06/schema#", "properties": {"n": {"const": 1}}}"#,
        r#"{"$schema": "http://json-schema.org/draft-07/schema", "if": {"properties": {"a": {"const": 1}}}, "then": {"required": ["b"]}}"#,
        r#"{"$schema": "https://json-schema.org/draft/2019-09/schema", "dependentRequired": {"a": ["b"]}}"#,
        r#"{"$schema": "https://json-schema.org/draft/2020-12/schema", "prefixItems": [true], "unevaluatedProperties": false}"#,
        r#"{"properties": {"n": {"type": "integer", "minimum": "0", "maximum": "50"}}}"#,
        "{}",
        "null",
    ] {
        for name in ["orders.find", "orders/find", "v2:orders/find.all", "订单.查找"] {
            let tool = format!(
                r#"{{"name": "{name}", "description": "Finds what a customer bought.", "inputSchema": {schema}}}"#
            );
            let report = report(&format!("[{tool}]"));
            let errors: Vec<_> = report.findings.iter().filter(|f| f.severity == Severity::Error).collect();
            assert_eq!(errors, Vec::<&_>::new(), "for {schema}");
        }
    }
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_file() {
    check(
        &format!("\u{feff}[7,\n{GOOD}]"),
        &["c.json:1:2 c/#1 E_DESC_MISSING /description", "c.json:1:2 c/#1 E_NAME "],
    );
}

#[test]
fn yaml_in_place_of_json() {
    let import = "this is YAML: `ambit import` makes a catalog file of it";
    check("tools:\n  - name: find\n", &[&format!("c.json:1:2 E_CATALOG {import}")]);
    check("# ours\n---\nopenapi: 3.0.0\n", &[&format!("c.json:1:1 E_CATALOG {import}")]);
    check("- name: find\n", &[&format!("c.json:1:2 E_CATALOG {import}")]);
    check(
        "{\"tools\": [}",
        &["c.json:1:12 E_CATALOG a catalog file is JSON: MCP `tools/list`, OpenAI or Anthropic tools"],
    );
}

#[test]
fn a_file_of_ten_megabytes() {
    let mut text = "[".to_owned();
    for number in 0..2_000 {
        let words = format!("Finds what customer {number} bought in the year of the parcel. ").repeat(90);
        let _ = writeln!(text, "{{\"name\": \"find{number}x\", \"description\": \"{words}\"}},");
    }
    text.push_str("7,\n");
    text.push_str(GOOD);
    text.push(']');
    assert!(text.len() > 10_000_000);
    let report = report(&text);
    assert_eq!(report.accepted.len(), 2_001);
    let refused = report.findings.iter().find(|f| f.severity == Severity::Error).unwrap();
    assert_eq!((refused.tool.as_str(), refused.place.as_ref().map(|p| p.line)), ("c/#2001", Some(2_001)));
}

#[test]
fn a_hundred_thousand_tools() {
    let mut text = "[".to_owned();
    for number in 0..100_000 {
        let _ = writeln!(
            text,
            "{{\"name\": \"find{number}x\", \"description\": \"Finds what customer {number} bought.\"}},"
        );
    }
    text.push_str("{\"name\": \"\"}]");
    let started = Instant::now();
    let admission = admitted(&text);
    assert_eq!(admission.cards.len(), 100_000);
    assert_eq!(admission.findings.iter().filter(|f| f.severity == Severity::Error).count(), 2);
    assert!(started.elapsed() < Duration::from_secs(60), "it took {:?}", started.elapsed());
}
