//! The shape of a plan: which members it has and of what form. What is well-formed is read on by the other checks,
//! so that one wrong member hides no other violation.

use ambit_model::plan::{MOST_ACTIONS, MOST_ITEMS, ViolationCode};
use serde_json::{Map, Value};

use super::read::Document;
use super::report::{Report, below, list, near, quote};
use crate::schema::JsonType;

/// Most characters of a purpose.
const LONGEST_PURPOSE: usize = 160;
const MEMBERS: [&str; 2] = ["decision", "actions"];
const ACTION_MEMBERS: [&str; 6] = ["id", "tool", "arguments", "depends_on", "purpose", "for_each"];
/// Sources of references that are no action.
pub(super) const RESERVED: [&str; 3] = ["current_selection", "selected_row", "item"];

/// What the agent wants to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    Tools,
    Answer,
    Insufficient,
}

/// The plan as far as it has its shape.
#[derive(Debug, Default)]
pub(super) struct Draft<'p> {
    pub(super) decision: Option<Decision>,
    pub(super) actions: Vec<DraftAction<'p>>,
}

/// An action as far as it has its shape.
#[derive(Debug, Default)]
pub(super) struct DraftAction<'p> {
    /// Pointer to the action.
    pub(super) at: String,
    pub(super) id: Option<&'p str>,
    pub(super) tool: Option<&'p str>,
    pub(super) arguments: Option<&'p Map<String, Value>>,
    /// With the place of each in the list.
    pub(super) depends_on: Vec<(usize, &'p str)>,
    pub(super) for_each: Option<ForEach<'p>>,
}

/// What an action is repeated over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ForEach<'p> {
    List(&'p [Value]),
    Reference(&'p Map<String, Value>),
    /// Not of a shape that says anything about its items.
    Unreadable,
}

impl DraftAction<'_> {
    pub(super) fn names(&self, id: &str) -> bool {
        self.id == Some(id)
    }
}

/// The plan's parts, with every violation of its shape in the report.
pub(super) fn draft<'p>(document: &'p Document, report: &mut Report) -> Draft<'p> {
    let Some(plan) = document.value.as_object() else {
        report.shape(
            "",
            wants("the plan", "an object", &document.value),
            "write `{\"decision\": …, \"actions\": […]}`",
        );
        return Draft::default();
    };
    only_known(plan, "", &MEMBERS, report);
    let decision = decision(plan, report);
    let listed = member(plan, "", "actions", "write `[]` where there is nothing to call", report);
    let actions = listed.and_then(|value| typed(value, "/actions", "a list", Value::as_array, report));
    if let Some(actions) = actions {
        fitting(decision, actions.is_empty(), report);
        count(document.actions, report);
    }
    let listed = actions.into_iter().flatten().take(MOST_ACTIONS).enumerate();
    Draft { decision, actions: listed.map(|(index, value)| action(index, value, report)).collect() }
}

fn decision(plan: &Map<String, Value>, report: &mut Report) -> Option<Decision> {
    let written = member(plan, "", "decision", "write `tools`, `answer` or `insufficient`", report)?;
    let word = typed(written, "/decision", "a string", Value::as_str, report)?;
    let known = match word {
        "tools" => Some(Decision::Tools),
        "answer" => Some(Decision::Answer),
        "insufficient" => Some(Decision::Insufficient),
        _ => None,
    };
    if known.is_none() {
        let help = near(word, ["tools", "answer", "insufficient"]);
        let help = help.unwrap_or_else(|| "write `tools`, `answer` or `insufficient`".to_owned());
        report.shape("/decision", format!("{} is no decision", quote(word)), help);
    }
    known
}

/// Actions stand exactly where the decision is to call tools.
fn fitting(decision: Option<Decision>, none: bool, report: &mut Report) {
    match decision {
        Some(Decision::Tools) if none => report.shape(
            "/actions",
            "the decision `tools` wants at least one action",
            "add an action, or decide `answer` or `insufficient`",
        ),
        Some(Decision::Answer | Decision::Insufficient) if !none => report.shape(
            "/actions",
            "actions beside the decision `answer` or `insufficient` would be ignored",
            "decide `tools`, or write `\"actions\": []`",
        ),
        _ => {}
    }
}

fn count(actions: usize, report: &mut Report) {
    if actions > MOST_ACTIONS {
        let rule = format!("a plan holds at most {MOST_ACTIONS} actions, and this one {actions}");
        let help = "run the first ones, look at their results, and plan again";
        report.violation("/actions", ViolationCode::TooManyActions, rule, help);
    }
}

fn action<'p>(index: usize, value: &'p Value, report: &mut Report) -> DraftAction<'p> {
    let at = format!("/actions/{index}");
    let Some(action) = typed(value, &at, "an object", Value::as_object, report) else {
        return DraftAction { at, ..DraftAction::default() };
    };
    only_known(action, &at, &ACTION_MEMBERS, report);
    purpose(action, &at, report);
    let arguments = member(action, &at, "arguments", "write `{}` where the tool takes none", report);
    DraftAction {
        id: id(action, &at, report),
        tool: text(action, &at, "tool", "write the canonical id of a tool: `catalog/tool`", report),
        arguments: arguments
            .and_then(|value| typed(value, &below(&at, "arguments"), "an object", Value::as_object, report)),
        depends_on: depends_on(action, &at, report),
        for_each: action.get("for_each").map(|value| for_each(value, &below(&at, "for_each"), report)),
        at,
    }
}

fn id<'p>(action: &'p Map<String, Value>, at: &str, report: &mut Report) -> Option<&'p str> {
    let help = "an id is 1 to 64 lower-case letters, digits, `_` or `-`, and starts with a letter or digit: `a1`";
    let id = text(action, at, "id", help, report)?;
    let at = below(at, "id");
    if RESERVED.contains(&id) {
        report.shape(&at, format!("{} is the name of a source of references", quote(id)), "choose another id: `a1`");
    } else if !is_action_id(id) {
        report.shape(&at, format!("{} is no id of an action", quote(id)), help);
    }
    Some(id)
}

fn is_action_id(id: &str) -> bool {
    let lower = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    id.len() <= 64 && id.starts_with(lower) && id.chars().all(|c| lower(c) || c == '_' || c == '-')
}

fn purpose(action: &Map<String, Value>, at: &str, report: &mut Report) {
    let help = "say in one short phrase what the call is for";
    let Some(purpose) = text(action, at, "purpose", help, report) else { return };
    if purpose.trim().is_empty() || purpose.chars().count() > LONGEST_PURPOSE {
        let rule = format!("a purpose has 1 to {LONGEST_PURPOSE} characters");
        report.shape(&below(at, "purpose"), rule, help);
    }
}

fn depends_on<'p>(action: &'p Map<String, Value>, at: &str, report: &mut Report) -> Vec<(usize, &'p str)> {
    let Some(value) = action.get("depends_on") else { return Vec::new() };
    let at = below(at, "depends_on");
    let listed = typed(value, &at, "a list", Value::as_array, report).into_iter().flatten().enumerate();
    let mut named = Vec::new();
    for (index, value) in listed {
        let id = typed(value, &below(&at, &index.to_string()), "a string", Value::as_str, report);
        named.extend(id.map(|id| (index, id)));
    }
    named
}

fn for_each<'p>(value: &'p Value, at: &str, report: &mut Report) -> ForEach<'p> {
    let help = format!("give a list of 1 to {MOST_ITEMS} values, or a reference to a collection");
    match value {
        Value::Array(items) if items.is_empty() || items.len() > MOST_ITEMS => {
            let rule = format!("a literal `for_each` holds 1 to {MOST_ITEMS} items, and this one {}", items.len());
            report.shape(at, rule, help);
            ForEach::Unreadable
        }
        Value::Array(items) => ForEach::List(items),
        Value::Object(object) if object.contains_key("$from") => ForEach::Reference(object),
        other => {
            report.shape(at, wants("`for_each`", "a list or a reference", other), help);
            ForEach::Unreadable
        }
    }
}

fn only_known(object: &Map<String, Value>, at: &str, known: &[&'static str], report: &mut Report) {
    for name in object.keys().filter(|name| !known.contains(&name.as_str())) {
        let help = near(name, known.iter().copied());
        let help = help.unwrap_or_else(|| format!("remove it; known are {}", list(known.iter().copied())));
        report.shape(&below(at, name), format!("{} is no member here", quote(name)), help);
    }
}

fn member<'p>(
    object: &'p Map<String, Value>,
    at: &str,
    name: &str,
    help: &str,
    report: &mut Report,
) -> Option<&'p Value> {
    let value = object.get(name);
    if value.is_none() {
        report.shape(at, format!("`{name}` is missing"), help);
    }
    value
}

fn text<'p>(object: &'p Map<String, Value>, at: &str, name: &str, help: &str, report: &mut Report) -> Option<&'p str> {
    let value = member(object, at, name, help, report)?;
    typed(value, &below(at, name), "a string", Value::as_str, report)
}

fn typed<'p, T>(
    value: &'p Value,
    at: &str,
    wanted: &str,
    read: impl FnOnce(&'p Value) -> Option<T>,
    report: &mut Report,
) -> Option<T> {
    let found = read(value);
    if found.is_none() {
        report.shape(at, wants(&super::report::last(at), wanted, value), format!("write {wanted}"));
    }
    found
}

fn wants(what: &str, wanted: &str, found: &Value) -> String {
    format!("{what} must be {wanted}, and is {}", JsonType::of(found).phrase())
}
