//! Tools as an agent's stack wants them: MCP, OpenAI or Anthropic. Schemas stay the text of their file.
//! Names: OpenAI and Anthropic take letters, digits, `_` and `-`, at most 64; what differs is said by the tool's `id`.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::card::{SchemaText, ToolCard};
use ambit_model::digest::Digest;
use ambit_model::identity::ToolId;
use ambit_model::route::{Definition, FormattedDefinition, HandedTool, OpenaiFunction, RouteAnswer, ToolFormat};
use serde_json::value::RawValue;

use super::answer::plan_hint;

/// Longest name that OpenAI's and Anthropic's APIs take.
const LONGEST_NAME: usize = 64;
/// Digits of a digest that keep two shortened names apart.
const DIGITS: usize = 8;

/// The tool as its source has it.
pub fn definition(card: &ToolCard) -> Definition {
    let raw = |schema: &SchemaText| RawValue::from_string(schema.0.clone()).ok();
    Definition {
        name: card.id.name().to_owned(),
        title: card.title.clone(),
        description: card.description.clone(),
        input_schema: raw(&card.input_schema).unwrap_or_else(|| RawValue::NULL.to_owned()),
        output_schema: card.output_schema.as_ref().and_then(raw),
    }
}

/// The same answer in another format: its tools, and the names in its plan hint.
pub fn answer_in(format: ToolFormat, answer: RouteAnswer) -> RouteAnswer<FormattedDefinition> {
    let names = names(format, answer.tools.iter().map(|tool| &tool.id));
    let plan_hint = plan_hint(&answer.steps, &|tool| named(&names, tool));
    let tools = answer.tools.into_iter().map(|tool| HandedTool {
        definition: formatted(format, named(&names, &tool.id).to_owned(), tool.definition),
        id: tool.id,
    });
    RouteAnswer {
        tools: tools.collect(),
        plan_hint,
        snapshot: answer.snapshot,
        view: answer.view,
        mode: answer.mode,
        planner: answer.planner,
        degraded: answer.degraded,
        complete: answer.complete,
        steps: answer.steps,
        gaps: answer.gaps,
        question: answer.question,
        tokens: answer.tokens,
        overlay: answer.overlay,
    }
}

/// Each tool's definition in this format, under a name that no other of them has.
pub fn definitions_in(format: ToolFormat, cards: &[&ToolCard]) -> Vec<FormattedDefinition> {
    let names = names(format, cards.iter().map(|card| &card.id));
    cards.iter().map(|card| formatted(format, named(&names, &card.id).to_owned(), definition(card))).collect()
}

fn formatted(format: ToolFormat, name: String, definition: Definition) -> FormattedDefinition {
    let Definition { description, input_schema, .. } = definition;
    match format {
        ToolFormat::Mcp => {
            let Definition { title, output_schema, .. } = definition;
            FormattedDefinition::Mcp(Definition { name, title, description, input_schema, output_schema })
        }
        ToolFormat::Openai => FormattedDefinition::Openai {
            kind: "function",
            function: OpenaiFunction { name, description, parameters: input_schema },
        },
        ToolFormat::Anthropic => FormattedDefinition::Anthropic { name, description, input_schema },
    }
}

fn named<'a>(names: &'a BTreeMap<ToolId, String>, tool: &'a ToolId) -> &'a str {
    names.get(tool).map_or(tool.name(), String::as_str)
}

/// A tool's own name where it fits and is alone; else its catalog's name before it, and a digest where that is too long.
fn names<'a>(format: ToolFormat, tools: impl Iterator<Item = &'a ToolId> + Clone) -> BTreeMap<ToolId, String> {
    let fit = |text: &str| if format == ToolFormat::Mcp { text.to_owned() } else { plain(text) };
    let mut once = BTreeSet::new();
    let twice: BTreeSet<String> =
        tools.clone().map(|id| fit(id.name())).filter(|name| !once.insert(name.clone())).collect();
    tools
        .map(|id| {
            let short = fit(id.name());
            let alone = !twice.contains(&short) && fits(format, &short);
            let name = if alone { short } else { long(format, id, &fit(id.name())) };
            (id.clone(), name)
        })
        .collect()
}

fn long(format: ToolFormat, id: &ToolId, name: &str) -> String {
    if format == ToolFormat::Mcp {
        return id.as_str().to_owned();
    }
    let digest: String = Digest::of(id.as_str().as_bytes()).short().chars().take(DIGITS).collect();
    let whole = format!("{}__{name}", plain(id.catalog()));
    let kept: String = whole.chars().take(LONGEST_NAME - DIGITS - 1).collect();
    format!("{kept}_{digest}")
}

fn fits(format: ToolFormat, name: &str) -> bool {
    format == ToolFormat::Mcp || name.len() <= LONGEST_NAME
}

fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(format: ToolFormat, ids: &[&str], expected: &[&str]) {
        let ids: Vec<ToolId> = ids.iter().map(|id| ToolId::parse(id).unwrap()).collect();
        let names = names(format, ids.iter());
        let found: Vec<&str> = ids.iter().map(|id| named(&names, id)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_name_fits_the_format_and_is_alone() {
        check(ToolFormat::Mcp, &["crm/customers.search"], &["customers.search"]);
        check(ToolFormat::Openai, &["crm/customers.search"], &["customers_search"]);
        check(ToolFormat::Mcp, &["a/find", "b/find"], &["a/find", "b/find"]);
        check(ToolFormat::Anthropic, &["a/find", "b/find"], &["a__find_53b557ba", "b__find_d8bf0f8e"]);
        check(ToolFormat::Openai, &["a/x.y", "a/x_y", "a/z"], &["a__x_y_294cce43", "a__x_y_7e9cce44", "z"]);
    }

    #[test]
    fn a_long_name_is_cut_and_stays_its_own() {
        let (one, two) = (format!("a/{}1", "n".repeat(80)), format!("a/{}2", "n".repeat(80)));
        let ids = [ToolId::parse(&one).unwrap(), ToolId::parse(&two).unwrap()];
        let names = names(ToolFormat::Openai, ids.iter());
        assert_eq!(names.values().collect::<BTreeSet<_>>().len(), 2);
        assert!(names.values().all(|name| name.len() <= LONGEST_NAME), "{names:?}");
    }
}
