//! Self-retrieval: a tool has to come first for its own example questions, each asked with itself left out of the tool's texts.
//! Everything is measured against all tools that passed the other rules, at once, so that no order of files matters.
//!
//! The score is the router's for what a question can tell by itself: meaning (MaxSim) and BM25 as `route/signals.rs` has them, over
//! the project's tools, in the proportion of their weights in the workspace. The other two signals measure how a tool fits a step
//! of a plan: which values are at hand, what earlier steps hand on, what later ones take as given. A question alone has none of
//! that, so every tool would get the same guess, or the planner's guess at the verb would decide which tools enter a snapshot; and
//! they are counted tool by tool, which for all questions of 10,000 tools would be a thousand million times.

mod arena;
mod clash;
mod screen;
#[cfg(test)]
mod tests;
mod winners;
mod wordings;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use ambit_model::card::ToolCard;
use ambit_model::codes;
use ambit_model::declaration::{Settings, TwinGroup, VersionFamily};
use ambit_model::diagnostic::Severity;
use ambit_model::identity::{ProjectId, ToolId};
use ambit_model::intake::{Clash, ClashQuestion, Finding};
use ambit_model::ratio::Ratio;

pub use winners::Winners;

use crate::index::{IndexError, Vectors};
use arena::Arena;
use winners::Lists;

/// The tools that one project sees, in any order.
pub struct Field<'a> {
    pub project: ProjectId,
    pub cards: Vec<&'a ToolCard>,
}

/// What asking gave.
pub struct Retrieved {
    pub findings: Vec<Finding>,
    pub clashes: Vec<Clash>,
    /// What the next compile may take over.
    pub winners: Winners,
}

/// Tools that need not beat each other: twins, and versions of one family.
#[derive(Default)]
pub struct Kin(BTreeMap<ToolId, BTreeSet<ToolId>>);

impl Kin {
    /// From the declared twin groups and version families.
    pub fn new(twins: &[TwinGroup], families: &[VersionFamily]) -> Self {
        let mut kin = Self::default();
        for twin in twins {
            kin.join(twin.members.iter());
        }
        for family in families {
            kin.join(family.members.iter().map(|m| &m.tool));
        }
        kin
    }

    fn join<'a>(&mut self, members: impl Iterator<Item = &'a ToolId> + Clone) {
        for member in members.clone() {
            self.0.entry(member.clone()).or_default().extend(members.clone().cloned());
        }
    }
}

/// How one tool fared in one project; tools are places in it.
#[derive(Debug, PartialEq)]
struct Trial {
    tool: usize,
    asked: usize,
    first: usize,
    /// Rival to the questions it took.
    lost: BTreeMap<usize, Vec<ClashQuestion>>,
}

/// A trial by names.
struct Judged {
    tool: ToolId,
    asked: usize,
    first: usize,
    lost: BTreeMap<ToolId, Vec<ClashQuestion>>,
}

/// Asks every tool of every project its own questions. `former` is what an earlier compile of whatever workspace kept.
pub fn check(
    fields: &[Field<'_>],
    vectors: &Vectors,
    kin: &Kin,
    settings: &Settings,
    former: &Winners,
) -> Result<Retrieved, IndexError> {
    ask(fields, vectors, kin, settings, former, |_| true)
}

/// The same of these tools alone: each fares as it does in [`check`], and the others are asked nothing.
pub fn check_of(
    tools: &BTreeSet<&ToolId>,
    fields: &[Field<'_>],
    vectors: &Vectors,
    kin: &Kin,
    settings: &Settings,
) -> Result<Retrieved, IndexError> {
    ask(fields, vectors, kin, settings, &Winners::default(), |tool| tools.contains(tool))
}

fn ask(
    fields: &[Field<'_>],
    vectors: &Vectors,
    kin: &Kin,
    settings: &Settings,
    former: &Winners,
    is_asked: impl Fn(&ToolId) -> bool,
) -> Result<Retrieved, IndexError> {
    let mut trials: BTreeMap<ToolId, Judged> = BTreeMap::new();
    let mut since: BTreeMap<ToolId, Option<String>> = BTreeMap::new();
    let (mut alike, mut winners) = (BTreeMap::new(), Winners::default());
    for field in fields {
        let arena = Arena::new(field.cards.clone(), vectors, kin, settings, &is_asked)?;
        let former = former.get(&field.project).and_then(Lists::from_bytes).unwrap_or_default();
        let lists = arena.lists(&former);
        let tried = arena.ask(&lists);
        winners.insert(field.project.clone(), lists.to_bytes());
        since.extend(arena.cards.iter().map(|card| (card.id.clone(), card.since.clone())));
        let pairs = tried.iter().flat_map(|trial| trial.lost.keys().map(|rival| ordered(trial.tool, *rival)));
        for (pair, found) in clash::alike(&arena, pairs.collect())? {
            alike.entry(pair).or_insert(found);
        }
        for judged in tried.into_iter().filter_map(|trial| named(trial, &arena)) {
            let worse = trials.get(&judged.tool).is_none_or(|known| share(&judged) < share(known));
            if worse {
                trials.insert(judged.tool.clone(), judged);
            }
        }
    }
    let told = trials.values().flat_map(|trial| judge(trial, &since, settings.thresholds.self_retrieval));
    let findings = gravest(told);
    let clashes = clash::clashes(trials.into_values(), &mut alike);
    Ok(Retrieved { findings, clashes, winners })
}

/// Places are in the order of ids.
fn ordered(one: usize, other: usize) -> (usize, usize) {
    (one.min(other), one.max(other))
}

fn named(trial: Trial, arena: &Arena<'_>) -> Option<Judged> {
    let name = |place: usize| arena.cards.get(place).map(|card| card.id.clone());
    let lost = trial.lost.into_iter().filter_map(|(rival, questions)| Some((name(rival)?, questions))).collect();
    Some(Judged { tool: name(trial.tool)?, asked: trial.asked, first: trial.first, lost })
}

/// One finding a tool: a refusal says enough.
fn gravest(told: impl Iterator<Item = Finding>) -> Vec<Finding> {
    let mut of: BTreeMap<String, Finding> = BTreeMap::new();
    for finding in told {
        match of.get(&finding.tool) {
            Some(known) if *known <= finding => {}
            _ => drop(of.insert(finding.tool.clone(), finding)),
        }
    }
    of.into_values().collect()
}

fn share(trial: &Judged) -> Ratio {
    if trial.asked == 0 {
        return Ratio::ONE;
    }
    #[expect(clippy::cast_precision_loss, reason = "a tool has a handful of examples")]
    let share = trial.first as f64 / trial.asked as f64;
    Ratio::from_f64(share)
}

/// The tool with the later `since` is refused; with equal dates both are warned; a share above the threshold is worth a look.
fn judge(trial: &Judged, since: &BTreeMap<ToolId, Option<String>>, threshold: Ratio) -> Vec<Finding> {
    let Some((rival, _)) = trial.lost.iter().max_by(|a, b| a.1.len().cmp(&b.1.len()).then_with(|| b.0.cmp(a.0))) else {
        return Vec::new();
    };
    let told = format!(
        "ranks first for {} of its {} example questions; `{rival}` comes first for others",
        trial.first, trial.asked
    );
    if share(trial) >= threshold {
        return vec![finding(&trial.tool, rival, Severity::Warning, told)];
    }
    let date = |tool: &ToolId| since.get(tool).cloned().flatten().unwrap_or_default();
    match date(&trial.tool).cmp(&date(rival)) {
        std::cmp::Ordering::Greater => vec![finding(&trial.tool, rival, Severity::Error, told)],
        std::cmp::Ordering::Less => {
            let taken = format!(
                "comes first for {} of the example questions of the older `{}`",
                trial.asked - trial.first,
                trial.tool
            );
            vec![
                finding(rival, &trial.tool, Severity::Error, taken),
                finding(&trial.tool, rival, Severity::Warning, told),
            ]
        }
        std::cmp::Ordering::Equal => {
            let taken =
                format!("comes first for {} of the example questions of `{}`", trial.asked - trial.first, trial.tool);
            vec![
                finding(&trial.tool, rival, Severity::Warning, told),
                finding(rival, &trial.tool, Severity::Warning, taken),
            ]
        }
    }
}

fn finding(tool: &ToolId, other: &ToolId, severity: Severity, message: String) -> Finding {
    let code = if severity == Severity::Error { codes::E_SELF_RETRIEVAL } else { codes::W_SELF_RETRIEVAL };
    Finding {
        tool: tool.to_string(),
        severity,
        code: Cow::Borrowed(code),
        pointer: String::new(),
        message,
        remedy: format!("say in the description what sets it apart from `{other}`, or declare the two as twins"),
        acknowledged: false,
        place: None,
        other: Some(other.to_string()),
    }
}
