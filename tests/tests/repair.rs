//! `ambit repair`: what would tell two tools apart, measured by the questions that went astray, and written where it is asked for.

use ambit_tests::Place;
use ambit_tests::server::{Server, apply, make_key};
use serde_json::{Value, json};

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
    let first = |standings: &Value| -> u64 {
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

const GRANTS: &str = r#"@id("w-ada-administers")
@reason("somebody has to")
permit (principal == Ambit::User::"acme:user:ada", action in Ambit::Action::"administer", resource == Ambit::Workspace::"w");

@id("w-ben-reads-the-shop")
@reason("whoever owns tools mends them")
permit (principal == Ambit::User::"acme:user:ben", action == Ambit::Action::"read_intake", resource == Ambit::Catalog::"shop");
"#;
const PAIR: &str = "/v1/clashes/show?tool=shop/bills.due&rival=shop/bills.all";

/// The same, with who may read it over HTTP: Ada all of it, Ben the shop alone.
fn read_place() -> Place {
    let place = place();
    place.edit("policies/w.yaml", "name: Acme\n", "name: Acme\nusers: [{ id: ada }, { id: ben }]\n");
    place.write("policies/w.cedar", GRANTS);
    place
}

fn key(place: &Place, user: &str) -> String {
    make_key(place, &["--name", user, "--as", &format!("acme:user:{user}")])
}

fn clash(place: &Place, user: &str) -> Value {
    let key = key(place, user);
    let reply = Server::start(place).get(PAIR, &key);
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.json()
}

#[test]
fn over_http_a_repair_is_proposed_with_its_place_and_both_outcomes() {
    let place = read_place();
    apply(&place);
    let told = clash(&place, "ada");
    let repair = &told["repair"]["proposed"];
    assert_eq!(repair["places"][0]["file"], "shop.yaml", "{told}");
    let (before, after) = (&repair["rerun"]["lost_before"], &repair["rerun"]["lost_after"]);
    assert!(after.as_u64() < before.as_u64(), "{told}");
    let sides = ["questions", "taken"].map(|side| told["clash"][side].as_array().map_or(0, Vec::len));
    assert_eq!(before.as_u64(), Some(sides.iter().sum::<usize>() as u64), "the report and the re-run agree: {told}");

    // The terminal proposes the same, and what is copied does what was measured.
    let first =
        place.run(&["repair", "shop/bills.all", "shop/bills.due", "--format", "json"]).json()["proposals"][0].clone();
    assert_eq!(first["kind"], repair["kind"]);
    let yaml = repair["yaml"].as_str().unwrap_or_default();
    for line in yaml.lines().filter(|line| line.contains("# proposed")) {
        let text = first["differences"].to_string();
        assert!(text.contains(&json!(line.trim()).to_string().trim_matches('"').to_owned()), "{line} is not in {text}");
    }
}

#[test]
fn a_repair_tells_nothing_of_a_tool_out_of_sight() {
    let alone = read_place();
    apply(&alone);
    let told = clash(&alone, "ben");
    let beside = read_place();
    beside.edit("policies/w.yaml", "catalogs: [shop]", "catalogs: [shop, attic]");
    beside.write("policies/attic.yaml", "kind: Catalog\nid: attic\nfile: attic.json\ndefaults: { effect: read }\n");
    let attic = r#"[{"name": "bills.attic", "description": "Lists bills that are stored under the roof since the days of the founders.",
        "inputSchema": {"type": "object", "properties": {"box": {"type": "string"}}}}]"#;
    beside.write("policies/attic.json", attic);
    apply(&beside);
    let other = clash(&beside, "ben");
    assert!(!other.to_string().contains("attic"), "{other}");
    assert_eq!(other["repair"], told["repair"]);
    // Which questions were lost is the report's word; how, is asked again among what Ben sees.
    let taken = told["clash"]["taken"].as_array().cloned().unwrap_or_default();
    assert!(!taken.is_empty() && taken.iter().all(|asked| asked["own_rank"] == 2), "{told}");
    let others = other["clash"]["taken"].as_array().cloned().unwrap_or_default();
    assert!(taken.iter().all(|asked| others.contains(asked)), "{other}");
    // Ada sees the third tool, which moves what a word counts.
    let of_ada = clash(&beside, "ada")["clash"]["taken"].as_array().cloned().unwrap_or_default();
    assert!(of_ada.iter().all(|asked| !others.contains(asked)), "{of_ada:?}");
}

#[test]
fn without_a_model_a_repair_is_proposed_and_not_measured() {
    let place = read_place();
    apply(&place);
    let key = key(&place, "ada");
    let nowhere = place.path("nowhere").display().to_string();
    let server = Server::start_with(&place, &["--models", &nowhere, "--runtime", &nowhere]);
    let told = server.get(PAIR, &key).json();
    assert!(told["repair"]["note"].as_str().is_some_and(|note| note.starts_with("no model is at hand")), "{told}");
    assert!(told["repair"]["proposed"]["yaml"].is_string(), "{told}");
    assert_eq!((&told["repair"]["proposed"]["rerun"], &told["repair"]["tried"]), (&Value::Null, &json!(0)));
}
