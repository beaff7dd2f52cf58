//! `ambit why`: what is decided about one tool, by which policies, and what would flip it, on the sample workspace.

#![expect(clippy::unwrap_used, reason = "an answer of another shape is the failure")]

use ambit_tests::{Place, Run};
use serde_json::{Value, json};

fn applied() -> Place {
    let place = Place::with_sample();
    let run = place.run(&["apply"]);
    assert_eq!(run.code, 0, "{run:?}");
    place
}

/// Runs `ambit why` with what stands in one line.
fn why(place: &Place, line: &str) -> Run {
    let arguments: Vec<&str> = std::iter::once("why").chain(line.split(' ')).collect();
    place.run(&arguments)
}

fn says(answer: &Value) -> Vec<&str> {
    answer["changes"].as_array().unwrap().iter().map(|change| change["says"].as_str().unwrap()).collect()
}

/// The exit code, and each change's line.
#[track_caller]
fn check(place: &Place, line: &str, code: i32, expected: &[&str]) -> Value {
    let run = why(place, &format!("{line} --format json"));
    assert_eq!(run.code, code, "{line}: {run:?}");
    let answer = run.json();
    assert_eq!(answer.get("allow"), Some(&json!(code == 0)), "{line}");
    assert_eq!(says(&answer), expected, "{line}");
    answer
}

#[test]
fn what_is_allowed_names_its_permits_and_their_text() {
    let place = applied();
    let line = "billing/get_revenue_report --as acme:user:analyst --project finance";
    let answer = check(
        &place,
        line,
        0,
        &[
            "take back `acme-analysts-read-figures`: nothing else permits `invoke` to `acme:user:analyst`",
            "forbid `invoke` of `billing/get_revenue_report` to `acme:user:analyst`",
        ],
    );
    assert_eq!(answer["snapshot"]["number"], 1);
    assert_eq!(answer["sides"][0]["invoke"], json!({ "allow": true, "policies": ["acme-analysts-read-figures"] }));
    let policy = &answer["policies"]["acme-analysts-read-figures"];
    assert_eq!(policy["reason"], "analysts work with figures: revenue, invoices, and who ordered what");
    assert!(policy["cedar"].as_str().unwrap().contains("Ambit::Role::\"acme:role:analyst\""), "{policy}");
    let said = why(&place, line);
    let first = "allow: acme:user:analyst may invoke billing/get_revenue_report in acme/finance\n";
    assert!(said.code == 0 && said.out.starts_with(first), "{}", said.out);
    assert!(said.out.contains("  invoke    allow  permitted by acme-analysts-read-figures\n"), "{}", said.out);
    assert!(said.out.contains("any one of these would deny it:\n"), "{}", said.out);
}

#[test]
fn without_a_permit_the_nearest_say_what_does_not_fit() {
    let place = applied();
    let line = "billing/refund_payment --as acme:user:analyst --project finance";
    let answer = check(
        &place,
        line,
        1,
        &["permit `discover`, `route` and `invoke` of `billing/refund_payment` to `acme:user:analyst`"],
    );
    let near = answer["changes"][0]["nearest"].as_array().unwrap();
    let named: Vec<&str> = near.iter().map(|near| near["policy"].as_str().unwrap()).collect();
    assert_eq!(
        named,
        ["acme-analysts-do-the-invoicing", "acme-analysts-read-figures", "acme-controllers-settle-accounts"]
    );
    let invoicing = "its `when` does not hold: resource.effect is `write`, resource.risk is `high`";
    assert_eq!(near[0]["but"], json!([invoicing]));
    let controllers = "it is for role `acme:role:controller`, which `acme:user:analyst` does not hold";
    assert_eq!(near[2]["but"], json!([controllers]));
    let said = why(&place, line);
    let line = format!("      near: acme-controllers-settle-accounts: {controllers}\n");
    assert!(said.code == 1 && said.out.contains(&line), "{}", said.out);
    assert!(said.out.contains("  discover  deny   no permit applies\n"), "{}", said.out);

    let answer = check(
        &place,
        "people/offboard_employee --as globex:user:hr --action route",
        1,
        &[
            "raise the ceiling of `globex/people` to `open`",
            "permit `route` of `people/offboard_employee` to `globex:user:hr`",
        ],
    );
    assert_eq!(answer["project"], "globex/people", "the only one");
    let near = answer["changes"][1]["nearest"].to_string();
    assert!(near.contains("it permits `discover`, not `route`"), "{near}");
}

#[test]
fn a_forbid_is_named_with_its_reason() {
    let place = applied();
    let line = "billing/record_payment --as acme:agent:finance-bot --project finance";
    let forbids =
        "narrow or take back `acme-agents-book-no-payments`, which forbids `invoke` to `acme:agent:finance-bot`";
    let answer = check(&place, line, 1, &[forbids]);
    assert_eq!(answer["sides"][0]["route"]["allow"], true);
    let forbid = &answer["policies"]["acme-agents-book-no-payments"];
    assert_eq!(forbid["effect"], "forbid");
    assert_eq!(forbid["reason"], "an agent may prepare a payment; a person books it");
    let said = why(&place, line).out;
    let heading =
        "forbid acme-agents-book-no-payments: an agent may prepare a payment; a person books it\n    forbid (";
    assert!(said.contains(heading), "{said}");
    check(
        &place,
        &format!("{line} --action route"),
        0,
        &[
            "take back `acme-analysts-do-the-invoicing`: nothing else permits `route` to `acme:agent:finance-bot`",
            "lower the ceiling of `acme/finance` to `read_only`",
            "forbid `route` of `billing/record_payment` to `acme:agent:finance-bot`",
        ],
    );
}

#[test]
fn a_ceiling_and_a_catalog_say_what_to_change_in_the_project() {
    let place = applied();
    let raise = "raise the ceiling of `acme/support` to `confirm_writes`";
    let answer = check(&place, "desk/close_ticket --as acme:agent:support-bot", 1, &[raise]);
    assert_eq!(answer["project"], "acme/support", "the only one that lists the catalog");
    assert_eq!(answer["within"], json!({ "lists_catalog": true, "ceiling": "read_only", "ceiling_bars": true }));
    let void = "billing/void_invoice --as acme:user:controller --project acme/finance";
    check(&place, void, 1, &["raise the ceiling of `acme/finance` to `open`"]);
    let unlisted = "billing/list_invoices --as acme:user:analyst --project support";
    check(&place, unlisted, 1, &["list the catalog `billing` in `acme/support`"]);
}

#[test]
fn the_ceiling_has_a_line_and_says_what_it_does() {
    let place = applied();
    let barred = why(&place, "desk/close_ticket --as acme:agent:support-bot").out;
    let line = "\n  ceiling  read_only, which keeps the tool from being routed and invoked\n  project  lists the catalog desk\n";
    assert!(barred.contains(line), "{barred}");
    let allowed = why(&place, "billing/list_invoices --as acme:user:analyst --project support").out;
    let line = "\n  ceiling  read_only\n  project  does not list the catalog billing\n";
    assert!(allowed.contains(line), "{allowed}");
}

#[test]
fn a_policy_is_where_it_is_said_to_be() {
    let place = applied();
    // One of a file of Cedar, one inside a YAML document.
    let inline = "\n---\nkind: Policy\nid: nobody-deletes-mail\ncedar: |\n  // Not even by hand.\n  forbid (principal, action, \
                  resource == Ambit::Tool::\"mail/delete_message\");\n";
    let groups = std::fs::read_to_string(place.path("policies/groups.yaml")).unwrap();
    place.write("policies/groups.yaml", groups + inline);
    assert_eq!(place.run(&["apply"]).code, 0, "{:?}", place.run(&["check"]));
    let mut places = Vec::new();
    for (line, policy) in [
        ("billing/record_payment --as acme:agent:finance-bot --project finance", "acme-agents-book-no-payments"),
        ("mail/delete_message --as acme:user:analyst --project finance", "nobody-deletes-mail"),
    ] {
        let answer = why(&place, &format!("{line} --format json")).json();
        let at = answer["policies"][policy]["place"].as_str().unwrap().to_owned();
        let (file, number) = at.rsplit_once(':').unwrap();
        let text = std::fs::read_to_string(place.path(file)).unwrap();
        let written = text.lines().nth(number.parse::<usize>().unwrap() - 1).unwrap();
        assert!(written.trim().starts_with("forbid ("), "{at}: {written}");
        // It is this policy and not another forbid: its text goes on as the file does.
        let rest: Vec<&str> = text.lines().skip(number.parse::<usize>().unwrap() - 1).map(str::trim).collect();
        let cedar = answer["policies"][policy]["cedar"].as_str().unwrap();
        let said: Vec<&str> = cedar.lines().map(str::trim).skip_while(|line| !line.starts_with("forbid (")).collect();
        assert!(rest.starts_with(&said), "{at}: {said:?}");
        assert!(why(&place, line).out.contains(&format!("\n    at {at}\n")), "{line}");
        places.push(at);
    }
    assert!(
        places[0].starts_with("policies/acme.cedar:") && places[1].starts_with("policies/groups.yaml:"),
        "{places:?}"
    );
}

#[test]
fn nothing_crosses_a_tenant() {
    let place = applied();
    let tool = "never: `people/search_employees` belongs to another tenant than `acme:user:analyst`";
    check(&place, "people/search_employees --as acme:user:analyst --project finance", 1, &[tool]);
    let project = "never: `acme/finance` is a project of another tenant than `globex:user:hr`";
    check(&place, "mail/send_email_v2 --as globex:user:hr --project acme/finance", 1, &[project]);
}

#[test]
fn acting_for_somebody_explains_both() {
    let place = applied();
    let bot = "--as acme:agent:finance-bot --project finance";
    let line = format!("billing/record_payment {bot} --for acme:user:analyst");
    let forbids =
        "narrow or take back `acme-agents-book-no-payments`, which forbids `invoke` to `acme:agent:finance-bot`";
    let answer = check(&place, &line, 1, &[forbids]);
    assert_eq!(answer["acting"], json!({ "allow": true, "policies": ["acme-finance-bot-acts-for-analysts"] }));
    assert_eq!(answer["for"], "acme:user:analyst");
    let allowed: Vec<&Value> =
        answer["sides"].as_array().unwrap().iter().map(|side| &side["invoke"]["allow"]).collect();
    assert_eq!(allowed, [&json!(false), &json!(true)]);
    let said = why(&place, &line).out;
    assert!(said.contains("acting for acme:user:analyst\n  act_for   allow  permitted by acme-finance-bot"), "{said}");
    let may_not = "permit `act_for` of `acme:user:viewer`, or of a role that it holds, to `acme:agent:finance-bot`";
    let line = format!("studio/get_document {bot} --for acme:user:viewer");
    check(&place, &line, 1, &[may_not]);
}

#[test]
fn what_is_not_known_gets_the_nearest_name() {
    let place = applied();
    for (line, code, help) in [
        ("mail/send_emial_v2 --as acme:user:analyst", "E_UNRESOLVED", "did you mean `mail/send_email_v2`?"),
        ("send_email_v2 --as acme:user:analyst", "E_UNRESOLVED", "did you mean `mail/send_email_v2`?"),
        ("mail/send_email_v2 --as acme:user:analist", "E_PRINCIPAL", "did you mean `acme:user:analyst`?"),
        ("mail/send_email_v2 --as acme:user:analyst --project finanze", "E_PRINCIPAL", "did you mean `acme/finance`?"),
        ("mail/send_email_v2 --as analyst", "E_VALUE", "docs/callers.md shows the forms"),
        ("mail/send_email_v2 --as acme:user:analyst", "E_PROJECT", "name the project"),
    ] {
        let run = why(&place, &format!("{line} --format json"));
        let error = &run.json()["error"];
        assert_eq!((run.code, error["code"].as_str()), (2, Some(code)), "{line}: {error}");
        assert_eq!(error["help"], help, "{line}");
    }
    let run = why(&Place::with_sample(), "mail/send_email_v2 --as acme:user:analyst --format json");
    assert_eq!(run.code, 2, "{run:?}");
}
