//! Tables of small plans against five hand-made tools, with the codes and places expected of each.
//! `check` compares places and codes; the golden test compares the whole rendered verdict.

mod actions;
mod arguments;
mod hostile;
mod references;
mod verdicts;

use std::collections::BTreeMap;

use ambit_model::card::{SchemaText, ToolCard};
use ambit_model::declaration::{Settings, Thresholds, Weights};
use ambit_model::digest::Digest;
use ambit_model::facts::{Effect, Facts, Operation, Origin, Risk, SourceKind, Sourced};
use ambit_model::identity::{Principal, ProjectId, ToolId};
use ambit_model::overlay::Block;
use ambit_model::plan::{Standing, Verdict, VerdictWord};
use ambit_model::snapshot::{FORMAT, SCORER, Snapshot};
use ambit_model::view::Capability;
use serde_json::{Value, json};

use super::{PlanContext, validate};
use crate::authority::View;

/// The tools of the tests and what the caller may do with them.
pub(super) struct World {
    pub(super) snapshot: Snapshot,
    pub(super) view: View,
    pub(super) blocks: Vec<Block>,
}

impl World {
    pub(super) fn context(&self) -> PlanContext<'_> {
        PlanContext { snapshot: 42, snapshot_data: &self.snapshot, view: &self.view, blocks: &self.blocks }
    }

    pub(super) fn verdict(&self, plan: &str) -> Verdict {
        validate(plan, &self.context()).unwrap()
    }

    /// The same world with one more tool that the caller may call.
    pub(super) fn with(mut self, id: &str, input: &Value, output: Option<&Value>) -> Self {
        self.snapshot.tools.push(card(id, input, output, Effect::Read));
        self.snapshot.tools.sort_by(|left, right| left.id.cmp(&right.id));
        self.allow(ToolId::parse(id).unwrap(), capability(true, true, false));
        self
    }

    /// The caller may do this with the tool, too or instead.
    pub(super) fn allow(&mut self, id: ToolId, capability: Capability) {
        let mut tools: BTreeMap<_, _> = self.view.capabilities().map(|(id, known)| (id.clone(), known)).collect();
        tools.insert(id, capability);
        self.view = made_of(tools);
    }
}

fn sourced<T>(value: T) -> Sourced<T> {
    Sourced { value, origin: Origin::Declared }
}

pub(super) fn card(id: &str, input: &Value, output: Option<&Value>, effect: Effect) -> ToolCard {
    ToolCard {
        id: ToolId::parse(id).unwrap(),
        tenant: None,
        title: None,
        description: "A tool.".into(),
        input_schema: SchemaText(input.to_string()),
        output_schema: output.map(|schema| SchemaText(schema.to_string())),
        annotations: None,
        extras: BTreeMap::new(),
        facts: Facts {
            source: SourceKind::Mcp,
            entity: sourced("things".into()),
            operation: sourced(Operation::Get),
            effect: sourced(effect),
            risk: sourced(if effect == Effect::Read { Risk::Low } else { Risk::Medium }),
            confirmation: false,
            identity: vec![],
            collection: id.ends_with("search").then(|| "items".into()),
            requires: vec![],
            produces: vec![],
            next: vec![],
            after: vec![],
            intent_tags: vec![],
            origins: BTreeMap::new(),
        },
        examples: vec![],
        since: None,
        groups: vec![],
    }
}

pub(super) fn capability(route: bool, invoke: bool, needs_confirmation: bool) -> Capability {
    let by = |allowed: bool| if allowed { vec!["analysts-read".to_owned()] } else { vec![] };
    Capability { route, invoke, needs_confirmation, discover_by: by(true), route_by: by(route), invoke_by: by(invoke) }
}

/// Five tools of `discover`, of which two cannot be planned, and one hidden tool.
pub(super) fn world() -> World {
    let customer = json!({"type": "object", "required": ["id", "name"], "properties": {
        "id": {"type": "string"}, "name": {"type": "string"}, "email": {"type": "string"}}});
    let search = json!({"type": "object", "required": ["query"], "additionalProperties": false, "properties": {
        "query": {"type": "string", "minLength": 2}, "limit": {"type": "integer", "minimum": 1, "maximum": 50},
        "status": {"enum": ["active", "closed"]}, "since": {"type": "string", "format": "date"}}});
    let found = json!({"type": "object", "required": ["items"], "properties": {
        "items": {"type": "array", "items": customer}, "total": {"type": "integer"}}});
    let get = json!({"type": "object", "required": ["customer_id"], "properties": {"customer_id": {"type": "string"},
        "fields": {"type": "array", "minItems": 1, "items": {"type": "string"}}}});
    let record = json!({"type": "object", "required": ["id", "address"], "$defs": {"address": {"type": "object", "required": ["city"],
        "properties": {"city": {"type": "string"}, "street": {"type": "string"}}}}, "properties": {"id": {"type": "string"},
        "address": {"$ref": "#/$defs/address"}, "orders": {"type": "array", "minItems": 1, "items": {"type": "string"}}}});
    let send = json!({"type": "object", "required": ["to", "body"], "properties": {
        "to": {"type": "string", "format": "email"}, "body": {"type": "string"}}});
    let tools = vec![
        card("billing/delete_invoice", &json!({"type": "object"}), None, Effect::Destructive),
        card("billing/report", &json!({"type": "object"}), None, Effect::Read),
        card("crm/customers.get", &get, Some(&record), Effect::Read),
        card("crm/customers.search", &search, Some(&found), Effect::Read),
        card("hidden/customers.purge", &json!({"type": "object"}), None, Effect::Destructive),
        card("mail/send_email", &send, None, Effect::Write),
    ];
    let mut ceiling = capability(false, false, false);
    ceiling.route_by = vec!["ambit/ceiling-read-only".into()];
    let view = [
        ("billing/delete_invoice", ceiling),
        ("billing/report", capability(false, false, false)),
        ("crm/customers.get", capability(true, true, false)),
        ("crm/customers.search", capability(true, true, false)),
        ("mail/send_email", capability(true, false, true)),
    ];
    World { snapshot: snapshot(tools), view: a_view(view), blocks: Vec::new() }
}

fn a_view<const N: usize>(tools: [(&str, Capability); N]) -> View {
    made_of(tools.into_iter().map(|(id, capability)| (ToolId::parse(id).unwrap(), capability)).collect())
}

fn made_of(tools: BTreeMap<ToolId, Capability>) -> View {
    let (principal, project) = (Principal::parse("acme:user:analyst"), ProjectId::parse("acme/finance", None));
    View::given(principal.unwrap(), project.unwrap(), Digest::of(b"view"), tools)
}

fn snapshot(tools: Vec<ToolCard>) -> Snapshot {
    Snapshot {
        format: FORMAT,
        scorer: SCORER,
        settings: Settings {
            workspace: "test".into(),
            embedding_model: "none".into(),
            embedding_languages: ambit_model::declaration::english(),
            weights: Weights::default(),
            thresholds: Thresholds::default(),
        },
        schema: String::new(),
        policies: vec![],
        tenants: vec![],
        projects: vec![],
        catalogs: vec![],
        groups: vec![],
        twins: vec![],
        families: vec![],
        vocabularies: vec![],
        tools,
        knowledge: vec![],
    }
}

/// An action with the members that most tests do not care for.
pub(super) fn action(id: &str, tool: &str, arguments: Value, depends_on: &[&str]) -> Value {
    json!({"id": id, "tool": tool, "arguments": arguments, "depends_on": depends_on, "purpose": "for a test"})
}

/// A search and a look-up, the first actions of many plans.
pub(super) fn search() -> Value {
    action("a1", "crm/customers.search", json!({"query": "Ada"}), &[])
}

pub(super) fn get(arguments: Value, depends_on: &[&str]) -> Value {
    action("a2", "crm/customers.get", arguments, depends_on)
}

pub(super) fn plan(actions: &[Value]) -> Value {
    json!({"decision": "tools", "actions": actions})
}

/// The violations' places and codes, in order; none means accepted.
#[track_caller]
pub(super) fn check(plan: &Value, expected: &[(&str, &str)]) -> Verdict {
    check_in(&world(), &plan.to_string(), expected)
}

#[track_caller]
pub(super) fn check_in(world: &World, plan: &str, expected: &[(&str, &str)]) -> Verdict {
    let verdict = world.verdict(plan);
    let found: Vec<(String, String)> = verdict
        .violations
        .iter()
        .map(|violation| {
            (violation.at.clone(), serde_json::to_value(violation.code).unwrap().as_str().unwrap().to_owned())
        })
        .collect();
    let found: Vec<(&str, &str)> = found.iter().map(|(at, code)| (at.as_str(), code.as_str())).collect();
    assert_eq!(found, expected, "{:#?}", verdict.violations);
    assert_eq!(verdict.verdict == VerdictWord::Accepted, expected.is_empty());
    verdict
}

/// The help of the only violation of this code.
#[track_caller]
pub(super) fn help(verdict: &Verdict) -> &str {
    &verdict.violations.first().unwrap().help
}

/// How the references stand, in the order of their places.
pub(super) fn standings(verdict: &Verdict) -> Vec<Standing> {
    verdict.references.iter().map(|reference| reference.standing).collect()
}
