//! Why somebody may use a tool or may not: the decisions with their policies, and what would have to change for the opposite.
//! INVARIANT: what is said to be decided is what `decide` decides; hints come from asking Cedar about each policy alone.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::declaration::{Action, Project};
use ambit_model::explain::{Change, ChangeKind, Decided, Explained, NamedPolicy, SeenProject, SeenTool, Side};
use ambit_model::facts::Ceiling;
use ambit_model::identity::{Principal, PrincipalKind, ProjectId, ToolId};
use ambit_model::key::Asker;
use cedar_policy::{Context, Effect, Entity, EntityUid, Policy, PolicySet, RestrictedExpression};

use super::compile::{Authority, ScopedPolicy, Tool};
use super::decide::{Decision, Seat, Slice};
use super::near::{nearest, plain, word};
use super::vocabulary::{is_built_in, uid};

/// One who is asked about, in a project that exists, with a tool that exists.
pub(super) struct Asked<'a> {
    pub(super) authority: &'a Authority,
    pub(super) principal: &'a Principal,
    pub(super) seat: Seat<'a>,
    pub(super) tool: &'a Tool,
    project: &'a Project,
    context: Context,
}

/// One side, and what is needed to look behind its decisions; nothing of that where something does not exist.
struct Found<'a> {
    side: Side,
    needs_confirmation: bool,
    asked: Option<Asked<'a>>,
}

impl Authority {
    /// Explains one action on one tool, for the principal and for the user that it acts for. The scope of a key plays no part.
    pub fn explain(&self, asker: &Asker, id: &ToolId, action: Action) -> Explained {
        let Asker { principal, roles, acting_for, project, .. } = asker;
        let declared_only = BTreeSet::new();
        let mut found = vec![self.found(principal, roles, project, id)];
        found.extend(acting_for.iter().map(|user| self.found(user, &declared_only, project, id)));
        let acting = acting_for.as_ref().map(|user| self.acts_for(principal, roles, user));
        let may_act = acting.as_ref().is_none_or(|acting| acting.allow);
        let allow = may_act && found.iter().all(|found| found.side.decided(action).allow);
        let mut explained = Explained {
            principal: principal.clone(),
            acting_for: acting_for.clone(),
            project: project.clone(),
            tool: id.clone(),
            action,
            allow,
            needs_confirmation: may_act
                && found.iter().all(|found| found.side.invoke.allow)
                && found.iter().any(|found| found.needs_confirmation),
            seen: self.tools.get(id).map(|tool| self.seen(tool)),
            within: self.projects.get(project).map(|project| self.within(project, id)),
            acting: acting.clone().map(decided),
            sides: Vec::new(),
            changes: if allow { to_deny(asker, id, action, &found, acting.as_ref()) } else { Vec::new() },
            policies: BTreeMap::new(),
        };
        if !allow {
            explained.changes = self.to_allow(&explained, &found);
        }
        explained.sides = found.into_iter().map(|found| found.side).collect();
        explained.policies = self.named(&explained);
        explained
    }

    fn found<'a>(
        &'a self,
        principal: &'a Principal,
        roles: &BTreeSet<String>,
        project: &ProjectId,
        tool: &ToolId,
    ) -> Found<'a> {
        let seat = self.seat(principal, roles);
        let held = match &seat {
            Ok(Some(seat)) => self.held(seat),
            _ => Vec::new(),
        };
        let tool = self.tools.get(tool);
        let declared = self.declares(principal);
        let standing = self.seat(principal, roles).and_then(|seat| self.standing_of(seat, project));
        let (decisions, needs_confirmation) = match (standing, tool) {
            (Ok(Some(standing)), Some(tool)) => (standing.decide_all(tool), standing.needs_confirmation(tool)),
            (Ok(_), _) => (<[Decision; 3]>::default(), false),
            (Err(error), _) => ([(); 3].map(|()| Decision::failed(error.clone())), false),
        };
        let [discover, route, invoke] = decisions.map(decided);
        let asked = match (seat, self.projects.get(project), tool) {
            (Ok(Some(seat)), Some(project), Some(tool)) => Asked::new(self, principal, seat, project, tool),
            _ => None,
        };
        let side = Side { principal: principal.clone(), declared, roles: held, discover, route, invoke };
        Found { side, needs_confirmation, asked }
    }

    /// The roles above a principal.
    fn held(&self, seat: &Seat<'_>) -> Vec<Principal> {
        let above = seat.entities.ancestors(&seat.uid).into_iter().flatten();
        let roles = above.filter(|uid| *uid.type_name() == self.vocabulary.role);
        let mut roles: Vec<Principal> = roles.filter_map(|uid| Principal::parse(uid.id().unescaped()).ok()).collect();
        roles.sort();
        roles
    }

    fn seen(&self, tool: &Tool) -> SeenTool {
        let entity = self.entities.get(&tool.uid);
        let attributes = entity.into_iter().flat_map(Entity::attrs);
        let attributes = attributes.filter_map(|(name, value)| Some((name.to_owned(), plain(&value.ok()?))));
        let kinds = [&self.vocabulary.catalog, &self.vocabulary.group, &self.vocabulary.entity_family];
        let above = self.entities.ancestors(&tool.uid).into_iter().flatten();
        let above = above.filter(|uid| kinds.contains(&uid.type_name()));
        let mut within: Vec<String> =
            above.map(|uid| format!("{} {}", uid.type_name().basename(), uid.id().unescaped())).collect();
        within.sort();
        SeenTool { attributes: attributes.collect(), within }
    }

    fn within(&self, project: &Project, id: &ToolId) -> SeenProject {
        let tool = self.tools.get(id);
        SeenProject {
            lists_catalog: project.catalogs.iter().any(|catalog| catalog == id.catalog()),
            ceiling: project.ceiling,
            ceiling_bars: tool.is_some_and(|tool| keeps_out(project.ceiling, tool, self.is_destructive(tool))),
        }
    }

    fn is_destructive(&self, tool: &Tool) -> bool {
        self.entities.get(&tool.uid).and_then(|tool| word(tool, "effect")).as_deref() == Some("destructive")
    }

    /// Everything that stands in the way, of all who are asked about; or that nothing would help.
    fn to_allow(&self, explained: &Explained, found: &[Found<'_>]) -> Vec<Change> {
        let never = never(explained);
        if !never.is_empty() {
            return never;
        }
        let mut changes = Vec::new();
        let undeclared = found.iter().filter(|found| !found.side.declared && found.side.roles.is_empty());
        let mut missing: Vec<String> = undeclared.map(|found| format!("`{}`", found.side.principal)).collect();
        missing.extend(explained.within.is_none().then(|| format!("the project `{}`", explained.project)));
        missing.extend(explained.seen.is_none().then(|| format!("the tool `{}`", explained.tool)));
        changes.extend(missing.iter().map(|what| change(ChangeKind::Declare, format!("declare {what}"), [])));
        changes.extend(acting_changes(explained));
        for asked in found.iter().filter_map(|found| found.asked.as_ref()) {
            for change in self.obstacles(asked, explained.action) {
                if !changes.contains(&change) {
                    changes.push(change);
                }
            }
        }
        changes
    }

    /// What keeps one side from the action, and from those that it needs too.
    fn obstacles(&self, asked: &Asked<'_>, action: Action) -> Vec<Change> {
        let mut changes = Vec::new();
        let mut lacking = up_to(action);
        for policy in self.policies.iter().filter(|policy| asked.speaks_of_use(policy)) {
            let id = policy.policy.id().to_string();
            let permits = policy.policy.effect() == Effect::Permit;
            let decided: Vec<(Action, Decision)> =
                up_to(action).into_iter().map(|action| (action, asked.alone(&policy.policy, action))).collect();
            if let Some(error) = decided.iter().find_map(|(_, decision)| decision.errors.first()) {
                changes.push(change(ChangeKind::Mend, format!("mend `{id}`, which fails: {error}"), [id]));
            } else if permits {
                lacking.retain(|action| !decided.iter().any(|(of, decision)| of == action && decision.allow));
            } else {
                let forbids = decided.iter().filter(|(_, decision)| !decision.policies.is_empty());
                let forbidden: Vec<Action> = forbids.map(|(action, _)| *action).collect();
                changes.extend((!forbidden.is_empty()).then(|| self.lift(asked, &id, &forbidden)));
            }
        }
        if let Some(first) = lacking.first() {
            let (tool, principal) = (asked.tool.uid.id().unescaped(), asked.principal);
            let says = format!("permit {} of `{tool}` to `{principal}`", words(&lacking));
            let nearest = nearest(asked, *first);
            changes.push(Change { nearest, ..change(ChangeKind::Permit, says, []) });
        }
        changes
    }

    /// What would lift one forbid.
    fn lift(&self, asked: &Asked<'_>, id: &str, forbidden: &[Action]) -> Change {
        let project = &asked.project.id;
        let (kind, says) = match id {
            "ambit/project-catalogs" => {
                let catalog = self.entities.get(&asked.tool.uid).and_then(|tool| word(tool, "catalog"));
                let catalog = catalog.unwrap_or_default();
                (ChangeKind::Catalog, format!("list the catalog `{catalog}` in `{project}`"))
            }
            "ambit/ceiling-read-only" | "ambit/ceiling-confirm-writes" => {
                let destructive = self.is_destructive(asked.tool);
                let enough = Ceiling::ALL.iter().find(|ceiling| !keeps_out(**ceiling, asked.tool, destructive));
                let ceiling = enough.copied().unwrap_or(Ceiling::Open);
                (ChangeKind::Ceiling, format!("raise the ceiling of `{project}` to `{ceiling}`"))
            }
            _ if is_built_in(id) => (ChangeKind::Never, format!("never: `{id}` is built in")),
            _ => {
                let (words, principal) = (words(forbidden), asked.principal);
                (ChangeKind::Forbid, format!("narrow or take back `{id}`, which forbids {words} to `{principal}`"))
            }
        };
        change(kind, says, [id.to_owned()])
    }

    /// The policies that an explanation speaks of, with what they say.
    fn named(&self, explained: &Explained) -> BTreeMap<String, NamedPolicy> {
        let decisions = explained.sides.iter().flat_map(|side| [&side.discover, &side.route, &side.invoke]);
        let mut ids: BTreeSet<&str> = decisions
            .chain(&explained.acting)
            .flat_map(|decided| &decided.policies)
            .chain(explained.changes.iter().flat_map(|change| &change.policies))
            .map(String::as_str)
            .collect();
        ids.extend(explained.changes.iter().flat_map(|change| &change.nearest).map(|near| near.policy.as_str()));
        let policies = self.policies.iter().filter(|policy| ids.contains(AsRef::<str>::as_ref(policy.policy.id())));
        let named = policies.map(|policy| {
            let effect = if policy.policy.effect() == Effect::Permit { "permit" } else { "forbid" };
            let named = NamedPolicy {
                effect: effect.to_owned(),
                reason: policy.reason.clone(),
                cedar: policy.policy.to_string().trim().to_owned(),
                place: None,
            };
            (policy.policy.id().to_string(), named)
        });
        named.collect()
    }
}

impl<'a> Asked<'a> {
    fn new(
        authority: &'a Authority,
        principal: &'a Principal,
        seat: Seat<'a>,
        project: &'a Project,
        tool: &'a Tool,
    ) -> Option<Self> {
        let of = RestrictedExpression::new_entity_uid(uid(&authority.vocabulary.project, &project.id.to_string()));
        let context = Context::from_pairs([("project".to_owned(), of)]).ok()?;
        Some(Self { authority, principal, seat, tool, project, context })
    }

    /// What one policy would decide if there were no other.
    pub(super) fn alone(&self, policy: &Policy, action: Action) -> Decision {
        match PolicySet::from_policies([policy.clone()]) {
            Ok(policies) => {
                let slice = Slice { action: self.authority.vocabulary.action(action), policies };
                self.authority.ask(&self.seat, &slice, self.tool.uid.clone(), self.context.clone())
            }
            Err(error) => Decision::failed(error.to_string()),
        }
    }

    /// It is about the use of tools, and not about administration or acting for others alone.
    pub(super) fn speaks_of_use(&self, policy: &ScopedPolicy) -> bool {
        let meets = |action| self.authority.meets_action(&policy.action, &self.authority.vocabulary.action(action));
        Action::ALL.into_iter().any(meets)
    }

    /// Cedar's `inner in outer`.
    pub(super) fn is_in(&self, inner: &EntityUid, outer: &EntityUid) -> bool {
        inner == outer || self.seat.entities.is_ancestor_of(outer, inner)
    }

    pub(super) fn entity(&self, of: &EntityUid) -> Option<&Entity> {
        self.seat.entities.get(of)
    }

    pub(super) fn project_uid(&self) -> EntityUid {
        uid(&self.authority.vocabulary.project, &self.project.id.to_string())
    }

    /// The permits that allow an action.
    fn permits(&self, action: Action) -> Vec<String> {
        let permits = self.authority.policies.iter().filter(|policy| policy.policy.effect() == Effect::Permit);
        let permits = permits.filter(|policy| self.speaks_of_use(policy) && self.alone(&policy.policy, action).allow);
        permits.map(|policy| policy.policy.id().to_string()).collect()
    }
}

/// What no policy and no ceiling can change.
fn never(explained: &Explained) -> Vec<Change> {
    let Explained { principal, acting_for, project, tool, .. } = explained;
    let mut never = BTreeSet::new();
    for who in std::iter::once(principal).chain(acting_for) {
        if project.tenant != who.tenant {
            never.insert(format!("never: `{project}` is a project of another tenant than `{who}`"));
        }
        let owner = explained.seen.as_ref().and_then(|seen| seen.attributes.get("tenant"));
        if owner.is_some_and(|owner| *owner != who.tenant) {
            never.insert(format!("never: `{tool}` belongs to another tenant than `{who}`"));
        }
    }
    for user in acting_for.iter().filter(|user| user.kind == PrincipalKind::Agent) {
        never.insert(format!("never: nobody acts for an agent, as `{user}` is"));
    }
    never.into_iter().map(|says| change(ChangeKind::Never, says, [])).collect()
}

/// What keeps the principal from acting for the user.
fn acting_changes(explained: &Explained) -> Vec<Change> {
    let (Some(user), Some(acting)) = (&explained.acting_for, &explained.acting) else { return Vec::new() };
    let principal = &explained.principal;
    if acting.allow {
        return Vec::new();
    }
    if let Some(error) = acting.errors.first() {
        let says = format!("mend what fails when `{principal}` acts for `{user}`: {error}");
        return vec![change(ChangeKind::Mend, says, acting.policies.clone())];
    }
    let lift = |id: &String| {
        let says = format!("narrow or take back `{id}`, which forbids `{principal}` to act for `{user}`");
        change(ChangeKind::Forbid, says, [id.clone()])
    };
    if acting.policies.is_empty() {
        let says = format!("permit `act_for` of `{user}`, or of a role that it holds, to `{principal}`");
        return vec![change(ChangeKind::ActFor, says, [])];
    }
    acting.policies.iter().map(lift).collect()
}

/// What would end a right, each by itself.
fn to_deny(asker: &Asker, id: &ToolId, action: Action, found: &[Found<'_>], acting: Option<&Decision>) -> Vec<Change> {
    let mut changes = Vec::new();
    for asked in found.iter().filter_map(|found| found.asked.as_ref()) {
        // The narrowest action that the fewest permits allow.
        let levels = up_to(action).into_iter().rev().map(|level| (level, asked.permits(level)));
        if let Some((level, permits)) = levels.min_by_key(|(_, permits)| permits.len()) {
            let (listed, principal) = (listed(&permits), asked.principal);
            let says = format!("take back {listed}: nothing else permits `{}` to `{principal}`", level.word());
            changes.push(change(ChangeKind::Permit, says, permits));
        }
    }
    if let (Some(user), Some(acting)) = (&asker.acting_for, acting) {
        let says = format!("take back {}: nothing else permits acting for `{user}`", listed(&acting.policies));
        changes.push(change(ChangeKind::ActFor, says, acting.policies.clone()));
    }
    if let Some(asked) = found.iter().find_map(|found| found.asked.as_ref()).filter(|_| action > Action::Discover) {
        let destructive = asked.authority.is_destructive(asked.tool);
        let lower = Ceiling::ALL.iter().rev().find(|ceiling| keeps_out(**ceiling, asked.tool, destructive));
        let says = |ceiling: &Ceiling| format!("lower the ceiling of `{}` to `{ceiling}`", asker.project);
        changes.extend(lower.map(|ceiling| change(ChangeKind::Ceiling, says(ceiling), [])));
    }
    let says = format!("forbid `{}` of `{id}` to `{}`", action.word(), asker.principal);
    changes.push(change(ChangeKind::Forbid, says, []));
    changes
}

/// A ceiling keeps a tool from being routed and invoked; `builtin.cedar` says the same.
fn keeps_out(ceiling: Ceiling, tool: &Tool, destructive: bool) -> bool {
    match ceiling {
        Ceiling::ReadOnly => !tool.harmless,
        Ceiling::ConfirmWrites => destructive,
        Ceiling::Open => false,
    }
}

/// An action and those that it needs, widest first.
fn up_to(action: Action) -> Vec<Action> {
    Action::ALL.into_iter().filter(|other| *other <= action).collect()
}

fn change(kind: ChangeKind, says: String, policies: impl IntoIterator<Item = String>) -> Change {
    Change { kind, says, policies: policies.into_iter().collect(), nearest: Vec::new() }
}

fn decided(decision: Decision) -> Decided {
    let Decision { allow, policies, errors } = decision;
    Decided { allow, policies, errors }
}

fn words(actions: &[Action]) -> String {
    listed(&actions.iter().map(|action| action.word().to_owned()).collect::<Vec<_>>())
}

/// `a`, `b` and `c`, each in backticks.
fn listed(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests;
