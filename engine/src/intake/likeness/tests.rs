//! Tools that look alike and tools that only seem to, what is proposed for them, and how long it takes to find them among many.

mod proposals;

use std::time::{Duration, Instant};

use ambit_model::codes;

use super::*;
use crate::intake::tests::{admitted, compiled};
use crate::route;

/// A tool by name, description, input properties and, where it says them, output names.
type Written = (&'static str, &'static str, &'static str, Option<&'static str>);

fn json(tools: &[Written]) -> String {
    let object = |names: &str| {
        let properties: Vec<String> =
            names.split_whitespace().map(|name| format!("\"{name}\": {{\"type\": \"string\"}}")).collect();
        format!("{{\"type\": \"object\", \"properties\": {{{}}}}}", properties.join(", "))
    };
    let tool = |(name, description, inputs, outputs): &Written| {
        let outputs = outputs.map_or_else(String::new, |names| format!(", \"outputSchema\": {}", object(names)));
        format!(
            "{{\"name\": \"{name}\", \"description\": \"{description}\", \"inputSchema\": {}{outputs}}}",
            object(inputs)
        )
    };
    format!("[{}]", tools.iter().map(tool).collect::<Vec<_>>().join(",\n"))
}

/// Finds `twins a b` and `versions a b`, in any order of the file, with a warning on both sides of each.
#[track_caller]
fn check(tools: &[Written], expected: &[&str]) -> Vec<Likeness> {
    let reversed: Vec<Written> = tools.iter().rev().copied().collect();
    let report = compiled(&json(tools), "").report;
    assert_eq!(report.likenesses, compiled(&json(&reversed), "").report.likenesses);
    let word = |kind| if kind == LikenessKind::Twins { "twins" } else { "versions" };
    let bare = |id: &str| id.trim_start_matches("c/").to_owned();
    let found: Vec<String> =
        report.likenesses.iter().map(|l| format!("{} {} {}", word(l.kind), bare(&l.tool), bare(&l.other))).collect();
    assert_eq!(found, expected, "admitted: {:?}", report.accepted);
    for like in &report.likenesses {
        for (tool, other) in [(&like.tool, &like.other), (&like.other, &like.tool)] {
            let code =
                if like.kind == LikenessKind::Twins { codes::W_TWIN_UNDECLARED } else { codes::W_VERSION_UNDECLARED };
            let told =
                report.findings.iter().find(|f| f.tool == *tool && f.code == code && f.other.as_ref() == Some(other));
            assert!(told.is_some_and(|f| f.place.is_some()), "{tool} is not told of {other}");
        }
    }
    report.likenesses
}

const SEARCH: Written = ("people.search", "Searches persons by their name.", "query", Some("id name"));

#[test]
fn twins_take_and_return_the_same_and_say_the_same() {
    check(
        &[SEARCH, ("people_find", "Finds persons by their name.", "query", Some("id name"))],
        &["twins people.search people_find"],
    );
    let text = "Returns the balance of an account.";
    check(&[("one", text, "account_id", None), ("two", text, "accountId", None)], &["twins one two"]);
    check(
        &[("a", "Rings the bell at the door.", "", None), ("b", "Rings the bell at the door.", "", None)],
        &["twins a b"],
    );
}

#[test]
fn what_only_seems_alike_is_left_alone() {
    // Other inputs, other outputs, another thing, another act.
    check(&[SEARCH, ("people.find", "Finds persons by their name.", "name", Some("id name"))], &[]);
    check(&[SEARCH, ("people.find", "Finds persons by their name.", "query", Some("id"))], &[]);
    check(&[SEARCH, ("orders.search", "Searches orders by their name.", "query", Some("id name"))], &[]);
    let list = |thing| match thing {
        "charges" => {
            "Returns a list of charges. The charges are returned sorted by creation date, with the most recent first."
        }
        _ => "Returns a list of refunds. The refunds are returned sorted by creation date, with the most recent first.",
    };
    check(&[("charge_list", list("charges"), "limit", None), ("refund_list", list("refunds"), "limit", None)], &[]);
    check(
        &[
            ("conversation_archive", "Archives a conversation of the workspace for everybody.", "channel", None),
            ("conversation_unarchive", "Unarchives a conversation of the workspace for everybody.", "channel", None),
        ],
        &[],
    );
    check(&[("order.create", "Creates an order.", "id", None), ("order.delete", "Deletes an order.", "id", None)], &[]);
    let decide = "for everybody who was invited to the team.";
    let (approve, deny) = (format!("Approves a request {decide}").leak(), format!("Denies a request {decide}").leak());
    check(&[("requests_approve", approve, "id", None), ("requests_deny", deny, "id", None)], &[]);
}

#[test]
fn versions_have_one_name_but_for_the_version() {
    let mail: Written = ("send_mail", "Sends a mail as plain text.", "to text", None);
    check(
        &[mail, ("send_mail_v2", "Sends a mail with pictures.", "to text pictures", None)],
        &["versions send_mail send_mail_v2"],
    );
    check(
        &[
            mail,
            ("sendMailV3", "Sends a mail as text.", "to", None),
            ("send.mail.v2", "Sends a mail as text.", "to", None),
        ],
        &["versions send.mail.v2 sendMailV3", "versions send.mail.v2 send_mail"],
    );
    check(
        &[mail, ("legacy_send_mail", "Sends a mail as text.", "to text", None)],
        &["versions legacy_send_mail send_mail"],
    );
    check(
        &[mail, ("send_mail_2024-01-15", "Sends a mail as text.", "to text", None)],
        &["versions send_mail send_mail_2024-01-15"],
    );
    check(
        &[("/v1/mails", "Lists mails.", "", None), ("/v2/mails", "Lists mails.", "", None)],
        &["versions /v1/mails /v2/mails"],
    );
    // `old` is about the orders here.
    check(
        &[
            ("orders", "Lists what is on its way.", "day", None),
            ("old_orders", "Lists what arrived last year.", "year", None),
        ],
        &[],
    );
    check(&[("step_1", "Peels the apples.", "", None), ("step_2", "Cuts the apples.", "", None)], &[]);
}

#[test]
fn evidence_says_what_the_two_have_in_common() {
    let found = check(
        &[SEARCH, ("people_find", "Finds persons by their name.", "query", Some("id name"))],
        &["twins people.search people_find"],
    );
    let shared = "50 % of the words of their descriptions are in both";
    assert_eq!(found[0].evidence, ["same inputs: query", "same outputs: id, name", shared]);
    let found = check(
        &[
            ("send_mail", "Sends a mail as plain text.", "to text", None),
            ("send_mail_v2", "Sends a mail as plain text.", "to text pictures", None),
        ],
        &["versions send_mail send_mail_v2"],
    );
    assert_eq!(
        found[0].evidence,
        [
            "one name but for the version: `send mail`",
            "`c/send_mail` is no version, `c/send_mail_v2` is v2",
            "inputs of both: text, to",
            "100 % of the words of their descriptions are in both"
        ]
    );
}

#[test]
fn what_is_declared_is_law() {
    let tools = [SEARCH, ("people.find", "Finds persons by their name.", "query", Some("id name"))];
    let apart = "tools:\n  people.find: { operation: search, entity: ghosts }\n  people.search: { operation: search, entity: people }\n";
    assert_eq!(compiled(&json(&tools), apart).report.likenesses, []);
}

#[test]
fn no_pair_spans_two_tenants() {
    let catalog = json(&[("find", "Finds persons by their name.", "query", None)]);
    let document = |id: &str, owner: &str| format!("---\nkind: Catalog\nid: {id}\n{owner}file: c.json\n");
    let yaml = format!(
        "{}{}{}---\nkind: Tenant\nid: b\nname: B\n---\nkind: Project\nid: q\ntenant: b\nname: Q\ncatalogs: [c, d]\n\
         ---\nkind: Project\nid: r\ntenant: a\nname: R\ncatalogs: [c, e, f]\n",
        document("d", "tenant: b\n"),
        document("e", "tenant: a\n"),
        document("f", "")
    );
    let pairs: Vec<(String, String)> =
        compiled(&catalog, &yaml).report.likenesses.into_iter().map(|like| (like.tool, like.other)).collect();
    let expected = [("c/find", "d/find"), ("c/find", "e/find"), ("c/find", "f/find")];
    assert_eq!(pairs, expected.map(|(a, b)| (a.to_owned(), b.to_owned())));
}

#[test]
fn no_pair_is_of_tools_that_no_project_lists_together() {
    let catalog = json(&[("find", "Finds persons by their name.", "query", None)]);
    let apart = "---\nkind: Catalog\nid: e\ntenant: a\nfile: c.json\n";
    assert_eq!(compiled(&catalog, apart).report.likenesses, []);
    let together = format!("{apart}---\nkind: Project\nid: r\ntenant: a\nname: R\ncatalogs: [c, e]\n");
    assert_eq!(compiled(&catalog, &together).report.likenesses.len(), 1);
}

#[track_caller]
fn check_time(tools: impl Iterator<Item = String>, likenesses: usize) {
    let cards = admitted(&format!("[{}]", tools.collect::<Vec<_>>().join(",\n"))).cards;
    assert_eq!(cards.len(), 10_000);
    let vocabularies = route::with_built_in(&[]);
    let started = Instant::now();
    let (findings, found) = find(cards.values(), &Declared::default(), &vocabularies);
    let took = started.elapsed();
    assert_eq!((found.len(), findings.len()), (likenesses, 2 * likenesses));
    assert!(took < Duration::from_secs(5), "it took {took:?}");
}

#[test]
fn ten_thousand_tools_are_compared_by_index() {
    const THINGS: &[&str] =
        &["orders", "bills", "parcels", "customers", "rooms", "flights", "songs", "files", "teams", "roles"];
    let tool = |n: usize| {
        let (thing, part) = (THINGS[n % 10], n / 10);
        format!(
            "{{\"name\": \"list_{thing}_of_{part}x\", \"description\": \"Lists the {thing} of part{part}x with their price and day.\", \"inputSchema\": {{\"properties\": {{\"limit\": {{\"type\": \"integer\"}}, \"f{}\": {{}}}}}}}}",
            n % 97
        )
    };
    let copy = tool(0).replace("list_orders_of_0x", "show_orders_of_0x");
    check_time((0..9_999).map(tool).chain([copy]), 1);
}

#[test]
fn ten_thousand_copies_are_paired_with_the_first() {
    let tool = |n| format!("{{\"name\": \"ring{n}x\", \"description\": \"Rings the bell at the front door.\"}}");
    check_time((0..10_000).map(tool), 9_999);
}
