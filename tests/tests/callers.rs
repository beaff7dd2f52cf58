//! Callers: acting for somebody else through every form, projects, limits of how often, and what a snapshot from before allows.

use ambit_tests::Place;
use ambit_tests::server::{ANALYST, Reply, Served, Server, apply, make_key, served};
use serde_json::{Value, json};

const BOT: [&str; 4] = ["--as", "acme:agent:finance-bot", "--project", "finance"];
const USER: &str = "acme:user:analyst";
const QUESTION: &str = "Which invoices are overdue?";

fn bot(served: &Served) -> String {
    make_key(&served.place, &[["--name", "bot"].as_slice(), &BOT].concat())
}

/// A GET with more headers.
fn get(server: &Server, path: &str, key: &str, headers: &[(&str, &str)]) -> Reply {
    let bearer = format!("Bearer {key}");
    server.send("GET", path, &[[("authorization", bearer.as_str())].as_slice(), headers].concat(), None)
}

fn ids(list: &Value) -> Vec<String> {
    let tools = list.pointer("/tools").and_then(Value::as_array).into_iter().flatten();
    tools.filter_map(|tool| tool.pointer("/id")?.as_str().map(str::to_owned)).collect()
}

#[test]
fn acting_for_a_user_is_said_in_any_form_and_means_the_same() {
    let served = served();
    let (server, key) = (&served.server, bot(&served));
    let alone = server.get("/v1/tools", &key).json();
    let by_query = server.get(&format!("/v1/tools?for={USER}"), &key);
    let by_header = get(server, "/v1/tools", &key, &[("x-ambit-for", USER)]);
    let both = get(server, &format!("/v1/tools?for={USER}"), &key, &[("x-ambit-for", USER)]);
    assert_eq!(by_query.status, 200, "{}", by_query.text());
    assert_eq!(by_query.text(), by_header.text());
    assert_eq!(by_query.text(), both.text());
    let list = by_query.json();
    assert_eq!(
        list["asked_by"],
        json!({ "principal": BOT[1], "for": USER, "acting_by": ["acme-finance-bot-acts-for-analysts"], "project": "acme/finance" })
    );
    assert_ne!(list["view"], alone["view"]);
    // The agent may not book payments, the user may: what both may do is without them. Policies of both are named.
    let tool = |id: &str| list["tools"].as_array().unwrap().iter().find(|tool| tool["id"] == id).cloned().unwrap();
    assert_eq!(tool("billing/record_payment")["invoke"], false, "{}", tool("billing/record_payment"));
    let run = served.place.run(&["tools", "--as", BOT[1], "--for", USER, "--project", "finance", "--format", "json"]);
    assert_eq!(run.json(), list);

    let ask = |body: Value| server.post("/v1/route", &key, body.to_string());
    let in_body = ask(json!({ "question": QUESTION, "for": USER }));
    let bearer = format!("Bearer {key}");
    let headers = [("authorization", bearer.as_str()), ("content-type", "application/json"), ("x-ambit-for", USER)];
    let body = json!({ "question": QUESTION }).to_string();
    let in_header = server.send("POST", "/v1/route", &headers, Some(body.as_bytes()));
    assert_eq!((in_body.status, in_body.text()), (200, in_header.text()));
    assert_eq!(in_body.json()["view"], list["view"]);
    let plan = server.post(&format!("/v1/plans/validate?for={USER}"), &key, r#"{"decision": "answer", "actions": []}"#);
    assert_eq!(plan.json()["view"], list["view"]);

    get(server, "/v1/tools?for=acme:user:controller", &key, &[("x-ambit-for", USER)]).refused(400, "E_REQUEST");
    get(server, "/v1/tools?for=nobody", &key, &[]).refused(400, "E_VALUE");
    get(server, "/v1/snapshots", &served.key, &[("x-ambit-for", USER)]).refused(400, "E_REQUEST");
}

#[test]
fn whom_one_may_not_act_for_and_who_does_not_exist_are_one_answer() {
    let served = served();
    let (server, key) = (&served.server, bot(&served));
    let without_id = |reply: &Reply| (reply.status, reply.text().replace(reply.header("x-request-id"), ""));
    let told = without_id(&server.get("/v1/tools?for=acme:user:viewer", &key));
    assert_eq!(told.0, 403);
    for user in
        ["acme:user:nobody", "globex:user:hr", "globex:user:nobody", "acme:agent:stock-bot", "acme:role:platform"]
    {
        assert_eq!(without_id(&server.get(&format!("/v1/tools?for={user}"), &key)), told, "{user}");
    }
    // A role that the policy names, and never on by somebody who is acted for.
    assert_eq!(server.get("/v1/tools?for=acme:role:analyst", &key).status, 200);
    let analyst = make_key(&served.place, &[["--name", "analyst"].as_slice(), &ANALYST].concat());
    server.get("/v1/tools?for=acme:user:controller", &analyst).refused(403, "E_FORBIDDEN");
}

#[test]
fn a_key_of_no_project_says_which_it_means() {
    let served = served();
    let server = &served.server;
    let key = make_key(&served.place, &["--name", "any", "--as", USER]);
    server.get("/v1/tools", &key).refused(400, "E_PROJECT");
    let finance = server.get("/v1/tools?project=finance", &key).json();
    assert_eq!(server.get("/v1/tools?project=acme/finance", &key).json(), finance);
    assert!(ids(&finance).iter().any(|id| id.starts_with("billing/")));
    for project in ["nowhere", "globex/people", "globex/nowhere"] {
        server.get(&format!("/v1/tools?project={project}"), &key).refused(403, "E_PRINCIPAL");
    }
    // Where only one can be meant, none has to be.
    let hr = make_key(&served.place, &["--name", "hr", "--as", "globex:user:hr"]);
    let only = server.get("/v1/tools", &hr).json();
    assert_eq!(only["asked_by"]["project"], "globex/people");

    let who = server.get("/v1/whoami?project=finance", &key).json();
    assert_eq!(who["asks"]["view"], finance["view"]);
    assert_eq!(who["asks"]["counts"]["discover"], ids(&finance).len());
    assert_eq!(who["projects"], json!(["acme/finance", "acme/operations", "acme/support"]));
    assert_eq!(who["administers"], json!([]));
    let undecided = server.get("/v1/whoami", &key);
    assert_eq!((undecided.status, &undecided.json()["asks"]), (200, &Value::Null));
    let operator = server.get("/v1/whoami", &served.key).json();
    assert!(operator["administers"].as_array().unwrap().contains(&json!("rollback")), "{operator}");
}

#[test]
fn an_intake_report_is_cut_to_the_catalogs_that_its_reader_may_read() {
    let served = served();
    let controller = make_key(&served.place, &["--name", "controller", "--as", "acme:user:controller"]);
    let report = served.server.get("/v1/intake", &controller).json();
    let accepted = report["intake"]["accepted"].as_array().unwrap();
    assert!(!accepted.is_empty());
    for tool in accepted.iter().chain(report["intake"]["findings"].as_array().unwrap().iter().map(|f| &f["tool"])) {
        assert!(tool.as_str().unwrap().starts_with("billing/"), "{tool}");
    }
    let steward = make_key(&served.place, &["--name", "steward", "--as", "globex:user:steward"]);
    let snapshots = served.server.get("/v1/snapshots", &steward);
    let shown = served.server.get("/v1/snapshots/live", &steward);
    for reply in
        [&snapshots, &shown, &served.server.get("/v1/intake", &steward), &served.server.get("/v1/audit", &steward)]
    {
        assert_eq!(reply.status, 200, "{}", reply.text());
        for word in ["acme", "billing/", "crm/", "local:", "Analyst"] {
            assert!(!reply.text().contains(word), "{word} shows in {}", reply.text());
        }
    }
    assert_eq!(shown.json()["snapshot"]["projects"][0]["id"], "globex/people");
    served.server.get("/v1/audit/verify", &steward).refused(403, "E_FORBIDDEN");
    served.server.post("/v1/snapshots/1/rollback", &steward, r#"{"reason": "mine"}"#).refused(403, "E_FORBIDDEN");
}

#[test]
fn whoever_asks_too_often_waits_and_nobody_else_does() {
    let served = served();
    let other = make_key(&served.place, &[["--name", "other"].as_slice(), &ANALYST].concat());
    let server = Server::start_with(&served.place, &["--rate-per-key", "2", "--rate-per-address", "0"]);
    let mut replies: Vec<Reply> = (0..30).map(|_| server.get("/v1/whoami", &served.key)).collect();
    let refused: Vec<&Reply> = replies.iter().filter(|reply| reply.status == 429).collect();
    assert!(refused.len() >= 10, "{} of 30 were refused", refused.len());
    for reply in &refused {
        reply.refused(429, "E_RATE");
        assert!(reply.header("retry-after").parse::<u64>().is_ok_and(|seconds| seconds >= 1), "{:?}", reply.headers);
    }
    assert_eq!(server.get("/v1/whoami", &other).status, 200, "another key has a bucket of its own");
    let own = served.key.split('_').nth(1).unwrap();
    let made_up = format!("ambit_{own}_{}", "0".repeat(64));
    server.get("/v1/whoami", &made_up).refused(401, "E_KEY");
    drop(std::mem::take(&mut replies));

    let server = Server::start_with(&served.place, &["--rate-per-key", "0", "--rate-per-address", "2"]);
    let spoofed = |number: usize| {
        get(&server, "/v1/whoami", &other, &[("x-forwarded-for", format!("192.0.2.{number}").as_str())]).status
    };
    assert!((0..30).map(spoofed).filter(|status| *status == 429).count() >= 10, "nobody chooses an address");
    assert!((0..3).any(|_| server.open("/v1/health").status == 429), "an address is held back whatever it asks");
}

#[test]
fn signing_in_is_throttled() {
    let served = served();
    let form = "key=ambit_000000000000_0&next=/";
    let headers = [("content-type", "application/x-www-form-urlencoded"), ("accept", "application/json")];
    let attempt = || served.server.send("POST", "/api/ui/sign_in", &headers, Some(form.as_bytes()));
    let refused = (0..60).map(|_| attempt().status).filter(|status| *status == 429).count();
    assert!(refused >= 20, "{refused} of 60 attempts were held back");
    assert_eq!(served.server.get("/v1/whoami", &served.key).status, 200, "nothing else is");
}

#[test]
fn requests_of_nobody_known_are_only_counted() {
    let served = served();
    let before = served.server.get("/v1/audit", &served.key).json();
    for _ in 0..5 {
        served.server.open("/v1/tools").refused(401, "E_KEY");
    }
    let counted = || served.server.get("/v1/audit", &served.key).json();
    ambit_tests::server::until("they are counted", || counted()["refused_today"] == json!(5));
    assert_eq!(counted()["entries"], before["entries"]);
}

#[test]
fn the_audit_tells_what_was_done_and_what_was_denied() {
    let served = served();
    let (server, place, key) = (&served.server, &served.place, bot(&served));
    server.get("/v1/snapshots", &key).refused(403, "E_FORBIDDEN");
    place.edit("policies/acme.yaml", "name: Customer support", "name: Customer care");
    let run = place.run(&["apply", "--message", "a new name"]);
    let printed = run.out.split_whitespace().find(|word| word.starts_with("sha256:")).unwrap().to_owned();
    assert!(run.out.contains(&format!("audit head {printed}")), "{run:?}");
    let listed = server.get("/v1/snapshots", &served.key).json();
    assert_eq!(listed["snapshots"][0]["audit_head"], json!(printed));
    let rolled = server.post("/v1/snapshots/1/rollback", &served.key, r#"{"reason": "the old name"}"#);
    assert_eq!(rolled.status, 200, "{}", rolled.text());

    let audit = server.get("/v1/audit", &served.key).json();
    let entries = audit["entries"].as_array().unwrap();
    let said: Vec<String> = entries
        .iter()
        .map(|entry| {
            format!("{} {} {}", entry["outcome"], entry["action"], entry["payload"]["resource"]).replace('"', "")
        })
        .collect();
    let id = |key: &str| key.split('_').nth(1).unwrap().to_owned();
    assert_eq!(
        said,
        [
            "done rollback snapshot:1".to_owned(),
            "done apply snapshot:2".to_owned(),
            "denied read_snapshot workspace".to_owned(),
            format!("done create_key key:{}", id(&key)),
            format!("done create_key key:{}", id(&served.key)),
            "done apply snapshot:1".to_owned(),
        ]
    );
    assert_eq!(entries[0]["payload"]["details"], json!({ "from": "2", "reason": "the old name" }));
    assert_eq!(entries[0]["payload"]["principal"], "acme:user:platform");
    assert_eq!(entries[0]["payload"]["policies"], json!(["acme-platform-runs-the-workspace"]));
    assert_eq!(entries[2]["payload"]["caller"], json!(format!("key:{}", id(&key))));
    assert!(entries[1]["payload"]["caller"].as_str().unwrap().starts_with("local:"));

    let older = server.get("/v1/audit?before=3&limit=1", &served.key).json();
    assert_eq!((older["entries"][0]["sequence"].clone(), older["complete"].clone()), (json!(2), json!(false)));
    server.get("/v1/audit?limit=0", &served.key).refused(400, "E_LIMIT");
    let verified = server.get(&format!("/v1/audit/verify?since={printed}"), &served.key).json();
    assert_eq!(verified, json!({ "verified": true, "entries": 6, "head": audit["head"] }));
    let run = place.run(&["audit", "verify", "--since", &printed]);
    assert_eq!(run.code, 0, "{run:?}");
    let run = place.run(&["audit", "verify", "--since", &format!("sha256:{}", "0".repeat(64))]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.err.contains("is not in the chain"), "{run:?}");

    let run = place.run(&["audit", "erase", "3", "--reason", "a person asked for it"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(place.run(&["audit", "verify", "--since", &printed]).code, 0, "the chain still holds");
    let audit = server.get("/v1/audit", &served.key).json();
    assert_eq!(audit["entries"][4]["payload"], Value::Null);
    assert_eq!(audit["entries"][0]["action"], "erase");
    for gone in ["3", "7", "99"] {
        assert_eq!(place.run(&["audit", "erase", gone, "--reason", "again"]).code, 2, "{gone}");
    }
}

#[test]
fn an_apply_changes_who_administers_at_the_next_request() {
    let served = served();
    let server = &served.server;
    assert_eq!(server.get("/v1/snapshots", &served.key).status, 200);
    let policy = "principal in Ambit::Role::\"acme:role:platform\",";
    served.place.edit("policies/acme.cedar", policy, "principal == Ambit::User::\"acme:user:planner\",");
    served.place.edit("policies/acme.yaml", "roles: [operator]", "roles: [operator, platform]");
    // They expect that platform administers.
    std::fs::remove_file(served.place.path("policies/tests.yaml")).unwrap();
    apply(&served.place);
    ambit_tests::server::until("the new policy decides", || server.get("/v1/snapshots", &served.key).status == 403);
    let planner = make_key(&served.place, &["--name", "planner", "--as", "acme:user:planner"]);
    let back = server.post("/v1/snapshots/1/rollback", &planner, r#"{"reason": "as it was", "accept_gains": true}"#);
    assert_eq!(back.status, 200, "{}", back.text());
    server.get("/v1/snapshots", &planner).refused(403, "E_FORBIDDEN");
    assert_eq!(server.get("/v1/snapshots", &served.key).status, 200);
}

#[test]
fn what_was_another_tenants_once_stays_theirs() {
    let place = Place::with_sample();
    for file in ["policies/tests.yaml", "policies/golden.yaml"] {
        std::fs::remove_file(place.path(file)).unwrap();
    }
    let policies = "policies/acme.cedar";
    let more = "\n@id(\"acme-controllers-look-after-acme\")\npermit (principal in Ambit::Role::\"acme:role:controller\",
        action in [Ambit::Action::\"read_intake\", Ambit::Action::\"read_snapshot\"], resource in Ambit::Tenant::\"acme\");\n";
    let text = std::fs::read_to_string(place.path(policies)).unwrap();
    place.write(policies, format!("{text}{more}"));
    apply(&place);
    // The catalog changes hands, with all that is called the same in it.
    place.edit("policies/catalogs/people.yaml", "tenant: globex", "tenant: acme");
    place.edit("policies/globex.yaml", "catalogs: [mail, people, studio]", "catalogs: [mail, studio]");
    place.edit(
        "policies/acme.yaml",
        "catalogs: [billing, crm, mail, studio]",
        "catalogs: [billing, crm, mail, people, studio]",
    );
    apply(&place);
    let key = make_key(&place, &["--name", "controller", "--as", "acme:user:controller"]);
    let server = Server::start(&place);
    let now = server.get("/v1/intake", &key);
    assert!(now.text().contains("people/"), "it is acme's now: {}", now.text());
    let then = server.get("/v1/intake?snapshot=1", &key);
    assert_eq!(then.status, 200);
    let whole = server.get("/v1/snapshots/1", &key);
    let listed = server.get("/v1/snapshots", &key).json();
    let first =
        listed["snapshots"].as_array().unwrap().iter().find(|record| record["number"] == 1).unwrap().to_string();
    for told in [then.text(), whole.text(), first] {
        assert!(told.contains("billing/"), "{told}");
        for word in ["people/", "globex"] {
            assert!(!told.contains(word), "{word} shows in {told}");
        }
    }
}

#[test]
fn a_key_ends_no_later_than_the_key_that_made_it() {
    let served = served();
    let short = make_key(&served.place, &["--name", "short", "--as", "acme:user:platform", "--expires", "1h"]);
    let made = |expires: Value| {
        let body = json!({ "name": "made", "principal": "acme:user:viewer", "expires_in": expires });
        let reply = served.server.post("/v1/keys", &short, body.to_string());
        assert_eq!(reply.status, 201, "{}", reply.text());
        reply.json()["record"]["expires_at"].as_str().unwrap().to_owned()
    };
    let own = served.server.get("/v1/keys", &served.key).json();
    let own = own["keys"].as_array().unwrap().iter().find(|key| key["name"] == "short").unwrap()["expires_at"].clone();
    assert_eq!(json!(made(Value::Null)), own);
    assert_eq!(json!(made(json!("30d"))), own);
    assert!(json!(made(json!("1m"))).as_str() < own.as_str());
}

#[test]
fn what_is_denied_again_and_again_is_one_entry_and_a_key_in_a_path_is_not_logged() {
    let mut served = served();
    let key = bot(&served);
    for _ in 0..20 {
        served.server.get("/v1/intake", &key).refused(403, "E_FORBIDDEN");
    }
    let entries = served.server.get("/v1/audit", &served.key).json()["entries"].clone();
    let denied = entries.as_array().unwrap().iter().filter(|entry| entry["outcome"] == "denied").count();
    assert_eq!(denied, 1, "{entries}");
    let path = format!("/v1/keys/{key}/revoke");
    let reply = served.server.post(&path, &served.key, "{}");
    reply.refused(404, "E_NOT_FOUND");
    let secret = key.rsplit('_').next().unwrap();
    assert!(!reply.text().contains(secret));
    assert_eq!(served.server.terminate(), Some(0));
    assert!(!served.server.log().contains(secret), "{}", served.server.log());
}

#[test]
fn what_is_administered_takes_no_word_for_somebody_else() {
    let served = served();
    for path in [
        "/v1/keys",
        "/v1/principals",
        "/v1/policies",
        "/v1/snapshots",
        "/v1/snapshots/1",
        "/v1/snapshots/diff",
        "/v1/intake",
        "/v1/audit",
        "/v1/audit/verify",
    ] {
        served.server.get(&format!("{path}?for=acme:user:analyst"), &served.key).refused(400, "E_REQUEST");
        served.server.get(&format!("{path}?project=finance"), &served.key).refused(400, "E_REQUEST");
        get(&served.server, path, &served.key, &[("x-ambit-project", "finance")]).refused(400, "E_REQUEST");
    }
    let body = json!({ "name": "made", "principal": "acme:user:viewer" }).to_string();
    served.server.post("/v1/keys?for=acme:user:viewer", &served.key, body).refused(400, "E_REQUEST");
}
