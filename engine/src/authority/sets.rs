//! The three sets of one principal in one project, for all tools at once: its policies are sliced by scope, evaluated as far as
//! they can be without a tool (type-aware partial evaluation), and what is left of each becomes a set of tools.
//! INVARIANT: a set holds exactly what `Standing::decide` allows, tool by tool; a policy whose rest has an unknown shape, or that
//! could fail, is asked about each class of tools instead.

use std::collections::BTreeMap;

use ambit_model::declaration::{Action, Project};
use cedar_policy::{
    AuthorizationError, Authorizer, Context, Effect, PartialEntities, PartialEntityUid, PartialRequest, Policy,
    PolicyId, PolicySet, Request,
};
use roaring::RoaringBitmap;

use super::compile::Authority;
use super::decide::{Realm, Seat, Slice};
use super::residual;

/// What one principal may do in one project. Positions are those of the authority's tools.
#[derive(Clone, Debug, Default)]
pub(super) struct Sets {
    pub(super) discover: Answer,
    pub(super) route: Answer,
    pub(super) invoke: Answer,
    /// How many policies had to be asked tool by tool.
    pub(super) asked: usize,
}

/// One action.
#[derive(Clone, Debug, Default)]
pub(super) struct Answer {
    /// Within the wider action's.
    pub(super) allowed: RoaringBitmap,
    applying: Vec<Applying>,
}

/// A policy and the tools that it decides about.
#[derive(Clone, Debug)]
struct Applying {
    /// Its place among the authority's policies.
    policy: usize,
    effect: Effect,
    tools: RoaringBitmap,
    /// Those for which it fails.
    failing: RoaringBitmap,
}

impl Answer {
    /// The deciding policies of one tool, by their places, in no order: permits where it is allowed by them, else forbids and failures.
    pub(super) fn deciding(&self, tool: u32) -> impl Iterator<Item = usize> {
        let applies = |wanted: Effect| self.applying.iter().any(|one| one.effect == wanted && one.tools.contains(tool));
        let failed = self.applying.iter().any(|one| one.failing.contains(tool));
        let reason = match (applies(Effect::Forbid), failed) {
            (true, _) => Some(Effect::Forbid),
            // A permit that applied beside a policy that failed did not make the refusal.
            (false, true) => None,
            (false, false) => Some(Effect::Permit),
        };
        let decides = move |one: &&Applying| {
            one.failing.contains(tool) || (Some(one.effect) == reason && one.tools.contains(tool))
        };
        self.applying.iter().filter(decides).map(|one| one.policy)
    }
}

impl Authority {
    /// The sets of whoever sits here; `everything` is the same seat among all entities, where it is needed.
    pub(super) fn sets<'a>(
        &'a self,
        seat: &Seat<'_>,
        project: &Project,
        everything: impl Fn() -> Result<Option<Seat<'a>>, String>,
    ) -> Result<Sets, String> {
        let listed = self.listed(project);
        let mut wider = listed;
        let known = PartialEntities::from_concrete(seat.entities.clone().into_owned(), &self.schema);
        let deciding = Deciding {
            authority: self,
            seat,
            project,
            everything: &everything,
            known: known.map_err(|e| e.to_string())?,
        };
        let mut sets = Sets::default();
        for action in Action::ALL {
            let (mut answer, asked) = deciding.decide(action)?;
            answer.allowed &= &wider;
            wider = answer.allowed.clone();
            sets.asked += asked;
            match action {
                Action::Discover => sets.discover = answer,
                Action::Route => sets.route = answer,
                Action::Invoke => sets.invoke = answer,
            }
        }
        Ok(sets)
    }

    /// Tools of catalogs that the project does not list are not asked about: `ambit/project-catalogs` forbids them all.
    fn listed(&self, project: &Project) -> RoaringBitmap {
        let of = |catalog: &String| self.facets.of_catalog(&self.vocabulary, catalog);
        project.catalogs.iter().map(of).fold(RoaringBitmap::new(), |all, tools| all | tools)
    }
}

struct Deciding<'a, 's, F> {
    authority: &'a Authority,
    seat: &'s Seat<'s>,
    project: &'s Project,
    everything: &'s F,
    known: PartialEntities,
}

impl<'a, F: Fn() -> Result<Option<Seat<'a>>, String>> Deciding<'a, '_, F> {
    /// One action by itself, and how many policies were asked tool by tool.
    fn decide(&self, action: Action) -> Result<(Answer, usize), String> {
        let Authority { vocabulary, schema, facets, .. } = self.authority;
        let slice = self.authority.slice(self.seat, vocabulary.action(action), Realm::Use)?;
        let context = self.authority.context(&self.project.id)?;
        let request = PartialRequest::new(
            PartialEntityUid::from_concrete(self.seat.uid.clone()),
            slice.action.clone(),
            PartialEntityUid::new(vocabulary.tool.clone(), None),
            Some(context.clone()),
            schema,
        );
        let request = request.map_err(|e| e.to_string())?;
        let mut applying = Vec::new();
        let mut unknown: Vec<Policy> = Vec::new();
        match slice.policies.tpe(&request, &self.known, schema) {
            Ok(response) => {
                let always = response.true_permits().chain(response.true_forbids());
                applying.extend(always.filter_map(|id| self.applying(id, facets.all.clone())));
                for residual in response.residual_policies() {
                    match residual::applies_to(facets, &residual) {
                        Some(tools) => applying.extend(self.applying(residual.id(), tools)),
                        None => unknown.extend(slice.policies.policy(residual.id()).cloned()),
                    }
                }
                let failing = response.error_permits().chain(response.error_forbids());
                unknown.extend(failing.filter_map(|id| slice.policies.policy(id).cloned()));
            }
            Err(_) => unknown.extend(slice.policies.policies().cloned()),
        }
        if !unknown.is_empty()
            && let Some(seat) = (self.everything)()?
        {
            for policy in &unknown {
                applying.extend(self.ask_each(&seat, &slice, policy, &context)?);
            }
        }
        Ok((answer(applying), unknown.len()))
    }

    fn applying(&self, id: &PolicyId, tools: RoaringBitmap) -> Option<Applying> {
        let policy = self.authority.place_of(id)?;
        let effect = self.authority.policies.get(policy)?.policy.effect();
        Some(Applying { policy, effect, tools, failing: RoaringBitmap::new() })
    }

    /// Cedar's word about one policy, for one tool of each class.
    fn ask_each(
        &self,
        seat: &Seat<'_>,
        slice: &Slice,
        policy: &Policy,
        context: &Context,
    ) -> Result<Option<Applying>, String> {
        let alone = PolicySet::from_policies([policy.clone()]).map_err(|e| e.to_string())?;
        let Some(mut applying) = self.applying(policy.id(), RoaringBitmap::new()) else { return Ok(None) };
        let mut known: BTreeMap<usize, (bool, bool)> = BTreeMap::new();
        let authorizer = Authorizer::new();
        for (position, tool) in (0_u32..).zip(self.authority.tools.values()) {
            let said = match known.get(&tool.class) {
                Some(said) => *said,
                None => {
                    let (seat_uid, action) = (seat.uid.clone(), slice.action.clone());
                    let schema = Some(&self.authority.schema);
                    let request = Request::new(seat_uid, action, tool.uid.clone(), context.clone(), schema);
                    let request = request.map_err(|e| e.to_string())?;
                    let response = authorizer.is_authorized(&request, &alone, &seat.entities);
                    let mut errors = response.diagnostics().errors();
                    let fails = errors.any(|AuthorizationError::PolicyEvaluationError(e)| e.policy_id() == policy.id());
                    let said = (response.diagnostics().reason().any(|id| id == policy.id()), fails);
                    known.insert(tool.class, said);
                    said
                }
            };
            if said.0 {
                applying.tools.insert(position);
            }
            if said.1 {
                applying.failing.insert(position);
            }
        }
        Ok(Some(applying))
    }
}

/// What is permitted and not forbidden, and no policy fails for.
fn answer(applying: Vec<Applying>) -> Answer {
    let mut allowed = RoaringBitmap::new();
    for one in applying.iter().filter(|one| one.effect == Effect::Permit) {
        allowed |= &one.tools;
    }
    for one in &applying {
        if one.effect == Effect::Forbid {
            allowed -= &one.tools;
        }
        allowed -= &one.failing;
    }
    Answer { allowed, applying }
}
