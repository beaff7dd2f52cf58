//! Which member of a card goes where in each target's shape, and why one that does not is left out.
//! Sources: OpenAI's API reference (function tools of chat completions and responses), Anthropic's (client tools), MCP 2025-11-25 (`Tool`).

use ambit_model::card::{SchemaText, ToolCard};
use ambit_model::export::{Dropped, Target};
use serde_json::value::RawValue;

use super::written::Written;

use Target::{Anthropic, Mcp, OpenAiChat, OpenAiResponses};

/// Members that only some formats speak of, and which.
const SPOKEN_OF: [(&str, &[Target]); 8] = [
    ("allowed_callers", &[Anthropic, OpenAiResponses]),
    ("cache_control", &[Anthropic]),
    ("defer_loading", &[Anthropic, OpenAiResponses]),
    ("eager_input_streaming", &[Anthropic]),
    ("execution", &[Mcp]),
    ("icons", &[Mcp]),
    ("input_examples", &[Anthropic]),
    ("strict", &[Anthropic, OpenAiChat, OpenAiResponses]),
];

/// The card as a definition of this target.
pub(super) fn definition(card: &ToolCard, target: Target, name: &str, dropped: &mut Vec<Dropped>) -> Written {
    let mut draft = Draft { card, target, members: Vec::new(), dropped };
    draft.put("name", Written::Text(name.to_owned()));
    match (&card.title, target) {
        (Some(title), Mcp) => draft.put("title", Written::Text(title.clone())),
        (Some(_), _) => draft.drop("title", "only MCP gives a tool a title"),
        (None, _) => {}
    }
    draft.put("description", Written::Text(card.description.clone()));
    draft.raw(schema_member(target), Some(&card.input_schema));
    draft.only_mcp("outputSchema", card.output_schema.as_ref(), "only MCP describes what a tool answers");
    draft.only_mcp("annotations", card.annotations.as_ref(), "only MCP annotates tools");
    draft.extras();
    let members = draft.members;
    let of_kind = |members: Vec<(String, Written)>| {
        let kind = ("type".to_owned(), Written::Text("function".to_owned()));
        Written::Object([vec![kind], members].concat())
    };
    match target {
        OpenAiChat => of_kind(vec![("function".to_owned(), Written::Object(members))]),
        OpenAiResponses => of_kind(members),
        Anthropic | Mcp => Written::Object(members),
    }
}

fn schema_member(target: Target) -> &'static str {
    match target {
        OpenAiChat | OpenAiResponses => "parameters",
        Anthropic => "input_schema",
        Mcp => "inputSchema",
    }
}

/// A definition while it is put together.
struct Draft<'a> {
    card: &'a ToolCard,
    target: Target,
    members: Vec<(String, Written)>,
    dropped: &'a mut Vec<Dropped>,
}

impl Draft<'_> {
    fn put(&mut self, member: &str, value: Written) {
        self.members.push((member.to_owned(), value));
    }

    fn drop(&mut self, member: &str, why: &str) {
        self.dropped.push(Dropped { tool: self.card.id.clone(), member: member.to_owned(), why: why.to_owned() });
    }

    fn raw(&mut self, member: &str, text: Option<&SchemaText>) {
        let Some(text) = text else { return };
        match RawValue::from_string(text.0.clone()) {
            Ok(raw) => self.put(member, Written::Raw(raw)),
            Err(_) => self.drop(member, "its text is not JSON"),
        }
    }

    fn only_mcp(&mut self, member: &str, text: Option<&SchemaText>, why: &str) {
        match (text, self.target) {
            (Some(_), Mcp) => self.raw(member, text),
            (Some(_), _) => self.drop(member, why),
            (None, _) => {}
        }
    }

    fn extras(&mut self) {
        let card = self.card;
        for (member, text) in &card.extras {
            let targets = SPOKEN_OF.iter().find(|(known, _)| known == member).map(|(_, targets)| *targets);
            match targets {
                Some(targets) if targets.contains(&self.target) => self.raw(member, Some(text)),
                Some(_) => self.drop(member, "the target has no such member"),
                None => self.drop(member, "no target is known to have such a member"),
            }
        }
        // The responses API takes a function for strict where it does not say, and would refuse most schemas.
        if self.target == OpenAiResponses && !card.extras.contains_key("strict") {
            self.put("strict", Written::Boolean(false));
        }
    }
}
