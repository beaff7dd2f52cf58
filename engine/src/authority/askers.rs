//! Many principals asked about one tool: who may do what with it, and by which policies.

use ambit_model::identity::{Principal, ProjectId, ToolId};

use super::compile::Authority;
use super::decide::Decision;

/// What one principal may do with the tool that was asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    pub principal: Principal,
    /// Discover, route, invoke; a refusal stands for the narrower ones too.
    pub decisions: [Decision; 3],
    /// A call needs a confirmation given by a person.
    pub needs_confirmation: bool,
}

impl Authority {
    /// What each of these principals may do with one tool in one project, in the order given. Nothing of one that is not declared.
    pub fn decide_for(
        &self,
        principals: impl IntoIterator<Item = Principal>,
        project: &ProjectId,
        tool: &ToolId,
    ) -> Vec<Decided> {
        let Some(tool) = self.tools.get(tool) else { return Vec::new() };
        let decided = |principal: Principal| {
            let (decisions, needs_confirmation) = match self.standing(&principal, project) {
                Ok(standing) => {
                    let standing = standing?;
                    (standing.decide_all(tool), standing.needs_confirmation(tool))
                }
                Err(error) => ([(); 3].map(|()| Decision::failed(error.clone())), false),
            };
            Some(Decided { principal, decisions, needs_confirmation })
        };
        principals.into_iter().filter_map(decided).collect()
    }
}

#[cfg(test)]
mod tests {
    use ambit_model::declaration::Action;

    use super::super::sample::{authority, principal, project_id, snapshot, tool_id};

    #[test]
    fn many_are_answered_as_each_alone_is() {
        let authority = authority(&snapshot(&[
            "permit (principal in Ambit::Role::\"acme:role:member\", action, resource);",
            "forbid (principal is Ambit::Agent, action == Ambit::Action::\"invoke\", resource);",
        ]));
        let everybody = ["acme:user:ada", "acme:agent:bot", "acme:user:new", "globex:user:gus", "acme:user:nobody"];
        let project = project_id("acme/finance");
        for tool in ["billing/list", "mail/send", "plant/status", "no/such"].map(tool_id) {
            let many = authority.decide_for(everybody.map(principal), &project, &tool);
            assert_eq!(many.len(), if tool.catalog() == "no" { 0 } else { 4 }, "who is not declared is left out");
            for asker in many {
                let alone = Action::ALL.map(|action| authority.decide(&asker.principal, action, &tool, &project));
                assert_eq!(asker.decisions, alone, "{} on {tool}", asker.principal);
            }
        }
    }
}
