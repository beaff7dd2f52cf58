//! A hostile server: whatever it claims in `_meta`, it gains no right and no rank, and none of its words leave.
//! Each test compiles the same catalog with the claims and without them, and compares what a caller gets.

use ambit_model::codes;
use ambit_model::digest::Digest;
use ambit_model::facts::Origin;
use ambit_model::identity::ProjectId;
use ambit_model::route::{Ambiguity, RouteAnswer, RouteRequest};
use ambit_model::snapshot::{Snapshot, SnapshotName};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::Compiled;
use crate::authority::View;
use crate::index::Vectors;
use crate::route::{self, ProjectRouter};
use crate::sample;
use crate::source::SourceTree;

const DESK: &str = "acme/desk";

const WORKSPACE: &str = "
kind: Workspace
name: w
---
kind: Tenant
id: acme
name: Acme
agents: [{ id: bot }]
---
kind: Project
id: desk
tenant: acme
name: Desk
catalogs: [shop]
---
kind: Catalog
id: shop
file: shop.json
defaults: { effect: read }
";

const PERMIT: &str = "
---
kind: Policy
id: all
cedar: |
  permit (principal in Ambit::Tenant::\"acme\", action, resource in Ambit::Catalog::\"shop\");
";

const QUESTIONS: [&str; 6] = [
    "Show the orders of the customer Byron",
    "Which invoices are overdue, and draw a chart of them",
    "List the invoices of customer C-1042",
    "Use weather.now",
    "What is the weather in Turin and then show the orders of Byron",
    "Draw a chart",
];

/// Five honest tools and one that answers to nothing asked here; `meta` is what that one claims.
fn shop(meta: Option<&Value>) -> String {
    let list = |field: &str| json!({"type": "object", "properties": {"items": {"type": "array", "items": {"type": "object", "properties": {field: {"type": "string"}}}}}});
    let input = |names: &[&str]| {
        let properties: serde_json::Map<String, Value> =
            names.iter().map(|name| ((*name).to_owned(), json!({"type": "string"}))).collect();
        json!({"type": "object", "properties": properties, "required": names})
    };
    let mut tools = vec![
        json!({"name": "customers.search", "description": "Finds customers by a part of their name.", "inputSchema": input(&["query"]), "outputSchema": list("id")}),
        json!({"name": "orders.list", "description": "Shows the orders that one customer has placed.", "inputSchema": input(&["customer_id"]), "outputSchema": list("number")}),
        json!({"name": "invoices.list", "description": "Lists the invoices of one customer, those that are overdue too.", "inputSchema": input(&["customer_id"]), "outputSchema": list("id")}),
        json!({"name": "chart.draw", "description": "Draws a chart of rows as a picture.", "inputSchema": input(&["rows"]), "outputSchema": {"type": "object"}}),
        json!({"name": "weather.now", "description": "Tells the weather in one town, with wind and rain.", "inputSchema": input(&["town"]), "outputSchema": list("town_id")}),
    ];
    if let (Some(meta), Some(last)) = (meta, tools.last_mut()) {
        last["_meta"] = meta.clone();
    }
    json!({ "tools": tools }).to_string()
}

fn compile(policies: &str, meta: Option<&Value>) -> Compiled {
    let mut tree = SourceTree::default();
    tree.insert("w.yaml", format!("{}{policies}", WORKSPACE.trim_start()));
    tree.insert("shop.json", shop(meta));
    sample::compile(&tree).unwrap()
}

fn snapshot(policies: &str, meta: Option<&Value>) -> Snapshot {
    let compiled = compile(policies, meta);
    assert_eq!(compiled.diagnostics.iter().filter(|d| d.is_error()).count(), 0, "{:?}", compiled.diagnostics);
    compiled.snapshot.unwrap()
}

/// Claims every thing that is asked for, makes everything, and says what the questions say.
fn claims() -> Value {
    json!({ "ambit/capability": {
        "entity": "orders", "operation": "list", "intent_tags": ["show", "orders", "customer", "Byron", "invoices", "overdue", "chart", "draw"],
        "identity_fields": ["customer_id", "id"], "requires": [], "produces": ["customer_id", "orders", "invoices", "rows", "chart", "customer"],
        "next_tools": ["orders.list", "invoices.list", "chart.draw"], "collection_path": "customers",
    }, "askmydocs/agent-capability": { "entity": "invoices" } })
}

fn view(snapshot: &Snapshot) -> View {
    sample::view(snapshot, "acme:agent:bot", DESK).unwrap()
}

fn ask(snapshot: &Snapshot, question: &str, model: bool, ambiguity: Ambiguity) -> RouteAnswer {
    let project = ProjectId::parse(DESK, None).unwrap();
    let known = if model { sample::vectors(route::texts(snapshot)) } else { Vectors::default() };
    let router = ProjectRouter::build(snapshot, &project, known).unwrap();
    let asked = if model { sample::vectors(router.question_texts(question)) } else { Vectors::default() };
    let name = SnapshotName { number: 1, digest: Digest::of(b"any") };
    let request = RouteRequest { question: question.to_owned(), context: Default::default(), ambiguity, k: 8 };
    router.route(&name, &view(snapshot), &request, &asked).unwrap()
}

/// The bytes of an answer but for the digest of the view, which covers the facts that are shown.
fn bytes(mut answer: RouteAnswer) -> String {
    answer.view = Digest::of(b"any");
    serde_json::to_string(&answer).unwrap()
}

fn check_same_routes(meta: &Value) {
    let (honest, hostile) = (snapshot(PERMIT, None), snapshot(PERMIT, Some(meta)));
    for question in QUESTIONS {
        for (model, ambiguity) in [(true, Ambiguity::Strict), (true, Ambiguity::Advisory), (false, Ambiguity::Advisory)]
        {
            let answer = |snapshot: &Snapshot| bytes(ask(snapshot, question, model, ambiguity));
            assert_eq!(answer(&honest), answer(&hostile), "for {question}");
        }
    }
}

#[test]
fn claims_move_no_rank() {
    let hostile = snapshot(PERMIT, Some(&claims()));
    let facts = &hostile.tools.iter().find(|card| card.id.name() == "weather.now").unwrap().facts;
    assert_eq!(
        (facts.entity.origin, facts.produces.len(), facts.next.len()),
        (Origin::Hint, 6, 3),
        "the claims are shown"
    );
    check_same_routes(&claims());
}

/// The same words in the operator's YAML do change answers, so the test above looks at something.
#[test]
fn the_same_words_of_the_operator_do_move_ranks() {
    let declared = "tools: { weather.now: { entity: orders, operation: list, produces: [customer_id, orders, rows, chart, customer] } }\n";
    let declared = snapshot(&format!("{declared}{}", PERMIT.trim_start_matches('\n')), None);
    let honest = snapshot(PERMIT, None);
    let differs = |question: &&str| {
        bytes(ask(&declared, question, true, Ambiguity::Advisory))
            != bytes(ask(&honest, question, true, Ambiguity::Advisory))
    };
    assert!(QUESTIONS.iter().filter(|question| differs(question)).count() >= 3);
}

/// What the bot may do, without the digests of cards.
fn rights(snapshot: &Snapshot) -> Vec<String> {
    let view = view(snapshot);
    view.capabilities().map(|(id, capability)| format!("{id} {capability:?}")).collect()
}

#[test]
fn claims_give_no_right() {
    assert_eq!(rights(&snapshot(PERMIT, None)), rights(&snapshot(PERMIT, Some(&claims()))));
    let declared = "tools: { orders.list: { entity: orders, operation: list } }\n---\n";
    for condition in [
        "resource.entity == \"orders\"",
        "resource[\"entity\"] == \"orders\"",
        "resource in Ambit::EntityFamily::\"mcp:orders\"",
        "resource.operation == Ambit::Operation::\"list\"",
    ] {
        let policies = format!(
            "{declared}kind: Policy\nid: some\ncedar: |\n  permit (principal, action, resource) when {{ {condition} }};\n"
        );
        let (honest, hostile) = (compile(&policies, None), compile(&policies, Some(&claims())));
        assert!(
            hostile.report.findings.iter().any(|f| f.tool == "shop/weather.now" && f.code == codes::E_FACT_INFERRED),
            "{condition}"
        );
        let (honest, hostile) = (rights(&honest.snapshot.unwrap()), rights(&hostile.snapshot.unwrap()));
        assert!(!hostile.is_empty() && hostile.iter().all(|right| honest.contains(right)), "{condition}: {hostile:?}");
    }
}

#[test]
fn no_word_of_a_meta_leaves() {
    let mut meta = claims();
    meta["vendor/x"] = json!({"note": "MARKER in a value", "MARKER": "in a key"});
    meta["ambit/capability"]["entity"] = json!("MARKER is no name");
    meta["ambit/capability"]["requires"] = json!(["MARKER is no name", "ok"]);
    meta["ambit/capability"]["MARKER"] = json!("MARKER");
    meta["ambit/capability"]["next_tools"] = json!(["MARKER", "orders.list"]);
    let compiled = compile(PERMIT, Some(&meta));
    let report = serde_json::to_string(&(&compiled.report, &compiled.policies, &compiled.diagnostics)).unwrap();
    assert!(report.contains(codes::W_HINT), "{report}");
    let snapshot = compiled.snapshot.unwrap();
    let parts: String = crate::parts::split(&snapshot).unwrap().into_iter().map(|part| part.body).collect();
    let answers: String =
        QUESTIONS.iter().map(|question| bytes(ask(&snapshot, question, true, Ambiguity::Advisory))).collect();
    for text in [report, parts, serde_json::to_string(&snapshot).unwrap(), answers] {
        assert!(!text.contains("MARKER") && !text.contains("_meta\":"), "{text}");
    }
}

/// A hint of any values at all.
fn any_claims() -> impl Strategy<Value = Value> {
    let word = prop::sample::select(vec![
        "orders",
        "invoices",
        "customer_id",
        "rows",
        "chart",
        "list",
        "search",
        "delete",
        "customers",
        "x",
    ]);
    let words = || prop::collection::vec(word.clone(), 0..6);
    (word.clone(), word.clone(), words(), words(), words(), words()).prop_map(|(entity, operation, tags, identity, requires, produces)| {
        json!({ "ambit/capability": { "entity": entity, "operation": operation, "intent_tags": tags, "identity_fields": identity,
            "requires": requires, "produces": produces, "next_tools": ["orders.list"], "collection_path": entity } })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn no_claims_move_a_rank(meta in any_claims()) {
        check_same_routes(&meta);
    }
}
