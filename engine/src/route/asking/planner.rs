//! The planner's question: what was asked, and the themes of the tools that the caller may be offered. Its answer is a plan.

use std::collections::BTreeSet;

use ambit_model::declaration::Group;
use ambit_model::route::{Gap, GapCause, RouteAnswer};
use minijinja::context;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::authority::View;
use crate::prompt::{self, Prompt, PromptError, plain};
use crate::route::{MOST_STEPS, PlannedStep, ProjectRouter};

const TEMPLATE: &str = include_str!("planner.txt");
/// Most bytes of a whole prompt.
pub const MOST_BYTES: usize = 8 * 1024;
/// Most steps of an answer that is read; those past [`MOST_STEPS`] are cut and said, a longer answer is none.
const MOST_READ: usize = 32;
/// Most groups that are told of, and most characters of each text.
const MOST_GROUPS: usize = 64;
const MOST_TITLE: usize = 80;
const MOST_DESCRIPTION: usize = 200;
/// Most failed steps that are told of.
const MOST_FAILURES: usize = 4;

/// A step for which nothing was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub step: String,
    /// In words that name no tool.
    pub why: &'static str,
}

/// What the local search left open.
pub fn failures(answer: &RouteAnswer) -> Vec<Failure> {
    let failure = |gap: &Gap| {
        let why = match gap.cause {
            GapCause::Absent => "no tool does anything like it",
            GapCause::BelowFloor => "some tools come near it, and none near enough",
            _ => return None,
        };
        Some(Failure { step: gap.text.clone(), why })
    };
    answer.gaps.iter().filter_map(failure).collect()
}

impl ProjectRouter {
    /// What the planner is asked, about the whole question again where steps failed. Nothing where the question alone is too long.
    pub fn planner_prompt(
        &self,
        view: &View,
        question: &str,
        failed: &[Failure],
    ) -> Result<Option<Prompt>, PromptError> {
        let failed: Vec<Value> = failed
            .iter()
            .take(MOST_FAILURES)
            .map(|one| json!({ "step": plain(&one.step, MOST_DESCRIPTION), "why": one.why }))
            .collect();
        let question = plain(question.trim(), question.len());
        let written = |groups: &[Value]| {
            let mut data = json!({ "question": question, "themes": groups });
            if let (Some(members), false) = (data.as_object_mut(), failed.is_empty()) {
                members.insert("failed".to_owned(), Value::Array(failed.clone()));
            }
            Prompt::new(TEMPLATE, context! { most => MOST_STEPS, again => !failed.is_empty() }, &data)
        };
        let fits = |prompt: &Prompt| prompt.system.len() + prompt.user.len() <= MOST_BYTES;
        let mut told: Vec<Value> = Vec::new();
        let mut prompt = Some(written(&told)?).filter(fits);
        for group in self.groups_of(view).take(MOST_GROUPS) {
            let theme = json!({
                "title": plain(&group.title, MOST_TITLE),
                "description": plain(&group.description, MOST_DESCRIPTION),
            });
            told.push(theme);
            let longer = Some(written(&told)?).filter(fits);
            if prompt.is_none() || longer.is_none() {
                break;
            }
            prompt = longer;
        }
        Ok(prompt)
    }

    /// The groups that hold a tool of the `route` set, in the order of their ids.
    fn groups_of<'a>(&'a self, view: &View) -> impl Iterator<Item = &'a Group> {
        let routed = self.index.tools.iter().filter(|tool| view.routes(&tool.card.id));
        let held: BTreeSet<&str> = routed.flat_map(|tool| tool.card.groups.iter().map(String::as_str)).collect();
        let mut groups: Vec<&Group> =
            self.groups.iter().map(|(group, _)| group).filter(|group| held.contains(group.id.as_str())).collect();
        groups.sort_by(|a, b| a.id.cmp(&b.id));
        groups.into_iter()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    steps: Vec<PlannedStep>,
}

fn schema() -> Value {
    let text = |most: usize| json!({ "type": "string", "maxLength": most });
    json!({
        "type": "object",
        "properties": { "steps": { "type": "array", "minItems": 1, "maxItems": MOST_READ, "items": {
            "type": "object",
            "properties": {
                "text": { "type": "string", "minLength": 1, "maxLength": 300 },
                "verb": text(40),
                "what": text(200),
                "needs": { "type": "array", "items": text(60), "maxItems": 8 },
                "produces": text(60),
                "repeat": { "type": "integer", "minimum": 1, "maximum": 50 },
            },
            "required": ["text", "verb", "what", "needs", "produces", "repeat"],
            "additionalProperties": false,
        } } },
        "required": ["steps"],
        "additionalProperties": false,
    })
}

/// The JSON Schema of a plan, for providers that can be held to one.
pub fn plan_schema() -> Value {
    prompt::without_bounds(schema())
}

/// The steps of an answer, or what is wrong with it.
pub fn read_plan(text: &str) -> Result<Vec<PlannedStep>, String> {
    prompt::read::<Answer>(text, &schema()).map(|answer| answer.steps)
}
