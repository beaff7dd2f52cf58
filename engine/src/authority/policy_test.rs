//! Runs the operator's PolicyTests: what the policies and the ceiling really decide, against what was expected.
//! A test that looks at nothing fails: a glob that no longer matches would otherwise pass forever.

use std::collections::BTreeMap;
use std::fmt::Display;

use ambit_model::codes::E_POLICY_TEST;
use ambit_model::declaration::PolicyTest;
use ambit_model::diagnostic::Diagnostic;
use ambit_model::identity::ToolId;
use globset::{GlobBuilder, GlobMatcher};

use super::compile::Authority;
use super::decide::{Decision, Standing};
use crate::nearest::did_you_mean;
use crate::resolve::declarations::Located;

/// Most tools that one message names.
const NAMED: usize = 3;

/// Runs every test. Tools that fail for the same reason share a diagnostic.
pub fn run_tests(authority: &Authority, tests: &[Located<PolicyTest>]) -> Vec<Diagnostic> {
    let failures = tests.iter().flat_map(|test| {
        let found = run(authority, &test.value).unwrap_or_else(|complaint| vec![*complaint]);
        found.into_iter().map(|complaint| complaint.at(test.place.clone()))
    });
    failures.collect()
}

fn run(authority: &Authority, test: &PolicyTest) -> Result<Vec<Diagnostic>, Box<Diagnostic>> {
    let standing = standing(authority, test)?;
    if let Some(policy) = &test.policy
        && !authority.policy_ids().any(|id| id == policy)
    {
        return Err(unknown("policy", policy, authority.policy_ids()));
    }
    let glob = glob(&test.tool)?;
    let mut matching = authority.tools.iter().filter(|(id, _)| glob.is_match(id.as_str())).peekable();
    if matching.peek().is_none() {
        return Err(unknown("tool", &test.tool, authority.tools.keys()));
    }
    let mut failures: BTreeMap<Decision, Vec<&ToolId>> = BTreeMap::new();
    for (id, tool) in matching {
        let decision = standing.decide(test.action, tool);
        if !meets(test, &decision) {
            failures.entry(decision).or_default().push(id);
        }
    }
    Ok(failures.iter().map(|(decision, tools)| failure(authority, test, tools, decision)).collect())
}

fn standing<'a>(authority: &'a Authority, test: &PolicyTest) -> Result<Standing<'a>, Box<Diagnostic>> {
    if !authority.projects.contains_key(&test.project) {
        return Err(unknown("project", &test.project, authority.projects.keys()));
    }
    let standing = authority.standing(&test.principal, &test.project);
    let standing = standing.map_err(|error| Diagnostic::error(E_POLICY_TEST, error))?;
    standing.ok_or_else(|| unknown("principal", &test.principal, authority.principal_ids()))
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

fn glob(written: &str) -> Result<GlobMatcher, Box<Diagnostic>> {
    let glob = GlobBuilder::new(written).literal_separator(true).build();
    glob.map(|glob| glob.compile_matcher()).map_err(|error| {
        let complaint = Diagnostic::error(E_POLICY_TEST, format!("`{written}` is not a glob: {}", error.kind()));
        Box::new(complaint.help("`*` stands for any characters but `/`, `**` for any at all"))
    })
}

fn unknown(noun: &str, written: impl Display, known: impl IntoIterator<Item: ToString>) -> Box<Diagnostic> {
    let known: Vec<String> = known.into_iter().map(|known| known.to_string()).collect();
    let written = written.to_string();
    let message = match noun {
        "tool" => format!("`{written}` matches no tool"),
        _ => format!("no {noun} `{written}` is declared"),
    };
    let help = did_you_mean(&written, known.iter().map(String::as_str));
    let help = help.unwrap_or_else(|| format!("a test must look at a {noun} that exists"));
    Box::new(Diagnostic::error(E_POLICY_TEST, message).help(help))
}

#[cfg(test)]
mod tests {
    use ambit_model::declaration::Action;
    use ambit_model::diagnostic::Place;
    use ambit_model::facts::Ceiling;

    use super::super::sample::{PERMIT_ALL, authority, principal, project_id, snapshot};
    use super::*;

    const NO_PAY: &str = r#"@reason("payments are made by people") forbid (principal, action == Ambit::Action::"invoke", resource == Ambit::Tool::"billing/pay");"#;

    /// A test is written as `principal action tool allow|deny` and perhaps a policy, in project `acme/finance`.
    #[track_caller]
    fn check(test: &str, expected: &[&str]) {
        let words: Vec<&str> = test.split(' ').collect();
        let (&[who, action, tool, verdict], policy) = match words.as_slice() {
            [who, action, tool, verdict] => (&[*who, *action, *tool, *verdict], None),
            [who, action, tool, verdict, policy] => (&[*who, *action, *tool, *verdict], Some((*policy).to_owned())),
            _ => return assert_eq!(test, "four or five words"),
        };
        let test = PolicyTest {
            principal: principal(who),
            project: project_id("acme/finance"),
            action: Action::ALL.into_iter().find(|a| a.word() == action).unwrap_or(Action::Invoke),
            tool: tool.to_owned(),
            allow: verdict == "allow",
            policy,
        };
        assert_eq!(run_one(test), expected);
    }

    fn run_one(test: PolicyTest) -> Vec<String> {
        let place =
            Place { file: "t.yaml".to_owned(), line: 1, column: 1, length: 1, text: "kind: PolicyTest".to_owned() };
        let found =
            run_tests(&authority(&snapshot(&[PERMIT_ALL, NO_PAY])), &[Located { value: test, place: place.clone() }]);
        assert!(found.iter().all(|d| d.place.as_ref() == Some(&place) && d.code == E_POLICY_TEST));
        found.into_iter().map(|d| format!("{} ({})", d.message, d.help.unwrap_or_default())).collect()
    }

    #[test]
    fn tests_that_hold_say_nothing() {
        check("acme:user:ada invoke billing/list allow", &[]);
        check("acme:user:ada invoke billing/list allow p0", &[]);
        check("acme:user:ada route billing/* allow", &[]);
        check("acme:user:ada invoke billing/pay deny p1", &[]);
        check("acme:user:ada discover plant/* deny ambit/tenant-isolation", &[]);
        check("acme:role:member discover hidden/* deny", &[]);
    }

    #[test]
    fn a_failure_names_the_tool_and_the_deciding_policies() {
        check(
            "acme:user:ada invoke billing/* allow",
            &[
                "`acme:user:ada` may not invoke `billing/pay` in `acme/finance`; the test expects allow (forbidden by `p1` (payments are made by people))",
            ],
        );
        check(
            "acme:user:ada route billing/* deny",
            &[
                "`acme:user:ada` may route `billing/list`, `billing/pay`, `billing/report` in `acme/finance`; the test expects deny (permitted by `p0`)",
            ],
        );
        check(
            "acme:user:ada invoke billing/pay deny ambit/ceiling-read-only",
            &[
                "`acme:user:ada` may not invoke `billing/pay` in `acme/finance`; not because of `ambit/ceiling-read-only`, as the test expects (forbidden by `p1` (payments are made by people))",
            ],
        );
        check(
            "acme:user:ada discover hidden/list allow",
            &[
                "`acme:user:ada` may not discover `hidden/list` in `acme/finance`; the test expects allow (forbidden by `ambit/project-catalogs` (the project does not list the tool's catalog))",
            ],
        );
    }

    #[test]
    fn tools_that_fail_for_different_reasons_are_told_apart() {
        check(
            "acme:user:ada invoke */* deny",
            &[
                "`acme:user:ada` may invoke `billing/list`, `billing/report`, `mail/send` in `acme/finance`; the test expects deny (permitted by `p0`)",
            ],
        );
        check(
            "acme:user:ada invoke ** allow",
            &[
                "`acme:user:ada` may not invoke `hidden/list` in `acme/finance`; the test expects allow (forbidden by `ambit/project-catalogs` (the project does not list the tool's catalog))",
                "`acme:user:ada` may not invoke `plant/status` in `acme/finance`; the test expects allow (forbidden by `ambit/project-catalogs` (the project does not list the tool's catalog), `ambit/tenant-isolation` (the project and the tool must belong to the principal's own tenant))",
                "`acme:user:ada` may not invoke `billing/pay` in `acme/finance`; the test expects allow (forbidden by `p1` (payments are made by people))",
            ],
        );
    }

    #[test]
    fn a_test_that_looks_at_nothing_fails() {
        check(
            "acme:user:ada invoke biling/list allow",
            &["`biling/list` matches no tool (did you mean `billing/list`?)"],
        );
        check("acme:user:ada invoke * deny", &["`*` matches no tool (a test must look at a tool that exists)"]);
        check(
            "acme:user:aada invoke billing/list allow",
            &["no principal `acme:user:aada` is declared (did you mean `acme:user:ada`?)"],
        );
        check(
            "acme:user:ada invoke billing/list allow p9",
            &["no policy `p9` is declared (a test must look at a policy that exists)"],
        );
        check(
            "acme:user:ada invoke billing/[ allow",
            &[
                "`billing/[` is not a glob: unclosed character class; missing ']' (`*` stands for any characters but `/`, `**` for any at all)",
            ],
        );
        let mut test = PolicyTest {
            principal: principal("acme:user:ada"),
            project: project_id("acme/finanze"),
            action: Action::Route,
            tool: "billing/*".to_owned(),
            allow: true,
            policy: None,
        };
        assert_eq!(run_one(test.clone()), ["no project `acme/finanze` is declared (did you mean `acme/finance`?)"]);
        test.project = project_id("globex/ops");
        let isolated = run_one(test);
        assert!(isolated.iter().all(|d| d.contains("`ambit/tenant-isolation`")) && !isolated.is_empty());
    }

    #[test]
    fn where_no_policy_speaks_the_help_says_so() {
        let mut closed = snapshot(&[]);
        for project in &mut closed.projects {
            project.ceiling = Ceiling::ReadOnly;
        }
        let place = Place { file: "t.yaml".to_owned(), line: 1, column: 1, length: 1, text: String::new() };
        let test = PolicyTest {
            principal: principal("acme:user:ada"),
            project: project_id("acme/finance"),
            action: Action::Route,
            tool: "billing/list".to_owned(),
            allow: true,
            policy: None,
        };
        let found = run_tests(&authority(&closed), &[Located { value: test, place }]);
        assert_eq!(found.first().and_then(|d| d.help.as_deref()), Some("no policy permits it"));
    }
}
