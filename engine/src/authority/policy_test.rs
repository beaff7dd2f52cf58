//! Runs the operator's PolicyTests: what the policies and the ceiling really decide, against what was expected.
//! A test that looks at nothing fails: a glob that no longer matches would otherwise pass forever.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

use ambit_model::codes::E_POLICY_TEST;
use ambit_model::declaration::{Action, Asks, PolicyTest};
use ambit_model::diagnostic::Diagnostic;
use ambit_model::identity::{Principal, ProjectId, ToolId};
use ambit_model::policies::{TestKind, TestOutcome};
use globset::{GlobBuilder, GlobMatcher};

use super::compile::{Authority, Tool};
use super::decide::{Decision, Standing};
use super::report::Places;
use crate::nearest::did_you_mean;
use crate::resolve::declarations::Located;

/// Most tools that one message names.
const NAMED: usize = 3;

/// What became of the tests.
#[derive(Debug, Default)]
pub(super) struct TestRun {
    /// One for each thing that fails; tools that fail for the same reason share one.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// In the order of the tests.
    pub(super) outcomes: Vec<TestOutcome>,
    /// The policies that decided.
    pub(super) reached: BTreeSet<String>,
}

/// Runs every test.
pub(super) fn run_tests(authority: &Authority, tests: &[Located<PolicyTest>], places: &Places) -> TestRun {
    let mut run = TestRun::default();
    for Located { value: test, place } in tests {
        let trial = Trial { authority, test, places };
        let (mut instead, mut complaints) = (Vec::new(), Vec::new());
        match trial.decide() {
            Ok(decided) => {
                run.reached.extend(decided.keys().flat_map(|decision| decision.policies.iter().cloned()));
                for (decision, tools) in decided.iter().filter(|(decision, _)| !trial.is_met_by(decision)) {
                    instead.push(trial.instead(decision, tools));
                    complaints.push(trial.failure(decision, tools));
                }
            }
            Err(complaint) => {
                instead.push(complaint.message.clone());
                complaints.push(*complaint);
            }
        }
        run.diagnostics.extend(complaints.into_iter().map(|complaint| complaint.at(place.clone())));
        run.outcomes.push(TestOutcome {
            kind: TestKind::PolicyTest,
            file: place.file.clone(),
            line: place.line,
            says: test.to_string(),
            passed: instead.is_empty(),
            instead,
        });
    }
    run
}

struct Trial<'a> {
    authority: &'a Authority,
    test: &'a PolicyTest,
    places: &'a Places,
}

/// Decisions, and the tools that each is about; none where the test is about no tools.
type Decided<'a> = BTreeMap<Decision, Vec<&'a ToolId>>;

impl<'a> Trial<'a> {
    fn decide(&self) -> Result<Decided<'a>, Box<Diagnostic>> {
        let Self { authority, test, .. } = *self;
        if let Some(policy) = &test.policy
            && !authority.policy_ids().any(|id| id == policy)
        {
            return Err(unknown("policy", policy, authority.policy_ids()));
        }
        let (principal, vouched) = (&test.principal, BTreeSet::new());
        let decision = match &test.asks {
            Asks::Use { acting_for, project, action, tool } => {
                return self.use_of_tools(acting_for.as_ref(), project, *action, tool);
            }
            Asks::Administer { action, resource } => {
                self.is_known(principal)?;
                authority.administers(principal, &vouched, *action, resource)
            }
            Asks::ActFor { user } => {
                self.is_known(principal)?;
                self.is_known(user)?;
                authority.acts_for(principal, &vouched, user)
            }
        };
        Ok(BTreeMap::from([(decision, Vec::new())]))
    }

    fn use_of_tools(
        &self,
        acting_for: Option<&Principal>,
        project: &ProjectId,
        action: Action,
        tool: &str,
    ) -> Result<Decided<'a>, Box<Diagnostic>> {
        let (authority, principal) = (self.authority, &self.test.principal);
        let own = self.standing(principal, project)?;
        let theirs = acting_for.map(|user| self.standing(user, project)).transpose()?;
        let acting = acting_for.map(|user| authority.acts_for(principal, &BTreeSet::new(), user));
        let glob = glob(tool)?;
        let mut matching = authority.tools.iter().filter(|(id, _)| glob.is_match(id.as_str())).peekable();
        if matching.peek().is_none() {
            return Err(unknown("tool", tool, authority.tools.keys()));
        }
        let decide = |tool: &Tool| match (&acting, &theirs) {
            (Some(acting), Some(theirs)) => acting.then(|| both(own.decide(action, tool), theirs.decide(action, tool))),
            _ => own.decide(action, tool),
        };
        let mut decided: Decided<'a> = BTreeMap::new();
        for (id, tool) in matching {
            decided.entry(decide(tool)).or_default().push(id);
        }
        Ok(decided)
    }

    fn standing(&self, principal: &Principal, project: &ProjectId) -> Result<Standing<'a>, Box<Diagnostic>> {
        let authority = self.authority;
        if !authority.projects.contains_key(project) {
            return Err(unknown("project", project, authority.projects.keys()));
        }
        let standing = authority.standing(principal, project);
        let standing = standing.map_err(|error| Diagnostic::error(E_POLICY_TEST, error))?;
        standing.ok_or_else(|| unknown("principal", principal, authority.principal_ids()))
    }

    fn is_known(&self, principal: &Principal) -> Result<(), Box<Diagnostic>> {
        let declared = self.authority.declares(principal);
        if declared { Ok(()) } else { Err(unknown("principal", principal, self.authority.principal_ids())) }
    }

    fn is_met_by(&self, decision: &Decision) -> bool {
        let test = self.test;
        decision.allow == test.allow && test.policy.as_ref().is_none_or(|policy| decision.policies.contains(policy))
    }

    fn failure(&self, decision: &Decision, tools: &[&ToolId]) -> Diagnostic {
        let test = self.test;
        let expected = match (&test.policy, decision.allow == test.allow) {
            (Some(policy), true) => format!("not because of `{policy}`, as the test expects"),
            _ => format!("the test expects {}", if test.allow { "allow" } else { "deny" }),
        };
        let because = because(decision, |id| match self.authority.reason(id) {
            Some(reason) => format!("`{id}` ({reason})"),
            None => format!("`{id}`"),
        });
        let complaint = Diagnostic::error(E_POLICY_TEST, format!("{}; {expected}", self.said(decision, tools)));
        complaint.help(because)
    }

    /// What was decided, in the words of the test.
    fn said(&self, decision: &Decision, tools: &[&ToolId]) -> String {
        let (principal, verb) = (&self.test.principal, if decision.allow { "may" } else { "may not" });
        match &self.test.asks {
            Asks::Use { acting_for, project, action, .. } => {
                let whose = acting_for.as_ref().map_or(String::new(), |user| format!(" for `{user}`"));
                format!("`{principal}`{whose} {verb} {} {} in `{project}`", action.word(), named(tools))
            }
            Asks::Administer { action, resource } => format!("`{principal}` {verb} {} `{resource}`", action.word()),
            Asks::ActFor { user } => format!("`{principal}` {verb} act for `{user}`"),
        }
    }

    /// What was decided, in one line with the places of the policies.
    fn instead(&self, decision: &Decision, tools: &[&ToolId]) -> String {
        let what = if tools.is_empty() { String::new() } else { format!(" {}", named(tools)) };
        let verdict = if decision.allow { "allowed" } else { "denied" };
        let because = because(decision, |id| self.places.cite(id, self.authority.reason(id)));
        format!("{verdict}{what}: {because}")
    }
}

/// What both may do, by the policies of both; or what refuses.
fn both(own: Decision, theirs: Decision) -> Decision {
    match (own.allow, theirs.allow) {
        (false, true) => own,
        (true, false) => theirs,
        (allow, _) => Decision {
            allow,
            policies: together(own.policies, theirs.policies),
            errors: together(own.errors, theirs.errors),
        },
    }
}

fn together(own: Vec<String>, theirs: Vec<String>) -> Vec<String> {
    let all: BTreeSet<String> = own.into_iter().chain(theirs).collect();
    all.into_iter().collect()
}

fn because(decision: &Decision, cite: impl Fn(&String) -> String) -> String {
    if !decision.errors.is_empty() {
        return format!("an error denies: {}", decision.errors.join("; "));
    }
    if decision.policies.is_empty() {
        return "no policy permits it".to_owned();
    }
    let verb = if decision.allow { "permitted" } else { "forbidden" };
    format!("{verb} by {}", decision.policies.iter().map(cite).collect::<Vec<_>>().join(", "))
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
    use ambit_model::administration::{AdminAction, AdminResource};
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
        let project = project_id("acme/finance");
        let action = Action::ALL.into_iter().find(|a| a.word() == action).unwrap_or(Action::Invoke);
        let asks = Asks::Use { acting_for: None, project, action, tool: tool.to_owned() };
        let test = PolicyTest { principal: principal(who), asks, allow: verdict == "allow", policy };
        assert_eq!(run_one(test), expected);
    }

    fn asks(project: &str) -> Asks {
        let project = project_id(project);
        Asks::Use { acting_for: None, project, action: Action::Route, tool: "billing/*".to_owned() }
    }

    fn run_one(test: PolicyTest) -> Vec<String> {
        let place =
            Place { file: "t.yaml".to_owned(), line: 1, column: 1, length: 1, text: "kind: PolicyTest".to_owned() };
        let authority = authority(&snapshot(&[PERMIT_ALL, NO_PAY]));
        let run = run_tests(&authority, &[Located { value: test, place: place.clone() }], &Places::default());
        assert_eq!(run.outcomes.iter().map(|outcome| outcome.passed).collect::<Vec<_>>(), [run.diagnostics.is_empty()]);
        let found = run.diagnostics;
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
        let test = |project| PolicyTest {
            principal: principal("acme:user:ada"),
            asks: asks(project),
            allow: true,
            policy: None,
        };
        let unknown = run_one(test("acme/finanze"));
        assert_eq!(unknown, ["no project `acme/finanze` is declared (did you mean `acme/finance`?)"]);
        let isolated = run_one(test("globex/ops"));
        assert!(isolated.iter().all(|d| d.contains("`ambit/tenant-isolation`")) && !isolated.is_empty());
    }

    #[test]
    fn where_no_policy_speaks_the_help_says_so() {
        let mut closed = snapshot(&[]);
        for project in &mut closed.projects {
            project.ceiling = Ceiling::ReadOnly;
        }
        let place = Place { file: "t.yaml".to_owned(), line: 1, column: 1, length: 1, text: String::new() };
        let test =
            PolicyTest { principal: principal("acme:user:ada"), asks: asks("acme/finance"), allow: true, policy: None };
        let run = run_tests(&authority(&closed), &[Located { value: test, place }], &Places::default());
        assert_eq!(run.diagnostics.first().and_then(|d| d.help.as_deref()), Some("no policy permits it"));
    }

    const LEADS: &str = r#"permit (principal in Ambit::Role::"acme:role:lead", action == Ambit::Action::"read_audit", resource in Ambit::Tenant::"acme");"#;
    const BOT_ACTS: &str = r#"permit (principal == Ambit::Agent::"acme:agent:bot", action == Ambit::Action::"act_for", resource in Ambit::Role::"acme:role:analyst");"#;
    const BILLS: &str =
        r#"permit (principal is Ambit::User in Ambit::Tenant::"acme", action, resource in Ambit::Catalog::"billing");"#;

    /// `who` asks, among policies of administration and acting; the outcome in one line, and what was decided instead.
    #[track_caller]
    fn check_asks(who: &str, asks: Asks, allow: bool, says: &str, instead: &[&str]) {
        let authority = authority(&snapshot(&[LEADS, BOT_ACTS, BILLS]));
        let place = Place { file: "t.yaml".to_owned(), line: 4, column: 1, length: 1, text: String::new() };
        let places = Places::new([("p0".to_owned(), ("policies/a.cedar".to_owned(), 3))]);
        let value = PolicyTest { principal: principal(who), asks, allow, policy: None };
        let run = run_tests(&authority, &[Located { value, place }], &places);
        let found: Vec<_> = run.outcomes.iter().map(|one| (one.line, one.says.as_str())).collect();
        assert_eq!(found, [(4, says)]);
        let found: Vec<_> = run.outcomes.iter().flat_map(|one| &one.instead).collect();
        assert_eq!(found, instead);
    }

    #[test]
    fn administration_and_acting_are_tested_like_the_use_of_tools() {
        let read = |resource| Asks::Administer { action: AdminAction::ReadAudit, resource };
        let acme = || read(AdminResource::Tenant("acme".to_owned()));
        let says = "acme:user:lee may read_audit tenant:acme";
        check_asks("acme:user:lee", acme(), true, says, &[]);
        let says = "acme:user:ada may read_audit tenant:acme";
        check_asks("acme:user:ada", acme(), true, says, &["denied: no policy permits it"]);
        let says = "acme:user:lee may not read_audit tenant:acme";
        check_asks("acme:user:lee", acme(), false, says, &["allowed: permitted by `p0` (policies/a.cedar:3)"]);
        check_asks(
            "acme:user:lee",
            read(AdminResource::Workspace),
            false,
            "acme:user:lee may not read_audit workspace",
            &[],
        );
        let user = principal("acme:user:ada");
        check_asks("acme:agent:bot", Asks::ActFor { user }, true, "acme:agent:bot may act for acme:user:ada", &[]);
    }

    #[test]
    fn acting_for_somebody_is_what_both_may_do() {
        let asks = |user: &str| Asks::Use {
            acting_for: Some(principal(user)),
            project: project_id("acme/finance"),
            action: Action::Route,
            tool: "billing/list".to_owned(),
        };
        let says = "acme:agent:bot for acme:user:ada may route billing/list in acme/finance";
        let denied = ["denied `billing/list`: no policy permits it"];
        check_asks("acme:agent:bot", asks("acme:user:ada"), true, says, &denied);
        let says = "acme:agent:bot for acme:user:new may not route billing/list in acme/finance";
        check_asks("acme:agent:bot", asks("acme:user:new"), false, says, &[]);
    }
}
