//! Policy tests and golden routes: what the operator expects, with every name but the tools' checked.

use ambit_model::administration::{AdminAction, AdminResource};
use ambit_model::codes;
use ambit_model::declaration::{Action, Asks, GoldenRoute, PolicyTest};
use ambit_model::diagnostic::Diagnostic;
use ambit_model::identity::{Principal, PrincipalKind, ToolId};
use ambit_model::route::GapCause;

use super::declarations::Located;
use super::forms::Reader;
use super::names::unresolved;
use crate::parse::body::Kind;
use crate::parse::written::{self, Text};

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

/// What a PolicyTest can ask about.
#[derive(Clone, Copy)]
enum Word {
    Use(Action),
    Administer(AdminAction),
    ActFor,
}

impl Word {
    fn all() -> Vec<Self> {
        let uses = Action::ALL.into_iter().map(Self::Use);
        uses.chain(AdminAction::ALL.into_iter().map(Self::Administer)).chain([Self::ActFor]).collect()
    }

    fn word(self) -> &'static str {
        match self {
            Self::Use(action) => action.word(),
            Self::Administer(action) => action.word(),
            Self::ActFor => "act_for",
        }
    }
}

impl Reader<'_> {
    /// The place is that of `expect`. The form of `tool` is read where it is kept for `link`.
    pub(super) fn policy_test(&mut self, test: &written::PolicyTest) -> Option<Located<PolicyTest>> {
        let principal = self.principal(&test.principal);
        let allow = self.word(&test.expect, &[true, false], |allow| if allow { "allow" } else { "deny" });
        let tenant = principal.as_ref().map(|principal| principal.tenant.as_str());
        let asks = match self.word(&test.action, &Word::all(), Word::word) {
            Some(Word::Use(action)) => self.asks_for_use(test, action, tenant),
            Some(Word::Administer(action)) => self.asks_to_administer(test, action),
            Some(Word::ActFor) => self.asks_to_act(test),
            None => {
                // The other names are looked at all the same.
                test.project.iter().for_each(|project| drop(self.project_id(project, tenant)));
                None
            }
        };
        let value = PolicyTest { principal: principal?, asks: asks?, allow: allow?, policy: test.policy.clone() };
        Some(Located { value, place: self.place(test.expect.span) })
    }

    fn asks_for_use(&mut self, test: &written::PolicyTest, action: Action, tenant: Option<&str>) -> Option<Asks> {
        self.leave_out(test, "resource", test.resource.as_ref(), "it is about `tool` in a `project`");
        let acting_for = test.acting_for.as_ref().map(|user| self.user(user));
        let project = self.needs(test, "project", test.project.as_ref()).and_then(|at| self.project_id(at, tenant));
        let tool = self.needs(test, "tool", test.tool.as_ref()).map(|tool| tool.value.clone());
        let acting_for = match acting_for {
            Some(user) => Some(user?),
            None => None,
        };
        Some(Asks::Use { acting_for, project: project?, action, tool: tool? })
    }

    fn asks_to_administer(&mut self, test: &written::PolicyTest, action: AdminAction) -> Option<Asks> {
        self.is_about_no_tool(test);
        let written = self.needs(test, "resource", test.resource.as_ref())?;
        let Some(resource) = AdminResource::parse(&written.value) else {
            let help = "write `workspace`, `tenant:id`, `tenant/project` or `catalog:id`";
            self.refuse(written.span, format!("`{}` is nothing that is administered", written.value), help);
            return None;
        };
        self.is_declared(&resource, written).then_some(Asks::Administer { action, resource })
    }

    fn asks_to_act(&mut self, test: &written::PolicyTest) -> Option<Asks> {
        self.is_about_no_tool(test);
        let written = self.needs(test, "resource", test.resource.as_ref())?;
        Some(Asks::ActFor { user: self.user(written)? })
    }

    /// A declared user or role.
    fn user(&mut self, written: &Text) -> Option<Principal> {
        let user = self.principal(written)?;
        if user.kind == PrincipalKind::Agent {
            let message = format!("nobody acts for an agent, as `{user}` is");
            self.refuse(written.span, message, "name a user, or a role");
            return None;
        }
        Some(user)
    }

    fn is_declared(&mut self, resource: &AdminResource, written: &Text) -> bool {
        let names = self.names;
        let (kind, id, known): (Kind, String, Vec<&str>) = match resource {
            AdminResource::Workspace => return true,
            AdminResource::Tenant(id) => (Kind::Tenant, id.clone(), names.tenants.keys().copied().collect()),
            AdminResource::Project(id) => {
                (Kind::Project, id.to_string(), names.projects.iter().map(String::as_str).collect())
            }
            AdminResource::Catalog(id) => (Kind::Catalog, id.clone(), names.catalogs.keys().copied().collect()),
        };
        if known.contains(&id.as_str()) || names.may_hide(kind) {
            return true;
        }
        let message = format!("no {} `{id}`", kind.word().to_lowercase());
        let problem = unresolved(message, &id, known, self.place(written.span));
        self.report(problem);
        false
    }

    fn is_about_no_tool(&mut self, test: &written::PolicyTest) {
        let about = "it is about `resource` alone";
        self.leave_out(test, "tool", test.tool.as_ref(), about);
        self.leave_out(test, "project", test.project.as_ref(), about);
        self.leave_out(test, "for", test.acting_for.as_ref(), about);
    }

    fn leave_out(&mut self, test: &written::PolicyTest, key: &str, written: Option<&Text>, about: &str) {
        if let Some(written) = written {
            let message = format!("a test of `{}` has no `{key}`", test.action.value);
            self.refuse(written.span, message, format!("leave it out: {about}"));
        }
    }

    fn needs<'t>(&mut self, test: &written::PolicyTest, key: &str, written: Option<&'t Text>) -> Option<&'t Text> {
        if written.is_none() {
            let message = format!("missing key `{key}` in a test of `{}`", test.action.value);
            let place = self.place(test.action.span);
            self.report(Diagnostic::error(codes::E_MISSING_KEY, message).at(place).help(format!("add `{key}: …`")));
        }
        written
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
