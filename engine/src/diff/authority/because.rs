//! What changed to make it so, in lines: which of all that decides is another for this asker, project and tool.
//! INVARIANT: a change has at least one line.

use std::collections::BTreeSet;

use ambit_model::card::ToolCard;
use ambit_model::declaration::Project;
use ambit_model::diff::Who;

use super::askers::{Asker, Held};
use super::tools::ToolClass;
use super::world::{ProjectPair, World};
use crate::authority::Use;

/// How the built-in policies of the ceiling are called.
const CEILING: &str = "ambit/ceiling-";

/// One change, and all that may have caused it.
pub(super) struct Cause<'a> {
    pub(super) world: &'a World<'a>,
    pub(super) project: &'a ProjectPair<'a>,
    pub(super) class: &'a ToolClass<'a>,
    pub(super) asker: &'a Asker,
    pub(super) was: &'a Use,
    pub(super) is: &'a Use,
    /// A call needs a confirmation on one side alone.
    pub(super) unconfirmed: bool,
}

impl Cause<'_> {
    /// The policies that decided one way and decide the other way now, those that decide no longer, and those that decide now.
    pub(super) fn policies(&self) -> Vec<String> {
        let pairs = self.was.decisions.iter().zip(&self.is.decisions).filter(|(was, is)| was.allow != is.allow);
        let all: BTreeSet<&String> = pairs.flat_map(|(was, is)| was.policies.iter().chain(&is.policies)).collect();
        all.into_iter().cloned().collect()
    }

    /// One line for each cause, never none.
    pub(super) fn because(&self, policies: &[String]) -> Vec<String> {
        let mut lines = self.of_the_tool();
        lines.extend(self.of_the_project(policies));
        lines.extend(self.of_the_asker(policies));
        lines.extend(self.of_policies(policies));
        if lines.is_empty() {
            lines = self.otherwise(policies);
        }
        let mut told = BTreeSet::new();
        lines.retain(|line| told.insert(line.clone()));
        lines
    }

    fn of_the_tool(&self) -> Vec<String> {
        match (self.class.from, self.class.to) {
            (None, _) => vec!["the tool is new".to_owned()],
            (_, None) => vec!["the tool is gone".to_owned()],
            (Some(from), Some(to)) => facts(from, to),
        }
    }

    fn of_the_project(&self, policies: &[String]) -> Vec<String> {
        let (Some(from), Some(to)) = (self.project.from, self.project.to) else {
            let fate = if self.project.from.is_none() { "new" } else { "gone" };
            return vec![format!("the project is {fate}")];
        };
        let catalog = self.class.catalog();
        let lists = |project: &Project| project.catalogs.iter().any(|id| id == catalog);
        let mut lines = Vec::new();
        match (lists(from), lists(to)) {
            (false, true) => lines.push(format!("the project lists `{catalog}` now")),
            (true, false) => lines.push(format!("the project lists `{catalog}` no longer")),
            _ => {}
        }
        let barred = policies.iter().any(|policy| policy.starts_with(CEILING));
        if from.ceiling != to.ceiling && (barred || self.unconfirmed) {
            let word = if to.ceiling > from.ceiling { "raised" } else { "lowered" };
            lines.push(format!("the ceiling was {word} to {}", to.ceiling));
        }
        lines
    }

    fn of_the_asker(&self, policies: &[String]) -> Vec<String> {
        let (from, to) = match (&self.asker.from, &self.asker.to) {
            (Some(from), Some(to)) => (from, to),
            (before, _) => return vec![fate(&self.asker.who, before.is_none())],
        };
        let all = self.roles(from, to, |_| true);
        let named = self.roles(from, to, |role| self.is_named(role, policies));
        if named.is_empty() { all } else { named }
    }

    /// The roles that it holds on one side alone.
    fn roles(&self, from: &Held, to: &Held, counts: impl Fn(&str) -> bool) -> Vec<String> {
        let tenant = &self.asker.tenant;
        let more = to.roles.difference(&from.roles).filter(|role| counts(role));
        let less = from.roles.difference(&to.roles).filter(|role| counts(role));
        let more = more.map(|role| format!("holds `{tenant}:role:{role}` now"));
        more.chain(less.map(|role| format!("holds `{tenant}:role:{role}` no longer"))).collect()
    }

    /// One of these policies speaks of this role.
    fn is_named(&self, role: &str, policies: &[String]) -> bool {
        let word = format!("\"{}:role:{role}\"", self.asker.tenant);
        let World { from, to, .. } = self.world;
        let all = from.hearing.policies().iter().chain(to.hearing.policies());
        all.into_iter().any(|policy| policies.iter().any(|id| id == policy.id) && policy.body.contains(&word))
    }

    fn of_policies(&self, policies: &[String]) -> Vec<String> {
        let lines = policies.iter().filter_map(|id| Some((id, self.world.fate(id)?)));
        lines.map(|(id, fate)| format!("{} {fate}", self.name(id))).collect()
    }

    fn name(&self, policy: &str) -> String {
        if self.world.shows(policy) { format!("`{policy}`") } else { "a policy that speaks of others too".to_owned() }
    }

    /// Nothing of what is told by name is another: what decides is named, or else what is left.
    fn otherwise(&self, policies: &[String]) -> Vec<String> {
        let decides = |of: &Use, id: &String| of.decisions.iter().any(|decision| decision.policies.contains(id));
        let line = |id: &String| match (decides(self.was, id), decides(self.is, id)) {
            (false, _) => format!("{} decides now", self.name(id)),
            (true, false) => format!("{} decides no longer", self.name(id)),
            (true, true) => format!("{} decides otherwise", self.name(id)),
        };
        let lines: Vec<String> = policies.iter().map(line).collect();
        if lines.is_empty() { vec!["something that policies look at is another".to_owned()] } else { lines }
    }
}

fn fate(who: &Who, is_new: bool) -> String {
    let word = match who {
        Who::Principal { .. } => "declared",
        Who::Claim { .. } | Who::Vouched { .. } | Who::Provider { .. } => "mapped to a role",
    };
    let when = if is_new { "now" } else { "no longer" };
    format!("is {word} {when}")
}

/// The facts that policies see and that are others, and the groups.
fn facts(from: &ToolCard, to: &ToolCard) -> Vec<String> {
    let (was, is) = (&from.facts, &to.facts);
    let words = [
        ("effect", was.effect.value.word(), is.effect.value.word()),
        ("risk", was.risk.value.word(), is.risk.value.word()),
        ("operation", was.operation.value.word(), is.operation.value.word()),
        ("source", was.source.word(), is.source.word()),
        ("entity", was.entity.value.as_str(), is.entity.value.as_str()),
        ("tenant", from.tenant.as_deref().unwrap_or("none"), to.tenant.as_deref().unwrap_or("none")),
        ("confirmation", confirmation(was.confirmation), confirmation(is.confirmation)),
    ];
    let changed = words.into_iter().filter(|(_, was, is)| was != is);
    let mut lines: Vec<String> = changed.map(|(fact, was, is)| format!("its {fact}: {was} -> {is}")).collect();
    let groups = |card: &ToolCard| card.groups.iter().cloned().collect::<BTreeSet<String>>();
    let (before, after) = (groups(from), groups(to));
    lines.extend(after.difference(&before).map(|group| format!("it is in group `{group}` now")));
    lines.extend(before.difference(&after).map(|group| format!("it is in group `{group}` no longer")));
    lines
}

fn confirmation(wanted: bool) -> &'static str {
    if wanted { "required" } else { "not required" }
}
