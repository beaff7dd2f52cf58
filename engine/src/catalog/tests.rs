//! Catalog files in every shape, whole and broken: what is offered, what is wrong with it, and where it stands.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn file(json: &str) -> SourceFile {
    SourceFile { path: "c.json".into(), text: json.into() }
}

fn tools(json: &str) -> Vec<OfferedTool> {
    let (tools, diagnostics) = read("c", &file(json));
    assert_eq!(diagnostics, [], "for {json}");
    tools
}

fn tool(json: &str) -> OfferedTool {
    tools(&format!("[{json}]")).remove(0)
}

#[track_caller]
fn check(json: &str, expected: &[&str]) {
    let (tools, diagnostics) = read("c", &file(json));
    let mut lines: Vec<String> = tools
        .iter()
        .map(|t| {
            let flaws: Vec<String> = t.flaws.iter().map(|f| format!("{} {}", f.code, f.pointer)).collect();
            format!("{} {:?} {}:{} [{}]", t.label(), t.format, t.place.line, t.place.column, flaws.join(", "))
        })
        .collect();
    lines.extend(diagnostics.iter().map(|d| format!("{} {}", d.code, d.message)));
    assert_eq!(lines, expected, "for {json}");
}

#[test]
fn each_format_is_told_tool_by_tool() {
    check(
        "{\"tools\": [\n {\"name\": \"a.b\", \"inputSchema\": {}},\n {\"name\": \"c\", \"input_schema\": {}},\n \
         {\"type\": \"function\", \"function\": {\"name\": \"d\"}},\n {\"type\": \"function\", \"name\": \"e\", \"parameters\": {}}]}",
        &["c/a.b Mcp 2:2 []", "c/c Anthropic 3:2 []", "c/d OpenAi 4:2 []", "c/e OpenAi 5:2 []"],
    );
    check(
        r#"[{"type": "custom", "name": "a", "input_schema": {}}, {"type": "function", "name": "b"}, {"name": "c"}]"#,
        &["c/a Anthropic 1:2 []", "c/b OpenAi 1:55 []", "c/c Mcp 1:90 []"],
    );
}

#[test]
fn tools_are_found_where_clients_keep_them() {
    let one = r#"{"name": "a", "inputSchema": {}}"#;
    for whole in [
        format!("[{one}]"),
        format!(r#"{{"nextCursor": "x", "tools": [{one}]}}"#),
        format!(r#"{{"jsonrpc": "2.0", "id": 1, "result": {{"tools": [{one}]}}}}"#),
        format!(r#"[{{"jsonrpc": "2.0", "id": 1, "result": {{"tools": [{one}]}}}}]"#),
        format!(r#"[{{"tools": [{one}]}}]"#),
        format!(r#"{{"tools": [{{"type": "namespace", "name": "n", "description": "d", "tools": [{one}]}}]}}"#),
    ] {
        let column = whole.find(one).unwrap() + 1;
        check(&whole, &[&format!("c/a Mcp 1:{column} []")]);
    }
    // A tool that happens to have such a member is a tool.
    check(r#"[{"name": "a", "inputSchema": {}, "tools": [{"name": "b"}]}]"#, &["c/a Mcp 1:2 []"]);
}

#[test]
fn a_broken_tool_hides_no_other() {
    check(
        r#"[{"description": 3}, 7, null, {"name": "ok", "name": "twice"}, {"name": "f", "parameters": "x"}]"#,
        &[
            "c/#1 Mcp 1:2 [E_NAME /name, E_DESC_MISSING /description]",
            "c/#2 Mcp 1:22 [E_NAME ]",
            "c/#3 Mcp 1:25 [E_NAME ]",
            "c/ok Mcp 1:31 [E_SCHEMA /name]",
            "c/f OpenAi 1:64 [E_SCHEMA /parameters]",
        ],
    );
    check(
        r#"[{"type": "function", "type": "function", "function": {"name": "d", "name": "e", "parameters": false}}, {"\ud800": 1}, []]"#,
        &[
            "c/d OpenAi 1:2 [E_SCHEMA /type, E_SCHEMA /function/name, E_SCHEMA /function/parameters]",
            "c/#2 Mcp 1:105 [E_NAME ]",
            "c/#3 Mcp 1:120 [E_NAME ]",
        ],
    );
}

#[test]
fn what_a_provider_has_built_in_has_no_schema() {
    check(
        r#"[{"type": "web_search"}, {"type": "bash_20250124", "name": "bash"}, {"type": "custom", "name": "sql", "format": {}}]"#,
        &[
            "c/#1 OpenAi 1:2 [E_SCHEMA /type]",
            "c/bash Anthropic 1:26 [E_SCHEMA /type]",
            "c/sql OpenAi 1:69 [E_SCHEMA /type]",
        ],
    );
    let message = |json| tool(json).flaws.remove(0).message;
    assert_eq!(
        message(r#"{"type": "web_search", "filters": {}}"#),
        "`web_search` is a tool that its provider has built in: it has no input schema"
    );
    assert_eq!(
        message(r#"{"type": "custom", "name": "sql"}"#),
        "a `custom` tool takes a text and no arguments: it has no input schema"
    );
}

#[test]
fn a_file_without_tools_is_one_diagnostic() {
    check("{\n \"tools\": [\n", &["E_CATALOG the catalog file is not JSON: EOF while parsing a list"]);
    check("{}", &["E_CATALOG the catalog file holds no list of tools: it has no member `tools`"]);
    check(r#"{"result": {}}"#, &["E_CATALOG the catalog file holds no list of tools: it has no member `tools`"]);
    check("{\"tools\": 3}", &["E_CATALOG the catalog file holds no list of tools: `tools` is not a list"]);
    check("3", &["E_CATALOG the catalog file holds no list of tools: it is neither an object nor a list"]);
    check("tools: []", &["E_CATALOG the catalog file is not JSON: expected ident"]);
}

#[test]
fn members_of_each_format_are_kept() {
    let kept =
        |json: &str| tool(json).extras.into_iter().map(|(name, text)| format!("{name} {text}")).collect::<Vec<_>>();
    assert_eq!(
        kept(
            r#"{"name": "a", "inputSchema": {}, "icons": [{"src": "x"}], "execution": {"taskSupport": "optional"}, "strict": true}"#
        ),
        [r#"execution {"taskSupport": "optional"}"#, r#"icons [{"src": "x"}]"#]
    );
    assert_eq!(
        kept(r#"{"type": "function", "function": {"name": "a", "parameters": {}, "strict": true, "icons": []}}"#),
        ["strict true"]
    );
    assert_eq!(
        kept(r#"{"type": "function", "name": "a", "parameters": {}, "strict": null, "defer_loading": true}"#),
        ["defer_loading true"]
    );
    assert_eq!(
        kept(
            r#"{"name": "a", "input_schema": {}, "type": "custom", "cache_control": {"type": "ephemeral"}, "input_examples": [{}], "x": 1}"#
        ),
        [r#"cache_control {"type": "ephemeral"}"#, "input_examples [{}]"]
    );
}

#[test]
fn a_title_is_the_tools_own_or_its_annotations() {
    let title = |json: &str| tool(json).shown_title();
    let both = r#"{"name": "a", "title": "Own", "annotations": {"title": "Other"}}"#;
    assert_eq!(title(both).as_deref(), Some("Own"));
    assert_eq!(title(r#"{"name": "a", "annotations": {"title": "Other"}}"#).as_deref(), Some("Other"));
    assert_eq!(title(r#"{"name": "a", "annotations": {"title": 3}}"#), None);
}

#[test]
fn a_definition_digest_ignores_format_and_key_order() {
    let digest = |json: &str| tool(json).definition_digest();
    let mcp = digest(r#"{"name": "a", "description": "d", "inputSchema": {"type": "object", "title": "T"}}"#);
    let other = digest(r#"{"description": "d", "name": "a", "input_schema": {"title":"T", "type":"object"}}"#);
    assert_eq!(mcp, other);
    assert_ne!(mcp, digest(r#"{"name": "a", "description": "e", "inputSchema": {"type": "object", "title": "T"}}"#));
}

/// A pin that was written before extras and `_meta` were read still holds, and each of them is covered now.
#[test]
fn a_definition_digest_covers_what_is_there_and_stays_where_nothing_is() {
    let digest = |members: &str| tool(&format!(r#"{{"name": "a", "inputSchema": {{}}{members}}}"#)).definition_digest();
    let pinned = Digest::of(br#"["a",null,null,"{}",null,null]"#);
    assert_eq!(digest(""), pinned);
    assert_eq!(digest(r#", "_meta": null, "unknown": 1"#), pinned);
    let others = [
        r#", "title": "T""#,
        r#", "annotations": {"title": "T"}"#,
        r#", "icons": []"#,
        r#", "execution": []"#,
        r#", "_meta": {}"#,
        r#", "_meta": {"a": 1}"#,
    ];
    let digests: std::collections::BTreeSet<Digest> = others.iter().map(|members| digest(members)).collect();
    assert_eq!(digests.len(), others.len());
    assert!(!digests.contains(&pinned));
    assert_eq!(digest(r#", "_meta": {"a": 1, "b": 2}"#), digest(r#", "_meta": {"b":2,"a":1}"#));
}

#[test]
fn a_byte_order_mark_and_other_line_breaks_move_no_place() {
    let text = "[\r\n  {\"name\": \"a\",\r\n   \"inputSchema\": {}},\r\n  {\"name\": \"b\"}\r\n]\r\n";
    let found = |text: &str| -> Vec<String> {
        tools(text)
            .iter()
            .map(|t| format!("{}:{}+{} {}", t.place.line, t.place.column, t.place.length, t.place.text))
            .collect()
    };
    assert_eq!(found(text), ["2:3+13   {\"name\": \"a\",", "4:3+13   {\"name\": \"b\"}"]);
    assert_eq!(found(&format!("\u{feff}{text}")), found(text));
}

/// Numbers beyond 64 bits, and nesting far past any limit, are kept as they are written; intake says which of it is too much.
#[test]
fn extremes_are_read_and_left_to_intake() {
    let schema = r#"{"type": "object", "properties": {"n": {"maximum": 92233720368547758079223372036854775807, "minimum": -1e400}}}"#;
    let read = tool(&format!(r#"{{"name": "a", "inputSchema": {schema}}}"#));
    assert_eq!(read.input_schema.as_deref(), Some(schema));
    let deep = format!("{}1{}", r#"{"a":"#.repeat(100_000), "}".repeat(100_000));
    let read = tool(&format!(r#"{{"name": "a", "inputSchema": {deep}, "_meta": {deep}, "icons": [{deep}]}}"#));
    assert_eq!((read.name.as_deref(), read.flaws.len()), (Some("a"), 0));
    assert_eq!(hints::read(read.meta.as_deref().unwrap_or("")).notes.len(), 1);
    assert!(!read.definition_digest().as_str().is_empty());
}

/// Ten megabytes in one line, and 100,000 tools: each place costs what lies between it and the one before.
#[test]
fn a_long_line_is_walked_once() {
    let description = "ä, as long as the description of an ordinary tool usually is, at least";
    let one = format!(r#"{{"name": "a", "description": "{description}", "inputSchema": {{}}}}"#);
    let text = format!("[{}]", vec![one.as_str(); 100_000].join(","));
    assert!(text.len() > 10_000_000);
    let tools = tools(&text);
    let last = &tools.last().unwrap().place;
    let column = text.chars().count() - one.chars().count();
    assert_eq!((tools.len(), last.line, last.column as usize), (100_000, 1, column));
    assert_eq!(last.text.chars().count(), 400);
}

#[test]
fn a_line_that_is_shown_holds_no_meta() {
    let one = r#"{"name": "a", "_meta": {"k": "SECRET"}}"#;
    for whole in [
        format!("[{one}]"),
        format!(r#"{{"tools": [{one}]}}"#),
        format!(r#"{{"_meta": {{"k": "SECRET"}}, "tools": [{{"type": "function", "function": {one}}}]}}"#),
        format!(r#"{{"jsonrpc": "2.0", "_meta": "SECRET", "result": {{"_meta": "SECRET", "tools": [{one}]}}}}"#),
        format!(r#"[{{"_meta": "SECRET", "tools": [{one}]}}]"#),
        r#"[{"name": "a", "_m\u0065ta": "SECRET"}]"#.to_owned(),
        "[{\"name\": \"a\", \"_meta\": {\n \"k\": \"SECRET\" }}, {\"name\": \"b\"}]".replace("\n \"k\"", "\n\"k\""),
    ] {
        for tool in tools(&whole) {
            assert!(!tool.place.text.contains("SECRET"), "{}", tool.place.text);
            assert!(tool.place.text.contains("name"), "{}", tool.place.text);
        }
    }
    for broken in [r#"[{"_meta": "SECRET""#, r#"{"_m\u0065ta": "SECRET"}"#] {
        let (_, diagnostics) = read("c", &file(broken));
        assert!(!diagnostics.is_empty() && !format!("{diagnostics:?}").contains("SECRET"));
    }
}

/// Any JSON, a few levels deep, with the members that catalogs have among its keys.
fn any_json() -> impl Strategy<Value = Value> {
    let keys = prop::sample::select(vec![
        "tools",
        "result",
        "name",
        "type",
        "function",
        "inputSchema",
        "input_schema",
        "parameters",
        "_meta",
        "annotations",
        "title",
        "description",
        "ambit/capability",
        "entity",
        "next_tools",
        "x",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        prop::sample::select(vec!["function", "custom", "namespace", "a", "\u{202e}", ""]).prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 64, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((keys.clone(), inner), 0..6)
                .prop_map(|members| members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Value>()),
        ]
    })
}

fn any_schema() -> impl Strategy<Value = Value> {
    prop::collection::btree_map("[a-z]{1,6}", any::<bool>(), 0..5).prop_map(|properties| {
        let properties: serde_json::Map<String, Value> = properties
            .into_iter()
            .map(|(name, flag)| (name, json!({ "type": if flag { "string" } else { "integer" } })))
            .collect();
        json!({ "type": "object", "properties": properties })
    })
}

proptest! {
    /// Whatever a file holds, it is read to tools and diagnostics, and every tool has a digest.
    #[test]
    fn reading_never_panics(value in any_json(), cut in any::<prop::sample::Index>()) {
        let text = value.to_string();
        let end = (0..=cut.index(text.len() + 1)).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        for text in [text.as_str(), text.get(..end).unwrap_or_default()] {
            let (tools, diagnostics) = read("c", &file(text));
            prop_assert!(tools.is_empty() || diagnostics.is_empty());
            for tool in tools {
                prop_assert!(!tool.label().is_empty() && tool.place.line >= 1 && tool.place.column >= 1);
                prop_assert!(!tool.definition_digest().as_str().is_empty());
            }
        }
    }

    /// The same tool in any format has the same definition.
    #[test]
    fn a_tool_is_the_same_in_every_format(name in "[a-z_.]{1,12}", description in ".{0,40}", schema in any_schema()) {
        let written = [
            json!({ "name": name, "description": description, "inputSchema": schema, "outputSchema": schema }),
            json!({ "type": "function", "function": { "name": name, "description": description, "parameters": schema, "output_schema": schema } }),
            json!({ "type": "function", "name": name, "description": description, "parameters": schema, "output_schema": schema }),
            json!({ "type": "custom", "name": name, "description": description, "input_schema": schema, "output_schema": schema }),
        ];
        let read = tools(&Value::from(written.to_vec()).to_string());
        let definition = |t: &OfferedTool| (t.name.clone(), t.description.clone(), t.input_schema.clone(), t.output_schema.clone(), t.definition_digest());
        prop_assert_eq!(read.len(), 4);
        prop_assert!(read.iter().all(|tool| tool.flaws.is_empty() && definition(tool) == definition(&read[0])));
    }
}
