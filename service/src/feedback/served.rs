//! Which questions may become examples of which tools: those that a tool served often enough and did not fail as often.

use std::collections::{BTreeMap, BTreeSet};

use ambit_engine::examples;
use ambit_model::card::ToolCard;
use ambit_model::feedback::FeedbackOutcome;
use ambit_model::identity::{ProjectId, ToolId};
use serde::Serialize;

use crate::store::NewFeedback;

/// So often a tool has to have served a question before it is proposed as an example.
pub const FEWEST: usize = 2;

/// Why a question that some tool served is not proposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LeftOut {
    /// It was reported less than [`FEWEST`] times.
    Rare,
    /// The tool did not fit as often as it served.
    Disputed,
    /// Another tool served it as often or more often.
    OfAnother,
    /// A value in it was replaced by its type, so nobody asks it as it is kept.
    Masked,
    /// It is too short, too long, not plain, or holds the tool's name.
    Unfit,
    /// It is an example already, of this tool or another.
    Known,
    /// So many others were proposed for the tool that the next run has to do with this one.
    Enough,
    /// The workspace has no such tool that intake lets through.
    NoTool,
}

/// A question that a tool served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Served {
    pub(super) question: String,
    /// How often it served, and how often it did not fit.
    pub(super) times: usize,
    pub(super) wrong: usize,
    /// Where it was asked.
    pub(super) projects: BTreeSet<ProjectId>,
}

/// What may be proposed, by tool, each tool's questions in their order; and what not, counted.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Sifted {
    pub(super) of: BTreeMap<ToolId, Vec<Served>>,
    pub(super) left_out: BTreeMap<LeftOut, usize>,
}

/// Goes through all that was reported, for the tools that are wanted. `cards` are the tools of the workspace that intake lets through.
pub(super) fn sift<'f>(
    feedback: impl IntoIterator<Item = &'f NewFeedback>,
    cards: &BTreeMap<&ToolId, &ToolCard>,
    is_wanted: impl Fn(&ToolId) -> bool,
) -> Sifted {
    let taken: BTreeSet<String> = cards.values().flat_map(|card| &card.examples).map(|text| same(text)).collect();
    let mut sifted = Sifted::default();
    for tools in counted(feedback).into_values() {
        for (tool, served) in &tools {
            if served.times == 0 || !is_wanted(tool) {
                continue;
            }
            let best = tools.iter().all(|(other, rival)| other == tool || rival.times < served.times);
            match why_not(served, best, cards.get(tool).copied(), &taken) {
                None => sifted.of.entry(tool.clone()).or_default().push(served.clone()),
                Some(reason) => *sifted.left_out.entry(reason).or_default() += 1,
            }
        }
    }
    sifted
}

fn why_not(served: &Served, best: bool, card: Option<&ToolCard>, taken: &BTreeSet<String>) -> Option<LeftOut> {
    let Some(card) = card else { return Some(LeftOut::NoTool) };
    if taken.contains(&same(&served.question)) {
        return Some(LeftOut::Known);
    }
    if served.times < FEWEST {
        return Some(LeftOut::Rare);
    }
    if served.wrong >= served.times {
        return Some(LeftOut::Disputed);
    }
    if !best {
        return Some(LeftOut::OfAnother);
    }
    if served.question.contains(['<', '>']) {
        return Some(LeftOut::Masked);
    }
    (!examples::is_fit(&served.question, card)).then_some(LeftOut::Unfit)
}

/// By the question, then by tool. Of the ways in which a question was written the first in order stands for all.
fn counted<'f>(feedback: impl IntoIterator<Item = &'f NewFeedback>) -> BTreeMap<String, BTreeMap<ToolId, Served>> {
    let mut counted: BTreeMap<String, BTreeMap<ToolId, Served>> = BTreeMap::new();
    for one in feedback {
        let Some(question) = one.question.as_deref().map(spaced) else { continue };
        let tools = counted.entry(question.to_lowercase()).or_default();
        let (served, wrong) = match one.outcome {
            FeedbackOutcome::Used => (&one.tool, &None),
            FeedbackOutcome::Wrong | FeedbackOutcome::Missing => (&one.instead, &one.tool),
        };
        for (tool, is_served) in [(served, true), (wrong, false)] {
            let Some(tool) = tool else { continue };
            let entry = tools.entry(tool.clone()).or_insert_with(|| Served {
                question: question.clone(),
                times: 0,
                wrong: 0,
                projects: BTreeSet::new(),
            });
            entry.times += usize::from(is_served);
            entry.wrong += usize::from(!is_served);
            if question < entry.question {
                entry.question.clone_from(&question);
            }
            if is_served {
                entry.projects.insert(one.project.clone());
            }
        }
    }
    counted
}

/// One space between words.
fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What two ways of writing a question have in common.
fn same(text: &str) -> String {
    spaced(text).to_lowercase()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use ambit_engine::compile;
    use ambit_model::identity::Principal;

    use super::*;
    use crate::store::Questions;
    use FeedbackOutcome::{Missing, Used, Wrong};

    const REVENUE: &str = "billing/get_revenue_report";
    const INVOICES: &str = "billing/list_overdue_invoices";

    fn said(question: &str, outcome: FeedbackOutcome, tool: Option<&str>, instead: Option<&str>) -> NewFeedback {
        NewFeedback {
            at: "2026-12-01T12:00:00Z".to_owned(),
            snapshot: 1,
            project: ProjectId::parse("acme/finance", None).unwrap(),
            principal: Principal::parse("acme:user:analyst").unwrap(),
            question: Some(question.to_owned()),
            step: None,
            outcome,
            tool: tool.map(|id| ToolId::parse(id).unwrap()),
            instead: instead.map(|id| ToolId::parse(id).unwrap()),
            questions: Questions::Typed,
        }
    }

    fn used(question: &str, tool: &str) -> NewFeedback {
        said(question, Used, Some(tool), None)
    }

    /// What is proposed as `tool: question`, then the reasons of what is not.
    fn sifted(feedback: &[NewFeedback]) -> (Vec<String>, Vec<(LeftOut, usize)>) {
        let policies = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../policies"));
        let tree = crate::workspace::read(policies).unwrap().tree;
        let prepared = compile::prepare(&tree);
        let cards = prepared.cards().map(|card| (&card.id, card)).collect();
        let Sifted { of, left_out } = sift(feedback, &cards, |_| true);
        let told = of.iter().flat_map(|(tool, all)| all.iter().map(move |one| format!("{tool}: {}", one.question)));
        (told.collect(), left_out.into_iter().collect())
    }

    const ASKED: &str = "How did the autumn go in euros?";

    #[test]
    fn what_served_twice_is_proposed() {
        let again = used("how did  the autumn go in Euros?", REVENUE);
        let (proposed, left) = sifted(&[used(ASKED, REVENUE), again]);
        assert_eq!((proposed, left), (vec![format!("{REVENUE}: {ASKED}")], vec![]));
        let (proposed, left) = sifted(&[used(ASKED, REVENUE)]);
        assert_eq!((proposed, left), (vec![], vec![(LeftOut::Rare, 1)]));
    }

    #[test]
    fn what_served_in_the_place_of_another_counts() {
        let wrong = said(ASKED, Wrong, Some(INVOICES), Some(REVENUE));
        let missing = said(ASKED, Missing, None, Some(REVENUE));
        assert_eq!(sifted(&[wrong, missing]).0, [format!("{REVENUE}: {ASKED}")]);
    }

    #[test]
    fn what_did_not_fit_as_often_is_not_proposed() {
        let wrong = said(ASKED, Wrong, Some(REVENUE), None);
        let all = [used(ASKED, REVENUE), wrong.clone(), used(ASKED, REVENUE), wrong];
        assert_eq!(sifted(&all), (vec![], vec![(LeftOut::Disputed, 1)]));
    }

    #[test]
    fn a_question_becomes_the_example_of_one_tool() {
        let twice = |tool| [used(ASKED, tool), used(ASKED, tool)];
        let even = [twice(REVENUE), twice(INVOICES)].concat();
        assert_eq!(sifted(&even), (vec![], vec![(LeftOut::OfAnother, 2)]));
        let more = [even, vec![used(ASKED, INVOICES)]].concat();
        assert_eq!(sifted(&more), (vec![format!("{INVOICES}: {ASKED}")], vec![(LeftOut::OfAnother, 1)]));
    }

    #[test]
    fn what_nobody_would_ask_is_not_proposed() {
        let twice = |text: &str, tool: &str| sifted(&[used(text, tool), used(text, tool)]).1;
        assert_eq!(twice("How did <name> do in the autumn?", REVENUE), [(LeftOut::Masked, 1)]);
        assert_eq!(twice("euros", REVENUE), [(LeftOut::Unfit, 1)]);
        assert_eq!(twice(&"euros and ".repeat(50), REVENUE), [(LeftOut::Unfit, 1)]);
        assert_eq!(twice("Run get_revenue_report for the autumn", REVENUE), [(LeftOut::Unfit, 1)]);
        assert_eq!(twice(ASKED, "billing/nothing"), [(LeftOut::NoTool, 1)]);
    }

    #[test]
    fn where_no_question_was_kept_there_is_nothing_to_propose() {
        let mute = NewFeedback { question: None, ..used(ASKED, REVENUE) };
        assert_eq!(sifted(&[mute.clone(), mute]), (vec![], vec![]));
    }
}
