//! Policy tests and golden routes: what the operator expects, with every name but the tools' checked.

use ambit_model::declaration::{Action, GoldenRoute, PolicyTest};
use ambit_model::identity::ToolId;
use ambit_model::route::GapCause;

use super::declarations::Located;
use super::forms::Reader;
use crate::parse::written;

/// Every cause of a gap.
pub(crate) const GAP_CAUSES: [GapCause; 7] = [
    GapCause::Absent,
    GapCause::BelowFloor,
    GapCause::Ambiguous,
    GapCause::Limit,
    GapCause::TwinReserved,
    GapCause::NoOutputPath,
    GapCause::UpstreamDown,
];

impl Reader<'_> {
    /// The place is that of `expect`. The form of `tool` is read where it is kept for `link`.
    pub(super) fn policy_test(&mut self, test: &written::PolicyTest) -> Option<Located<PolicyTest>> {
        let principal = self.principal(&test.principal);
        let tenant = principal.as_ref().map(|principal| principal.tenant.clone());
        let project = self.project_id(&test.project, tenant.as_deref());
        let action = self.word(&test.action, &Action::ALL, Action::word);
        let allow = self.word(&test.expect, &[true, false], |allow| if allow { "allow" } else { "deny" });
        let value = PolicyTest {
            principal: principal?,
            project: project?,
            action: action?,
            tool: test.tool.value.clone(),
            allow: allow?,
            policy: test.policy.clone(),
        };
        Some(Located { value, place: self.place(test.expect.span) })
    }

    /// The place is that of `question`. The form of `tools` is read where they are kept for `link`.
    pub(super) fn golden_route(&mut self, route: &written::GoldenRoute) -> Option<Located<GoldenRoute>> {
        let principal = self.principal(&route.principal);
        let tenant = principal.as_ref().map(|principal| principal.tenant.clone());
        let project = self.project_id(&route.project, tenant.as_deref());
        let gap = route.gap.as_ref().map(|word| self.word(word, &GAP_CAUSES, GapCause::word));
        let tools: Option<Vec<ToolId>> = route.tools.iter().flatten().map(|tool| ToolId::parse(&tool.value)).collect();
        let expects_tools = route.tools.as_ref().is_some_and(|tools| !tools.is_empty());
        if expects_tools == gap.is_some() {
            let message = if expects_tools {
                "a golden route expects tools or a gap, not both"
            } else {
                "a golden route expects tools or a gap, and this one neither"
            };
            self.refuse(route.question.span, message, "write either `tools: [catalog/tool]` or `gap: absent`");
            return None;
        }
        let value = GoldenRoute {
            question: route.question.value.clone(),
            principal: principal?,
            project: project?,
            tools: tools?,
            ordered: route.ordered.unwrap_or(true),
            gap: match gap {
                Some(cause) => Some(cause?.word().to_owned()),
                None => None,
            },
        };
        Some(Located { value, place: self.place(route.question.span) })
    }
}
