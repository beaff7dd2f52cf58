//! `--prove` by command: what a solver says of a change and of idle policies, and what is said where there is no solver.
//! A desk without cvc5 is told what was not tested; CI fails.

#![expect(clippy::indexing_slicing, clippy::unwrap_used, reason = "an answer of another shape is the failure")]

use std::process::Command;

use ambit_tests::{Place, Run};
use serde_json::{Value, json};

const POLICIES: &str = "policies/who.cedar";
/// Who may do what at first: everybody reads.
const READS: &str = r#"resource in Ambit::Group::"everything") when { resource.effect == Ambit::Effect::"read" }"#;
const READS_OTHERWISE: &str =
    r#"resource in Ambit::Group::"everything") when { [Ambit::Effect::"read"].contains(resource.effect) }"#;
const READS_LITTLE: &str = r#"resource in Ambit::Group::"everything")
    when { resource.effect == Ambit::Effect::"read" && resource.risk == Ambit::Risk::"low" }"#;
const ALL: &str = r#"resource in Ambit::Group::"everything")"#;
/// A sum can overflow, and then the policy fails.
const SUMS: &str =
    r#"resource in Ambit::Group::"everything") when { (if resource.confirmation then 1 else 2) + 1 > 1 }"#;
const CORE: [&str; 4] = [
    "nothing crosses tenants",
    "no tool of a catalog that the project does not list",
    "under read_only nothing but reads without confirmation, of low or medium risk",
    "under confirm_writes nothing destructive",
];
const WITHOUT: &str = "the solver cvc5 is not installed here";

/// The small workspace with one policy, which permits this.
fn small(permit: &str) -> Place {
    let place = Place::small();
    place.edit("policies/workspace.yaml", "---\nkind: Policy\nid: everybody\ncedar: |\n", "# ");
    permitting(&place, permit);
    place
}

fn permitting(place: &Place, permit: &str) {
    place.write(
        POLICIES,
        format!("@id(\"everybody\")\npermit (principal in Ambit::Tenant::\"acme\", action, {permit};\n"),
    );
}

fn applied(permit: &str) -> Place {
    let place = small(permit);
    done(&place, &["apply"]);
    place
}

#[track_caller]
fn done(place: &Place, arguments: &[&str]) -> Run {
    ends_well(place.run(arguments), arguments)
}

/// Where there is no solver.
#[track_caller]
fn done_without(place: &Place, arguments: &[&str]) -> Run {
    let run = place.command(arguments).env("CVC5", "/nonexistent").output().unwrap();
    ends_well(run.into(), arguments)
}

#[track_caller]
fn ends_well(run: Run, arguments: &[&str]) -> Run {
    assert_eq!(run.code, 0, "{arguments:?}: {run:?}");
    run
}

/// The text says each of these, in this order.
#[track_caller]
fn check_says(text: &str, says: &[&str]) {
    let mut rest = text;
    for word in says {
        let (_, after) =
            rest.split_once(word).unwrap_or_else(|| unreachable!("`{word}` does not come next in: {text}"));
        rest = after;
    }
}

/// A missing solver is no failure at a desk.
#[expect(clippy::print_stderr, reason = "whoever runs the tests has to know what was not tested")]
fn has_solver() -> bool {
    let solver = std::env::var_os("CVC5").unwrap_or_else(|| "cvc5".into());
    let there = Command::new(solver).arg("--version").output().is_ok_and(|output| output.status.success());
    if !there {
        assert!(std::env::var_os("CI").is_none(), "there is no cvc5 here, and CI proves with it");
        eprintln!("skipped: there is no cvc5 here (`make test` brings it)");
    }
    there
}

/// What becomes of the policies, told in text and in JSON; the core holds each time.
#[track_caller]
fn check(place: &Place, arguments: &[&str], word: &str, says: &[&str]) -> Value {
    let (verdict, core) = (format!("  {word}: "), CORE.map(|claim| format!("  {claim}: proved\n")));
    let told = ["\nproof by cvc5 ", &verdict].into_iter().chain(says.iter().copied());
    check_says(&done(place, arguments).out, &told.chain(core.iter().map(String::as_str)).collect::<Vec<_>>());
    let proof = done(place, &[arguments, &["--format", "json"]].concat()).json()["proof"].clone();
    assert!(proof["solver"].as_str().unwrap().starts_with("cvc5 "), "{proof}");
    let claims = CORE.map(|claim| json!({ "says": claim, "outcome": "proved" }));
    assert_eq!(proof["core"], json!(claims));
    let policies = &proof["policies"];
    let found = policies.as_str().or_else(|| policies.as_object()?.keys().next().map(String::as_str));
    assert_eq!(found, Some(word), "{proof}");
    proof
}

#[test]
fn a_change_is_proved_to_narrow_to_widen_or_to_be_none() {
    if !has_solver() {
        return;
    }
    let place = applied(READS);
    check(&place, &["diff", "--prove"], "equivalent", &["the same use of tools, whatever is declared"]);
    permitting(&place, READS_OTHERWISE);
    check(&place, &["diff", "--prove"], "equivalent", &["the same use of tools, whatever is declared"]);
    permitting(&place, READS_LITTLE);
    check(&place, &["diff", "--prove"], "narrows", &["no more use of tools, whatever is declared"]);
    permitting(&place, ALL);
    // The example is a request: somebody, an action, and a tool that is no read.
    let example = ["more use of tools, for example", "Ambit::Action::", "Ambit::Tool::"];
    let proof = check(&place, &["diff", "--prove"], "widens", &example);
    let example = proof["policies"]["widens"]["counterexample"].as_str().unwrap();
    assert!(example.contains("Ambit::Tool::") && example.contains("Ambit::Effect::"), "{example}");
    let markdown = done(&place, &["diff", "--prove", "--format", "markdown"]).out;
    check_says(&markdown, &["Proof: the policies: widens", CORE[0]]);
    assert_eq!(done(&place, &["diff", "--format", "json"]).json().get("proof"), None, "nobody asked");
}

#[test]
fn a_policy_that_could_fail_leaves_it_unknown() {
    if !has_solver() {
        return;
    }
    let place = applied(READS);
    permitting(&place, SUMS);
    let says = ["`everybody` could fail while it is evaluated, which denies, and the solver does not know that"];
    let proof = check(&place, &["diff", "--prove"], "unknown", &says);
    assert_eq!(proof["policies"]["unknown"]["why"], says[0]);
}

#[test]
fn what_is_stored_is_proved_too() {
    if !has_solver() {
        return;
    }
    let place = applied(READS);
    permitting(&place, ALL);
    done(&place, &["apply"]);
    check(&place, &["diff", "1", "2", "--prove"], "widens", &["for example"]);
    check(&place, &["diff", "2", "1", "--prove"], "narrows", &[]);
    check(&place, &["diff", "1", "1", "--prove"], "equivalent", &[]);
}

/// The small workspace with a policy that decides nothing: another permits all that it permits.
fn shadowed() -> Place {
    let place = small(ALL);
    let twice = format!("@id(\"twice\")\npermit (principal in Ambit::Tenant::\"acme\", action, {READS_LITTLE};\n");
    place.write("policies/twice.cedar", twice);
    place
}

/// The help of the finding about it.
fn idle(run: &Run) -> String {
    let found = run.json()["diagnostics"].clone();
    let found = found.as_array().unwrap().iter().find(|found| found["code"] == "W_SHADOWED").unwrap().clone();
    assert!(found["message"].as_str().unwrap().starts_with("`twice` changes nothing"), "{found}");
    found["help"].as_str().unwrap().to_owned()
}

const PROVED: &str = "a solver proved it for whatever may be declared";
const ENUMERATED: &str = "this is by enumeration over what is declared now";

#[test]
fn an_idle_policy_is_proved_to_be_idle() {
    if !has_solver() {
        return;
    }
    let place = shadowed();
    let said = done(&place, &["check", "--prove"]).out;
    check_says(&said, &["warning[W_SHADOWED]: `twice` ", PROVED]);
    assert!(!said.contains(ENUMERATED), "{said}");
    let help = idle(&done(&place, &["check", "--prove", "--format", "json"]));
    assert!(help.ends_with(PROVED), "{help}");
    let help = idle(&done(&place, &["check", "--format", "json"]));
    assert!(help.ends_with(ENUMERATED), "{help}");
}

/// Idle by enumeration alone: the tool only reads now, and another of its name could do more.
#[test]
fn what_is_idle_by_chance_is_not_proved() {
    if !has_solver() {
        return;
    }
    let place = small(READS);
    let twice = "@id(\"twice\")\npermit (principal in Ambit::Tenant::\"acme\", action, resource == Ambit::Tool::\"notes/notes.list\");\n";
    place.write("policies/twice.cedar", twice);
    let help = idle(&done(&place, &["check", "--prove", "--format", "json"]));
    assert!(help.ends_with(ENUMERATED), "{help}");
}

#[test]
fn without_a_solver_nothing_is_proved_and_that_is_said() {
    let place = applied(READS);
    permitting(&place, ALL);
    let unknown = format!("{WITHOUT}: nothing was proved");
    let said = done_without(&place, &["diff", "--prove"]).out;
    check_says(&said, &["\nproof\n  unknown: ", &unknown]);
    assert!(!said.contains("proved\n  "), "{said}");
    let json = done_without(&place, &["diff", "--prove", "--format", "json"]).json();
    assert_eq!(json["proof"], json!({ "solver": null, "core": [], "policies": { "unknown": { "why": unknown } } }));

    let place = shadowed();
    let help = "install cvc5, or name it in the environment as `CVC5`";
    let said = done_without(&place, &["check", "--prove"]).out;
    check_says(&said, &[ENUMERATED, "note[N_LINTS_SKIPPED]: ", WITHOUT, help]);
    let run = done_without(&place, &["check", "--prove", "--format", "json"]);
    assert!(idle(&run).ends_with(ENUMERATED));
    let report = run.json();
    let notes: Vec<&Value> =
        report["diagnostics"].as_array().unwrap().iter().filter(|found| found["severity"] == "note").collect();
    assert_eq!(notes.iter().map(|note| &note["code"]).collect::<Vec<_>>(), ["N_LINTS_SKIPPED"]);
    assert_eq!(notes[0]["help"], help);
    // A note is nothing to be strict about.
    let place = small(ALL);
    done_without(&place, &["check", "--prove", "--strict"]);
}
