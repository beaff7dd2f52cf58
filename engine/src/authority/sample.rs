//! Small hand-made snapshots for the tests of this module: two tenants, a few principals, catalogs and tools.
//! Tests change what they are about and leave the rest.

use std::collections::BTreeMap;

use ambit_model::card::{SchemaText, ToolCard};
use ambit_model::declaration::{Catalog, Group, Policy, Project, Settings, Tenant, Thresholds, Weights};
use ambit_model::digest::Digest;
use ambit_model::facts::{Ceiling, Effect, Facts, Operation, Origin, Risk, SourceKind, Sourced};
use ambit_model::identity::{Principal, ProjectId, ToolId};
use ambit_model::snapshot::Snapshot;

use super::{Authority, AuthorityError, SCHEMA};

/// Permits everything to everybody.
pub(super) const PERMIT_ALL: &str = "permit (principal, action, resource);";

/// Tenant `acme`: role `analyst` includes `member`, `lead` includes `analyst`; project `acme/finance` lists `billing` and `mail`.
/// Tenant `globex`: project `globex/ops` lists `billing` and `plant`. `billing` is shared, `mail` is acme's, `plant` globex's.
pub(crate) fn snapshot(policies: &[&str]) -> Snapshot {
    Snapshot {
        policies: policies.iter().enumerate().map(|(n, cedar)| policy(&format!("p{n}"), cedar)).collect(),
        tenants: vec![acme(), globex()],
        projects: vec![
            project("acme/finance", &["billing", "mail"], Ceiling::Open),
            project("globex/ops", &["billing", "plant"], Ceiling::Open),
        ],
        catalogs: vec![
            catalog("billing", None),
            catalog("hidden", None),
            catalog("mail", Some("acme")),
            catalog("plant", Some("globex")),
        ],
        groups: vec![group("figures")],
        tools: vec![
            card("billing/list", Effect::Read, Risk::Low, false),
            card("billing/pay", Effect::Destructive, Risk::High, false),
            card("billing/report", Effect::Read, Risk::Low, false),
            card("hidden/list", Effect::Read, Risk::Low, false),
            card("mail/send", Effect::Write, Risk::Medium, false),
            card("plant/status", Effect::Read, Risk::Low, false),
        ],
        ..Snapshot::empty(settings(), SCHEMA)
    }
}

pub(super) fn settings() -> Settings {
    Settings {
        workspace: "sample".to_owned(),
        embedding_model: "none".to_owned(),
        embedding_languages: ambit_model::declaration::english(),
        weights: Weights::default(),
        thresholds: Thresholds::default(),
    }
}

pub(super) fn policy(id: &str, cedar: &str) -> Policy {
    Policy { id: id.to_owned(), cedar: cedar.to_owned(), reason: None }
}

pub(crate) fn project(id: &str, catalogs: &[&str], ceiling: Ceiling) -> Project {
    let catalogs = catalogs.iter().map(|c| (*c).to_owned()).collect();
    Project { id: project_id(id), name: id.to_owned(), catalogs, ceiling, llm: None }
}

/// The catalog's own tenant is the one `catalog` gives it: `mail` is acme's, `plant` globex's.
pub(crate) fn card(id: &str, effect: Effect, risk: Risk, confirmation: bool) -> ToolCard {
    let id = tool_id(id);
    let tenant = match id.catalog() {
        "mail" => Some("acme".to_owned()),
        "plant" => Some("globex".to_owned()),
        _ => None,
    };
    let groups = if id.name() == "report" { vec!["figures".to_owned()] } else { Vec::new() };
    ToolCard {
        tenant,
        title: None,
        description: format!("What {id} does."),
        input_schema: SchemaText("{}".to_owned()),
        output_schema: None,
        annotations: None,
        extras: BTreeMap::new(),
        facts: facts(effect, risk, confirmation),
        examples: Vec::new(),
        since: None,
        groups,
        id,
    }
}

fn facts(effect: Effect, risk: Risk, confirmation: bool) -> Facts {
    fn declared<T>(value: T) -> Sourced<T> {
        Sourced { value, origin: Origin::Declared }
    }
    Facts {
        source: SourceKind::Api,
        entity: declared("invoices".to_owned()),
        operation: declared(Operation::List),
        effect: declared(effect),
        risk: declared(risk),
        confirmation,
        identity: Vec::new(),
        collection: None,
        requires: Vec::new(),
        produces: Vec::new(),
        next: Vec::new(),
        after: Vec::new(),
        intent_tags: Vec::new(),
        origins: BTreeMap::new(),
    }
}

/// The compiled snapshot; what the digest of a card covers is not this module's business, so any bytes of it do.
pub(super) fn compile(snapshot: &Snapshot) -> Result<Authority, AuthorityError> {
    let digests: BTreeMap<ToolId, Digest> =
        snapshot.tools.iter().map(|card| (card.id.clone(), Digest::of(format!("{card:?}").as_bytes()))).collect();
    Authority::compile(snapshot, &digests)
}

/// The same for a test that is about something else than compiling.
pub(super) fn authority(snapshot: &Snapshot) -> Authority {
    set_up(compile(snapshot))
}

pub(super) fn principal(text: &str) -> Principal {
    set_up(Principal::parse(text))
}

pub(super) fn project_id(text: &str) -> ProjectId {
    set_up(ProjectId::parse(text, None))
}

pub(super) fn tool_id(text: &str) -> ToolId {
    set_up(ToolId::parse(text).ok_or("not a tool id"))
}

fn set_up<T, E: std::fmt::Display>(made: Result<T, E>) -> T {
    made.unwrap_or_else(|error| unreachable!("a test cannot be set up: {error}"))
}

fn acme() -> Tenant {
    Tenant {
        id: "acme".to_owned(),
        name: "Acme".to_owned(),
        users: roles(&[("ada", &["analyst"]), ("lee", &["lead"]), ("new", &[])]),
        agents: roles(&[("bot", &["member"])]),
        roles: roles(&[("analyst", &["member"]), ("lead", &["analyst"]), ("member", &[])]),
        identity: Vec::new(),
    }
}

fn globex() -> Tenant {
    Tenant {
        id: "globex".to_owned(),
        name: "Globex".to_owned(),
        users: roles(&[("gus", &["member"])]),
        agents: BTreeMap::new(),
        roles: roles(&[("member", &[])]),
        identity: Vec::new(),
    }
}

fn roles(of: &[(&str, &[&str])]) -> BTreeMap<String, Vec<String>> {
    of.iter().map(|(name, roles)| ((*name).to_owned(), roles.iter().map(|r| (*r).to_owned()).collect())).collect()
}

fn catalog(id: &str, tenant: Option<&str>) -> Catalog {
    Catalog { id: id.to_owned(), tenant: tenant.map(str::to_owned), secrets: Vec::new() }
}

fn group(id: &str) -> Group {
    Group {
        id: id.to_owned(),
        title: id.to_owned(),
        description: String::new(),
        members: vec![tool_id("billing/report")],
    }
}
