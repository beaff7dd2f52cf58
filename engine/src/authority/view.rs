//! The View: everything one principal may do in one project, decided once and named by one digest.
//! INVARIANT: a view says nothing of a tool outside `discover`, and nothing of another tenant, not even that it exists.

use std::collections::BTreeSet;
use std::sync::Arc;

use ambit_model::digest::Digest;
use ambit_model::facts::Ceiling;
use ambit_model::identity::{Principal, ProjectId, ToolId};
use ambit_model::key::Asker;
use ambit_model::overlay::BLOCKED;
use ambit_model::view::Capability;
use roaring::RoaringBitmap;
use serde::Serialize;
use thiserror::Error;

use super::compile::Authority;
use super::scope;
use super::sets::{Answer, Sets};

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

/// The capabilities of one caller in one snapshot.
/// INVARIANT: `invoke` is within `route`, and `route` within `discover`.
#[derive(Clone, Debug)]
pub struct View {
    pub principal: Principal,
    /// The user or role that the principal acts for.
    pub acting_for: Option<Principal>,
    /// The policies that let it act so.
    pub acting_by: Vec<String>,
    pub project: ProjectId,
    /// Over the identity, the sets and the card digests; never over the snapshot's digest.
    pub digest: Digest,
    /// How many policies had to be asked tool by tool, for want of a set.
    pub asked: usize,
    discover: RoaringBitmap,
    route: RoaringBitmap,
    invoke: RoaringBitmap,
    /// Where a call needs a confirmation given by a person.
    confirmed: RoaringBitmap,
    /// What was withheld of `route`, and of `invoke`.
    withheld: (RoaringBitmap, RoaringBitmap),
    /// The tools that positions stand for, and the policies.
    ids: Arc<[ToolId]>,
    policies: Arc<[String]>,
    /// The principal's own sets, then those of the user that it acts for.
    sides: Vec<Sets>,
    #[cfg(test)]
    given: std::collections::BTreeMap<ToolId, Capability>,
}

impl View {
    /// How many tools may be named.
    pub fn len(&self) -> usize {
        usize::try_from(self.discover.len()).unwrap_or(usize::MAX)
    }

    /// None may be. (Then there is no view; see `ViewRefused::NoAccess`.)
    pub fn is_empty(&self) -> bool {
        self.discover.is_empty()
    }

    /// The tools that may be named, in canonical order.
    pub fn ids(&self) -> impl Iterator<Item = &ToolId> {
        self.those(&self.discover)
    }

    /// The tools that may be offered and ranked, in canonical order.
    pub fn routed(&self) -> impl Iterator<Item = &ToolId> {
        self.those(&self.route)
    }

    /// How many may be offered, and how many called.
    pub fn counts(&self) -> (u64, u64) {
        (self.route.len(), self.invoke.len())
    }

    /// The tool may be named.
    pub fn discovers(&self, tool: &ToolId) -> bool {
        self.position(tool).is_some_and(|at| self.discover.contains(at))
    }

    /// The tool may be offered and ranked.
    pub fn routes(&self, tool: &ToolId) -> bool {
        self.position(tool).is_some_and(|at| self.route.contains(at))
    }

    /// What the caller may do with a tool; nothing where it may not even name it.
    pub fn capability(&self, tool: &ToolId) -> Option<Capability> {
        self.position(tool).filter(|at| self.discover.contains(*at)).map(|at| self.capability_at(at))
    }

    /// Every tool that may be named, with what the caller may do with it.
    pub fn capabilities(&self) -> impl Iterator<Item = (&ToolId, Capability)> {
        let at = self.discover.iter().filter_map(|at| Some((self.ids.get(usize::try_from(at).ok()?)?, at)));
        at.map(|(id, at)| (id, self.capability_at(at)))
    }

    /// The same view while these tools may be named only; nothing where none of them could be more. `digest` makes the name of what
    /// is left out of the whole's and the tools'.
    pub fn withhold<E>(
        &self,
        tools: impl IntoIterator<Item = ToolId>,
        digest: impl FnOnce(&Digest, &BTreeSet<ToolId>) -> Result<Digest, E>,
    ) -> Result<Option<Self>, E> {
        let tools: BTreeSet<ToolId> = tools.into_iter().filter(|tool| self.routes(tool)).collect();
        if tools.is_empty() {
            return Ok(None);
        }
        let taken: RoaringBitmap = tools.iter().filter_map(|tool| self.position(tool)).collect();
        let mut narrow = self.clone();
        narrow.digest = digest(&self.digest, &tools)?;
        narrow.withheld = (&self.withheld.0 | &taken, &self.withheld.1 | (&taken & &self.invoke));
        for set in [&mut narrow.route, &mut narrow.invoke, &mut narrow.confirmed] {
            *set -= &taken;
        }
        Ok(Some(narrow))
    }

    fn those<'a>(&'a self, set: &'a RoaringBitmap) -> impl Iterator<Item = &'a ToolId> {
        set.iter().filter_map(|at| self.ids.get(usize::try_from(at).ok()?))
    }

    fn position(&self, tool: &ToolId) -> Option<u32> {
        u32::try_from(self.ids.binary_search(tool).ok()?).ok()
    }

    fn capability_at(&self, at: u32) -> Capability {
        let decided = self.decided_at(at);
        let by = |set: &RoaringBitmap, policies| if set.contains(at) { vec![BLOCKED.to_owned()] } else { policies };
        Capability {
            route: self.route.contains(at),
            invoke: self.invoke.contains(at),
            needs_confirmation: self.confirmed.contains(at),
            discover_by: decided.discover_by,
            route_by: by(&self.withheld.0, decided.route_by),
            invoke_by: by(&self.withheld.1, decided.invoke_by),
        }
    }

    /// What policies decided, whatever is withheld.
    fn decided_at(&self, at: u32) -> Capability {
        #[cfg(test)]
        if let Some(given) = self.ids.get(at as usize).and_then(|id| self.given.get(id)) {
            return given.clone();
        }
        // A refusal stands for the narrower too.
        let narrowest = |wanted: fn(&Sets) -> &Answer, wider: fn(&Sets) -> &Answer| {
            move |sets: &Sets| {
                let (wanted, wider) = (wanted(sets), wider(sets));
                let answer = if wider.allowed.contains(at) { wanted } else { wider };
                answer.deciding(at).collect::<Vec<_>>()
            }
        };
        let discover = narrowest(|sets| &sets.discover, |sets| &sets.discover);
        let route = narrowest(|sets| &sets.route, |sets| &sets.discover);
        let invoke = |sets: &Sets| {
            if sets.route.allowed.contains(at) { sets.invoke.deciding(at).collect() } else { route(sets) }
        };
        Capability {
            route: self.route.contains(at),
            invoke: self.invoke.contains(at),
            needs_confirmation: self.confirmed.contains(at),
            discover_by: self.named(discover),
            route_by: self.named(route),
            invoke_by: self.named(invoke),
        }
    }

    /// The ids of the policies of all sides, sorted.
    fn named(&self, of: impl Fn(&Sets) -> Vec<usize>) -> Vec<String> {
        let places: BTreeSet<usize> = self.sides.iter().flat_map(of).collect();
        let mut ids: Vec<String> = places.into_iter().filter_map(|at| self.policies.get(at).cloned()).collect();
        ids.sort();
        ids
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
        let mut sides = vec![self.own_sets(principal, roles, project)?];
        let mut acting_by = Vec::new();
        if let Some(user) = acting_for {
            let acting = self.acts_for(principal, roles, user);
            if !acting.allow {
                return Err(ViewRefused::MayNotActFor { principal: principal.clone(), user: user.clone() });
            }
            acting_by = acting.policies;
            // Who is acted for counts with declared roles only: a token vouches for whoever sent it and for nobody else.
            sides.push(self.own_sets(user, &BTreeSet::new(), project)?);
        }
        let scope = self.within_scope(scope)?;
        let shared = |of: fn(&Sets) -> &RoaringBitmap| sides.iter().fold(scope.clone(), |all, side| all & of(side));
        let discover = shared(|sets| &sets.discover.allowed);
        let (route, invoke) = (shared(|sets| &sets.route.allowed), shared(|sets| &sets.invoke.allowed));
        if discover.is_empty() {
            return Err(ViewRefused::NoAccess { principal: principal.clone(), project: project.clone() });
        }
        let confirmed = &invoke & self.needing_confirmation(project);
        let mut view = View {
            principal: principal.clone(),
            acting_for: acting_for.clone(),
            acting_by,
            project: project.clone(),
            digest: Digest::zero(),
            asked: sides.iter().map(|side| side.asked).sum(),
            discover,
            route,
            invoke,
            confirmed,
            withheld: Default::default(),
            ids: Arc::clone(&self.ids),
            policies: Arc::clone(&self.policy_names),
            sides,
            #[cfg(test)]
            given: std::collections::BTreeMap::new(),
        };
        view.digest = self.view_digest(&view).map_err(ViewRefused::Failed)?;
        Ok(view)
    }

    /// What one principal may do by itself.
    fn own_sets(
        &self,
        principal: &Principal,
        roles: &BTreeSet<String>,
        project: &ProjectId,
    ) -> Result<Sets, ViewRefused> {
        let circle = self.circle(principal, roles, project).map_err(ViewRefused::Failed)?;
        let circle = circle.ok_or_else(|| ViewRefused::UnknownPrincipal(principal.clone()))?;
        let known = self.projects.get(project).filter(|project| project.id.tenant == principal.tenant);
        let known = known.ok_or_else(|| ViewRefused::UnknownProject {
            project: project.clone(),
            tenant: principal.tenant.clone(),
        })?;
        self.sets(&circle, known, || self.seat(principal, roles)).map_err(ViewRefused::Failed)
    }

    /// The tools that globs reach; without globs, all.
    fn within_scope(&self, globs: &BTreeSet<String>) -> Result<RoaringBitmap, ViewRefused> {
        if globs.is_empty() {
            return Ok(self.facets.all.clone());
        }
        let scope = scope::read(globs).map_err(ViewRefused::Failed)?;
        Ok((0_u32..).zip(self.ids.iter()).filter(|(_, id)| scope.is_match(id.as_str())).map(|(at, _)| at).collect())
    }

    /// As `Standing::needs_confirmation`, for all tools.
    pub(super) fn needing_confirmation(&self, project: &ProjectId) -> RoaringBitmap {
        match self.projects.get(project).map(|project| project.ceiling) {
            Some(Ceiling::Open) => self.confirmed.clone(),
            _ => &self.confirmed | (&self.facets.all - &self.harmless),
        }
    }

    /// SHA-256 over what the caller can see, so that a change elsewhere in the snapshot leaves it alone: who asks, as canonical JSON
    /// (RFC 8785), and a line feed; then for each tool of `discover`, in canonical order, 32 bytes and one. The 32 are the SHA-256 of
    /// its id, a line feed and the digest of its card; the one is 1 for `route`, 2 for `invoke`, 4 for a confirmation, added up.
    fn view_digest(&self, view: &View) -> Result<Digest, String> {
        let View { principal, acting_for, project, .. } = view;
        let who = DigestedCaller { principal, acting_for: acting_for.as_ref(), project };
        let mut bytes = serde_json_canonicalizer::to_vec(&who).map_err(|e| e.to_string())?;
        bytes.push(b'\n');
        bytes.reserve(view.len() * 33);
        let flag = |set: &RoaringBitmap, at, flag| if set.contains(at) { flag } else { 0_u8 };
        for at in &view.discover {
            let Some(mark) = usize::try_from(at).ok().and_then(|at| self.marks.get(at)) else { continue };
            bytes.extend_from_slice(mark);
            bytes.push(flag(&view.route, at, 1) | flag(&view.invoke, at, 2) | flag(&view.confirmed, at, 4));
        }
        Ok(Digest::of(&bytes))
    }
}

#[derive(Serialize)]
struct DigestedCaller<'a> {
    principal: &'a Principal,
    #[serde(skip_serializing_if = "Option::is_none")]
    acting_for: Option<&'a Principal>,
    project: &'a ProjectId,
}

#[cfg(test)]
impl View {
    /// A view of these capabilities, made by hand.
    pub(crate) fn given(
        principal: Principal,
        project: ProjectId,
        digest: Digest,
        given: std::collections::BTreeMap<ToolId, Capability>,
    ) -> Self {
        let those = |within: fn(&Capability) -> bool| {
            (0_u32..).zip(given.values()).filter(move |(_, c)| within(c)).map(|(at, _)| at).collect()
        };
        Self {
            principal,
            acting_for: None,
            acting_by: Vec::new(),
            project,
            digest,
            asked: 0,
            discover: those(|_| true),
            route: those(|c| c.route),
            invoke: those(|c| c.invoke),
            confirmed: those(|c| c.needs_confirmation),
            withheld: Default::default(),
            ids: given.keys().cloned().collect(),
            policies: [].into(),
            sides: Vec::new(),
            given,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use ambit_model::declaration::Action;
    use ambit_model::facts::{Effect, Risk};
    use ambit_model::snapshot::Snapshot;

    use super::super::sample::{PERMIT_ALL, authority, card, principal, project_id, snapshot, tool_id};
    use super::*;

    fn view(snapshot: &Snapshot, who: &str, project: &str) -> Result<View, ViewRefused> {
        authority(snapshot).view(&principal(who), &project_id(project))
    }

    fn tools(view: Result<View, ViewRefused>) -> BTreeMap<ToolId, Capability> {
        view.iter().flat_map(View::capabilities).map(|(id, capability)| (id.clone(), capability)).collect()
    }

    fn digest(snapshot: &Snapshot) -> Option<Digest> {
        view(snapshot, "acme:user:ada", "acme/finance").ok().map(|view| view.digest)
    }

    #[track_caller]
    fn check_refused(policies: &[&str], who: &str, project: &str, expected: &str) {
        let refused = view(&snapshot(policies), who, project).err().map(|refused| refused.to_string());
        assert_eq!(refused.as_deref(), Some(expected));
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
        let tools = tools(view(&snapshot(&policies), "acme:user:ada", "acme/finance"));
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

    /// How often a policy of one condition had to be asked tool by tool.
    #[track_caller]
    fn check_asked(condition: &str, expected: usize) {
        let policy =
            format!("permit (principal, action == Ambit::Action::\"discover\", resource) when {{ {condition} }};");
        let view = view(&snapshot(&[&policy]), "acme:user:ada", "acme/finance");
        assert_eq!(view.map(|view| view.asked), Ok(expected), "{condition}");
    }

    #[test]
    fn what_can_be_a_set_is_asked_of_no_tool() {
        check_asked("true", 0);
        check_asked(r#"principal in Ambit::Role::"acme:role:member""#, 0);
        check_asked(r#"resource.effect == Ambit::Effect::"read" && !resource.confirmation"#, 0);
        check_asked(r#"resource.effect != Ambit::Effect::"read" || resource in Ambit::Catalog::"billing""#, 0);
        check_asked(r#"[Ambit::Risk::"low", Ambit::Risk::"medium"].contains(resource.risk)"#, 0);
        check_asked(r#"resource in [Ambit::Catalog::"billing", Ambit::Catalog::"mail"]"#, 0);
        check_asked(r#"if resource.confirmation then resource.entity == "mail" else resource has tenant"#, 0);
        check_asked("resource has tenant && resource.tenant == principal.tenant", 0);
        check_asked("context.project.catalogs.contains(resource.catalog)", 0);
        // Of whoever asks anything may be asked: that is known before a tool is.
        check_asked(r#"context.project.catalogs.containsAll([Ambit::Catalog::"mail"])"#, 0);
    }

    #[test]
    fn what_has_no_set_is_asked_of_each_kind_of_tool() {
        check_asked(r#"resource.entity like "in*""#, 1);
        check_asked(r#"!(resource.entity like "x*") && resource.effect == Ambit::Effect::"read""#, 1);
        check_asked(r#"[resource.entity, "invoices"].containsAll(["invoices"])"#, 1);
        check_asked(r#"(if resource.entity == "mail" then 1 else 2) + 1 > 2"#, 1);
        check_asked("resource.catalog has tenant", 1);
        let [like, set] = [r#"resource.entity like "in*""#, r#"resource.effect == Ambit::Effect::"read""#]
            .map(|condition| format!("permit (principal, action, resource) when {{ {condition} }};"));
        let view = view(&snapshot(&[&like, &set]), "acme:user:ada", "acme/finance");
        assert_eq!(view.map(|view| view.asked), Ok(Action::ALL.len()), "the one of them, for each action");
    }

    #[test]
    fn a_set_without_a_permit_names_nobody() {
        let policies = [r#"permit (principal, action == Ambit::Action::"discover", resource);"#];
        let tools = tools(view(&snapshot(&policies), "acme:user:ada", "acme/finance"));
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
        let said = |view: Result<View, ViewRefused>| view.map(|view| (view.digest.clone(), tools(Ok(view))));
        assert_eq!(said(view(&cut, "acme:user:ada", "acme/finance")), said(seen));
    }

    const BOT_ACTS: &str = r#"permit (principal == Ambit::Agent::"acme:agent:bot", action == Ambit::Action::"act_for",
        resource in Ambit::Role::"acme:role:analyst");"#;

    fn ask(snapshot: &Snapshot, change: impl FnOnce(&mut Asker)) -> Result<View, ViewRefused> {
        let mut asker = Asker::new(principal("acme:agent:bot"), project_id("acme/finance"));
        change(&mut asker);
        authority(snapshot).view_of(&asker)
    }

    fn ids(view: Result<View, ViewRefused>) -> Result<String, String> {
        let tools = view.map(|view| tools(Ok(view))).map_err(|refused| refused.to_string())?;
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
        let list = both
            .as_ref()
            .ok()
            .and_then(|view| view.capability(&tool_id("billing/list")))
            .map(|c| c.invoke_by.join(" "));
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
