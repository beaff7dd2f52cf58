//! Use of tools: for every asker of a project and every class of tools, what was decided before and what is decided now.

use ambit_model::declaration::{Action, Project};
use ambit_model::diff::ToolChange;
use ambit_model::facts::Effect;
use ambit_model::identity::ToolId;
use rayon::prelude::*;

use super::askers::{Asker, Held};
use super::because::Cause;
use super::tools::ToolClass;
use super::world::{ProjectPair, SideOf, World};
use crate::authority::{Answers, Case, Chair, Everything, Use};

/// Where the ceiling, or the tool itself, wants a person to confirm.
const CONFIRMED: &str = "when a person confirms each call";
/// What is gained where that is no longer wanted, and lost where it is now.
const UNCONFIRMED: &str = "without a person's confirmation";

/// What changes for one asker about every tool of one class.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Outcome {
    pub(super) change: Option<Change>,
    /// Routed before and after with another effect.
    pub(super) effect: Option<(Effect, Effect)>,
}

/// More, or less. It is never both: the sets are nested.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Change {
    pub(super) is_gain: bool,
    actions: Vec<Action>,
    effect: Effect,
    condition: Option<&'static str>,
    policies: Vec<String>,
    because: Vec<String>,
}

impl Change {
    /// The same about one tool.
    pub(super) fn of(&self, tool: &ToolId) -> ToolChange {
        ToolChange {
            tool: tool.clone(),
            actions: self.actions.clone(),
            effect: self.effect,
            condition: self.condition.map(str::to_owned),
            policies: self.policies.clone(),
            because: self.because.clone(),
        }
    }
}

/// Everybody's place on both sides, in the order of the askers.
pub(super) struct Seated<'h> {
    pub(super) from: Vec<Option<Chair<'h>>>,
    pub(super) to: Vec<Option<Chair<'h>>>,
}

/// What changes in one project: of each class of tools, the askers for whom something does.
pub(super) fn compare(world: &World<'_>, seated: &Seated<'_>, project: &ProjectPair<'_>) -> Vec<Vec<(usize, Outcome)>> {
    let askers = world.askers.iter().enumerate();
    let tenants: Vec<(usize, &Asker)> = askers.filter(|(_, asker)| asker.tenant == project.id.tenant).collect();
    let concerned = |class| Comparison { world, seated, project, class, known: &[] }.concerned(&tenants);
    let questions: usize = world.classes.par_iter().map(concerned).sum();
    let known: Vec<Known> = if questions > FEW {
        let look = |(_, asker): &(usize, &Asker)| Known::of(world, asker, project);
        tenants.par_iter().map(look).collect()
    } else {
        Vec::new()
    };
    let comparison = |class| Comparison { world, seated, project, class, known: &known }.outcomes(&tenants);
    world.classes.par_iter().map(comparison).collect()
}

/// So many questions about one asker and one class of tools are asked one by one; where there are more, every asker's sets are made,
/// which cost as much as some hundred questions each and then answer all of them.
/// (In tests few are few, so that they look both ways.)
const FEW: usize = if cfg!(test) { 24 } else { 2_000 };

/// What one asker may do with all tools, on both sides.
#[derive(Default)]
struct Known {
    from: Option<Everything>,
    to: Option<Everything>,
}

impl Known {
    fn of(world: &World<'_>, asker: &Asker, project: &ProjectPair<'_>) -> Self {
        let sets = |side: &SideOf<'_>, held: &Option<Held>| {
            let held = held.as_ref()?;
            side.hearing.everything(&held.principal, &held.vouched(), project.id)
        };
        Self { from: sets(&world.from, &asker.from), to: sets(&world.to, &asker.to) }
    }
}

struct Comparison<'a> {
    world: &'a World<'a>,
    seated: &'a Seated<'a>,
    project: &'a ProjectPair<'a>,
    class: &'a ToolClass<'a>,
    /// Of each asker of the tenant, in their order; empty where Cedar is asked.
    known: &'a [Known],
}

/// One side of a comparison: what is asked there, and what was answered.
struct Asking<'a> {
    side: &'a SideOf<'a>,
    case: Option<Case<'a>>,
    answers: Answers,
}

impl Comparison<'_> {
    /// For how many askers something may differ.
    fn concerned(&self, askers: &[(usize, &Asker)]) -> usize {
        if self.may_differ_for_all() {
            askers.len()
        } else {
            askers.iter().filter(|(_, asker)| !asker.is_same()).count()
        }
    }

    /// The same as `outcomes`, read off the sets of both sides.
    fn known_outcomes(&self, askers: &[(usize, &Asker)]) -> Vec<(usize, Outcome)> {
        let everybody = self.may_differ_for_all();
        let Some(tool) = self.class.tools.first() else { return Vec::new() };
        let World { from, to, .. } = self.world;
        let (before, after) = self.listed();
        let was_at = from.hearing.place(tool).filter(|_| before);
        let is_at = to.hearing.place(tool).filter(|_| after);
        let pair = |of: &Option<Everything>, at: Option<u32>| Some(of.as_ref()?.flags(at?));
        let outcome = |((at, asker), known): (&(usize, &Asker), &Known)| {
            let flags = (pair(&known.from, was_at), pair(&known.to, is_at));
            let may_do = |flags: Option<[bool; 4]>| flags.is_some_and(|flags| flags.contains(&true));
            let same = flags.0.unwrap_or_default() == flags.1.unwrap_or_default() && self.class.is_same;
            if same || !(may_do(flags.0) || may_do(flags.1)) {
                return None;
            }
            let was = known.from.as_ref().zip(was_at).map(|(sets, at)| from.hearing.read(sets, at));
            let is = known.to.as_ref().zip(is_at).map(|(sets, at)| to.hearing.read(sets, at));
            Some((*at, self.outcome(asker, &was.unwrap_or_default(), &is.unwrap_or_default())?))
        };
        let asked = askers.iter().zip(self.known).filter(|((_, asker), _)| everybody || !asker.is_same());
        asked.filter_map(outcome).collect()
    }

    fn outcomes(&self, askers: &[(usize, &Asker)]) -> Vec<(usize, Outcome)> {
        if !self.known.is_empty() {
            return self.known_outcomes(askers);
        }
        let everybody = self.may_differ_for_all();
        let mut asked = askers.iter().filter(|(_, asker)| everybody || !asker.is_same()).peekable();
        if asked.peek().is_none() {
            return Vec::new();
        }
        let tool = self.class.tools.first().copied();
        let (before, after) = self.listed();
        let mut from = Asking::new(&self.world.from, tool.filter(|_| before));
        let mut to = Asking::new(&self.world.to, tool.filter(|_| after));
        if from.case.is_none() && to.case.is_none() {
            return Vec::new();
        }
        let outcome = |(at, asker): &(usize, &Asker)| {
            let was = from.answer(self.seated.from.get(*at), self.project);
            let is = to.answer(self.seated.to.get(*at), self.project);
            Some((*at, self.outcome(asker, &was, &is)?))
        };
        asked.filter_map(outcome).collect()
    }

    /// Some policy may decide otherwise than before for somebody who holds the same roles.
    fn may_differ_for_all(&self) -> bool {
        let concerns = |side: &SideOf<'_>| {
            let tool = self.class.tools.first();
            !side.changed.is_empty() && tool.is_some_and(|tool| side.hearing.concerns(tool, &side.changed))
        };
        let World { from, to, broad, .. } = self.world;
        *broad || !self.class.is_same || !self.project.is_same() || concerns(from) || concerns(to)
    }

    /// The tools are there and the project lists their catalog, before and now; else `ambit/project-catalogs` forbids them.
    fn listed(&self) -> (bool, bool) {
        let lists = |project: Option<&Project>| {
            project.is_some_and(|project| project.catalogs.iter().any(|catalog| catalog == self.class.catalog()))
        };
        let Self { project, class, .. } = self;
        (class.from.is_some() && lists(project.from), class.to.is_some() && lists(project.to))
    }

    fn outcome(&self, asker: &Asker, was: &Use, is: &Use) -> Option<Outcome> {
        let change = self.change(asker, was, is);
        let routed = |of: &Use| of.decisions.get(1).is_some_and(|route| route.allow);
        let effects = self.class.from.zip(self.class.to).filter(|_| routed(was) && routed(is));
        let effects = effects.map(|(from, to)| (from.facts.effect.value, to.facts.effect.value));
        let effect = effects.filter(|(from, to)| from != to);
        (change.is_some() || effect.is_some()).then_some(Outcome { change, effect })
    }

    fn change(&self, asker: &Asker, was: &Use, is: &Use) -> Option<Change> {
        let differing = |is_gain: bool| {
            let pairs = Action::ALL.into_iter().zip(was.decisions.iter().zip(&is.decisions));
            let differ = pairs.filter(move |(_, (was, is))| was.allow != is.allow && is.allow == is_gain);
            differ.map(|(action, _)| action).collect::<Vec<_>>()
        };
        let unconfirmed = invokes(was) && invokes(is) && was.needs_confirmation != is.needs_confirmation;
        let gained = differing(true);
        let is_gain = !gained.is_empty() || (unconfirmed && was.needs_confirmation);
        let mut actions = if gained.is_empty() { differing(false) } else { gained };
        if actions.is_empty() && !unconfirmed {
            return None;
        }
        let (there, card) = if is_gain { (is, self.class.to) } else { (was, self.class.from) };
        let condition = match (unconfirmed, there.needs_confirmation && actions.contains(&Action::Invoke)) {
            (true, _) => Some(UNCONFIRMED),
            (false, true) => Some(CONFIRMED),
            (false, false) => None,
        };
        if unconfirmed {
            actions = vec![Action::Invoke];
        }
        let cause = Cause { world: self.world, project: self.project, class: self.class, asker, was, is, unconfirmed };
        let policies = cause.policies();
        Some(Change {
            is_gain,
            effect: card.map_or(Effect::Destructive, |card| card.facts.effect.value),
            condition,
            because: cause.because(&policies),
            policies: policies.into_iter().filter(|policy| self.world.shows(policy)).collect(),
            actions,
        })
    }
}

impl<'a> Asking<'a> {
    fn new(side: &'a SideOf<'a>, tool: Option<&ToolId>) -> Self {
        Self { side, case: tool.and_then(|tool| side.hearing.case(tool)), answers: Answers::default() }
    }

    fn answer(&mut self, chair: Option<&Option<Chair<'a>>>, project: &ProjectPair<'_>) -> Use {
        match (chair, &self.case) {
            (Some(Some(chair)), Some(case)) => self.side.hearing.decide(chair, case, project.id, &mut self.answers),
            _ => Use::default(),
        }
    }
}

fn invokes(of: &Use) -> bool {
    of.decisions.get(2).is_some_and(|invoke| invoke.allow)
}
