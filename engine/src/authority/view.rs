//! The View: everything one principal may do in one project, decided once and named by one digest.
//! INVARIANT: a view says nothing of a tool outside `discover`, and nothing of another tenant, not even that it exists.

use std::collections::BTreeMap;

use ambit_model::digest::Digest;
use ambit_model::identity::{Principal, ProjectId, ToolId};
use ambit_model::view::{Capability, View};
use serde::Serialize;
use thiserror::Error;

use super::compile::Authority;
use super::decide::Standing;

/// Why there is no view.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ViewRefused {
    /// No Tenant document declares it.
    #[error("no principal `{0}` is declared")]
    UnknownPrincipal(Principal),
    /// Not declared, or another tenant's: the same answer.
    #[error("`{project}` is not a project of `{tenant}`")]
    UnknownProject { project: ProjectId, tenant: String },
    /// No policy lets it discover anything here.
    #[error("`{principal}` may use nothing in `{project}`")]
    NoAccess { principal: Principal, project: ProjectId },
    /// The view could not be made; an error denies.
    #[error("make the view of `{principal}` in `{project}`: {cause}")]
    Failed { principal: Principal, project: ProjectId, cause: String },
}

impl Authority {
    /// The capabilities of a principal in a project of its tenant. A view is never empty: that is `NoAccess`.
    pub fn view(&self, principal: &Principal, project: &ProjectId) -> Result<View, ViewRefused> {
        let failed = |cause| ViewRefused::Failed { principal: principal.clone(), project: project.clone(), cause };
        if self.entities.get(&self.vocabulary.principal(principal)).is_none() {
            return Err(ViewRefused::UnknownPrincipal(principal.clone()));
        }
        let unknown = || ViewRefused::UnknownProject { project: project.clone(), tenant: principal.tenant.clone() };
        if project.tenant != principal.tenant {
            return Err(unknown());
        }
        let standing = self.standing(principal, project).map_err(failed)?.ok_or_else(unknown)?;
        let tools = self.capabilities(&standing);
        if tools.is_empty() {
            return Err(ViewRefused::NoAccess { principal: principal.clone(), project: project.clone() });
        }
        let digest = self.view_digest(principal, project, &tools).map_err(failed)?;
        Ok(View { principal: principal.clone(), project: project.clone(), digest, tools })
    }

    /// Tools of catalogs that the project does not list are not asked about: `ambit/project-catalogs` forbids them all.
    fn capabilities(&self, standing: &Standing<'_>) -> BTreeMap<ToolId, Capability> {
        let listed = self.tools.iter().filter(|(id, _)| standing.project.catalogs.iter().any(|c| c == id.catalog()));
        listed
            .filter_map(|(id, tool)| {
                let [discover, route, invoke] = standing.decide_all(tool);
                discover.allow.then(|| {
                    let capability = Capability {
                        route: route.allow,
                        invoke: invoke.allow,
                        needs_confirmation: invoke.allow && standing.needs_confirmation(tool),
                        discover_by: discover.policies,
                        route_by: route.policies,
                        invoke_by: invoke.policies,
                    };
                    (id.clone(), capability)
                })
            })
            .collect()
    }

    /// Over what the caller can see, as canonical JSON (RFC 8785): a change elsewhere in the snapshot leaves it alone.
    fn view_digest(
        &self,
        principal: &Principal,
        project: &ProjectId,
        tools: &BTreeMap<ToolId, Capability>,
    ) -> Result<Digest, String> {
        let digested = tools.iter().filter_map(|(id, capability)| {
            let card = &self.tools.get(id)?.digest;
            let &Capability { route, invoke, needs_confirmation, .. } = capability;
            Some(DigestedTool { id, card, route, invoke, needs_confirmation })
        });
        let digested = DigestedView { principal, project, tools: digested.collect() };
        let bytes = serde_json_canonicalizer::to_vec(&digested).map_err(|e| e.to_string())?;
        Ok(Digest::of(&bytes))
    }
}

#[derive(Serialize)]
struct DigestedView<'a> {
    principal: &'a Principal,
    project: &'a ProjectId,
    tools: Vec<DigestedTool<'a>>,
}

#[derive(Serialize)]
struct DigestedTool<'a> {
    id: &'a ToolId,
    card: &'a Digest,
    route: bool,
    invoke: bool,
    needs_confirmation: bool,
}
