//! `ambit test`: PolicyTests and GoldenRoutes of the sample workspace, what a failure says, and the policies that no test reaches.

#![expect(clippy::unwrap_used, reason = "an answer of another shape is the failure")]

use ambit_tests::{Place, repository};
use serde_json::{Value, json};

#[test]
fn the_sample_passes_and_every_policy_is_reached() {
    let place = Place::with_sample();
    let run = place.run(&["test", "--strict"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.out.lines().last().unwrap().ends_with(" 0 failed; every policy of 26 is reached"), "{}", run.out);
    let answer = place.run(&["test", "--format", "json"]).json();
    let of = |kind: &str| answer["tests"].as_array().unwrap().iter().filter(|test| test["kind"] == kind).count();
    assert!(of("PolicyTest") >= 45 && of("GoldenRoute") >= 25, "{answer}");
    assert_eq!((&answer["failed"], &answer["routes"], &answer["unreached"]), (&json!(0), &json!("asked"), &json!([])));
    assert_eq!(answer["diagnostics"], json!([]));
    let note = |id: &str| {
        let notes = answer["policies"].as_array().unwrap();
        notes.iter().find(|note| note["id"] == id).unwrap_or_else(|| panic!("no {id}")).clone()
    };
    let linked = note("acme-viewers-read-documents");
    assert_eq!(
        (&linked["file"], &linked["template"]),
        (&json!("policies/acme.yaml"), &json!("shared-role-reads-group"))
    );
    assert_eq!(note("acme-members-use-mail")["file"], "policies/acme.cedar");
    assert!(!place.path(".ambit/ambit.db").exists() || place.run(&["show"]).code == 2, "nothing is published");
}

#[test]
fn a_failure_names_the_place_what_was_decided_and_by_which_policies() {
    let place = Place::with_sample();
    let tests = "kind: PolicyTest\nprincipal: acme:user:analyst\nproject: finance\naction: route\ntool: mail/send_email_v2\nexpect: deny\n---\n\
         kind: PolicyTest\nprincipal: acme:agent:finance-bot\nproject: finance\naction: invoke\ntool: \"billing/*\"\nexpect: allow\n---\n\
         kind: PolicyTest\nprincipal: acme:agent:finance-bot\naction: act_for\nresource: acme:user:viewer\nexpect: allow\n---\n\
         kind: PolicyTest\nprincipal: globex:user:steward\naction: manage_keys\nresource: tenant:globex\nexpect: deny\n---\n\
         kind: GoldenRoute\nquestion: What was our revenue in September?\nprincipal: acme:user:analyst\nproject: finance\ntools: [billing/get_invoice]\n---\n\
         kind: GoldenRoute\nquestion: Give Contoso a refund for payment PAY-4410\nprincipal: acme:user:analyst\nproject: finance\ntools: [billing/refund_payment]\n---\n\
         kind: GoldenRoute\nquestion: What was our revenue in September?\nprincipal: acme:user:analyst\nproject: finance\ngap: absent\n";
    place.write("policies/wrong.yaml", tests);
    let run = place.run(&["test"]);
    assert_eq!(run.code, 1, "{run:?}");
    golden("failures.txt", &run.out);
    let routes = place.run(&["test", "--no-routes"]);
    assert_eq!(routes.code, 1);
    assert!(
        routes.out.contains(" golden routes left out (--no-routes)\n") && !routes.out.contains("revenue"),
        "{}",
        routes.out
    );
    // `check` and `apply` refuse by PolicyTests alone.
    let check = place.run(&["check", "--format", "json"]);
    let codes: Vec<Value> = check.json()["diagnostics"].as_array().unwrap().iter().map(|d| d["code"].clone()).collect();
    assert!(check.code == 1 && codes.iter().all(|code| code == "E_POLICY_TEST") && codes.len() >= 4, "{codes:?}");
}

#[test]
fn policies_that_no_test_reaches_are_listed_and_fail_nothing() {
    let place = Place::with_sample();
    let policy = "\n@id(\"acme-support-bot-shares\")\npermit (\n  principal == Ambit::Agent::\"acme:agent:support-bot\",\n  action in Ambit::Action::\"use\",\n  resource == Ambit::Tool::\"people/search_employees\"\n);\n";
    let path = "policies/acme.cedar";
    let text = std::fs::read_to_string(place.path(path)).unwrap() + policy;
    let line = text.lines().position(|line| line.contains("acme-support-bot-shares")).unwrap() + 2;
    place.write(path, text);
    let run = place.run(&["test", "--no-routes"]);
    let expected = format!("policies that no test reaches:\n  policies/acme.cedar:{line}: acme-support-bot-shares\n");
    assert!(run.out.contains(&expected), "{}", run.out);
    let warned = place.run(&["check"]);
    assert!(warned.code == 0 && warned.out.contains("warning[W_NEVER_APPLIES]"), "{}", warned.out);
    assert_eq!((run.code, place.run(&["test", "--no-routes", "--strict"]).code), (0, 1), "{run:?}");
}

#[test]
fn a_workspace_that_does_not_compile_tests_nothing() {
    let place = Place::with_sample();
    place.edit("policies/acme.cedar", "resource.effect", "resource.efect");
    let run = place.run(&["test"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(
        run.out.contains("error[E_CEDAR]") && run.out.contains("not asked: the workspace does not compile"),
        "{}",
        run.out
    );
    assert!(run.out.ends_with("nothing was tested; `ambit check` shows every problem\n"), "{}", run.out);
}

#[test]
fn lints_of_policies_are_warnings_at_their_place() {
    let place = Place::with_sample();
    let policies = "@id(\"twice\")\npermit (\n  principal in Ambit::Role::\"acme:role:member\",\n  action in Ambit::Action::\"use\",\n  resource in Ambit::Group::\"calendar\"\n);\n\n\
         @id(\"open\")\npermit (principal, action, resource) when { resource.risk == Ambit::Risk::\"low\" && principal in Ambit::Role::\"acme:role:platform\" };\n\n\
         @id(\"unnamed\")\npermit (principal in Ambit::Role::\"acme:role:platform\", action == Ambit::Action::\"rollback\", resource);\n\n\
         @id(\"unlinked\")\npermit (principal in ?principal, action, resource in Ambit::Group::\"mail\");\n";
    place.write("policies/lints.cedar", policies);
    let run = place.run(&["check"]);
    assert_eq!(run.code, 0, "{run:?}");
    golden("lints.txt", &run.out.replace("\\", "/"));
    assert_eq!(place.run(&["check", "--strict"]).code, 1);
    assert_eq!(place.run(&["apply", "--strict"]).code, 1);
}

#[test]
fn why_says_where_each_policy_stands() {
    let place = Place::with_sample();
    assert_eq!(place.run(&["apply"]).code, 0);
    let line = ["why", "studio/get_document", "--as", "acme:user:viewer", "--project", "finance"];
    let said = place.run(&line).out;
    assert!(
        said.contains("\npermit acme-viewers-read-documents") && said.contains("    at policies/acme.yaml:"),
        "{said}"
    );
    let answer = place.run(&[&line[..], &["--format", "json"]].concat()).json();
    let policy = &answer["policies"]["acme-viewers-read-documents"];
    assert!(policy["place"].as_str().unwrap().starts_with("policies/acme.yaml:"), "{policy}");
    assert!(policy["cedar"].as_str().unwrap().contains("principal in Ambit::Role::\"acme:role:viewer\""), "{policy}");
}

/// Compares with a file of `tests/golden/policies`; `UPDATE=1` writes it.
#[track_caller]
fn golden(name: &str, found: &str) {
    let path = repository().join("tests/golden/policies").join(name);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, found).unwrap();
    }
    assert_eq!(found, std::fs::read_to_string(&path).unwrap_or_default(), "{}", path.display());
}
