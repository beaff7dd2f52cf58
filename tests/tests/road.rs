//! The whole road by terminal, with the real binary, the real database and the real model: check, apply, route, validate, roll back.

#![expect(clippy::unwrap_used, reason = "an answer of another shape is the failure")]

use std::process::Command;

use ambit_tests::{Place, Run};
use serde_json::Value;

const ANALYST: [&str; 4] = ["--as", "acme:user:analyst", "--project", "finance"];

fn applied() -> Place {
    let place = Place::with_sample();
    let run = place.run(&["apply", "--message", "first"]);
    assert_eq!(run.code, 0, "{run:?}");
    place
}

fn tool_ids(answer: &Value) -> Vec<&str> {
    answer["tools"].as_array().unwrap().iter().map(|tool| tool["id"].as_str().unwrap()).collect()
}

#[test]
fn the_sample_workspace_is_clean_even_when_strict() {
    let place = Place::with_sample();
    let run = place.run(&["check", "--strict"]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let report = place.run(&["check", "--format", "json"]).json();
    assert_eq!(report["diagnostics"], serde_json::json!([]));
    assert!(report["intake"]["offered"].as_u64().unwrap() >= 73);
    let refused = report["intake"]["findings"].as_array().unwrap().iter().filter(|f| f["severity"] == "error");
    let mut codes: Vec<&str> = refused.map(|f| f["code"].as_str().unwrap()).collect();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes, ["E_DESC_MISSING", "E_DESC_VAGUE", "E_SCHEMA"]);
}

#[test]
fn a_question_becomes_tools_in_order_with_their_whole_schemas() {
    let place = applied();
    let question = "Pull last quarter's revenue and email the chart to finance.";
    let answer = place.run(&[&["route", question, "--format", "json"], ANALYST.as_slice()].concat()).json();
    assert_eq!(tool_ids(&answer), ["billing/get_revenue_report", "studio/generate_chart", "mail/send_email_v2"]);
    assert_eq!(answer["plan_hint"], "1) get_revenue_report 2) generate_chart 3) send_email_v2");
    assert_eq!(answer["steps"][1]["implicit"], true);
    assert_eq!(answer["steps"][2]["reserve"], serde_json::json!(["mail/send_email"]));
    assert_eq!(answer["complete"], true);
    let in_file: Value =
        serde_json::from_str(&std::fs::read_to_string(place.path("catalogs/mail.anthropic.json")).unwrap()).unwrap();
    let tools = in_file.as_array().or_else(|| in_file["tools"].as_array()).unwrap();
    let written = tools.iter().find(|tool| tool["name"] == "send_email_v2").unwrap();
    assert_eq!(answer["tools"][2]["definition"]["inputSchema"], written["input_schema"]);
    for step in answer["steps"].as_array().unwrap().iter() {
        let picked = step["candidates"].as_array().unwrap().iter().find(|c| c["tool"] == step["tool"]).unwrap();
        assert!(picked["signals"]["semantic"].as_f64().unwrap() > 0.0);
        assert!(!step["because"].as_str().unwrap().is_empty());
    }
}

#[test]
fn the_same_question_gives_the_same_bytes() {
    let place = applied();
    let arguments =
        [&["route", "Show the orders for Northwind Supplies", "--format", "json"], ANALYST.as_slice()].concat();
    let first = place.run(&arguments);
    assert_eq!(tool_ids(&first.json()), ["crm/customers.search", "crm/orders.list"]);
    assert_eq!(first.out, place.run(&arguments).out);
}

#[test]
fn a_principal_without_the_right_sees_neither_tool_nor_trace() {
    let place = applied();
    let question = "Pull last quarter's revenue and email the chart to finance.";
    let run = place.run(&["route", question, "--as", "acme:user:viewer", "--project", "finance", "--format", "json"]);
    assert_eq!(run.code, 0, "{run:?}");
    for name in ["get_revenue_report", "send_email", "generate_chart", "billing/", "mail/"] {
        assert!(!run.out.contains(name), "{name} shows in {}", run.out);
    }
    assert!(!run.json()["gaps"].as_array().unwrap().is_empty());
}

#[test]
fn a_plan_is_refused_with_every_violation_and_accepted_when_mended() {
    let place = applied();
    let plan = r#"{"decision": "tools", "actions": [
        {"id": "find", "tool": "crm/customers.search", "arguments": {"query": "Northwind Supplies"}, "depends_on": [], "purpose": "find the customer"},
        {"id": "orders", "tool": "crm/orders.list", "arguments": {"customer_id": {"$from": "find", "path": "items.0.id"}}, "depends_on": ["find"], "purpose": "list its orders"},
        {"id": "void", "tool": "people/search_employees", "arguments": {}, "depends_on": ["nothing"], "purpose": "another tenant's tool"}]}"#;
    place.write("plan.json", plan);
    let arguments = [&["plan", "validate", "plan.json", "--format", "json"], ANALYST.as_slice()].concat();
    let run = place.run(&arguments);
    assert_eq!(run.code, 1, "{run:?}");
    let verdict = run.json();
    let found: Vec<(&str, &str)> = verdict["violations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|v| (v["at"].as_str().unwrap(), v["code"].as_str().unwrap()))
        .collect();
    assert_eq!(found, [("/actions/2/depends_on/0", "dependency_unknown"), ("/actions/2/tool", "unknown_tool")]);
    assert_eq!(verdict["sound_prefix"], serde_json::json!(["find", "orders"]));

    let mended: Value = serde_json::from_str(plan).unwrap();
    let actions = mended["actions"].as_array().unwrap().iter().take(2).cloned().collect::<Vec<_>>();
    place.write("plan.json", serde_json::json!({ "decision": "tools", "actions": actions }).to_string());
    let run = place.run(&arguments);
    assert_eq!((run.code, run.json()["verdict"].as_str()), (0, Some("accepted")), "{run:?}");
}

#[test]
fn an_earlier_snapshot_is_live_again_without_catalogs() {
    let place = applied();
    place.edit("policies/acme.yaml", "name: ", "name: The ");
    assert_eq!(place.run(&["apply"]).code, 0);
    std::fs::remove_dir_all(place.path("catalogs")).unwrap();
    let run = place.run(&["rollback", "1", "--reason", "the day before"]);
    assert_eq!(run.code, 0, "{run:?}");
    let listed = place.run(&["snapshots", "--format", "json"]).json();
    assert_eq!(listed["live"], 1);
    let kinds: Vec<&str> =
        listed["activations"].as_array().unwrap().iter().map(|a| a["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["rollback", "apply", "apply"]);
    assert_eq!(listed["activations"][0]["reason"], "the day before");
    for number in ["1", "2"] {
        assert_eq!(place.run(&["verify", number]).code, 0);
    }
    let answer =
        place.run(&[&["route", "Which invoices are overdue?", "--format", "json"], ANALYST.as_slice()].concat()).json();
    assert_eq!(answer["snapshot"]["number"], 1);
}

#[test]
fn applying_the_same_again_changes_nothing() {
    let place = applied();
    let run = place.run(&["apply", "--format", "json"]);
    assert_eq!((run.code, run.json()["result"].as_str()), (0, Some("unchanged")));
    assert_eq!(place.run(&["snapshots", "--format", "json"]).json()["activations"].as_array().unwrap().len(), 1);
}

#[test]
fn one_changed_tool_adds_a_few_parts() {
    let place = applied();
    place.edit("catalogs/mail.anthropic.json", "\"description\": \"", "\"description\": \"Now and then: ");
    let run = place.run(&["apply"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.out.contains("3 new parts"), "{}", run.out);
}

#[test]
fn digests_ignore_the_order_of_files_and_documents() {
    let place = applied();
    let first = place.run(&["show", "--format", "json"]).json();
    let text = std::fs::read_to_string(place.path("policies/groups.yaml")).unwrap();
    let mut documents: Vec<&str> = text.split("\n---\n").collect();
    documents.reverse();
    std::fs::remove_file(place.path("policies/groups.yaml")).unwrap();
    place.write("policies/zz/moved.yaml", documents.join("\n---\n").replace('\n', "\r\n"));
    let run = place.run(&["apply", "--format", "json"]);
    assert_eq!(run.json()["result"], "unchanged", "{run:?}");
    let report = place.run(&["check", "--format", "json"]).json();
    assert_eq!(report["source_digest"], first["record"]["source_digest"]);
}

/// Runs `git` in the place, without the settings of this machine, and gives its first line.
#[track_caller]
fn git(place: &Place, arguments: &[&str]) -> String {
    let mut git = Command::new("git");
    git.current_dir(place.path("")).args(["-c", "user.name=t", "-c", "user.email=t@example.com"]).args(arguments);
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        git.env_remove(name);
    }
    git.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    let run: Run = git.output().unwrap().into();
    assert_eq!(run.code, 0, "{arguments:?}: {run:?}");
    run.out.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn an_apply_records_its_message_and_the_commit_that_it_was_made_of() {
    let place = Place::small();
    let check = |message: Option<&str>, commit: Option<&str>| {
        let arguments: Vec<&str> =
            ["apply"].into_iter().chain(message.iter().flat_map(|text| ["--message", text])).collect();
        let run = place.run(&arguments);
        assert_eq!(run.code, 0, "{run:?}");
        let record = place.run(&["show", "--format", "json"]).json()["record"].clone();
        assert_eq!((record["message"].as_str(), record["git_commit"].as_str()), (message, commit), "{record}");
        let said = place.run(&["show"]).out;
        assert_eq!(said.contains("git commit"), commit.is_some(), "{said}");
        for word in message.iter().chain(&commit) {
            assert!(said.contains(word), "`{word}` is not in: {said}");
        }
    };
    let edit = |from: &str, to: &str| place.edit("policies/groups.yaml", from, to);
    check(Some("before there was a commit"), None);
    edit("title: Everything", "title: All");
    git(&place, &["init", "--quiet"]);
    git(&place, &["add", "policies", "catalogs"]);
    git(&place, &["commit", "--quiet", "--message", "one"]);
    let first = git(&place, &["rev-parse", "HEAD"]);
    check(Some("as committed"), Some(&first));
    edit("title: All", "title: Nearly all");
    check(Some("with an edit"), Some(&format!("{first}-dirty")));
    git(&place, &["commit", "--quiet", "--all", "--message", "two"]);
    edit("description: Notes", "description: All notes");
    git(&place, &["commit", "--quiet", "--all", "--message", "three"]);
    check(None, Some(&git(&place, &["rev-parse", "HEAD"])));
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let place = applied();
    place.edit("policies/globex.yaml", "ceiling: confirm_writes", "ceiling: open");
    place.edit("catalogs/mail.anthropic.json", "\"description\": \"", "\"description\": \"Now and then: ");
    // Whatever is new has its vectors then.
    place.run(&["check"]);
    let with = |threads: &str, command: &str| {
        let mut command = place.command(&[command, "--format", "json"]);
        Run::from(command.env("RAYON_NUM_THREADS", threads).output().unwrap())
    };
    for (command, digest) in [("check", "/source_digest"), ("diff", "/to/digest")] {
        let one = with("1", command);
        assert_eq!(one.code, 0, "{one:?}");
        assert!(one.json().pointer(digest).is_some_and(Value::is_string), "{one:?}");
        for threads in ["2", "5"] {
            assert_eq!(with(threads, command).out, one.out, "{command} with {threads} threads");
        }
    }
}
