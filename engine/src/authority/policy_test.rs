//! Runs the operator's PolicyTests: what the policies and the ceiling really decide, against what was expected.
//! A test that looks at nothing fails: a glob that no longer matches would otherwise pass forever.

use std::collections::BTreeMap;

use ambit_model::codes::E_POLICY_TEST;
use ambit_model::declaration::PolicyTest;
use ambit_model::diagnostic::Diagnostic;
use ambit_model::identity::ToolId;
use globset::{GlobBuilder, GlobMatcher};

use super::compile::Authority;
use super::decide::Decision;
use crate::nearest::did_you_mean;
use crate::resolve::declarations::Located;

/// Most tools that one message names.
const NAMED: usize = 3;

/// Runs every test. Tools that fail for the same reason share a diagnostic.
pub fn run_tests(authority: &Authority, tests: &[Located<PolicyTest>]) -> Vec<Diagnostic> {
    let failures = tests.iter().flat_map(|test| {
        let found = run(authority, &test.value).unwrap_or_else(|complaint| vec![complaint]);
        found.into_iter().map(|complaint| complaint.at(test.place.clone()))
    });
    failures.collect()
}

fn run(authority: &Authority, test: &PolicyTest) -> Result<Vec<Diagnostic>, Diagnostic> {
    if !authority.projects.contains_key(&test.project) {
        let projects: Vec<String> = authority.projects.keys().map(ToString::to_string).collect();
        return Err(unknown("project", &test.project.to_string(), &projects));
    }
    let standing = authority.standing(&test.principal, &test.project).map_err(|error| Diagnostic::error(E_POLICY_TEST, error))?;
    let standing = standing.ok_or_else(|| unknown("principal", &test.principal.to_string(), &authority.principal_ids()))?;
    if let Some(policy) = test.policy.as_ref().filter(|policy| !authority.policy_ids().any(|id| id == policy.as_str())) {
        return Err(unknown("policy", policy, &authority.policy_ids().map(str::to_owned).collect::<Vec<_>>()));
    }
    let glob = glob(&test.tool)?;
    let matching = authority.tools.iter().filter(|(id, _)| glob.is_match(id.as_str()));
    let decided: Vec<(&ToolId, Decision)> = matching.map(|(id, tool)| (id, standing.decide(test.action, tool))).collect();
    if decided.is_empty() {
        return Err(unknown("tool", &test.tool, &authority.tools.keys().map(ToString::to_string).collect::<Vec<_>>()));
    }
    let mut failures: BTreeMap<(bool, Vec<String>, Vec<String>), Vec<&ToolId>> = BTreeMap::new();
    for (id, decision) in decided {
        if !meets(test, &decision) {
            failures.entry((decision.allow, decision.policies, decision.errors)).or_default().push(id);
        }
    }
    let complaints = failures.into_iter().map(|((allow, policies, errors), tools)| {
        failure(authority, test, &tools, &Decision { allow, policies, errors })
    });
    Ok(complaints.collect())
}

fn meets(test: &PolicyTest, decision: &Decision) -> bool {
    decision.allow == test.allow && test.policy.as_ref().is_none_or(|policy| decision.policies.contains(policy))
}

fn failure(authority: &Authority, test: &PolicyTest, tools: &[&ToolId], decision: &Decision) -> Diagnostic {
    let (principal, action, project) = (&test.principal, test.action.word(), &test.project);
    let verb = if decision.allow { "may" } else { "may not" };
    let tools = named(tools);
    let expected = match (&test.policy, decision.allow == test.allow) {
        (Some(policy), true) => format!("not because of `{policy}`, as the test expects"),
        _ => format!("the test expects {}", if test.allow { "allow" } else { "deny" }),
    };
    Diagnostic::error(E_POLICY_TEST, format!("`{principal}` {verb} {action} {tools} in `{project}`; {expected}"))
        .help(because(authority, decision))
}

fn because(authority: &Authority, decision: &Decision) -> String {
    if !decision.errors.is_empty() {
        return format!("an error denies: {}", decision.errors.join("; "));
    }
    if decision.policies.is_empty() {
        return "no policy permits it".to_owned();
    }
    let explained = decision.policies.iter().map(|id| match authority.reason(id) {
        Some(reason) => format!("`{id}` ({reason})"),
        None => format!("`{id}`"),
    });
    let verb = if decision.allow { "permitted" } else { "forbidden" };
    format!("{verb} by {}", explained.collect::<Vec<_>>().join(", "))
}

fn named(tools: &[&ToolId]) -> String {
    let names: Vec<String> = tools.iter().take(NAMED).map(|id| format!("`{id}`")).collect();
    match tools.len() - names.len() {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}

fn glob(written: &str) -> Result<GlobMatcher, Diagnostic> {
    let glob = GlobBuilder::new(written).literal_separator(true).build();
    glob.map(|glob| glob.compile_matcher()).map_err(|error| {
        Diagnostic::error(E_POLICY_TEST, format!("`{written}` is not a glob: {}", error.kind()))
            .help("`*` stands for any characters but `/`, `**` for any at all")
    })
}

fn unknown(noun: &str, written: &str, known: &[String]) -> Diagnostic {
    let message = match noun {
        "tool" => format!("`{written}` matches no tool"),
        _ => format!("no {noun} `{written}` is declared"),
    };
    let help = did_you_mean(written, known.iter().map(String::as_str));
    Diagnostic::error(E_POLICY_TEST, message).help(help.unwrap_or_else(|| format!("a test must look at a {noun} that exists")))
}
