//! `ambit repair`: what would tell two tools apart, measured by the questions that went astray, and written where it is asked for.

use ambit_tests::Place;

const TOOLS: &str = r#"[
 {"name": "bills.due", "description": "Lists bills.", "inputSchema": {"type": "object", "properties": {"days": {"type": "integer"}}},
  "outputSchema": {"type": "object", "properties": {"overdue": {"type": "array"}}}},
 {"name": "bills.all", "description": "Lists bills of a customer by their state: paid, draft, sent, overdue or late.",
  "inputSchema": {"type": "object", "properties": {"state": {"type": "string"}, "customer": {"type": "string"}}},
  "outputSchema": {"type": "object", "properties": {"items": {"type": "array"}}}}
]"#;
const CATALOG: &str = "kind: Catalog
id: shop
file: shop.json
defaults: { effect: read }
tools:
  bills.due:
    entity: bills # owed
    examples:
      - Who is late with paying a bill?
      - Which customers owe us money from last month?
      - What is overdue from the customers?
      - Late bills of customers, please
  bills.all:
    entity: bills
    examples:
      - Show the bills of this customer
      - Which bills are in the state draft?
";

fn place() -> Place {
    let place = Place::empty();
    place.write(
        "policies/w.yaml",
        "kind: Workspace\nname: w\n---\nkind: Tenant\nid: acme\nname: Acme\n---\nkind: Project\nid: desk\ntenant: acme\nname: Desk\ncatalogs: [shop]\n",
    );
    place.write("policies/shop.yaml", CATALOG);
    place.write("policies/shop.json", TOOLS);
    place
}

#[test]
fn repairs_are_measured_and_the_first_can_be_written() {
    let place = place();
    let run = place.run(&["repair", "shop/bills.due", "shop/bills.all", "--format", "json"]);
    let said = run.json();
    let first = |standings: &serde_json::Value| -> u64 {
        standings.as_array().into_iter().flatten().filter_map(|one| one["first"].as_u64()).sum()
    };
    let (before, proposals) = (first(&said["before"]), said["proposals"].as_array().cloned().unwrap_or_default());
    assert!(before < 6, "nothing clashes: {said}");
    assert!(!proposals.is_empty(), "nothing helps: {said}");
    assert!(proposals.iter().all(|one| first(&one["after"]) > before), "{said}");
    assert_eq!(run.code, 0);

    let run = place.run(&["repair", "shop/bills.due", "shop/bills.all", "--write"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.out.contains("the first is written") && run.out.contains("# proposed"), "{run:?}");
    assert!(place.path("policies/shop.yaml").exists());
    let again = place.run(&["repair", "shop/bills.due", "shop/bills.all", "--format", "json"]).json();
    let expected = proposals.first().map_or(0, |one| first(&one["after"]));
    assert_eq!(first(&again["before"]), expected, "what is written does what was measured: {again}");
}

#[test]
fn a_tool_that_is_not_there_is_refused() {
    let place = place();
    let run = place.run(&["repair", "shop/bills.du", "shop/bills.all"]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.err.contains("did you mean `shop/bills.due`?"), "{run:?}");
}
