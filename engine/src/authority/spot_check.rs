//! A last look before a snapshot may go live: for some principals and tools, the sets that views are made of say what plain Cedar
//! says about that one tool. They are two roads to one answer; where they part, something is wrong with Ambit and nothing goes live.

use std::collections::BTreeSet;

use ambit_model::declaration::Action;
use ambit_model::identity::{Principal, PrincipalKind, ProjectId, ToolId};
use ambit_model::key::Asker;

use super::compile::Authority;
use super::decide::Standing;
use super::view::{View, ViewRefused};

/// Views of one look, and tools asked about for each: enough to meet any mistake that is not rare, and few enough to take a blink.
const VIEWS: usize = 16;
const TOOLS: usize = 12;

#[cfg(test)]
thread_local! {
    /// Makes one road wrong: whatever is compiled in this thread then has views that miss the tools of an open permit.
    pub(crate) static FORGETS_TOOLS: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Two roads that part.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("decide whether `{principal}` may {action} `{tool}` in `{project}`: its view says {view}, and policies asked about this tool alone say {alone}", action = .action.word())]
pub struct Parted {
    pub principal: Principal,
    pub project: ProjectId,
    pub tool: ToolId,
    pub action: Action,
    /// Allowed by the view.
    pub view: bool,
    /// Allowed by plain Cedar.
    pub alone: bool,
}

impl Authority {
    /// Compares both roads for principals and tools spread evenly over all there are; the same ones for the same snapshot.
    pub fn spot_check(&self) -> Result<(), Box<Parted>> {
        let askers = self.askers();
        let some = VIEWS.min(askers.len());
        for asked in 0..some {
            if let Some((principal, project)) = askers.get(asked * askers.len() / some) {
                self.compare(principal, project, asked)?;
            }
        }
        Ok(())
    }

    /// One principal's view, and tools that begin at another place for each.
    fn compare(&self, principal: &Principal, project: &ProjectId, start: usize) -> Result<(), Box<Parted>> {
        let view = self.view_of(&Asker::new(principal.clone(), project.clone()));
        let standing = self.seat(principal, &BTreeSet::new()).and_then(|seat| self.standing_of(seat, project));
        // Where either cannot be made, everything is denied.
        let (false, Ok(Some(standing))) = (matches!(view, Err(ViewRefused::Failed(_))), standing) else {
            return Ok(());
        };
        let step = (self.ids.len() / TOOLS).max(1);
        for tool in self.ids.iter().skip(start % step).step_by(step).take(TOOLS) {
            self.compare_one(view.as_ref().ok(), &standing, (principal, project, tool))?;
        }
        Ok(())
    }

    fn compare_one(
        &self,
        view: Option<&View>,
        standing: &Standing<'_>,
        (principal, project, tool): (&Principal, &ProjectId, &ToolId),
    ) -> Result<(), Box<Parted>> {
        let found = view.and_then(|view| view.capability(tool));
        let Some(asked) = self.tools.get(tool) else { return Ok(()) };
        for (action, decision) in Action::ALL.into_iter().zip(standing.decide_all(asked)) {
            let within = found.as_ref().is_some_and(|capability| match action {
                Action::Discover => true,
                Action::Route => capability.route,
                Action::Invoke => capability.invoke,
            });
            if within != decision.allow {
                let (principal, project, tool) = (principal.clone(), project.clone(), tool.clone());
                return Err(Box::new(Parted { principal, project, tool, action, view: within, alone: decision.allow }));
            }
        }
        Ok(())
    }

    /// Everybody who is declared, in every project of its tenant.
    fn askers(&self) -> Vec<(Principal, ProjectId)> {
        let declared = self.tenants.values().flat_map(|tenant| {
            let kinds = [
                (PrincipalKind::User, &tenant.users),
                (PrincipalKind::Agent, &tenant.agents),
                (PrincipalKind::Role, &tenant.roles),
            ];
            kinds.into_iter().flat_map(move |(kind, names)| {
                names.keys().map(move |name| Principal { tenant: tenant.id.clone(), kind, name: name.clone() })
            })
        });
        let projects = |tenant: String| self.projects.keys().filter(move |project| project.tenant == tenant);
        declared
            .flat_map(|who| projects(who.tenant.clone()).map(move |project| (who.clone(), project.clone())))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{PERMIT_ALL, authority, snapshot};

    #[test]
    fn sound_roads_do_not_part() {
        for policies in [
            &[][..],
            &[PERMIT_ALL],
            &[PERMIT_ALL, "forbid (principal, action, resource) when { resource.entity like \"i*\" };"],
        ] {
            assert_eq!(authority(&snapshot(policies)).spot_check(), Ok(()));
        }
    }

    #[test]
    fn roads_that_part_are_found() {
        let mut broken = authority(&snapshot(&[PERMIT_ALL]));
        broken.facets.all.clear();
        let parted = broken.spot_check().map_err(|parted| parted.to_string());
        let expected = "decide whether `acme:user:ada` may discover `billing/list` in `acme/finance`: its view says false, and policies asked about this tool alone say true";
        assert_eq!(parted, Err(expected.to_owned()));
    }
}
