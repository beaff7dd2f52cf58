//! Many principals asked about the same tools, for a diff: a tool is first held against the scopes of all policies, so that each
//! decision asks Cedar about few of them, and principals to whom the same policies apply share one answer.
//! INVARIANT: a decision is the one that `decide` makes; leaving out policies by their scopes is exact, for scopes never err.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use ambit_model::administration::AdminAction;
use ambit_model::declaration::Action;
use ambit_model::identity::{Principal, PrincipalKind, ProjectId, ToolId};
use cedar_policy::{
    ActionConstraint, Context, Effect, Entities, EntityUid, PolicySet, ResourceConstraint, RestrictedExpression,
};
use roaring::RoaringBitmap;

use super::administer::ACT_FOR;
use super::compile::{Authority, ScopedPolicy, Tool};
use super::decide::{Decision, Realm, Seat, Slice};
use super::entities::principal_entity;
use super::error::AuthorityError;
use super::glance::Glance;
use super::reach::Reach;
use super::sets::{Answer, Sets};
use super::vocabulary::{knows_administration, uid};

/// One snapshot's authority, ready to be asked about many.
pub(crate) struct Hearing<'a> {
    authority: &'a Authority,
    /// Those of the authority, and the strangers.
    entities: Cow<'a, Entities>,
    policies: Vec<Heard<'a>>,
}

/// A policy, and what it looks at.
pub(crate) struct Heard<'a> {
    pub(crate) id: &'a str,
    /// Equal where two policies decide alike, whatever their layout, comments and annotations.
    pub(crate) body: String,
    pub(crate) glance: Glance,
    /// It may speak of administration, or of acting for others.
    pub(crate) administers: bool,
}

/// A principal who is asked about.
pub(crate) struct Chair<'h> {
    seat: Seat<'h>,
    /// Of each policy, whether its scope means this principal.
    meets: Vec<bool>,
}

/// A tool that is asked about, with the policies that can apply to it, by action from the widest to the narrowest.
pub(crate) struct Case<'h> {
    tool: &'h Tool,
    policies: [Vec<usize>; 3],
}

impl Everything {
    /// Discover, route, invoke, and a confirmation for the last.
    pub(crate) fn flags(&self, place: u32) -> [bool; 4] {
        let Sets { discover, route, invoke, .. } = &self.sets;
        [&discover.allowed, &route.allowed, &invoke.allowed, &self.confirmed].map(|set| set.contains(place))
    }
}

/// What one principal may do with one tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Use {
    /// From the widest action to the narrowest; a refusal stands for the narrower ones too.
    pub(crate) decisions: [Decision; 3],
    pub(crate) needs_confirmation: bool,
}

/// Answers about one case in one project, by the policies that apply, and by who asks where one of them looks at that.
#[derive(Default)]
pub(crate) struct Answers(BTreeMap<(Action, Vec<usize>, Option<EntityUid>), Decision>);

/// What one principal may do with every tool of a project: for who is asked about many.
pub(crate) struct Everything {
    sets: Sets,
    confirmed: RoaringBitmap,
}

impl<'a> Hearing<'a> {
    /// All three sets of a principal at once; nothing where it or the project is not known, or an error denies everything.
    pub(crate) fn everything(
        &self,
        principal: &Principal,
        roles: &BTreeSet<String>,
        project: &ProjectId,
    ) -> Option<Everything> {
        let circle = self.authority.circle(principal, roles, project).ok()??;
        let within = self.authority.projects.get(project)?;
        let sets = self.authority.sets(&circle, within, || self.authority.seat(principal, roles)).ok()?;
        let confirmed = &sets.invoke.allowed & self.authority.needing_confirmation(project);
        Some(Everything { sets, confirmed })
    }

    /// The tool's place in the sets of this side.
    pub(crate) fn place(&self, tool: &ToolId) -> Option<u32> {
        u32::try_from(self.authority.ids.binary_search(tool).ok()?).ok()
    }

    /// What `decide` says of the tool in this place, read off the sets.
    pub(crate) fn read(&self, of: &Everything, place: u32) -> Use {
        let mut wider: Option<Decision> = None;
        let decisions = [&of.sets.discover, &of.sets.route, &of.sets.invoke].map(|answer| {
            let decision = match &wider {
                Some(refused) if !refused.allow => refused.clone(),
                _ => self.decided(answer, place),
            };
            wider = Some(decision.clone());
            decision
        });
        Use { decisions, needs_confirmation: of.confirmed.contains(place) }
    }

    fn decided(&self, answer: &Answer, place: u32) -> Decision {
        let names = answer.deciding(place).filter_map(|at| self.authority.policy_names.get(at).cloned());
        let policies: BTreeSet<String> = names.collect();
        Decision { allow: answer.allowed.contains(place), policies: policies.into_iter().collect(), errors: Vec::new() }
    }

    /// Strangers are users whom no Tenant document declares and who hold these roles; they must not be named by any policy.
    pub(crate) fn new(
        authority: &'a Authority,
        strangers: &[(Principal, BTreeSet<String>)],
    ) -> Result<Self, AuthorityError> {
        let failed = |cause: String| AuthorityError::Entities(cause);
        let vocabulary = &authority.vocabulary;
        let entities: Result<Vec<_>, _> =
            strangers.iter().map(|(who, roles)| principal_entity(vocabulary, who, roles)).collect();
        let entities = match entities? {
            none if none.is_empty() => Cow::Borrowed(&authority.entities),
            some => {
                let all = authority.entities.clone().upsert_entities(some, Some(&authority.schema));
                Cow::Owned(all.map_err(|e| failed(e.to_string()))?)
            }
        };
        let policies = authority.policies.iter().map(|policy| authority.heard(policy)).collect();
        Ok(Self { authority, entities, policies })
    }

    /// All policies, the built-in ones first; elsewhere they are named by their place here.
    pub(crate) fn policies(&self) -> &[Heard<'a>] {
        &self.policies
    }

    /// The ids of the tools that a policy names.
    pub(crate) fn tools_named(&self) -> BTreeSet<String> {
        let literals = self.authority.policies.iter().flat_map(|policy| policy.policy.entity_literals());
        let tools = literals.filter(|uid| *uid.type_name() == self.authority.vocabulary.tool);
        tools.map(|uid| uid.id().unescaped().to_owned()).collect()
    }

    /// A declared principal, or a stranger.
    pub(crate) fn chair(&self, principal: &Principal) -> Option<Chair<'_>> {
        let uid = self.authority.vocabulary.principal(principal);
        self.entities.get(&uid)?;
        let seat = Seat { uid, entities: Cow::Borrowed(&*self.entities) };
        let meets = self.authority.policies.iter().map(|policy| seat.meets(&policy.principal)).collect();
        Some(Chair { seat, meets })
    }

    /// The scope of this policy means this principal.
    pub(crate) fn means(&self, chair: &Chair<'_>, policy: usize) -> bool {
        chair.meets.get(policy).copied().unwrap_or_default()
    }

    /// The scope of one of these policies means this tool.
    pub(crate) fn concerns(&self, tool: &ToolId, policies: &BTreeSet<usize>) -> bool {
        let Some(tool) = self.authority.tools.get(tool) else { return false };
        let policies = policies.iter().filter_map(|at| self.authority.policies.get(*at));
        policies.into_iter().any(|policy| self.meets_resource(policy, &tool.uid))
    }

    pub(crate) fn case(&self, tool: &ToolId) -> Option<Case<'_>> {
        let tool = self.authority.tools.get(tool)?;
        let all = self.authority.policies.iter().enumerate();
        let met: Vec<(usize, &ScopedPolicy)> =
            all.filter(|(_, policy)| self.meets_resource(policy, &tool.uid)).collect();
        let policies = Action::ALL.map(|action| {
            let action = self.authority.vocabulary.action(action);
            let meets = |(at, policy): &(usize, &ScopedPolicy)| {
                self.authority.meets_action(&policy.action, &action).then_some(*at)
            };
            met.iter().filter_map(meets).collect()
        });
        Some(Case { tool, policies })
    }

    /// Cedar's `resource in outer` and the like, for a tool.
    fn meets_resource(&self, policy: &ScopedPolicy, tool: &EntityUid) -> bool {
        let is_in = |outer: &EntityUid| tool == outer || self.entities.is_ancestor_of(outer, tool);
        match &policy.resource {
            ResourceConstraint::Any => true,
            ResourceConstraint::Eq(of) => tool == of,
            ResourceConstraint::In(of) => is_in(of),
            ResourceConstraint::Is(kind) => tool.type_name() == kind,
            ResourceConstraint::IsIn(kind, of) => tool.type_name() == kind && is_in(of),
        }
    }

    /// All three decisions. A project that does not exist is refused like one that no permit reaches.
    pub(crate) fn decide(&self, chair: &Chair<'_>, case: &Case<'_>, project: &ProjectId, answers: &mut Answers) -> Use {
        let Some(within) = self.authority.projects.get(project) else { return Use::default() };
        let [discover, route, invoke] = Action::ALL;
        let discover = self.ask(chair, case, discover, project, answers);
        let route = discover.then(|| self.ask(chair, case, route, project, answers));
        let invoke = route.then(|| self.ask(chair, case, invoke, project, answers));
        let needs_confirmation = invoke.allow && case.tool.needs_confirmation(within.ceiling);
        Use { decisions: [discover, route, invoke], needs_confirmation }
    }

    fn ask(
        &self,
        chair: &Chair<'_>,
        case: &Case<'_>,
        action: Action,
        project: &ProjectId,
        Answers(answers): &mut Answers,
    ) -> Decision {
        let [discover, route, invoke] = &case.policies;
        let among = match action {
            Action::Discover => discover,
            Action::Route => route,
            Action::Invoke => invoke,
        };
        let applying: Vec<usize> = among.iter().copied().filter(|at| self.means(chair, *at)).collect();
        let looks = |at: &usize| self.policies.get(*at).is_none_or(|policy| policy.glance.at_principal);
        let alone = applying.iter().any(looks).then(|| chair.seat.uid.clone());
        let key = (action, applying, alone);
        if let Some(known) = answers.get(&key) {
            return known.clone();
        }
        let decision = self.ask_cedar(chair, case, &key.1, action, project);
        answers.insert(key, decision.clone());
        decision
    }

    fn ask_cedar(
        &self,
        chair: &Chair<'_>,
        case: &Case<'_>,
        applying: &[usize],
        action: Action,
        project: &ProjectId,
    ) -> Decision {
        let Authority { vocabulary, policies, .. } = self.authority;
        let reference = RestrictedExpression::new_entity_uid(uid(&vocabulary.project, &project.to_string()));
        let context = Context::from_pairs([("project".to_owned(), reference)]).map_err(|e| e.to_string());
        let applying = applying.iter().filter_map(|at| policies.get(*at)).map(|policy| policy.policy.clone());
        let set = PolicySet::from_policies(applying).map_err(|e| e.to_string());
        match (context, set) {
            (Ok(context), Ok(policies)) => {
                let slice = Slice { action: vocabulary.action(action), policies };
                self.authority.ask(&chair.seat, &slice, case.tool.uid.clone(), context)
            }
            (Err(error), _) | (_, Err(error)) => Decision::failed(error),
        }
    }

    /// A permit that may speak of administration means this principal; without one it administers nothing and acts for nobody.
    pub(crate) fn may_administer(&self, chair: &Chair<'_>) -> bool {
        let permits = |(at, heard): (usize, &Heard<'_>)| {
            let policy = self.authority.policies.get(at);
            heard.administers
                && self.means(chair, at)
                && policy.is_some_and(|policy| policy.policy.effect() == Effect::Permit)
        };
        self.policies.iter().enumerate().any(permits)
    }

    /// Where this principal, whose tenant this is, may do this.
    pub(crate) fn reach(&self, chair: &Chair<'_>, tenant: &str, action: AdminAction) -> Reach {
        self.authority.reach_of(&chair.seat, tenant, action)
    }

    /// Those of these users and roles that it may act for, with the policies that let it.
    pub(crate) fn acts_for<'p>(
        &self,
        chair: &Chair<'_>,
        targets: impl IntoIterator<Item = &'p Principal>,
    ) -> BTreeMap<&'p Principal, Vec<String>> {
        let vocabulary = &self.authority.vocabulary;
        let known = knows_administration(&self.authority.schema);
        let slice = self.authority.slice(&chair.seat, vocabulary.action_called(ACT_FOR), Realm::Administration);
        let Some(slice) = slice.ok().filter(|_| known) else { return BTreeMap::new() };
        let allowed = |target: &'p Principal| {
            let uid = vocabulary.principal(target);
            let exists = target.kind != PrincipalKind::Agent && self.authority.entities.get(&uid).is_some();
            let decision = exists.then(|| self.authority.ask(&chair.seat, &slice, uid, Context::empty()))?;
            decision.allow.then_some((target, decision.policies))
        };
        targets.into_iter().filter_map(allowed).collect()
    }
}

impl Authority {
    fn heard<'a>(&'a self, policy: &'a ScopedPolicy) -> Heard<'a> {
        let mut json = policy.policy.to_json().unwrap_or_default();
        if let Some(members) = json.as_object_mut() {
            members.remove("annotations");
        }
        let mut admin = AdminAction::ALL.into_iter().map(AdminAction::word).chain([ACT_FOR]);
        let named = |word: &str| self.meets_action(&policy.action, &self.vocabulary.action_called(word));
        Heard {
            id: policy.policy.id().as_ref(),
            glance: Glance::of(&json),
            // What has no JSON is compared as it is written.
            body: if json.is_null() { policy.policy.to_string() } else { json.to_string() },
            // An open action means use, unless it forbids and speaks of no tool.
            administers: policy.forbids_all || (policy.action != ActionConstraint::Any && admin.any(named)),
        }
    }
}
