//! Which tool each action calls, and whether the caller may plan that call.
//! INVARIANT: a tool outside `discover` is answered exactly as one that does not exist, and is never offered as a nearest name.

use ambit_model::card::ToolCard;
use ambit_model::identity::ToolId;
use ambit_model::overlay::{BLOCKED, Block};
use ambit_model::plan::ViolationCode;
use ambit_model::view::Capability;
use serde_json::Value;

use super::PlanContext;
use super::report::{Report, below, list, near, nearest_of, quote};
use super::shape::DraftAction;
use crate::authority::View;
use crate::schema;

/// Policies of the built-in ceiling have ids that start so.
const CEILING: &str = "ambit/ceiling-";

/// A tool of `discover` with its schemas read.
pub(super) struct Tool<'c> {
    pub(super) card: &'c ToolCard,
    pub(super) capability: Capability,
    pub(super) input: Value,
    pub(super) output: Option<Value>,
}

/// The tool that the action calls, where the caller may name it.
pub(super) fn tool<'c>(action: &DraftAction<'_>, context: &PlanContext<'c>, report: &mut Report) -> Option<Tool<'c>> {
    let written = action.tool?;
    let at = below(&action.at, "tool");
    let found = find(written, context);
    match &found {
        None => report.violation(
            &at,
            ViolationCode::UnknownTool,
            format!("{} is not a tool you may use", quote(written)),
            help(written, context.view),
        ),
        Some(tool) => permitted(tool, &at, context.blocks, report),
    }
    found
}

/// The view is asked first, so that cards outside it can make no difference.
fn find<'c>(written: &str, context: &PlanContext<'c>) -> Option<Tool<'c>> {
    let id = ToolId::parse(written)?;
    let capability = context.view.capability(&id)?;
    let card = context.snapshot_data.tools.iter().find(|card| card.id == id)?;
    Some(Tool {
        card,
        capability,
        input: schema::parse(&card.input_schema),
        output: card.output_schema.as_ref().map(schema::parse),
    })
}

/// The nearest id, or the id of the tool whose own name this is, within `discover` only.
fn help(written: &str, view: &View) -> String {
    let named: Vec<&str> = view.ids().filter(|id| id.name() == written).map(ToolId::as_str).collect();
    if !named.is_empty() {
        return format!("write the canonical id: {}", list(named));
    }
    near(written, view.ids().map(ToolId::as_str)).or_else(|| near_name(written, view)).unwrap_or_else(|| {
        "route the question first, and call a tool of the answer by its canonical id, `catalog/tool`".to_owned()
    })
}

/// For a name without its catalog, or with a wrong one.
fn near_name(written: &str, view: &View) -> Option<String> {
    let name = written.rsplit_once('/').map_or(written, |(_, name)| name);
    let meant = nearest_of(name, view.ids().map(ToolId::name))?;
    let id = view.ids().find(|id| id.name() == meant)?;
    Some(format!("did you mean {}?", quote(id.as_str())))
}

fn permitted(tool: &Tool<'_>, at: &str, blocks: &[Block], report: &mut Report) {
    let capability = &tool.capability;
    let name = quote(tool.card.id.as_str());
    let ceiling = |by: &[String]| by.iter().any(|policy| policy.starts_with(CEILING));
    if !capability.route && capability.route_by.iter().any(|policy| policy == BLOCKED) {
        let block = blocks.iter().find(|block| block.tool == tool.card.id);
        let until =
            block.and_then(|block| block.until.as_deref()).map_or("for now".to_owned(), |at| format!("until {at}"));
        let rule = format!("{name} is blocked {until}: nobody may plan a call of it");
        report.violation(at, ViolationCode::NotPermitted, rule, "use another tool of the route's answer");
    } else if !capability.route && ceiling(&capability.route_by) {
        let facts = &tool.card.facts;
        let rule = format!(
            "the project's ceiling keeps {name} out of plans: its effect is `{}` and its risk `{}`",
            facts.effect.value, facts.risk.value
        );
        report.violation(
            at,
            ViolationCode::NotReadOnly,
            rule,
            "plan with tools that only read, or answer with what is known",
        );
    } else if !capability.route {
        let rule = format!("policy does not let you plan a call of {name}: {}", decided("route", &capability.route_by));
        report.violation(at, ViolationCode::NotPermitted, rule, "use a tool of the route's answer");
    } else if !capability.invoke && !capability.needs_confirmation {
        let rule = format!("policy does not let you call {name}: {}", decided("invoke", &capability.invoke_by));
        report.violation(at, ViolationCode::NotPermitted, rule, "use another tool of the route's answer");
    }
}

fn decided(action: &str, by: &[String]) -> String {
    if by.is_empty() {
        format!("nothing permits `{action}`")
    } else {
        format!("`{action}` is kept from you by {}", list(by.iter().map(String::as_str)))
    }
}
