//! The report of `ambit test`: what failed and why, which policies no test looks at, and the count.

use ambit_model::codes::E_POLICY_TEST;
use ambit_model::diagnostic::Diagnostic;
use ambit_model::policies::{PolicyNote, TestOutcome};
use ambit_service::testing::{Routes, Tested};

use crate::cli::diagnostics;

/// The whole report. Failed PolicyTests are errors of a compile; here they stand among the tests.
pub(in crate::cli) fn report(tested: &Tested) -> String {
    let others = tested.checked.diagnostics.iter().filter(|d| d.is_error() && d.code != E_POLICY_TEST);
    let others: Vec<Diagnostic> = others.cloned().collect();
    let failed: Vec<&TestOutcome> = tested.outcomes.iter().filter(|outcome| !outcome.passed).collect();
    let mut text = diagnostics::render(&others);
    failed.iter().for_each(|outcome| text.push_str(&failure(outcome)));
    let unreached: Vec<&PolicyNote> = tested.unreached().collect();
    let ran = !tested.outcomes.is_empty() || tested.routes == Routes::Asked;
    if ran && !unreached.is_empty() {
        text.push_str("policies that no test reaches:\n");
        unreached.iter().for_each(|note| text.push_str(&format!("  {}:{}: {}\n", note.file, note.line, note.id)));
        text.push('\n');
    }
    match tested.routes {
        Routes::Asked => {}
        Routes::LeftOut(count) => {
            text.push_str(&format!("{} left out (--no-routes)\n", counted(count, "golden route")))
        }
        Routes::NotCompiled(count) => {
            text.push_str(&format!("{} not asked: the workspace does not compile\n", counted(count, "golden route")));
        }
    }
    let policies = tested.checked.compiled.policies.policies.len();
    let reached = match (ran, unreached.len()) {
        (false, _) => "nothing was tested".to_owned(),
        (true, 0) => format!("every policy of {policies} is reached"),
        (true, missed) => format!("{missed} of {policies} policies reached by none"),
    };
    let passed = tested.outcomes.len() - failed.len();
    let tests = counted(tested.outcomes.len(), "test");
    format!("{text}{tests}: {passed} passed, {} failed; {reached}{}\n", failed.len(), next(tested, failed.is_empty()))
}

fn failure(outcome: &TestOutcome) -> String {
    let TestOutcome { file, line, says, instead, .. } = outcome;
    let instead: Vec<String> = instead.iter().map(|line| format!("    {line}\n")).collect();
    format!("failed {file}:{line}: expected: {says}\n{}\n", instead.concat())
}

fn next(tested: &Tested, all_passed: bool) -> &'static str {
    match (all_passed, tested.routes) {
        (_, Routes::NotCompiled(_)) => "; `ambit check` shows every problem",
        (true, _) => "",
        (false, _) => "; `ambit why TOOL --as PRINCIPAL` explains what is live now",
    }
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
