//! What goes out comes in again: a card that is exported and read is the same tool, as far as the target speaks.

use std::collections::BTreeMap;

use ambit_model::card::{SchemaText, ToolCard};
use ambit_model::facts::{Effect, Risk};
use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::authority::sample::card;
use crate::catalog::{self, OfferedTool};
use crate::source::SourceFile;

const TARGETS: [Target; 4] = [Target::OpenAiChat, Target::OpenAiResponses, Target::Anthropic, Target::Mcp];

fn read(exported: &Exported) -> Vec<OfferedTool> {
    let file = SourceFile { path: "exported.json".into(), text: exported.text.clone() };
    let (tools, problems) = catalog::read("exported", &file);
    assert_eq!(problems, []);
    tools
}

fn full() -> ToolCard {
    let text = |text: &str| SchemaText(text.to_owned());
    ToolCard {
        title: Some("List".to_owned()),
        input_schema: text("{ \"type\":\"object\",\n\"maximum\": 1.0e2}"),
        output_schema: Some(text("{\"type\": \"array\"}")),
        annotations: Some(text("{\"readOnlyHint\": true}")),
        extras: [("icons", "[{\"src\": \"x\"}]"), ("strict", "true"), ("odd", "1")]
            .map(|(name, value)| (name.to_owned(), text(value)))
            .into(),
        ..card("billing/list", Effect::Read, Risk::Low, false)
    }
}

/// The members of the definition, and what was dropped.
fn check(target: Target, expected: &[&str], dropped: &[&str]) {
    let exported = export([full()].iter(), target);
    let tree: Value = serde_json::from_str(&exported.text).unwrap();
    let tool = tree.pointer("/tools/0").or(tree.pointer("/0/function")).or(tree.pointer("/0")).unwrap();
    let mut members: Vec<&str> = tool.as_object().unwrap().keys().map(String::as_str).collect();
    members.sort_unstable();
    let left: Vec<&str> = exported.dropped.iter().map(|dropped| dropped.member.as_str()).collect();
    assert_eq!((members.as_slice(), left.as_slice()), (expected, dropped), "{target:?}");
    assert!(exported.text.contains("{ \"type\":\"object\",\n\"maximum\": 1.0e2}"), "{}", exported.text);
}

#[test]
fn each_target_says_what_it_can_and_the_rest_is_named() {
    let of_mcp = ["annotations", "outputSchema", "title"];
    check(
        Target::Mcp,
        &["annotations", "description", "icons", "inputSchema", "name", "outputSchema", "title"],
        &["odd", "strict"],
    );
    let dropped = [["annotations", "icons", "odd"].as_slice(), of_mcp.get(1..).unwrap()].concat();
    check(Target::OpenAiChat, &["description", "name", "parameters", "strict"], &dropped);
    check(Target::OpenAiResponses, &["description", "name", "parameters", "strict", "type"], &dropped);
    check(Target::Anthropic, &["description", "input_schema", "name", "strict"], &dropped);
}

#[test]
fn a_function_of_the_responses_api_is_strict_only_where_its_source_says_so() {
    let plain = card("billing/list", Effect::Read, Risk::Low, false);
    let tree: Value = serde_json::from_str(&export([plain].iter(), Target::OpenAiResponses).text).unwrap();
    assert_eq!(tree.pointer("/0/strict"), Some(&Value::Bool(false)));
    let tree: Value = serde_json::from_str(&export([full()].iter(), Target::OpenAiResponses).text).unwrap();
    assert_eq!(tree.pointer("/0/strict"), Some(&Value::Bool(true)));
}

/// JSON as people lay it out.
fn schemas() -> impl Strategy<Value = SchemaText> {
    let written = ["{}", "{ \"type\" : \"object\" }", "{\"a\":1.10,\n \"b\":\"é\\u00e9\"}", "{\"$defs\":{\"x\":true}}"];
    prop::sample::select(written.map(|text| SchemaText(text.to_owned())).to_vec())
}

prop_compose! {
    fn cards()(
        id in "[a-c]{1,2}/[a-z_./:é-]{1,70}",
        title in prop::option::of("\\PC{1,8}"),
        description in "\\PC{1,20}",
        input_schema in schemas(),
        output_schema in prop::option::of(schemas()),
        annotations in prop::option::of(schemas()),
        extras in prop::collection::btree_map(prop::sample::select(vec!["icons", "execution", "strict"]), schemas(), 0..3),
    ) -> ToolCard {
        let extras: BTreeMap<String, SchemaText> = extras.into_iter().map(|(name, text)| (name.to_owned(), text)).collect();
        let plain = card(&id, Effect::Read, Risk::Low, false);
        ToolCard { title, description, input_schema, output_schema, annotations, extras, ..plain }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_exported_is_read_as_the_same_tool(cards in prop::collection::vec(cards(), 0..6)) {
        let by_id: BTreeMap<&ToolId, &ToolCard> = cards.iter().map(|card| (&card.id, card)).collect();
        for target in TARGETS {
            let exported = export(by_id.values().copied(), target);
            prop_assert_eq!(&export(by_id.values().copied().rev(), target), &exported);
            let tools = read(&exported);
            prop_assert_eq!(tools.len(), by_id.len());
            for tool in tools {
                prop_assert_eq!(&tool.flaws, &vec![]);
                let card = by_id[&exported.names[tool.name.as_ref().unwrap()]];
                prop_assert_eq!(tool.description.as_ref(), Some(&card.description));
                prop_assert_eq!(tool.input_schema.as_ref(), Some(&card.input_schema.0));
                let text = |schema: &Option<SchemaText>| schema.clone().map(|text| text.0);
                if target == Target::Mcp {
                    prop_assert_eq!(&tool.title, &card.title);
                    prop_assert_eq!(tool.output_schema, text(&card.output_schema));
                    prop_assert_eq!(tool.annotations, text(&card.annotations));
                }
            }
            extras_are_written(&exported, &by_id, target)?;
        }
    }
}

/// Every extra is in the definition as its file has it, or is named as dropped.
fn extras_are_written(
    exported: &Exported,
    cards: &BTreeMap<&ToolId, &ToolCard>,
    target: Target,
) -> Result<(), TestCaseError> {
    let tree: Value = serde_json::from_str(&exported.text).unwrap();
    let tools = tree.get("tools").unwrap_or(&tree).as_array().unwrap();
    for (tool, card) in tools.iter().zip(cards.values()) {
        let tool = tool.get("function").unwrap_or(tool);
        for (name, text) in &card.extras {
            let dropped = exported.dropped.iter().any(|d| d.tool == card.id && d.member == *name);
            let written = tool.get(name) == serde_json::from_str::<Value>(&text.0).ok().as_ref();
            prop_assert!(dropped != written, "{} of {:?}", name, target);
        }
    }
    Ok(())
}
