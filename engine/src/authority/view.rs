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
    #[error("make the view: {0}")]
    Failed(String),
}

impl ViewRefused {
    /// What to do about it, for whoever asks; it names nothing that the error does not.
    pub fn help(&self) -> String {
        match self {
            Self::UnknownPrincipal(_) => "declare it in its Tenant document, or mend the name".to_owned(),
            Self::UnknownProject { .. } => "name a project of the principal's own tenant".to_owned(),
            Self::NoAccess { .. } => "a policy has to permit `discover` of a tool here".to_owned(),
            Self::Failed { .. } => "roll back to another snapshot, and report this with the policies".to_owned(),
        }
    }
}

impl Authority {
    /// The capabilities of a principal in a project of its tenant. A view is never empty: that is `NoAccess`.
    pub fn view(&self, principal: &Principal, project: &ProjectId) -> Result<View, ViewRefused> {
        if self.entities.get(&self.vocabulary.principal(principal)).is_none() {
            return Err(ViewRefused::UnknownPrincipal(principal.clone()));
        }
        let unknown = || ViewRefused::UnknownProject { project: project.clone(), tenant: principal.tenant.clone() };
        if project.tenant != principal.tenant {
            return Err(unknown());
        }
        let standing = self.standing(principal, project).map_err(ViewRefused::Failed)?.ok_or_else(unknown)?;
        let tools = self.capabilities(&standing);
        if tools.is_empty() {
            return Err(ViewRefused::NoAccess { principal: principal.clone(), project: project.clone() });
        }
        let digest = self.view_digest(principal, project, &tools).map_err(ViewRefused::Failed)?;
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

#[cfg(test)]
mod tests {
    use ambit_model::facts::{Ceiling, Effect, Risk};
    use ambit_model::snapshot::Snapshot;

    use super::super::sample::{PERMIT_ALL, authority, card, principal, project_id, snapshot, tool_id};
    use super::*;

    fn view(snapshot: &Snapshot, who: &str, project: &str) -> Result<View, ViewRefused> {
        authority(snapshot).view(&principal(who), &project_id(project))
    }

    fn digest(snapshot: &Snapshot) -> Option<Digest> {
        view(snapshot, "acme:user:ada", "acme/finance").ok().map(|view| view.digest)
    }

    #[track_caller]
    fn check_refused(policies: &[&str], who: &str, project: &str, expected: &str) {
        let refused = view(&snapshot(policies), who, project).map_err(|refused| refused.to_string());
        assert_eq!(refused, Err(expected.to_owned()));
    }

    #[test]
    fn refusals_say_nothing_of_other_tenants() {
        check_refused(&[PERMIT_ALL], "acme:user:nobody", "acme/finance", "no principal `acme:user:nobody` is declared");
        check_refused(&[PERMIT_ALL], "initech:user:bob", "acme/finance", "no principal `initech:user:bob` is declared");
        check_refused(&[PERMIT_ALL], "acme:user:ada", "acme/none", "`acme/none` is not a project of `acme`");
        check_refused(&[PERMIT_ALL], "acme:user:ada", "globex/ops", "`globex/ops` is not a project of `acme`");
        check_refused(&[PERMIT_ALL], "acme:user:ada", "globex/none", "`globex/none` is not a project of `acme`");
        check_refused(&[], "acme:user:ada", "acme/finance", "`acme:user:ada` may use nothing in `acme/finance`");
    }

    #[test]
    fn each_set_names_the_policies_that_made_it() {
        let policies = [
            PERMIT_ALL,
            r#"permit (principal, action == Ambit::Action::"discover", resource in Ambit::Catalog::"billing");"#,
            r#"forbid (principal, action == Ambit::Action::"route", resource) when { resource.risk == Ambit::Risk::"high" };"#,
            r#"forbid (principal, action == Ambit::Action::"invoke", resource in Ambit::Catalog::"mail");"#,
        ];
        let tools =
            view(&snapshot(&policies), "acme:user:ada", "acme/finance").map(|view| view.tools).unwrap_or_default();
        let made = |tool: &str| {
            tools
                .get(&tool_id(tool))
                .map(|c| (c.discover_by.join(" "), c.route_by.join(" "), c.invoke_by.join(" "), c.route, c.invoke))
        };
        let expected =
            |d: &str, r: &str, i: &str, route, invoke| Some((d.to_owned(), r.to_owned(), i.to_owned(), route, invoke));
        assert_eq!(made("billing/list"), expected("p0 p1", "p0", "p0", true, true));
        assert_eq!(made("billing/pay"), expected("p0 p1", "p2", "p2", false, false));
        assert_eq!(made("mail/send"), expected("p0", "p0", "p3", true, false));
        assert_eq!(made("plant/status"), None);
    }

    #[test]
    fn a_set_without_a_permit_names_nobody() {
        let policies = [r#"permit (principal, action == Ambit::Action::"discover", resource);"#];
        let tools =
            view(&snapshot(&policies), "acme:user:ada", "acme/finance").map(|view| view.tools).unwrap_or_default();
        let list = tools.get(&tool_id("billing/list")).map(|c| (c.route, c.route_by.clone(), c.invoke_by.clone()));
        assert_eq!(list, Some((false, Vec::new(), Vec::new())));
    }

    #[test]
    fn the_digest_changes_with_what_the_caller_sees_and_with_nothing_else() {
        let first = digest(&snapshot(&[PERMIT_ALL]));
        assert!(first.is_some());
        let mut elsewhere = snapshot(&[PERMIT_ALL]);
        elsewhere.settings.workspace = "renamed".to_owned();
        elsewhere.tools.retain(|card| card.id.catalog() != "hidden");
        elsewhere.tools.push(card("plant/more", Effect::Read, Risk::Low, false));
        assert_eq!(digest(&elsewhere), first);

        let mut described = snapshot(&[PERMIT_ALL]);
        if let Some(card) = described.tools.first_mut() {
            card.description = "Another text.".to_owned();
        }
        assert_ne!(digest(&described), first);
        let mut lowered = snapshot(&[PERMIT_ALL]);
        for project in &mut lowered.projects {
            project.ceiling = Ceiling::ReadOnly;
        }
        assert_ne!(digest(&lowered), first);
        let other = view(&snapshot(&[PERMIT_ALL]), "acme:user:lee", "acme/finance").ok().map(|view| view.digest);
        assert_ne!(other, first);
    }

    #[test]
    fn deleting_what_the_caller_cannot_discover_changes_nothing() {
        let policies =
            [r#"permit (principal in Ambit::Role::"acme:role:member", action, resource in Ambit::Catalog::"billing")
            when { resource.effect == Ambit::Effect::"read" };"#];
        let whole = snapshot(&policies);
        let seen = view(&whole, "acme:user:ada", "acme/finance");
        let mut cut = whole.clone();
        cut.tools.retain(|card| seen.as_ref().is_ok_and(|view| view.discovers(&card.id)));
        assert!(cut.tools.len() < whole.tools.len() && !cut.tools.is_empty());
        let bytes =
            |view: &Result<View, ViewRefused>| view.as_ref().ok().and_then(|view| serde_json::to_vec(view).ok());
        assert_eq!(bytes(&view(&cut, "acme:user:ada", "acme/finance")), bytes(&seen));
        assert!(bytes(&seen).is_some());
    }
}
