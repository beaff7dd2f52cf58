//! What a view costs: the first time, and then from memory, beside plain Cedar asked tool by tool.
//! Each number is printed with its limit; one over its limit makes the benchmark fail.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and has nothing to say where its set-up fails"
)]

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use ambit_engine::authority::{Authority, SCHEMA};
use ambit_engine::compile::card_digests;
use ambit_model::card::{SchemaText, ToolCard};
use ambit_model::declaration::{Catalog, Group, Policy, Project, Settings, Tenant, Thresholds, Weights};
use ambit_model::facts::{Ceiling, Effect, Facts, Operation, Origin, Risk, SourceKind, Sourced};
use ambit_model::identity::{Principal, ProjectId, ToolId};
use ambit_model::snapshot::Snapshot;
use cedar_policy::{Authorizer, Context, Entities, EntityUid, PolicySet, Request, RestrictedExpression, Schema};

const TENANTS: usize = 10;
const ROLES: usize = 5;
const USERS: usize = 20;
const GROUPS: usize = 50;
/// Tools that plain Cedar is asked about; the rest of its time is counted up from them.
const ASKED: usize = 100;

fn main() -> ExitCode {
    println!(
        "{:<34} {:>10} {:>12} {:>9} {:>14} {:>8}",
        "world", "cold view", "plain Cedar", "ratio", "compile", "asked"
    );
    let mut within = true;
    for (tools, policies, limit) in
        [(1_000, 100, f64::INFINITY), (10_000, 100, 1.0), (10_000, 1_000, f64::INFINITY), (100_000, 100, f64::INFINITY)]
    {
        let snapshot = world(tools, policies);
        let digests = card_digests(&snapshot).expect("digests");
        let started = Instant::now();
        let authority = Authority::compile(&snapshot, &digests).expect("sound policies");
        let compiled = started.elapsed();
        let (mut times, mut asked, mut seen) = (Vec::new(), 0, 0);
        for user in 0..USERS {
            for tenant in 0..TENANTS {
                let (who, project) = asker(tenant, user);
                let started = Instant::now();
                let view = authority.view(&who, &project).expect("a view");
                times.push(started.elapsed());
                asked += view.asked;
                seen += view.len();
            }
        }
        let views = times.len();
        let cold = median(times);
        let plain = plain(&snapshot);
        println!(
            "{:<34} {:>7.3} ms {:>9.0} ms {:>8.0}x {:>11.0} ms {:>8}",
            format!("{tools} tools, {policies} policies"),
            milliseconds(cold),
            milliseconds(plain),
            plain.as_secs_f64() / cold.as_secs_f64(),
            milliseconds(compiled),
            asked,
        );
        println!("  {} tools in sight on average, limit of the cold view {limit} ms", seen / views);
        within &= milliseconds(cold) <= limit;
    }
    if within { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Everything that a policy looks at, in all the ways that operators write.
fn world(tools: usize, policies: usize) -> Snapshot {
    let tenants: Vec<Tenant> = (0..TENANTS).map(tenant).collect();
    let catalogs: Vec<Catalog> = (0..3 * TENANTS)
        .map(|n| Catalog {
            id: format!("c{n:02}"),
            // A third is everybody's.
            tenant: (!n.is_multiple_of(3)).then(|| format!("t{}", n / 3)),
            secrets: Vec::new(),
        })
        .collect();
    let projects = (0..TENANTS).map(|n| Project {
        id: project_id(n),
        name: "Main".to_owned(),
        catalogs: catalogs
            .iter()
            .filter(|catalog| catalog.tenant.as_deref().is_none_or(|of| of == format!("t{n}")))
            .map(|catalog| catalog.id.clone())
            .collect(),
        ceiling: Ceiling::ConfirmWrites,
        llm: None,
    });
    let projects = projects.collect();
    let groups = (0..GROUPS).map(|n| Group {
        id: format!("g{n:02}"),
        title: "Group".to_owned(),
        description: String::new(),
        members: Vec::new(),
    });
    let mut cards: Vec<ToolCard> = (0..tools).map(card).collect();
    cards.sort_by(|a, b| a.id.cmp(&b.id));
    let settings = Settings {
        workspace: "bench".to_owned(),
        embedding_model: "none".to_owned(),
        embedding_languages: ambit_model::declaration::english(),
        weights: Weights::default(),
        thresholds: Thresholds::default(),
    };
    Snapshot {
        policies: (0..policies).map(policy).collect(),
        tenants,
        projects,
        catalogs,
        groups: groups.collect(),
        tools: cards,
        ..Snapshot::empty(settings, SCHEMA)
    }
}

fn tenant(n: usize) -> Tenant {
    let roles: BTreeMap<String, Vec<String>> = (0..ROLES)
        .map(|role| (format!("r{role}"), if role == 0 { Vec::new() } else { vec!["r0".to_owned()] }))
        .collect();
    let users = (0..USERS)
        .map(|user| (format!("u{user}"), vec![format!("r{}", user % ROLES), format!("r{}", (user + 1) % ROLES)]));
    Tenant {
        id: format!("t{n}"),
        name: format!("Tenant {n}"),
        users: users.collect(),
        agents: BTreeMap::new(),
        roles,
        identity: Vec::new(),
    }
}

fn card(n: usize) -> ToolCard {
    fn declared<T>(value: T) -> Sourced<T> {
        Sourced { value, origin: Origin::Declared }
    }
    let catalog = n % (3 * TENANTS);
    let effect = Effect::ALL.get(n % 7 % 3).copied().unwrap_or(Effect::Read);
    ToolCard {
        id: ToolId::new(&format!("c{catalog:02}"), &format!("tool_{n}")),
        tenant: (!catalog.is_multiple_of(3)).then(|| format!("t{}", catalog / 3)),
        title: None,
        description: format!("What tool {n} does."),
        input_schema: SchemaText("{}".to_owned()),
        output_schema: None,
        annotations: None,
        extras: BTreeMap::new(),
        facts: Facts {
            source: SourceKind::Api,
            entity: declared(format!("entity{}", n % 97)),
            operation: declared(Operation::ALL.get(n % 12).copied().unwrap_or(Operation::List)),
            effect: declared(effect),
            risk: declared(Risk::ALL.get(n % 11 % 4).copied().unwrap_or(Risk::Low)),
            confirmation: n.is_multiple_of(13),
            identity: Vec::new(),
            collection: None,
            requires: Vec::new(),
            produces: Vec::new(),
            next: Vec::new(),
            after: Vec::new(),
            intent_tags: Vec::new(),
            origins: BTreeMap::new(),
        },
        examples: Vec::new(),
        since: None,
        groups: vec![format!("g{:02}", n % GROUPS)],
    }
}

/// Most name a role of one tenant in their scope; every tenth is everybody's.
fn policy(n: usize) -> Policy {
    let (tenant, role, group) = (n / 2 % TENANTS, n / 3 % ROLES, n % GROUPS);
    let who = format!("principal in Ambit::Role::\"t{tenant}:role:r{role}\"");
    let using = "action in Ambit::Action::\"use\"";
    let cedar = match n % 10 {
        0 => format!(
            "forbid (principal, {using}, resource) when {{ resource.entity == \"entity{}\" && resource.confirmation }};",
            n % 97
        ),
        1 => format!("permit ({who}, {using}, resource in Ambit::Group::\"g{group:02}\");"),
        2 => format!("permit ({who}, action == Ambit::Action::\"discover\", resource);"),
        3 => format!("permit ({who}, {using}, resource) when {{ resource.effect == Ambit::Effect::\"read\" }};"),
        4 => format!(
            "forbid ({who}, action == Ambit::Action::\"invoke\", resource) when {{ resource.risk == Ambit::Risk::\"critical\" }};"
        ),
        5 => format!(
            "permit ({who}, {using}, resource in Ambit::Catalog::\"c{:02}\") unless {{ resource.confirmation }};",
            tenant * 3
        ),
        6 => format!(
            "permit ({who}, {using}, resource) when {{ [Ambit::Operation::\"list\", Ambit::Operation::\"get\"].contains(resource.operation) }};"
        ),
        7 => format!(
            "permit ({who}, {using}, resource) when {{ resource has tenant && resource.tenant == principal.tenant && resource.risk != Ambit::Risk::\"high\" }};"
        ),
        8 => format!(
            "permit (principal == Ambit::User::\"t{tenant}:user:u{}\", {using}, resource == Ambit::Tool::\"c{:02}/tool_{}\");",
            n % USERS,
            n % 30,
            n % 30
        ),
        _ => format!(
            "permit ({who}, {using}, resource) when {{ context.project == Ambit::Project::\"t{tenant}/main\" && resource in Ambit::EntityFamily::\"api:entity{}\" }};",
            n % 97
        ),
    };
    Policy { id: format!("p{n}"), cedar, reason: None }
}

fn project_id(tenant: usize) -> ProjectId {
    ProjectId::parse(&format!("t{tenant}/main"), None).expect("a project")
}

fn asker(tenant: usize, user: usize) -> (Principal, ProjectId) {
    (Principal::parse(&format!("t{tenant}:user:u{user}")).expect("a principal"), project_id(tenant))
}

/// All three actions for every tool, by Cedar alone: measured on some tools, counted up to all.
fn plain(snapshot: &Snapshot) -> Duration {
    let schema = Schema::from_cedarschema_str(&snapshot.schema).expect("a schema").0;
    let text: Vec<&str> = snapshot.policies.iter().map(|policy| policy.cedar.as_str()).collect();
    let policies: PolicySet = text.join("\n").parse().expect("policies");
    let entities = entities(snapshot, &schema);
    let uid = |of: &str, id: &str| format!("Ambit::{of}::\"{id}\"").parse::<EntityUid>().expect("an entity");
    let authorizer = Authorizer::new();
    let step = (snapshot.tools.len() / ASKED).max(1);
    let some: Vec<&ToolCard> = snapshot.tools.iter().step_by(step).collect();
    let started = Instant::now();
    for card in &some {
        for action in ["discover", "route", "invoke"] {
            let project = RestrictedExpression::new_entity_uid(uid("Project", "t3/main"));
            let context = Context::from_pairs([("project".to_owned(), project)]).expect("a context");
            let request = Request::new(
                uid("User", "t3:user:u1"),
                uid("Action", action),
                uid("Tool", card.id.as_str()),
                context,
                Some(&schema),
            );
            authorizer.is_authorized(&request.expect("a request"), &policies, &entities);
        }
    }
    started.elapsed().mul_f64(snapshot.tools.len() as f64 / some.len() as f64)
}

/// The entities as a program without Ambit would write them.
fn entities(snapshot: &Snapshot, schema: &Schema) -> Entities {
    let uid = |of: &str, id: &str| serde_json::json!({ "type": format!("Ambit::{of}"), "id": id });
    let mut all = Vec::new();
    for tenant in &snapshot.tenants {
        let home = uid("Tenant", &tenant.id);
        all.push(serde_json::json!({ "uid": home, "attrs": {}, "parents": [] }));
        for (kind, of, held) in [("role", "Role", &tenant.roles), ("user", "User", &tenant.users)] {
            for (name, roles) in held {
                let parents = roles.iter().map(|role| uid("Role", &format!("{}:role:{role}", tenant.id)));
                let parents: Vec<_> = parents.chain([home.clone()]).collect();
                let id = uid(of, &format!("{}:{kind}:{name}", tenant.id));
                all.push(serde_json::json!({ "uid": id, "attrs": { "tenant": home }, "parents": parents }));
            }
        }
    }
    for project in &snapshot.projects {
        let catalogs: Vec<_> = project.catalogs.iter().map(|id| uid("Catalog", id)).collect();
        let tenant = uid("Tenant", &project.id.tenant);
        let attrs = serde_json::json!({ "tenant": tenant, "catalogs": catalogs, "ceiling": uid("Ceiling", project.ceiling.word()) });
        all.push(
            serde_json::json!({ "uid": uid("Project", &project.id.to_string()), "attrs": attrs, "parents": [tenant] }),
        );
    }
    for card in &snapshot.tools {
        let facts = &card.facts;
        let mut attrs = serde_json::json!({
            "catalog": uid("Catalog", card.id.catalog()),
            "effect": uid("Effect", facts.effect.value.word()),
            "risk": uid("Risk", facts.risk.value.word()),
            "operation": uid("Operation", facts.operation.value.word()),
            "source": uid("SourceKind", facts.source.word()),
            "entity": facts.entity.value,
            "confirmation": facts.confirmation,
        });
        if let (Some(tenant), Some(attrs)) = (&card.tenant, attrs.as_object_mut()) {
            attrs.insert("tenant".to_owned(), uid("Tenant", tenant));
        }
        let groups = card.groups.iter().map(|group| uid("Group", group));
        let parents: Vec<_> =
            groups.chain([uid("Catalog", card.id.catalog()), uid("EntityFamily", &facts.entity_family())]).collect();
        all.push(serde_json::json!({ "uid": uid("Tool", card.id.as_str()), "attrs": attrs, "parents": parents }));
    }
    Entities::from_json_value(serde_json::Value::Array(all), Some(schema)).expect("entities")
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
