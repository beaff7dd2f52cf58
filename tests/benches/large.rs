//! A large workspace, 10,000 tools and 1,000 policies: from nothing, and again after one tool changed.
//! Each number is printed with its limit; one over its limit makes the benchmark fail. `TOOLS` and `POLICIES` set other sizes.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and has nothing to say where its set-up fails"
)]

use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use ambit_tests::Place;
use serde_json::json;

const TENANTS: usize = 10;
const CATALOGS: usize = 10;
const VERBS: [(&str, &str, &str); 6] = [
    ("list", "list", "read"),
    ("get", "get", "read"),
    ("count", "count", "read"),
    ("create", "create", "write"),
    ("update", "update", "write"),
    ("delete", "delete", "destructive"),
];
const NOUNS: [&str; 20] = [
    "invoice",
    "shipment",
    "contract",
    "ticket",
    "employee",
    "warehouse",
    "voucher",
    "meeting",
    "vehicle",
    "supplier",
    "budget",
    "campaign",
    "lease",
    "permit",
    "sensor",
    "patient",
    "course",
    "booking",
    "recipe",
    "asset",
];
const PLACES: [&str; 24] = [
    "Leeds", "Cork", "Turin", "Graz", "Lyon", "Porto", "Ghent", "Oslo", "Riga", "Brno", "Bilbao", "Malmo", "Tampere",
    "Gdansk", "Split", "Varna", "Patras", "Tartu", "Sofia", "Zurich", "Bergen", "Aarhus", "Kosice", "Trieste",
];

fn main() -> ExitCode {
    let number =
        |name: &str, otherwise| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise);
    let (tools, policies) = (number("TOOLS", 10_000), number("POLICIES", 1_000));
    let place = Place::empty();
    write(&place, tools, policies);
    let timed = |arguments: &[&str], code: i32| {
        let started = Instant::now();
        let run = place.run(arguments);
        let took = started.elapsed();
        assert_eq!(run.code, code, "{arguments:?}: {} {}", run.err, run.out.chars().take(2_000).collect::<String>());
        took
    };
    let cold = timed(&["apply"], 0);
    println!(
        "{tools} tools, {policies} policies; the first apply, with every text embedded: {:.1} s",
        cold.as_secs_f64()
    );
    let mut within = true;
    let mut row = |what: &str, took: Duration| {
        println!("{what:<32} {:>7.2} s   limit 5 s", took.as_secs_f64());
        within &= took.as_secs_f64() <= 5.0;
    };
    place.edit("catalogs/c000.json", "which is open", "which is still open");
    timed(&["check"], 0);
    row("check, one tool changed", timed(&["check"], 0));
    row("diff, one tool changed", timed(&["diff"], 0));
    let started = timed(&["apply"], 0);
    println!("{:<32} {:>7.2} s   no limit", "apply, one tool changed", started.as_secs_f64());
    if within { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn write(place: &Place, tools: usize, policies: usize) {
    place.write("policies/workspace.yaml", "kind: Workspace\nname: large\nroot: ..\n");
    let each = tools / (TENANTS * CATALOGS);
    for tenant in 0..TENANTS {
        place.write(&format!("policies/t{tenant}.yaml"), tenant_documents(tenant));
        for catalog in tenant * CATALOGS..(tenant + 1) * CATALOGS {
            let (file, document) = self::catalog(tenant, catalog, each);
            place.write(&format!("catalogs/c{catalog:03}.json"), file);
            place.write(&format!("policies/catalogs/c{catalog:03}.yaml"), document);
        }
    }
    let text: String = (0..policies).map(policy).collect();
    place.write("policies/all.cedar", text);
}

fn tenant_documents(tenant: usize) -> String {
    let mut text = format!("kind: Tenant\nid: t{tenant}\nname: Tenant {tenant}\nroles:\n");
    for role in 0..10 {
        let _ = writeln!(text, "  - id: r{role}");
    }
    text.push_str("users:\n");
    for user in 0..20 {
        let _ = writeln!(text, "  - {{ id: u{user}, roles: [r{}, r{}] }}", user % 10, (user + 3) % 10);
    }
    let catalogs: Vec<String> = (tenant * CATALOGS..(tenant + 1) * CATALOGS).map(|n| format!("c{n:03}")).collect();
    let _ = write!(
        text,
        "---\nkind: Project\nid: main\ntenant: t{tenant}\nname: Main\nceiling: confirm_writes\ncatalogs: [{}]\n",
        catalogs.join(", ")
    );
    for catalog in catalogs {
        let _ = write!(
            text,
            "---\nkind: Group\nid: {catalog}\ntitle: Tools of {catalog}\ndescription: What catalog {catalog} offers.\nmembers: ['{catalog}/**']\n"
        );
    }
    text
}

/// The catalog file and the Catalog document.
fn catalog(tenant: usize, catalog: usize, tools: usize) -> (String, String) {
    let mut listed = Vec::new();
    let mut document = format!(
        "kind: Catalog\nid: c{catalog:03}\ntenant: t{tenant}\nfile: ../../catalogs/c{catalog:03}.json\ndefaults: {{ source: api }}\ntools:\n"
    );
    for n in 0..tools {
        let of = |words: &[&'static str], by: usize| words.get(n / by % words.len()).copied().unwrap_or_default();
        let (verb, operation, effect) = VERBS.get(n % VERBS.len()).copied().unwrap_or_default();
        let (noun, town) = (of(&NOUNS, VERBS.len()), of(&PLACES, VERBS.len() * NOUNS.len()));
        let town = if tools > VERBS.len() * NOUNS.len() {
            town
        } else {
            PLACES.get(catalog % PLACES.len()).copied().unwrap_or_default()
        };
        let name = format!("{verb}_{noun}_{}", town.to_lowercase());
        let description = format!(
            "{verb} one {noun} of the {town} office, line {catalog}, which is open, with its number and state."
        );
        listed.push(json!({"type": "function", "function": {"name": name, "description": description, "parameters": {
            "type": "object", "required": [format!("{noun}_id")], "additionalProperties": false, "properties": {
                format!("{noun}_id"): {"type": "string", "description": format!("Which {noun}")},
                "limit": {"type": "integer", "minimum": 1, "maximum": 100}}}}}));
        let _ = write!(
            document,
            "  {name}:\n    entity: {noun}\n    operation: {operation}\n    effect: {effect}\n    examples: ['{verb} the {noun} of our {town} office on line {catalog}']\n"
        );
    }
    (serde_json::to_string_pretty(&listed).expect("a catalog"), document)
}

fn policy(n: usize) -> String {
    let (tenant, role, catalog) = (n % TENANTS, n / TENANTS % 10, n % TENANTS * CATALOGS + n / 100 % CATALOGS);
    let who = format!("principal in Ambit::Role::\"t{tenant}:role:r{role}\"");
    let noun = NOUNS.get(n / 7 % NOUNS.len()).copied().unwrap_or_default();
    let rule = match n % 3 {
        0 => format!(
            "permit ({who}, action in Ambit::Action::\"use\", resource in Ambit::Catalog::\"c{catalog:03}\") when {{ resource.effect == Ambit::Effect::\"read\" }};"
        ),
        1 => format!(
            "permit ({who}, action in Ambit::Action::\"use\", resource in Ambit::EntityFamily::\"api:{noun}\") unless {{ resource.effect == Ambit::Effect::\"destructive\" }};"
        ),
        _ => format!(
            "forbid ({who}, action == Ambit::Action::\"invoke\", resource in Ambit::Group::\"c{catalog:03}\") when {{ resource.entity == \"{noun}\" && resource.effect != Ambit::Effect::\"read\" }};"
        ),
    };
    format!("@id(\"p{n}\")\n{rule}\n\n")
}
