//! Keys: where their text is and where it is not, which of them open something, and for whom.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use ambit_tests::Place;
use ambit_tests::server::{ANALYST, OPERATOR, Reply, Server, apply, files_with, make_key, served, until};
use serde_json::{Value, json};

const QUESTION: &str = "Which invoices are overdue?";
const HR: [&str; 4] = ["--as", "globex:user:hr", "--project", "people"];

/// `ambit_<12 hex>_<64 hex>`.
fn is_key(text: &str) -> bool {
    let parts: Vec<&str> = text.split('_').collect();
    matches!(parts.as_slice(), ["ambit", id, secret] if hex(id, 12) && hex(secret, 64))
}

fn hex(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// The part of a key that nobody may find anywhere.
fn secret(key: &str) -> &str {
    key.rsplit('_').next().unwrap_or(key)
}

/// The part of a key that names it.
fn id(key: &str) -> &str {
    key.split('_').nth(1).unwrap_or(key)
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).map(|found| found.permissions().mode() & 0o777).unwrap_or_default()
}

/// An answer without what differs from one request to the next.
fn without_id(reply: &Reply) -> (u16, String, Vec<String>) {
    let named: Vec<String> = reply.headers.keys().map(|name| name.as_str().to_owned()).collect();
    (reply.status, reply.text().replace(reply.header("x-request-id"), ""), named)
}

#[test]
fn the_first_key_lies_in_a_private_file_and_is_not_printed() {
    let place = Place::with_cold_sample();
    let run = place.run(&["keys", "create", "--name", "first", "--as", "acme:user:platform"]);
    assert_eq!(run.code, 0, "{run:?}");
    let file = place.path(".ambit/admin.key");
    let text = fs::read_to_string(&file).unwrap();
    let key = text.trim();
    assert!(is_key(key), "{key}");
    assert_eq!((mode(&file), mode(&place.path(".ambit"))), (0o600, 0o700));
    assert!(run.out.contains("admin.key") && run.out.contains(id(key)), "{run:?}");
    assert!(!format!("{run:?}").contains(secret(key)), "neither output goes to a terminal");
    assert_eq!(files_with(&place, secret(key)), ["admin.key"]);

    let run = place.run(&["keys", "create", "--name", "second", "--as", "acme:user:platform"]);
    let second = run.out.split_whitespace().map(|word| word.trim_end_matches(';')).find(|word| is_key(word));
    let second = second.expect("it is printed, once");
    assert_ne!(second, key);
    assert_eq!(files_with(&place, secret(second)), Vec::<String>::new());
    assert_eq!(fs::read_to_string(&file).unwrap(), text, "the file is as it was");
    let listed = place.run(&["keys", "list"]);
    assert!(listed.out.contains(id(key)) && listed.out.contains(id(second)), "{listed:?}");
    assert!(!listed.out.contains(secret(key)) && !listed.out.contains(secret(second)), "{listed:?}");
}

#[test]
fn a_server_on_a_new_data_folder_makes_no_key_and_says_how() {
    let place = Place::empty();
    let mut server = Server::start(&place);
    server.open("/v1/ready").refused(503, "E_NO_SNAPSHOT");
    assert!(!place.path(".ambit/admin.key").exists());
    let key = make_key(&place, &["--name", "early", "--as", "acme:user:platform"]);
    assert_eq!((mode(&place.path(".ambit/admin.key")), mode(&place.path(".ambit"))), (0o600, 0o700));
    for path in ["/v1/snapshots", "/v1/tools", "/v1/keys", "/v1/audit"] {
        server.get(path, &key).refused(503, "E_NO_SNAPSHOT");
    }
    assert_eq!(server.terminate(), Some(0));
    assert!(server.log().contains("ambit keys create"), "{}", server.log());
    assert!(!server.log().contains(secret(&key)));
}

#[test]
fn a_key_in_use_is_in_no_file_and_no_log() {
    let mut served = served();
    let key = make_key(&served.place, &[["--name", "bot"].as_slice(), ANALYST.as_slice()].concat());
    assert!(is_key(&key), "{key}");
    assert_eq!(served.server.route(&key, QUESTION).status, 200);
    served.server.get("/v1/snapshots", &key).refused(403, "E_FORBIDDEN");
    let form = format!("key={key}&next=/");
    let headers = [("content-type", "application/x-www-form-urlencoded")];
    let reply = served.server.send("POST", "/api/ui/sign_in", &headers, Some(form.as_bytes()));
    let cookie = reply.header("set-cookie").split(['=', ';']).nth(1).unwrap().to_owned();
    assert_eq!(cookie.len(), 64, "{reply:?}");
    assert_eq!(files_with(&served.place, secret(&key)), Vec::<String>::new(), "while it runs");
    assert_eq!(served.server.terminate(), Some(0));
    for words in [secret(&key), cookie.as_str()] {
        assert_eq!(files_with(&served.place, words), Vec::<String>::new());
        assert!(!served.server.log().contains(words));
    }
    assert_eq!(files_with(&served.place, secret(&served.key)), ["admin.key"]);
    assert!(served.server.log().contains(&format!("key:{}", id(&key))), "the log names the key by its id");
}

#[test]
fn keys_that_open_nothing_all_get_one_answer() {
    let served = served();
    let other = make_key(&served.place, &[["--name", "other"].as_slice(), HR.as_slice()].concat());
    let (key, own) = (&served.key, id(&served.key));
    let cut = &key.chars().take(key.len() - 1).collect::<String>();
    let headers = [
        format!("Bearer ambit_{own}_{}", secret(&other)),
        format!("Bearer ambit_{}_{}", id(&other), secret(key)),
        format!("Bearer ambit_000000000000_{}", secret(key)),
        format!("Bearer ambit_{own}_{}", secret(key).to_uppercase()),
        format!("Bearer {cut}"),
        format!("Bearer {key}0"),
        format!("Bearer {}", secret(key)),
        format!("Basic {key}"),
        format!("Bearer{key}"),
        key.clone(),
        "Bearer ".to_owned(),
        "Bearer ambit_' OR 1=1 --_".to_owned(),
        String::new(),
    ];
    let unsigned = served.server.open("/v1/tools");
    let expected = without_id(&unsigned);
    unsigned.refused(401, "E_KEY");
    assert_eq!(unsigned.header("www-authenticate"), "Bearer");
    for header in &headers {
        let reply = served.server.send("GET", "/v1/tools", &[("authorization", header.as_str())], None);
        reply.refused(401, "E_KEY");
        assert_eq!(without_id(&reply), expected, "{header}");
    }
    let lower = format!("bearer {key}");
    let tools = "/v1/tools?project=finance";
    assert_eq!(served.server.send("GET", tools, &[("authorization", lower.as_str())], None).status, 200);
}

#[test]
fn a_key_ends_when_it_expires() {
    let served = served();
    let arguments = |span| [["--name", "short", "--expires", span].as_slice(), ANALYST.as_slice()].concat();
    let (short, long) = (make_key(&served.place, &arguments("3s")), make_key(&served.place, &arguments("1h")));
    assert_eq!(served.server.get("/v1/tools", &short).status, 200);
    until("it has expired", || served.server.get("/v1/tools", &short).status != 200);
    served.server.get("/v1/tools", &short).refused(401, "E_KEY");
    assert_eq!(served.server.get("/v1/tools", &long).status, 200);
}

#[test]
fn a_revoked_key_is_refused_at_the_next_request() {
    let served = served();
    let key = make_key(&served.place, &[["--name", "bot"].as_slice(), ANALYST.as_slice()].concat());
    assert_eq!(served.server.route(&key, QUESTION).status, 200);
    let run = served.place.run(&["keys", "revoke", id(&key)]);
    assert_eq!(run.code, 0, "{run:?}");
    served.server.route(&key, QUESTION).refused(401, "E_KEY");
    assert_eq!(served.server.route(&served.key, QUESTION).status, 200, "the other keys are as they were");
    let listed = served.place.run(&["keys", "list"]);
    assert!(listed.out.lines().any(|line| line.contains(id(&key)) && line.contains("revoked")), "{listed:?}");
}

#[test]
fn what_another_tenant_has_is_as_if_it_were_not() {
    let served = served();
    let key = make_key(&served.place, &[["--name", "hr"].as_slice(), HR.as_slice()].concat());
    let ask = |field: &str, value: &str| {
        let mut body = json!({ "question": "Who works in accounting?" });
        body[field] = Value::from(value);
        served.server.post("/v1/route", &key, body.to_string())
    };
    assert_eq!(ask("project", "globex/people").status, 200);
    let pairs = [("project", "acme/finance", "acme/nowhere"), ("for", "acme:user:analyst", "acme:user:nobody")];
    for (field, there, nowhere) in pairs {
        ask(field, there).refused(403, "E_FORBIDDEN");
        assert_eq!(without_id(&ask(field, there)), without_id(&ask(field, nowhere)), "{field}");
    }
    let reply = served.server.route(&key, QUESTION);
    assert_eq!(reply.status, 200, "{}", reply.text());
    for name in ["billing/", "crm/", "acme"] {
        assert!(!reply.text().contains(name), "{name} shows in {}", reply.text());
    }
}

#[test]
fn only_who_a_policy_names_administers() {
    let served = served();
    let key = make_key(&served.place, &[["--name", "bot"].as_slice(), ANALYST.as_slice()].concat());
    for path in [
        "intake",
        "intake?snapshot=9",
        "snapshots",
        "snapshots/1",
        "snapshots/9",
        "snapshots/live",
        "snapshots/diff",
        "keys",
        "audit",
        "audit/verify",
    ] {
        served.server.get(&format!("/v1/{path}"), &key).refused(403, "E_FORBIDDEN");
    }
    for number in [1, 9] {
        let path = format!("/v1/snapshots/{number}/rollback");
        served.server.post(&path, &key, r#"{"reason": "mine"}"#).refused(403, "E_FORBIDDEN");
    }
    let new = json!({ "name": "mine", "principal": "acme:user:analyst" });
    served.server.post("/v1/keys", &key, new.to_string()).refused(403, "E_FORBIDDEN");
    served.server.post("/v1/keys/000000000000/revoke", &key, "{}").refused(403, "E_FORBIDDEN");
    served.server.post("/v1/snapshots/1/rollback", &served.key, r#"{"reason": "x"}"#).refused(409, "E_ALREADY_LIVE");
    let activations = served.server.get("/v1/snapshots", &served.key).json()["activations"].clone();
    assert_eq!(activations.as_array().unwrap().len(), 1, "nothing was rolled back");
}

#[test]
fn a_key_that_is_narrowed_administers_no_more_than_it_asks_about() {
    let served = served();
    let arguments = |name, more: &[&'static str]| [["--name", name].as_slice(), &OPERATOR, more].concat();
    let of_project = make_key(&served.place, &arguments("project", &["--project", "finance"]));
    let of_tools = make_key(&served.place, &arguments("tools", &["--tools", "billing/*"]));
    for path in ["/v1/snapshots", "/v1/audit/verify"] {
        served.server.get(path, &of_project).refused(403, "E_FORBIDDEN");
        served.server.get(path, &of_tools).refused(403, "E_FORBIDDEN");
    }
    let intake = served.server.get("/v1/intake", &of_project).json()["intake"].clone();
    assert!(intake.to_string().contains("billing/"), "{intake}");
    assert!(!intake.to_string().contains("people/"), "{intake}");
    served.server.get("/v1/intake", &of_tools).refused(403, "E_FORBIDDEN");
    let tools = served.server.get("/v1/tools?project=finance", &of_tools).json();
    let ids: Vec<&str> = tools["tools"].as_array().unwrap().iter().filter_map(|tool| tool["id"].as_str()).collect();
    assert!(!ids.is_empty() && ids.iter().all(|id| id.starts_with("billing/")), "{ids:?}");
}

#[test]
fn keys_are_made_over_the_network_by_who_may_and_for_no_more_than_they_administer() {
    let served = served();
    let steward = make_key(&served.place, &["--name", "steward", "--as", "globex:user:steward"]);
    let new = |principal: &str, more: Value| {
        let mut body = json!({ "name": "made", "principal": principal });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body.to_string()
    };
    let made = served.server.post("/v1/keys", &steward, new("globex:user:hr", json!({ "project": "people" })));
    assert_eq!(made.status, 201, "{}", made.text());
    let key = made.json()["key"].as_str().unwrap().to_owned();
    assert_eq!(served.server.get("/v1/tools", &key).status, 200);
    // A tenant's steward reaches no other tenant, whether or not what it names exists.
    let there = served.server.post("/v1/keys", &steward, new("acme:user:analyst", json!({})));
    let nowhere = served.server.post("/v1/keys", &steward, new("acme:user:nobody1", json!({})));
    there.refused(403, "E_FORBIDDEN");
    assert_eq!(without_id(&there), without_id(&nowhere));
    let listed = served.server.get("/v1/keys", &steward).json();
    assert_eq!(listed["keys"].as_array().unwrap().len(), 2, "{listed}");
    let (theirs, none) = (format!("/v1/keys/{}/revoke", id(&served.key)), "/v1/keys/0123456789ab/revoke");
    served.server.post(&theirs, &steward, "{}").refused(404, "E_NOT_FOUND");
    served.server.post(none, &steward, "{}").refused(404, "E_NOT_FOUND");
    let ended = served.server.post(&format!("/v1/keys/{}/revoke", id(&key)), &steward, "{}");
    assert_eq!(ended.status, 200, "{}", ended.text());
    served.server.get("/v1/tools", &key).refused(401, "E_KEY");
    // The operator reaches all, and still nobody administers more by a key than its maker.
    assert_eq!(served.server.post("/v1/keys", &served.key, new("globex:user:hr", json!({}))).status, 201);
    let policies = "policies/acme.cedar";
    let more = "\n@id(\"acme-controllers-manage-keys\")\npermit (principal in Ambit::Role::\"acme:role:controller\",
        action == Ambit::Action::\"manage_keys\", resource == Ambit::Tenant::\"acme\");\n";
    let text = fs::read_to_string(served.place.path(policies)).unwrap();
    served.place.write(policies, format!("{text}{more}"));
    apply(&served.place);
    let controller = make_key(&served.place, &["--name", "controller", "--as", "acme:user:controller"]);
    until("the new policy is live", || served.server.get("/v1/keys", &controller).status == 200);
    served.server.post("/v1/keys", &controller, new("acme:user:platform", json!({}))).refused(403, "E_FORBIDDEN");
    assert_eq!(served.server.post("/v1/keys", &controller, new("acme:user:viewer", json!({}))).status, 201);
}

#[test]
fn nonsense_is_refused_before_a_key_is_made() {
    let place = Place::with_sample();
    apply(&place);
    let cases: [(&[&str], &str); 13] = [
        (&["--name", "x"], "--as"),
        (&["--name", " ", "--as", "acme:user:analyst"], "not one line of 1 to 100 characters"),
        (&["--name", "a\nb", "--as", "acme:user:analyst"], "not one line of 1 to 100 characters"),
        (&["--as", "acme:user:analyst"], "--name"),
        (&["--name", "x", "--as", "acme:user:analyst", "--tools", "people/*"], "may use nothing in"),
        (&["--name", "x", "--as", "acme:user:analyst", "--tools", "[a"], "`[a` is not a glob"),
        (&["--name", "x", "--as", "acme:user:nobody", "--project", "finance"], "`acme:user:nobody`"),
        (&["--name", "x", "--as", "acme:user:analyst", "--project", "nowhere"], "`acme/nowhere`"),
        (&["--name", "x", "--as", "acme:user:analyst", "--project", "globex/people"], "`globex/people`"),
        (&["--name", "x", "--as", "analyst", "--project", "finance"], "`analyst` is not a principal"),
        (&["--name", "x", "--as", "acme:user:analyst", "--expires", "soon"], "`soon` is no span of time"),
        (&["--name", "x", "--as", "acme:user:analyst", "--expires", "0s"], "`0s` is no span of time"),
        (&["--name", "x", "--as", "acme:user:analyst", "--expires=-1h"], "`-1h` is no span of time"),
    ];
    for (arguments, says) in cases {
        let run = place.run(&[["keys", "create"].as_slice(), arguments].concat());
        assert_eq!(run.code, 2, "{arguments:?}: {run:?}");
        assert!(run.err.contains(says), "{arguments:?}: {run:?}");
    }
    assert_eq!(place.run(&["keys", "list", "--format", "json"]).json()["keys"], json!([]));
    assert!(!place.path(".ambit/admin.key").exists());
    let run = place.run(&["keys", "revoke", "000000000000"]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.err.contains("no key with the id"), "{run:?}");
}
