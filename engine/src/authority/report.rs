//! What compiling finds out about the operator's policies: where each stands, which test looks at it, and whether it decides anything.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::declaration::{GoldenRoute, PolicyTest};
use ambit_model::diagnostic::Diagnostic;
use ambit_model::policies::{PolicyNote, PolicyReport};

use super::check::CheckedPolicy;
use super::compile::Authority;
use super::lints;
use super::policy_test::run_tests;
use crate::resolve::declarations::Located;

/// File and 1-based line of the operator's policies, by id.
#[derive(Clone, Debug, Default)]
pub struct Places(BTreeMap<String, (String, u32)>);

impl Places {
    /// These places.
    pub fn new(places: impl IntoIterator<Item = (String, (String, u32))>) -> Self {
        Self(places.into_iter().collect())
    }

    /// A policy as a message names it: `` `id` (policies/acme.cedar:12: why) ``.
    pub fn cite(&self, id: &str, reason: Option<&str>) -> String {
        let place = self.0.get(id).map(|(file, line)| format!("{file}:{line}"));
        let said: Vec<&str> = place.as_deref().into_iter().chain(reason).collect();
        if said.is_empty() { format!("`{id}`") } else { format!("`{id}` ({})", said.join(": ")) }
    }
}

impl From<&PolicyReport> for Places {
    fn from(report: &PolicyReport) -> Self {
        Self::new(report.policies.iter().map(|note| (note.id.clone(), (note.file.clone(), note.line))))
    }
}

/// Where each policy stands, and nothing more: where something is wrong, nothing is tested.
pub fn untested(policies: &[CheckedPolicy]) -> PolicyReport {
    let note = |one: &CheckedPolicy| {
        let place = one.place.as_ref();
        PolicyNote {
            id: one.policy.id.clone(),
            file: place.map(|place| place.file.clone()).unwrap_or_default(),
            line: place.map_or(1, |place| place.line),
            template: one.template.clone(),
            tested: false,
            idle: None,
        }
    };
    PolicyReport { policies: policies.iter().map(note).collect(), tests: Vec::new() }
}

/// Runs the tests, searches for policies that decide nothing, and reports both. A GoldenRoute looks at the policies by which its
/// principal may route the tools that it expects; whether the question finds them is for whoever has the model.
pub fn report(
    authority: &Authority,
    policies: &[CheckedPolicy],
    tests: &[Located<PolicyTest>],
    routes: &[Located<GoldenRoute>],
) -> (PolicyReport, Vec<Diagnostic>) {
    let mut report = untested(policies);
    let run = run_tests(authority, tests, &Places::from(&report));
    let mut reached = run.reached;
    reached.extend(routes.iter().flat_map(|route| looked_at(authority, &route.value)));
    let (mut idle, mut diagnostics) = lints::lint(authority, policies);
    for note in &mut report.policies {
        note.tested = reached.contains(&note.id);
        note.idle = idle.remove(&note.id);
    }
    report.tests = run.outcomes;
    report.tests.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
    diagnostics.extend(run.diagnostics);
    (report, diagnostics)
}

fn looked_at(authority: &Authority, route: &GoldenRoute) -> BTreeSet<String> {
    let Ok(view) = authority.view(&route.principal, &route.project) else { return BTreeSet::new() };
    let expected = route.tools.iter().filter_map(|tool| view.capability(tool));
    expected.flat_map(|capability| capability.discover_by.into_iter().chain(capability.route_by)).collect()
}
