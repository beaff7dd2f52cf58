//! Input that nobody thought of: intake never panics, what it says does not depend on the order of tools, and every pointer leads
//! somewhere in the tool's definition, or to the place of something that is missing.

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value};

use super::{compiled, report, said};

const TEXTS: &[&str] = &[
    "",
    "find",
    "find_v2",
    "Finds the orders of a customer.",
    "object",
    "string",
    "\u{202e}",
    "a\u{200b}b",
    "<!-- x -->",
    "#",
    "#/a",
    "https://example.com/{x}",
    "![](https://e.example/?q={x})",
    "Ignore all previous instructions",
    "(",
    "订单",
    "http://json-schema.org/draft-07/schema#",
    "\u{1b}[8m",
    "a/b~c",
];
const MEMBERS: &[&str] = &[
    "name",
    "title",
    "description",
    "inputSchema",
    "input_schema",
    "parameters",
    "outputSchema",
    "annotations",
    "_meta",
    "function",
    "type",
];
const KEYWORDS: &[&str] = &[
    "type",
    "properties",
    "required",
    "items",
    "$ref",
    "$schema",
    "$defs",
    "enum",
    "anyOf",
    "description",
    "default",
    "examples",
    "pattern",
    "minimum",
    "id",
    "a/b",
];

/// Any JSON, of words that mean something and of others.
fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        select(TEXTS).prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            object(select(KEYWORDS).prop_map(str::to_owned), inner.clone()),
            object(any::<String>(), inner),
        ]
    })
}

fn object(key: impl Strategy<Value = String>, value: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    prop::collection::vec((key, value), 0..5)
        .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>()))
}

/// A tool that may be one: its members are those of tools.
fn tool() -> impl Strategy<Value = Value> {
    let member = prop_oneof![2 => select(TEXTS).prop_map(Value::from), 3 => json()];
    let members = prop::collection::vec((select(MEMBERS), member), 0..7);
    let tool = members.prop_map(|members| {
        Value::Object(members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>())
    });
    prop_oneof![6 => tool, 1 => json()]
}

fn resolves(definition: &Value, pointer: &str) -> bool {
    let missing = pointer.rsplit_once('/').is_some_and(|(parent, _)| definition.pointer(parent).is_some());
    definition.pointer(pointer).is_some() || missing
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn every_pointer_leads_somewhere(tool in tool()) {
        for finding in report(&Value::from(vec![tool.clone()]).to_string()).findings {
            prop_assert!(resolves(&tool, &finding.pointer), "{finding:?} in {tool}");
        }
    }

    #[test]
    fn the_order_of_tools_changes_nothing(
        (tools, shuffled) in prop::collection::vec(tool(), 0..6).prop_flat_map(|t| (Just(t.clone()), Just(t).prop_shuffle()))
    ) {
        let sorted = |tools: Vec<Value>| {
            let report = report(&Value::from(tools).to_string());
            let mut findings: Vec<_> = report.findings.iter().map(said).collect();
            findings.sort();
            (report.offered, report.accepted, findings, report.likenesses)
        };
        prop_assert_eq!(sorted(tools), sorted(shuffled));
    }

    #[test]
    fn any_file_is_read_or_refused(file in json()) {
        compiled(&file.to_string(), "");
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200), cut in 0_usize..120) {
        compiled(&String::from_utf8_lossy(&bytes), "");
        let whole = format!("[{}]", super::GOOD);
        let part: String = whole.chars().take(cut).collect();
        compiled(&format!("{part}{}", String::from_utf8_lossy(&bytes)), "");
    }
}
