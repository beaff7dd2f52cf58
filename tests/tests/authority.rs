//! Who may what, and why, over HTTP: the terminal's answers for whoever reads all snapshots, and a tenant's part for its reader.

use std::collections::BTreeSet;

use ambit_tests::server::{Served, apply, make_key, served, until};
use serde_json::{Value, json};

const ANALYST: &str = "as=acme:user:analyst&project=acme/finance";

fn steward(served: &Served) -> String {
    make_key(&served.place, &["--name", "steward", "--as", "globex:user:steward"])
}

#[track_caller]
fn check_same(served: &Served, path: &str, line: &str) {
    let reply = served.server.get(path, &served.key);
    assert_eq!(reply.status, 200, "{path}: {}", reply.text());
    let arguments: Vec<&str> = line.split(' ').chain(["--format", "json"]).collect();
    assert_eq!(reply.json(), served.place.run(&arguments).json(), "{path}");
}

#[test]
fn explanations_and_views_are_the_terminals() {
    let served = served();
    let who = "--as acme:user:analyst --project acme/finance";
    for tool in ["billing/get_revenue_report", "billing/refund_payment", "people/search_employees"] {
        check_same(&served, &format!("/v1/why?{ANALYST}&tool={tool}"), &format!("why {tool} {who}"));
    }
    let line = "why billing/record_payment --as acme:agent:finance-bot --for acme:user:analyst --project finance --action route";
    let path = "/v1/why?as=acme:agent:finance-bot&for=acme:user:analyst&project=finance&tool=billing/record_payment&action=route";
    check_same(&served, path, line);
    check_same(&served, &format!("/v1/view?{ANALYST}"), &format!("tools {who}"));
}

#[test]
fn a_question_is_refused_by_what_is_wrong_with_it() {
    let served = served();
    let check = |path: &str, status: u16, code: &str| served.server.get(path, &served.key).refused(status, code);
    check("/v1/why?tool=mail/send_email_v2", 400, "E_REQUEST");
    check(&format!("/v1/why?{ANALYST}"), 400, "E_REQUEST");
    check(&format!("/v1/why?{ANALYST}&tool=mail/send_email_v2&action=read"), 400, "E_REQUEST");
    check(&format!("/v1/why?{ANALYST}&tool=mail/nothing"), 400, "E_UNRESOLVED");
    check("/v1/why?as=analyst&tool=mail/send_email_v2", 400, "E_VALUE");
    check("/v1/why?as=acme:user:nobody&tool=mail/send_email_v2", 403, "E_PRINCIPAL");
    check("/v1/view?as=acme:user:analyst", 400, "E_PROJECT");
    check("/v1/view?as=acme:user:analyst&project=acme/nothing", 403, "E_PRINCIPAL");
    check("/v1/principals?as=acme:user:analyst", 400, "E_REQUEST");
}

#[test]
fn whoever_may_read_no_snapshot_is_told_nothing() {
    let served = served();
    let bot = make_key(&served.place, &["--name", "bot", "--as", "acme:agent:finance-bot"]);
    for path in ["/v1/principals", "/v1/policies", "/v1/view?as=acme:agent:finance-bot&project=finance"] {
        served.server.get(path, &bot).refused(403, "E_FORBIDDEN");
    }
    // Not even about itself.
    let why = "/v1/why?as=acme:agent:finance-bot&project=finance&tool=mail/send_email_v2";
    served.server.get(why, &bot).refused(403, "E_FORBIDDEN");
}

#[test]
fn a_tenants_reader_hears_of_its_tenant_alone() {
    let served = served();
    let steward = steward(&served);
    let principals = served.server.get("/v1/principals", &steward);
    let policies = served.server.get("/v1/policies", &steward);
    let view = served.server.get("/v1/view?as=globex:user:hr", &steward);
    let why = served.server.get("/v1/why?as=globex:user:hr&tool=people/offboard_employee", &steward);
    for reply in [&principals, &policies, &view, &why] {
        assert_eq!(reply.status, 200, "{}", reply.text());
        for word in ["acme", "billing", "crm/"] {
            assert!(!reply.text().contains(word), "{word} shows in {}", reply.text());
        }
    }
    let named: BTreeSet<String> = principals.json()["principals"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["principal"].as_str().unwrap().to_owned())
        .collect();
    assert!(named.contains("globex:user:hr") && named.iter().all(|name| name.starts_with("globex:")), "{named:?}");
    assert_eq!(principals.json()["projects"], json!(["globex/people"]));
    let listed = policies.json();
    let listed = listed["policies"].as_array().unwrap();
    assert!(
        listed.iter().any(|policy| policy["built_in"] == true)
            && listed.iter().any(|policy| policy["built_in"] == false)
    );
    assert_eq!(why.json()["allow"], false);
    // What is decided is what the reader of everything hears too.
    let all = served.server.get("/v1/view?as=globex:user:hr", &served.key).json();
    let may = |list: &Value| -> Vec<(Value, Value, Value)> {
        let tools = list["tools"].as_array().unwrap().iter();
        tools.map(|tool| (tool["id"].clone(), tool["route"].clone(), tool["invoke"].clone())).collect()
    };
    assert_eq!(may(&view.json()), may(&all));
}

#[test]
fn what_another_tenant_has_is_answered_like_what_nobody_has() {
    let served = served();
    let steward = steward(&served);
    let check = |theirs: &str, nobodys: &str, path: &dyn Fn(&str) -> String| {
        let [one, other] = [theirs, nobodys].map(|name| {
            let reply = served.server.get(&path(name), &steward);
            let mut error = reply.json();
            assert!(error.is_object(), "{}: {}", path(name), reply.text());
            error.as_object_mut().unwrap().remove("request_id");
            (reply.status, error.to_string().replace(name, "NAME"))
        });
        assert_eq!(one, other, "{theirs}");
    };
    check("acme:user:viewer", "xxxx:user:qqqqqq", &|name| format!("/v1/why?as={name}&tool=people/search_employees"));
    check("crm/orders.list", "xxx/qqqqqq.qqqq", &|name| format!("/v1/why?as=globex:user:hr&tool={name}"));
    check("acme/support", "xxxx/qqqqqqq", &|name| format!("/v1/view?as=globex:user:hr&project={name}"));
}

#[test]
fn policies_come_with_their_text_and_reason() {
    let served = served();
    let list = served.server.get("/v1/policies", &served.key).json();
    let policies = list["policies"].as_array().unwrap();
    let find = |id: &str| policies.iter().find(|policy| policy["id"] == id).unwrap();
    let forbid = find("acme-agents-book-no-payments");
    assert_eq!(forbid["effect"], "forbid");
    assert_eq!(forbid["reason"], "an agent may prepare a payment; a person books it");
    assert_eq!(find("ambit/project-catalogs")["built_in"], true);
    assert_eq!(policies[0]["built_in"], true, "those of ours come first");
    assert_eq!(list["complete"], true);
}

#[test]
fn a_policy_out_of_sight_turns_the_answer_and_is_not_told() {
    let served = served();
    let steward = steward(&served);
    let both = "// Who may do what at Globex.\n@id(\"both-know-of-offboarding\")\n\
        permit (principal, action == Ambit::Action::\"discover\", resource == Ambit::Tool::\"people/offboard_employee\") when {\n\
        principal in Ambit::Role::\"globex:role:employee\" || principal in Ambit::Role::\"acme:role:viewer\" };\n";
    let why = |key: &str| {
        let path = "/v1/why?as=globex:user:employee&tool=people/offboard_employee&action=discover";
        served.server.get(path, key).json()
    };
    assert_eq!((&why(&steward)["allow"], &why(&steward)["unseen"]), (&json!(false), &Value::Null));
    served.place.edit("policies/globex.cedar", "// Who may do what at Globex.\n", both);
    apply(&served.place);
    until("the new snapshot answers", || why(&served.key)["allow"] == true);
    let told = why(&steward);
    assert_eq!((&told["allow"], &told["unseen"], &told["changes"]), (&json!(true), &json!(true), &json!([])));
    assert!(!told.to_string().contains("acme") && !told.to_string().contains("both-know"), "{told}");
    assert_eq!(why(&served.key)["unseen"], Value::Null, "whoever reads everything sees it");
    let view = served.server.get("/v1/view?as=globex:user:employee", &steward);
    assert!(view.text().contains("people/offboard_employee") && !view.text().contains("both-know"), "{}", view.text());
}
