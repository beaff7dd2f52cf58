//! The router's question: the steps of a plan and the tools that may be offered, as compact cards; above forty the strongest by
//! local rank, and of the others how many each entity family holds. Its answer is indices, and families to look into once.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::facts::Operation;
use ambit_model::ratio::Ratio;
use ambit_model::route::{MOST_TOOLS, RouteRequest};
use minijinja::context;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::authority::View;
use crate::index::{IndexError, IndexedTool, Vectors, bitmap};
use crate::prompt::{self, Prompt, PromptError, plain};
use crate::route::chosen::Choice;
use crate::route::planner::Clause;
use crate::route::steps::{asked_for, scorer};
use crate::route::supply::HandedOn;
use crate::route::{Plan, ProjectRouter};

const TEMPLATE: &str = include_str!("router.txt");
/// Most tools that are shown.
const MOST_CARDS: usize = 40;
/// Most families of others that are told of.
const MOST_FAMILIES: usize = 60;
/// Most characters of a description, most inputs, and most characters of any name.
const MOST_DESCRIPTION: usize = 200;
const MOST_INPUTS: usize = 12;
const LONGEST_NAME: usize = 120;
/// Most steps and families of an answer.
const MOST_READ: usize = 32;
const MOST_ASKED: usize = 8;

/// What is shown, as positions of the `route` set.
#[derive(Clone, Debug)]
pub struct Presented {
    /// The strongest first: an index of an answer is a place here.
    cards: Vec<usize>,
    families: Vec<Omitted>,
    /// The whole `route` set for each step, the strongest first.
    ranked: Vec<Vec<usize>>,
}

/// The tools of one source and entity that are not shown.
#[derive(Clone, Debug)]
struct Omitted {
    family: String,
    count: usize,
    operations: BTreeSet<Operation>,
}

/// What an answer says of one step.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Picked {
    /// From 1.
    pub step: i64,
    /// Places in the list, the best first.
    pub tools: Vec<i64>,
    pub families: Vec<String>,
}

impl ProjectRouter {
    /// What a router is shown of the caller's view.
    pub fn present(
        &self,
        view: &View,
        request: &RouteRequest,
        asked: &Vectors,
        plan: &Plan,
    ) -> Result<Presented, IndexError> {
        let route = bitmap(self.index.tools.iter().map(|tool| &tool.card.id), |id| view.routes(id));
        let scorer = scorer(self, &route, self.languages.of(&request.question));
        let nothing = HandedOn::default();
        let mut strongest: BTreeMap<usize, Ratio> = BTreeMap::new();
        let mut ranked = Vec::new();
        for (place, clause) in plan.local.clauses.iter().take(plan.most).enumerate() {
            let later = plan.local.wanted_after(place);
            let scored = scorer.score(&asked_for(plan, clause, request, asked, &nothing, &later))?;
            for one in &scored {
                let best = strongest.entry(one.at).or_insert(one.score);
                *best = (*best).max(one.score);
            }
            ranked.push(scored.into_iter().map(|one| one.at).collect());
        }
        let mut cards: Vec<(usize, Ratio)> = strongest.into_iter().collect();
        cards.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        let mut cards: Vec<usize> = cards.into_iter().map(|(at, _)| at).collect();
        let omitted = cards.split_off(cards.len().min(MOST_CARDS));
        Ok(Presented { families: self.families_of(&omitted), cards, ranked })
    }

    fn families_of(&self, tools: &[usize]) -> Vec<Omitted> {
        let mut families: BTreeMap<String, Omitted> = BTreeMap::new();
        for tool in tools.iter().filter_map(|at| self.index.tools.get(*at)) {
            let family = tool.facts.entity_family();
            let omitted = families.entry(family.clone()).or_insert_with(|| Omitted {
                family,
                count: 0,
                operations: BTreeSet::new(),
            });
            omitted.count += 1;
            omitted.operations.insert(tool.facts.operation.value);
        }
        let mut families: Vec<Omitted> = families.into_values().collect();
        families.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.family.cmp(&b.family)));
        families.truncate(MOST_FAMILIES);
        families
    }

    /// What the router is asked.
    pub fn router_prompt(&self, question: &str, plan: &Plan, shown: &Presented) -> Result<Prompt, PromptError> {
        let step = |(place, clause): (usize, &Clause)| json!({ "step": place + 1, "text": plain(&clause.text, 300) });
        let steps: Vec<Value> = plan.local.clauses.iter().take(plan.most).enumerate().map(step).collect();
        let tools: Vec<Value> = shown
            .cards
            .iter()
            .filter_map(|at| self.index.tools.get(*at))
            .enumerate()
            .map(|(index, tool)| card(index, tool))
            .collect();
        let mut data = json!({ "question": plain(question.trim(), question.len()), "steps": steps, "tools": tools });
        if let (Some(members), false) = (data.as_object_mut(), shown.families.is_empty()) {
            members.insert("families".to_owned(), shown.families.iter().map(family).collect());
        }
        Prompt::new(TEMPLATE, context! { most => MOST_TOOLS, more => !shown.families.is_empty() }, &data)
    }

    /// The plan with what was picked for its steps, at most eight tools in all. What was not shown, or is no step, is passed over. A
    /// family is looked up here, once, over the whole `route` set, shown or not. Nothing where nothing is left.
    pub fn choose(&self, plan: &Plan, shown: &Presented, picked: &[Picked]) -> Option<Plan> {
        let mut held: BTreeSet<usize> = BTreeSet::new();
        let mut choices: BTreeMap<usize, Choice> = BTreeMap::new();
        for pick in picked {
            let place = usize::try_from(pick.step).ok().and_then(|step| step.checked_sub(1));
            let Some((place, ranked)) = place.and_then(|place| Some((place, shown.ranked.get(place)?))) else {
                continue;
            };
            let choice = choices.entry(place).or_default();
            let tools = pick.tools.iter().filter_map(|index| shown.cards.get(usize::try_from(*index).ok()?));
            for at in tools {
                if !choice.tools.contains(at) && (held.len() < MOST_TOOLS || held.contains(at)) {
                    held.insert(*at);
                    choice.tools.push(*at);
                }
            }
            let family = |at: &usize| self.index.tools.get(*at).map(|tool| tool.facts.entity_family());
            let asked = |at: &&usize| family(at).is_some_and(|family| pick.families.contains(&family));
            let members = ranked.iter().filter(asked).filter(|at| !choice.members.contains(at)).copied();
            let members: Vec<usize> = members.take(MOST_TOOLS).collect();
            choice.members.extend(members);
        }
        choices.retain(|_, choice| *choice != Choice::default());
        (!choices.is_empty()).then(|| plan.with_choices(choices))
    }
}

/// A tool as it is shown.
fn card(index: usize, tool: &IndexedTool) -> Value {
    let mut inputs: Vec<_> = tool.inputs.iter().collect();
    inputs.sort_by(|a, b| (!a.required, &a.name).cmp(&(!b.required, &b.name)));
    let inputs: Vec<String> = inputs.into_iter().take(MOST_INPUTS).map(|input| plain(&input.name, 60)).collect();
    json!({
        "index": index,
        "id": plain(tool.card.id.as_str(), LONGEST_NAME),
        "entity": plain(&tool.facts.entity.value, 60),
        "operation": tool.facts.operation.value,
        "inputs": inputs,
        "description": plain(&tool.card.description, MOST_DESCRIPTION),
    })
}

fn family(omitted: &Omitted) -> Value {
    json!({ "family": plain(&omitted.family, LONGEST_NAME), "tools": omitted.count, "operations": omitted.operations })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    steps: Vec<Picked>,
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": { "steps": { "type": "array", "maxItems": MOST_READ, "items": {
            "type": "object",
            "properties": {
                "step": { "type": "integer" },
                "tools": { "type": "array", "items": { "type": "integer" }, "maxItems": MOST_TOOLS },
                "families": { "type": "array", "items": { "type": "string", "maxLength": 200 }, "maxItems": MOST_ASKED },
            },
            "required": ["step", "tools", "families"],
            "additionalProperties": false,
        } } },
        "required": ["steps"],
        "additionalProperties": false,
    })
}

/// The JSON Schema of a choice, for providers that can be held to one.
pub fn choice_schema() -> Value {
    prompt::without_bounds(schema())
}

/// What an answer picks, or what is wrong with it.
pub fn read_choice(text: &str) -> Result<Vec<Picked>, String> {
    prompt::read::<Answer>(text, &schema()).map(|answer| answer.steps)
}
