//! The View: everything one principal may do in one project, decided once and named by one digest.
//! INVARIANT: a view says nothing of a tool outside `discover`, and nothing of another tenant, not even that it exists.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::digest::Digest;
use ambit_model::identity::{Principal, ProjectId, ToolId};
use ambit_model::key::Asker;
use ambit_model::view::{Capability, View};
use serde::Serialize;
use thiserror::Error;

use super::compile::{Authority, Tool};
use super::decide::Standing;
use super::scope;

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
    /// It may not act for this user, or there is no such user: the same answer.
    #[error("`{principal}` may not act for `{user}`")]
    MayNotActFor { principal: Principal, user: Principal },
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
            Self::NoAccess { .. } => {
                "a policy has to permit `discover` of a tool here, and the key's tools may not leave it out".to_owned()
            }
            Self::MayNotActFor { .. } => {
                "a policy has to permit `act_for` of this user, or of a role it holds".to_owned()
            }
            Self::Failed { .. } => "roll back to another snapshot, and report this with the policies".to_owned(),
        }
    }
}

impl Authority {
    /// The capabilities of a declared principal in a project of its tenant. A view is never empty: that is `NoAccess`.
    pub fn view(&self, principal: &Principal, project: &ProjectId) -> Result<View, ViewRefused> {
        self.view_of(&Asker::new(principal.clone(), project.clone()))
    }

    /// The capabilities of whoever asks: its own in the project, cut to those of the user it acts for, and to its scope.
    pub fn view_of(&self, asker: &Asker) -> Result<View, ViewRefused> {
        let Asker { principal, roles, acting_for, project, tools: scope } = asker;
        let mut tools = self.own_capabilities(principal, roles, project)?;
        let mut acting_by = Vec::new();
        if let Some(user) = acting_for {
            let acting = self.acts_for(principal, roles, user);
            if !acting.allow {
                return Err(ViewRefused::MayNotActFor { principal: principal.clone(), user: user.clone() });
            }
            acting_by = acting.policies;
            // Who is acted for counts with declared roles only: a token vouches for whoever sent it and for nobody else.
            let theirs = self.own_capabilities(user, &BTreeSet::new(), project)?;
            let shared = |(id, own)| theirs.get(&id).map(|theirs| both(own, theirs)).map(|both| (id, both));
            tools = tools.into_iter().filter_map(shared).collect();
        }
        if !scope.is_empty() {
            let scope = scope::read(scope).map_err(ViewRefused::Failed)?;
            tools.retain(|id, _| scope.is_match(id.as_str()));
        }
        if tools.is_empty() {
            return Err(ViewRefused::NoAccess { principal: principal.clone(), project: project.clone() });
        }
        let digest = self.view_digest(asker, &tools).map_err(ViewRefused::Failed)?;
        let (principal, acting_for, project) = (principal.clone(), acting_for.clone(), project.clone());
        Ok(View { principal, acting_for, acting_by, project, digest, tools })
    }

    /// What one principal may do by itself.
    fn own_capabilities(
        &self,
        principal: &Principal,
        roles: &BTreeSet<String>,
        project: &ProjectId,
    ) -> Result<BTreeMap<ToolId, Capability>, ViewRefused> {
        let seat = self.seat(principal, roles).map_err(ViewRefused::Failed)?;
        let seat = seat.ok_or_else(|| ViewRefused::UnknownPrincipal(principal.clone()))?;
        let unknown = || ViewRefused::UnknownProject { project: project.clone(), tenant: principal.tenant.clone() };
        if project.tenant != principal.tenant {
            return Err(unknown());
        }
        let standing = self.standing_of(Some(seat), project).map_err(ViewRefused::Failed)?.ok_or_else(unknown)?;
        Ok(self.capabilities(&standing))
    }

    /// Tools of catalogs that the project does not list are not asked about: `ambit/project-catalogs` forbids them all.
    fn capabilities(&self, standing: &Standing<'_>) -> BTreeMap<ToolId, Capability> {
        let catalogs: BTreeSet<&str> = standing.project.catalogs.iter().map(String::as_str).collect();
        let listed = self.tools.iter().filter(|(id, _)| catalogs.contains(id.catalog()));
        let mut decided: BTreeMap<usize, Option<Capability>> = BTreeMap::new();
        let mut capability = |tool: &Tool| decided.entry(tool.class).or_insert_with(|| decide(standing, tool)).clone();
        listed.filter_map(|(id, tool)| Some((id.clone(), capability(tool)?))).collect()
    }

    /// Over what the caller can see, as canonical JSON (RFC 8785): a change elsewhere in the snapshot leaves it alone.
    fn view_digest(&self, asker: &Asker, tools: &BTreeMap<ToolId, Capability>) -> Result<Digest, String> {
        let digested = tools.iter().filter_map(|(id, capability)| {
            let card = &self.tools.get(id)?.digest;
            let &Capability { route, invoke, needs_confirmation, .. } = capability;
            Some(DigestedTool { id, card, route, invoke, needs_confirmation })
        });
        let Asker { principal, acting_for, project, .. } = asker;
        let digested = DigestedView { principal, acting_for: acting_for.as_ref(), project, tools: digested.collect() };
        let bytes = serde_json_canonicalizer::to_vec(&digested).map_err(|e| e.to_string())?;
        Ok(Digest::of(&bytes))
    }
}

/// All three decisions about one tool; nothing where it may not even be named.
fn decide(standing: &Standing<'_>, tool: &Tool) -> Option<Capability> {
    let [discover, route, invoke] = standing.decide_all(tool);
    discover.allow.then(|| Capability {
        route: route.allow,
        invoke: invoke.allow,
        needs_confirmation: invoke.allow && standing.needs_confirmation(tool),
        discover_by: discover.policies,
        route_by: route.policies,
        invoke_by: invoke.policies,
    })
}

/// What both may do, by the policies of both.
fn both(own: Capability, theirs: &Capability) -> Capability {
    let invoke = own.invoke && theirs.invoke;
    Capability {
        route: own.route && theirs.route,
        invoke,
        needs_confirmation: invoke && (own.needs_confirmation || theirs.needs_confirmation),
        discover_by: together(own.discover_by, &theirs.discover_by),
        route_by: together(own.route_by, &theirs.route_by),
        invoke_by: together(own.invoke_by, &theirs.invoke_by),
    }
}

fn together(own: Vec<String>, theirs: &[String]) -> Vec<String> {
    let all: BTreeSet<String> = own.into_iter().chain(theirs.iter().cloned()).collect();
    all.into_iter().collect()
}

#[derive(Serialize)]
struct DigestedView<'a> {
    principal: &'a Principal,
    #[serde(skip_serializing_if = "Option::is_none")]
    acting_for: Option<&'a Principal>,
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

    const BOT_ACTS: &str = r#"permit (principal == Ambit::Agent::"acme:agent:bot", action == Ambit::Action::"act_for",
        resource in Ambit::Role::"acme:role:analyst");"#;

    fn ask(snapshot: &Snapshot, change: impl FnOnce(&mut Asker)) -> Result<View, ViewRefused> {
        let mut asker = Asker::new(principal("acme:agent:bot"), project_id("acme/finance"));
        change(&mut asker);
        authority(snapshot).view_of(&asker)
    }

    fn ids(view: Result<View, ViewRefused>) -> Result<String, String> {
        let tools = view.map(|view| view.tools).map_err(|refused| refused.to_string())?;
        let line = |(id, c): (&ToolId, &Capability)| {
            format!("{id}{}{}", if c.route { "+" } else { "" }, if c.invoke { "!" } else { "" })
        };
        Ok(tools.iter().map(line).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn acting_for_somebody_leaves_what_both_may_do() {
        let policies = [
            BOT_ACTS,
            r#"permit (principal is Ambit::Agent, action in Ambit::Action::"use", resource in Ambit::Catalog::"billing");"#,
            r#"permit (principal in Ambit::Role::"acme:role:analyst", action in Ambit::Action::"use", resource)
                unless { resource.risk == Ambit::Risk::"high" };"#,
        ];
        let snapshot = snapshot(&policies);
        let alone = ids(ask(&snapshot, |_| ()));
        assert_eq!(alone.as_deref(), Ok("billing/list+! billing/pay+! billing/report+!"));
        let user = ids(view(&snapshot, "acme:user:ada", "acme/finance"));
        assert_eq!(user.as_deref(), Ok("billing/list+! billing/report+! mail/send+!"));
        let both = ask(&snapshot, |asker| asker.acting_for = Some(principal("acme:user:ada")));
        let list =
            both.as_ref().ok().and_then(|view| view.tools.get(&tool_id("billing/list"))).map(|c| c.invoke_by.join(" "));
        assert_eq!(list.as_deref(), Some("p1 p2"));
        assert_eq!(both.as_ref().ok().map(|view| view.acting_by.join(" ")).as_deref(), Some("p0"));
        assert_ne!(both.as_ref().ok().map(|v| v.digest.clone()), ask(&snapshot, |_| ()).ok().map(|v| v.digest));
        assert_eq!(ids(both).as_deref(), Ok("billing/list+! billing/report+!"));
    }

    #[test]
    fn whom_one_may_not_act_for_and_who_does_not_exist_are_the_same() {
        let snapshot = snapshot(&[PERMIT_ALL, BOT_ACTS]);
        for user in ["acme:user:new", "acme:user:nobody", "globex:user:gus", "globex:user:nobody", "acme:agent:bot"] {
            let refused = ids(ask(&snapshot, |asker| asker.acting_for = Some(principal(user))));
            assert_eq!(refused, Err(format!("`acme:agent:bot` may not act for `{user}`")));
        }
    }

    #[test]
    fn a_scope_takes_away_and_adds_nothing() {
        let snapshot = snapshot(&[PERMIT_ALL]);
        let scoped = |globs: &[&str]| {
            ids(ask(&snapshot, |asker| asker.tools = globs.iter().map(|glob| (*glob).to_owned()).collect()))
        };
        assert_eq!(scoped(&["billing/re*", "hidden/*"]).as_deref(), Ok("billing/report+!"));
        assert_eq!(scoped(&["none/*"]), Err("`acme:agent:bot` may use nothing in `acme/finance`".to_owned()));
    }

    #[test]
    fn roles_of_a_provider_open_what_they_open_and_nothing_in_another_tenant() {
        let policies = [
            r#"permit (principal in Ambit::Role::"acme:role:lead", action in Ambit::Action::"use", resource in Ambit::Catalog::"mail");"#,
        ];
        let snapshot = snapshot(&policies);
        let stranger = |role: &str, project: &str| {
            let mut asker = Asker::new(principal("acme:user:eve@acme.example"), project_id(project));
            asker.roles.insert(role.to_owned());
            ids(authority(&snapshot).view_of(&asker))
        };
        assert_eq!(stranger("lead", "acme/finance").as_deref(), Ok("mail/send+!"));
        assert!(stranger("chief", "acme/finance").is_err());
        assert!(stranger("lead", "globex/ops").is_err());
    }
}
