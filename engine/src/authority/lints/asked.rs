//! Each policy asked alone about everything that its scope reaches, once for all requests that it cannot tell apart.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use cedar_policy::{
    Authorizer, Decision as Verdict, Effect, EntityTypeName, EntityUid, PolicySet, Request, ResourceConstraint,
};

use super::super::compile::{Authority, ScopedPolicy};
use super::super::decide::Realm;
use super::bits::Bits;
use super::reads::{self, Of, Reads};
use super::world::{Grid, Row, World};
use super::{Budget, TooMuch};

/// What one policy says to one principal's action, thing by thing.
pub(super) struct Answer {
    /// Its conditions hold.
    pub(super) holds: Bits,
    /// It fails, which denies.
    pub(super) fails: Bits,
}

/// The things of a grid, by what they are in.
pub(super) struct Scopes {
    length: usize,
    all: Bits,
    within: BTreeMap<EntityUid, Bits>,
    kinds: BTreeMap<EntityTypeName, Bits>,
    workspace: Bits,
}

impl Scopes {
    pub(super) fn of(grid: &Grid, authority: &Authority) -> Self {
        let length = grid.things.len();
        let mut scopes = Self {
            length,
            all: Bits::all(length),
            within: BTreeMap::new(),
            kinds: BTreeMap::new(),
            workspace: Bits::none(length),
        };
        for (number, thing) in grid.things.iter().enumerate() {
            let above = authority.entities.ancestors(thing).into_iter().flatten();
            for outer in above.chain([thing]) {
                scopes.within.entry(outer.clone()).or_insert_with(|| Bits::none(length)).insert(number);
            }
            scopes.kinds.entry(thing.type_name().clone()).or_insert_with(|| Bits::none(length)).insert(number);
            if *thing == authority.workspace {
                scopes.workspace.insert(number);
            }
        }
        scopes
    }

    /// The things that a policy can be about at all: those its scope reaches, and of which it speaks plainly enough.
    fn reached_by(&self, policy: &ScopedPolicy, administration: bool) -> Bits {
        let length = self.length;
        let nothing = || Bits::none(length);
        let of_kind = |kind: &EntityTypeName| self.kinds.get(kind).cloned().unwrap_or_else(nothing);
        let within = |outer: &EntityUid| self.within.get(outer).cloned().unwrap_or_else(nothing);
        let reached = match &policy.resource {
            ResourceConstraint::Any => self.all.clone(),
            ResourceConstraint::In(outer) => within(outer),
            // Whatever is named is alone in its class.
            ResourceConstraint::Eq(of) => within(of).and(&of_kind(of.type_name())),
            ResourceConstraint::Is(kind) => of_kind(kind),
            ResourceConstraint::IsIn(kind, outer) => within(outer).and(&of_kind(kind)),
        };
        if !administration {
            return reached;
        }
        let workspace = reached.and(&self.workspace);
        let others = Bits::of(reached.iter().filter(|thing| !self.workspace.contains(*thing)), length);
        match (Realm::Administration.is_spoken_of_by(policy), Realm::Workspace.is_spoken_of_by(policy)) {
            (true, true) => reached,
            (true, false) => others,
            (false, true) => workspace,
            (false, false) => nothing(),
        }
    }
}

/// One policy, ready to be asked about one grid.
pub(super) struct Asked<'a> {
    pub(super) policy: &'a ScopedPolicy,
    authorizer: &'a Authorizer,
    alone: PolicySet,
    reads: Reads,
    /// What its scope reaches of the grid.
    pub(super) reached: Bits,
    /// The grid's actions that it is about.
    actions: Bits,
    /// The principals that meet its scope.
    principals: &'a Bits,
    answers: HashMap<Key, Rc<Answer>>,
}

/// What the answer can depend on.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    principal: Option<usize>,
    tenant: Option<String>,
    action: Option<usize>,
    project: Option<usize>,
    /// Which things can be asked about differs from one admin action to another.
    about: usize,
}

impl<'a> Asked<'a> {
    pub(super) fn new(
        authority: &'a Authority,
        grid: &Grid,
        scopes: &Scopes,
        policy: &'a ScopedPolicy,
        principals: &'a Bits,
    ) -> Result<Self, String> {
        let met = grid.actions.iter().enumerate().filter(|(_, of)| authority.meets_action(&policy.action, of));
        let actions = Bits::of(met.map(|(number, _)| number), grid.actions.len());
        let alone = PolicySet::from_policies([policy.policy.clone()]).map_err(|error| error.to_string())?;
        let reached = scopes.reached_by(policy, grid.administration);
        let reads = reads::of(&policy.policy);
        let authorizer = &authority.authorizer;
        Ok(Self { policy, authorizer, alone, reads, reached, actions, principals, answers: HashMap::new() })
    }

    /// Its scope is met by this row's principal and this action.
    pub(super) fn is_about(&self, row: &Row, action: usize) -> bool {
        self.principals.contains(row.principal) && self.actions.contains(action)
    }

    /// What it says to one row's action; things that the row cannot be asked about may be among them.
    pub(super) fn answer(
        &mut self,
        world: &World<'_>,
        grid: &Grid,
        row: &Row,
        action: usize,
        budget: &mut Budget,
    ) -> Result<Rc<Answer>, TooMuch> {
        let key = self.key(world, grid, row, action);
        if let Some(known) = self.answers.get(&key) {
            return Ok(Rc::clone(known));
        }
        let narrow = self.reads.context || grid.administration;
        let about = if narrow { self.reached.and(row.things.members()) } else { self.reached.clone() };
        let answer = Rc::new(self.ask(world, grid, row, action, &about, budget)?);
        self.answers.insert(key, Rc::clone(&answer));
        Ok(answer)
    }

    fn key(&self, world: &World<'_>, grid: &Grid, row: &Row, action: usize) -> Key {
        let tenant = world.principals.get(row.principal).map(|who| who.tenant.clone());
        Key {
            principal: (self.reads.principal == Of::Everything).then_some(row.principal),
            tenant: tenant.filter(|_| self.reads.principal == Of::Tenant),
            action: self.reads.action.then_some(action),
            project: self.reads.context.then_some(row.project),
            about: if grid.administration { action } else { 0 },
        }
    }

    fn ask(
        &self,
        world: &World<'_>,
        grid: &Grid,
        row: &Row,
        action: usize,
        about: &Bits,
        budget: &mut Budget,
    ) -> Result<Answer, TooMuch> {
        let mut answer = Answer { holds: Bits::none(grid.things.len()), fails: Bits::none(grid.things.len()) };
        let (Some(who), Some(action)) = (world.principals.get(row.principal), grid.actions.get(action)) else {
            return Ok(answer);
        };
        let mut said = None;
        for thing in about.iter() {
            // Where the conditions do not look at the thing, one answer is everyone's.
            let one = match said.filter(|_| !self.reads.resource) {
                Some(one) => one,
                None => {
                    budget.spend(1)?;
                    let Some(uid) = grid.things.get(thing) else { continue };
                    self.says(world, &who.uid, action, uid, row)
                }
            };
            said = Some(one);
            match one {
                Says::Yes => answer.holds.insert(thing),
                Says::Fails => answer.fails.insert(thing),
                Says::No => {}
            }
        }
        Ok(answer)
    }

    fn says(&self, world: &World<'_>, who: &EntityUid, action: &EntityUid, thing: &EntityUid, row: &Row) -> Says {
        let request = Request::new(who.clone(), action.clone(), thing.clone(), row.context.clone(), None);
        let Ok(request) = request else { return Says::No };
        let response = self.authorizer.is_authorized(&request, &self.alone, &world.entities);
        if response.diagnostics().errors().next().is_some() {
            return Says::Fails;
        }
        let met = match self.policy.policy.effect() {
            Effect::Permit => response.decision() == Verdict::Allow,
            Effect::Forbid => response.diagnostics().reason().next().is_some(),
        };
        if met { Says::Yes } else { Says::No }
    }
}

#[derive(Clone, Copy)]
enum Says {
    Yes,
    No,
    Fails,
}
