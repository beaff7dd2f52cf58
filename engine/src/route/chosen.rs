//! Binding a step to what a language model chose for it. Versions, twins and what the question says not to do hold for its choice
//! as they hold for a rank.

use ambit_model::route::{Ambiguity, Outcome};

use super::bind::{Binder, Binding};
use super::signals::Scored;

/// What was chosen for one step, as positions of the `route` set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Choice {
    /// The best first.
    pub(super) tools: Vec<usize>,
    /// Members of entity families that were asked for, in the order of their local rank.
    pub(super) members: Vec<usize>,
}

impl Binder<'_> {
    /// Binds among what was chosen, then among the families; nothing where none of that may stand here.
    pub(super) fn bind_chosen(&self, choice: &Choice, candidates: &[&Scored]) -> Option<Binding> {
        self.chosen_tools(&choice.tools, candidates).or_else(|| self.chosen_family(&choice.members, candidates))
    }

    fn chosen_tools(&self, chosen: &[usize], candidates: &[&Scored]) -> Option<Binding> {
        let mut binding = Binding::default();
        binding.outcomes.extend(candidates.iter().map(|scored| (scored.at, Outcome::BelowGate)));
        let mut held: Vec<usize> = Vec::new();
        for at in chosen.iter().copied().filter(|at| self.route.contains(at) && !self.is_against(*at)) {
            let at = self.stand_in(at, self.route, &mut binding);
            if !held.contains(&at) {
                held.push(at);
            }
        }
        let (pick, others) = held.split_first()?;
        binding.outcomes.insert(*pick, Outcome::Picked);
        binding.reserve.retain(|at| !held.contains(at));
        if self.ambiguity == Ambiguity::Advisory {
            binding.outcomes.extend(others.iter().map(|at| (*at, Outcome::Picked)));
            binding.also = others.to_vec();
        }
        for at in &held {
            binding.notes.entry(*at).or_insert_with(|| "chosen by the language model".to_owned());
        }
        binding.pick = Some(*pick);
        binding.because = format!("the language model chose {}", self.label(*pick));
        Some(binding)
    }

    /// The local rank decides within a family; where nothing of it comes near enough, its best member is taken all the same.
    fn chosen_family(&self, members: &[usize], candidates: &[&Scored]) -> Option<Binding> {
        let family: Vec<&Scored> = candidates.iter().copied().filter(|scored| members.contains(&scored.at)).collect();
        let mut binding = self.bind(&family, &[]);
        if binding.pick.is_none() {
            let best = family.iter().map(|scored| scored.at).find(|at| !self.is_against(*at))?;
            return self.chosen_tools(&[best], candidates);
        }
        binding.because = format!("{}; of a family that the language model asked for", binding.because);
        Some(binding)
    }
}
