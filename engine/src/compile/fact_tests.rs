//! The facts of compiled cards with where each came from: what beats what, and what nobody can claim.

use ambit_model::card::ToolCard;
use ambit_model::facts::{Fact, Origin};

use crate::sample;
use crate::source::SourceTree;

const HEAD: &str = "kind: Workspace\nname: w\n---\nkind: Tenant\nid: a\nname: A\n---\nkind: Project\nid: p\ntenant: a\nname: P\ncatalogs: [c]\n---\nkind: Catalog\nid: c\nfile: c.json\n";

/// The cards of one catalog, whose document goes on with `yaml`.
fn cards(yaml: &str, tools: &str) -> Vec<ToolCard> {
    let mut tree = SourceTree::default();
    tree.insert("w.yaml", format!("{HEAD}{yaml}"));
    tree.insert("c.json", tools);
    let compiled = sample::compile(&tree).unwrap();
    assert_eq!(compiled.diagnostics, [], "{yaml}");
    compiled.snapshot.unwrap().tools
}

/// The facts of the first card that are not the cautious default, as `fact: value (origin)`.
#[track_caller]
fn check(yaml: &str, tools: &str, expected: &[&str]) {
    let cards = cards(yaml, tools);
    let stated = cards[0].facts.stated();
    assert!(stated.iter().all(|one| one.origin.is_some()), "{stated:?}");
    let told = stated.iter().filter(|one| one.origin != Some(Origin::Default));
    let lines: Vec<String> =
        told.map(|one| format!("{}: {} ({})", one.fact, one.value, one.origin.map_or("", Origin::phrase))).collect();
    assert_eq!(lines, expected, "for {yaml}{tools}");
}

/// A tool with rows and an identifier among its inputs; `members` go on with its definition.
fn orders(members: &str) -> String {
    format!(
        r#"{{"name": "list_orders", "description": "Lists the orders of one customer with their dates."{members},
            "inputSchema": {{"type": "object", "properties": {{"customer_id": {{"type": "string"}}}}, "required": ["customer_id"]}},
            "outputSchema": {{"type": "object", "properties": {{"items": {{"type": "array", "items": {{"type": "object",
                "properties": {{"id": {{"type": "string"}}, "date": {{"type": "string"}}}}}}}}}}}}}}"#
    )
}

const OTHER: &str =
    r#"{"name": "ship", "description": "Ships one parcel to where it belongs.", "inputSchema": {"type": "object"}}"#;

#[test]
fn what_nobody_says_is_inferred() {
    check(
        "",
        &format!("[{}]", orders("")),
        &[
            "source: mcp (inferred)",
            "entity: orders (inferred)",
            "operation: list (inferred)",
            "identity: id (inferred)",
            "collection: items (inferred)",
            "requires: customer_id (inferred)",
            "produces: order_id (inferred)",
        ],
    );
    check(
        "",
        r#"[{"name": "send_email", "description": "Sends an email to one person of the team.", "input_schema": {"type": "object"}}]"#,
        &["source: api (inferred)", "entity: email (inferred)", "operation: send (inferred)"],
    );
}

const HINT: &str = r#", "_meta": {"ambit/capability": {"entity": "Sales", "operation": "search", "intent_tags": ["late"], "identity_fields": ["date"],
    "requires": ["buyer"], "produces": ["order"], "next_tools": ["ship", "nowhere", "list_orders"], "collection_path": "data.rows",
    "effect": "read", "risk": "low", "confirmation": false, "source": "knowledge"}}"#;

#[test]
fn a_hint_fills_what_nobody_wrote_and_no_fact_of_authority() {
    let both = format!("[{}, {OTHER}]", orders(HINT));
    check(
        "",
        &both,
        &[
            "source: mcp (inferred)",
            "entity: Sales (hint of the source)",
            "operation: search (hint of the source)",
            "identity: date (hint of the source)",
            "collection: data.rows (hint of the source)",
            "requires: buyer (hint of the source)",
            "produces: order (hint of the source)",
            "next: c/ship (hint of the source)",
            "intent_tags: late (hint of the source)",
        ],
    );
    check(
        "defaults: { entity: parcels, collection: items, next: [ship] }\ntools: { list_orders: { operation: list, identity: [], requires: [], produces: [thing], risk: high } }\n",
        &both,
        &[
            "source: mcp (inferred)",
            "entity: parcels (default of the Catalog)",
            "operation: list (declared)",
            "risk: high (declared)",
            "identity:  (declared)",
            "collection: items (default of the Catalog)",
            "requires:  (declared)",
            "produces: thing (declared)",
            "next: c/ship (default of the Catalog)",
            "intent_tags: late (hint of the source)",
        ],
    );
}

#[test]
fn names_of_a_hint_that_are_no_tools_vanish() {
    let alone = cards("", &format!("[{}]", orders(HINT)));
    assert_eq!((alone[0].facts.next.len(), alone[0].facts.origin(Fact::Next)), (0, Some(Origin::Default)));
    // Refused by intake: no description.
    let refused = cards("", &format!(r#"[{}, {{"name": "ship", "inputSchema": {{}}}}]"#, orders(HINT)));
    assert_eq!(refused[0].facts.next, []);
}

#[test]
fn the_effect_is_told_by_the_method_where_the_catalog_was_imported() {
    let effect = |yaml: &str, members: &str| {
        let facts = cards(yaml, &format!("[{}]", orders(members)))[0].facts.clone();
        format!("{} {:?} {}", facts.effect.value, facts.effect.origin, facts.source)
    };
    let http = |method: &str| format!(r#", "_meta": {{"ambit/http": {{"method": {method}, "path": "/orders"}}}}"#);
    let imported = "imported: { from: api.yaml, format: openapi }\n";
    for (method, expected) in [
        (r#""GET""#, "read Method api"),
        (r#""head""#, "read Method api"),
        (r#""POST""#, "write Method api"),
        (r#""PATCH""#, "write Method api"),
        (r#""DELETE""#, "destructive Method api"),
        (r#""LOOK""#, "write Method api"),
        ("7", "write Default api"),
        (r#""DELETE", "method": "GET""#, "write Default api"),
    ] {
        assert_eq!(effect(imported, &http(method)), expected, "{method}");
    }
    let get = http(r#""GET""#);
    // Without the operator's word it is only what a source says of itself.
    assert_eq!(effect("", &get), "write Default mcp");
    assert_eq!(effect("imported: { from: x, format: mcp }\n", &get), "write Default mcp");
    assert_eq!(effect(imported, ""), "write Default api");
    // Whoever comes first in the order wins, and what the source admits to narrows.
    assert_eq!(effect(&format!("{imported}defaults: {{ effect: write }}\n"), &get), "write CatalogDefault api");
    let annotated = |annotation: &str| format!(r#"{get}, "annotations": {{{annotation}}}"#);
    let trusting = format!("{imported}trusted_annotations: [readOnlyHint]\n");
    assert_eq!(effect(&trusting, &annotated(r#""readOnlyHint": true"#)), "read TrustedAnnotation api");
    assert_eq!(effect(imported, &annotated(r#""readOnlyHint": false"#)), "write Admitted api");
    assert_eq!(effect(imported, &annotated(r#""destructiveHint": true"#)), "destructive Admitted api");
}

#[test]
fn a_card_keeps_what_its_format_says_and_shows_a_title() {
    let members = r#", "icons": [{"src": "data:x"}], "annotations": {"title": "Orders"}, "_meta": {"a": 1}"#;
    let card = cards("", &format!("[{}]", orders(members))).remove(0);
    assert_eq!(card.title.as_deref(), Some("Orders"));
    assert_eq!(
        card.extras.into_iter().map(|(name, text)| format!("{name} {}", text.0)).collect::<Vec<_>>(),
        [r#"icons [{"src": "data:x"}]"#]
    );
}

#[test]
fn a_proposed_effect_only_narrows() {
    let effect = |yaml: &str, annotations: &str| {
        let members = format!(r#", "annotations": {{{annotations}}}"#);
        let mut tree = SourceTree::default();
        tree.insert("w.yaml", format!("{HEAD}{yaml}"));
        tree.insert("c.json", format!("[{}]", orders(&members)));
        let facts = sample::compile(&tree).unwrap().snapshot.unwrap().tools[0].facts.clone();
        format!("{} {:?}", facts.effect.value, facts.effect.origin)
    };
    let of_tool = |effect: &str| format!("tools:\n  list_orders:\n    effect: {effect} # proposed\n");
    assert_eq!(effect(&of_tool("read"), ""), "write Default");
    assert_eq!(effect(&of_tool("write"), ""), "write Default");
    assert_eq!(effect(&of_tool("destructive"), ""), "destructive Declared");
    assert_eq!(effect(&of_tool("write"), r#""destructiveHint": true"#), "destructive Admitted");
    let grave = format!("defaults: {{ effect: destructive }}\n{}", of_tool("write"));
    assert_eq!(effect(&grave, ""), "destructive CatalogDefault");
    assert_eq!(effect("defaults: { effect: read } # proposed\n", ""), "write Default");
    assert_eq!(effect("defaults:\n  effect: destructive # proposed\n", ""), "destructive CatalogDefault");
}
