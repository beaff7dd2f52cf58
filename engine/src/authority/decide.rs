//! The one decision: may this principal do this with this tool in this project, and which policies say so.
//! INVARIANT: an error in evaluation denies, and whoever may not discover may not route, and so on down to invoke.

use ambit_model::declaration::{Action, Project};
use ambit_model::facts::Ceiling;
use ambit_model::identity::{Principal, ProjectId, ToolId};
use cedar_policy::{
    ActionConstraint, AuthorizationError, Context, Decision as Verdict, EntityTypeName, EntityUid, PolicySet, PrincipalConstraint,
    Request, Response, RestrictedExpression,
};

use super::compile::{Authority, ScopedPolicy, Tool};
use super::vocabulary::uid;

/// One answer, and what made it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decision {
    pub allow: bool,
    /// Ids, sorted: the permits that allowed; or the forbids that refused and the policies that failed. Empty where no permit
    /// applies.
    pub policies: Vec<String>,
    /// What went wrong while policies were evaluated; never with `allow`.
    pub errors: Vec<String>,
}

impl Decision {
    /// The next narrower decision; a refusal stands for it too.
    pub(super) fn then(&self, narrower: impl FnOnce() -> Self) -> Self {
        if self.allow { narrower() } else { self.clone() }
    }

    fn failed(error: String) -> Self {
        Self { allow: false, policies: Vec::new(), errors: vec![error] }
    }
}

impl Authority {
    /// Decides one action on one tool. A principal, project or tool that does not exist is refused like one that no permit
    /// reaches, so that the answer says nothing of what exists.
    pub fn decide(&self, principal: &Principal, action: Action, tool: &ToolId, project: &ProjectId) -> Decision {
        match (self.standing(principal, project), self.tools.get(tool)) {
            (Ok(Some(standing)), Some(tool)) => standing.decide(action, tool),
            (Ok(_), _) => Decision::default(),
            (Err(error), _) => Decision::failed(error),
        }
    }

    /// One principal in one project, ready to be asked about many tools; nothing where either is not declared.
    pub(super) fn standing(&self, principal: &Principal, project: &ProjectId) -> Result<Option<Standing<'_>>, String> {
        let uid_of_principal = self.vocabulary.principal(principal);
        let Some(project) = self.projects.get(project) else { return Ok(None) };
        if self.entities.get(&uid_of_principal).is_none() {
            return Ok(None);
        }
        let reference = RestrictedExpression::new_entity_uid(uid(&self.vocabulary.project, &project.id.to_string()));
        let context = Context::from_pairs([("project".to_owned(), reference)]).map_err(|e| e.to_string())?;
        let slice = |action| self.slice(&uid_of_principal, action);
        Ok(Some(Standing {
            discover: slice(Action::Discover)?,
            route: slice(Action::Route)?,
            invoke: slice(Action::Invoke)?,
            authority: self,
            project,
            principal: uid_of_principal,
            context,
        }))
    }

    /// The policies whose scope this principal and action meet. Scopes never err, so leaving the others out is exact.
    fn slice(&self, principal: &EntityUid, action: Action) -> Result<Slice, String> {
        let action = self.vocabulary.action(action);
        let meets = |p: &&ScopedPolicy| self.meets_principal(&p.principal, principal) && self.meets_action(&p.action, &action);
        let policies = self.policies.iter().filter(meets).map(|p| p.policy.clone());
        Ok(Slice { policies: PolicySet::from_policies(policies).map_err(|e| e.to_string())?, action })
    }

    fn meets_principal(&self, wanted: &PrincipalConstraint, principal: &EntityUid) -> bool {
        match wanted {
            PrincipalConstraint::Any => true,
            PrincipalConstraint::In(of) => self.within(principal, of),
            PrincipalConstraint::Eq(of) => principal == of,
            PrincipalConstraint::Is(kind) => is(principal, kind),
            PrincipalConstraint::IsIn(kind, of) => is(principal, kind) && self.within(principal, of),
        }
    }

    fn meets_action(&self, wanted: &ActionConstraint, action: &EntityUid) -> bool {
        match wanted {
            ActionConstraint::Any => true,
            ActionConstraint::In(groups) => groups.iter().any(|group| self.within(action, group)),
            ActionConstraint::Eq(of) => action == of,
        }
    }

    /// Cedar's `inner in outer`.
    fn within(&self, inner: &EntityUid, outer: &EntityUid) -> bool {
        inner == outer || self.entities.is_ancestor_of(outer, inner)
    }
}

/// One principal in one project: what stays the same from tool to tool.
pub(super) struct Standing<'a> {
    pub(super) project: &'a Project,
    authority: &'a Authority,
    principal: EntityUid,
    context: Context,
    discover: Slice,
    route: Slice,
    invoke: Slice,
}

/// The policies that can apply to this principal's use of one action.
struct Slice {
    action: EntityUid,
    policies: PolicySet,
}

impl Standing<'_> {
    /// Decides, from the widest action down to the one that is asked for.
    pub(super) fn decide(&self, action: Action, tool: &Tool) -> Decision {
        match action {
            Action::Discover => self.ask(&self.discover, tool),
            Action::Route => self.decide(Action::Discover, tool).then(|| self.ask(&self.route, tool)),
            Action::Invoke => self.decide(Action::Route, tool).then(|| self.ask(&self.invoke, tool)),
        }
    }

    /// The same for all three actions at once, widest first.
    pub(super) fn decide_all(&self, tool: &Tool) -> [Decision; 3] {
        let discover = self.ask(&self.discover, tool);
        let route = discover.then(|| self.ask(&self.route, tool));
        let invoke = route.then(|| self.ask(&self.invoke, tool));
        [discover, route, invoke]
    }

    /// A call of this tool, where it is allowed at all, needs a confirmation given by a person.
    pub(super) fn needs_confirmation(&self, tool: &Tool) -> bool {
        tool.confirmation || (self.project.ceiling != Ceiling::Open && !tool.harmless)
    }

    fn ask(&self, slice: &Slice, tool: &Tool) -> Decision {
        let schema = Some(&self.authority.schema);
        let request =
            Request::new(self.principal.clone(), slice.action.clone(), tool.uid.clone(), self.context.clone(), schema);
        match request {
            Ok(request) => read(&self.authority.authorizer.is_authorized(&request, &slice.policies, &self.authority.entities)),
            Err(error) => Decision::failed(error.to_string()),
        }
    }
}

fn read(response: &Response) -> Decision {
    let diagnostics = response.diagnostics();
    let errors: Vec<&AuthorizationError> = diagnostics.errors().collect();
    let allow = response.decision() == Verdict::Allow && errors.is_empty();
    let failed = errors.iter().map(|AuthorizationError::PolicyEvaluationError(e)| e.policy_id());
    // A permit that applied beside a policy that failed did not make the refusal.
    let reasons = diagnostics.reason().filter(|_| response.decision() == Verdict::Deny || allow);
    let mut policies: Vec<String> = failed.chain(reasons).map(ToString::to_string).collect();
    policies.sort();
    policies.dedup();
    let mut errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
    errors.sort();
    Decision { allow, policies, errors }
}

fn is(entity: &EntityUid, kind: &EntityTypeName) -> bool {
    entity.type_name() == kind
}
