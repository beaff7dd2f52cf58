//! A workspace without some lines and with them: whether it compiles, which tools intake refuses, how the example questions end, and how
//! the GoldenRoutes do. Nothing is published.

use std::collections::BTreeSet;

use ambit_engine::compile::Compiled;
use ambit_engine::source::SourceTree;
use ambit_model::diagnostic::Diagnostic;
use ambit_model::snapshot::Snapshot;
use serde::Serialize;

use crate::Error;
use crate::check::compile_tree;
use crate::embedder::ModelPlaces;
use crate::evaluate::golden::{GoldenAnswers, answers};
use crate::store::Store;

/// How a workspace fares.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Evaluation {
    pub compiles: bool,
    pub errors: usize,
    /// Tools that intake refuses.
    pub refused: usize,
    pub retrieval: Retrieval,
    /// Absent where there are no GoldenRoutes.
    pub golden: Option<GoldenRate>,
}

/// How the example questions of the admitted tools end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Retrieval {
    pub asked: usize,
    /// Those for which their own tool comes first, itself left out.
    pub first: usize,
}

/// How the GoldenRoutes end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct GoldenRate {
    pub asked: usize,
    /// Those to which exactly the wanted tools are handed over.
    pub right: usize,
    pub recall_at_8: f64,
    pub ndcg_at_5: f64,
}

/// The same before and after.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Compared {
    pub before: Evaluation,
    pub after: Evaluation,
    /// Tools that would be refused by intake, and are not now.
    pub newly_refused: Vec<String>,
    /// GoldenRoutes that would not be right any more, and those that would be now: who asks where and what.
    pub lost: Vec<String>,
    pub won: Vec<String>,
}

impl Compared {
    /// The workspace would compile no more, a tool would be refused, or a GoldenRoute would be answered wrongly that is not now.
    pub fn is_worse(&self) -> bool {
        (self.before.compiles && !self.after.compiles) || !self.newly_refused.is_empty() || !self.lost.is_empty()
    }
}

/// Compiles both, and asks the same of both.
pub(super) async fn compare(
    before: &SourceTree,
    after: &SourceTree,
    store: &Store,
    places: &ModelPlaces,
) -> Result<Compared, Error> {
    let (before, golden_before) = fare(before, store, places).await?;
    let (after, golden_after) = fare(after, store, places).await?;
    let accepted: BTreeSet<&String> = after.report.accepted.iter().collect();
    let newly_refused = before.report.accepted.iter().filter(|tool| !accepted.contains(tool)).cloned().collect();
    let changed = |from: bool| changed(golden_before.as_ref(), golden_after.as_ref(), from);
    Ok(Compared {
        newly_refused,
        lost: changed(true),
        won: changed(false),
        before: evaluation(&before, golden_before.as_ref()),
        after: evaluation(&after, golden_after.as_ref()),
    })
}

async fn fare(
    tree: &SourceTree,
    store: &Store,
    places: &ModelPlaces,
) -> Result<(Compiled, Option<GoldenAnswers>), Error> {
    let (compiled, _) = compile_tree(tree, store, places).await?;
    let golden = answers(&compiled, store, places).await?;
    Ok((compiled, golden))
}

/// The GoldenRoutes that were right, or wrong, and are the other thing after.
fn changed(before: Option<&GoldenAnswers>, after: Option<&GoldenAnswers>, was_right: bool) -> Vec<String> {
    let is = |says: &String| after.and_then(|after| after.right.get(says)).copied();
    let of_before = before.into_iter().flat_map(|before| &before.right);
    let moved = of_before.filter(|(says, right)| **right == was_right && is(says).is_some_and(|now| now != was_right));
    moved.map(|(says, _)| says.clone()).collect()
}

fn evaluation(compiled: &Compiled, golden: Option<&GoldenAnswers>) -> Evaluation {
    let snapshot = compiled.snapshot.as_ref().or(compiled.failed.as_ref());
    Evaluation {
        compiles: compiled.snapshot.is_some(),
        errors: compiled.diagnostics.iter().filter(|problem| Diagnostic::is_error(problem)).count(),
        refused: compiled.report.rejected(),
        retrieval: snapshot.map(|snapshot| retrieval(snapshot, compiled)).unwrap_or_default(),
        golden: golden.map(|answers| GoldenRate {
            asked: answers.right.len(),
            right: answers.right.values().filter(|right| **right).count(),
            recall_at_8: answers.measures.recall_at_8,
            ndcg_at_5: answers.measures.ndcg_at_5,
        }),
    }
}

/// A question that a tool lost stands in the clash with the tool that took it.
fn retrieval(snapshot: &Snapshot, compiled: &Compiled) -> Retrieval {
    let listed = snapshot.projects.iter().flat_map(|project| &project.catalogs).map(String::as_str);
    let listed: BTreeSet<&str> = listed.collect();
    let cards = snapshot.tools.iter().filter(|card| listed.contains(card.id.catalog()));
    let admitted: BTreeSet<&str> = cards.clone().map(|card| card.id.as_str()).collect();
    let asked = cards.map(|card| card.examples.len()).sum::<usize>();
    let of = |tool: &str, lost: usize| if admitted.contains(tool) { lost } else { 0 };
    let clashes = compiled.report.clashes.iter();
    let lost: usize =
        clashes.map(|clash| of(&clash.tool, clash.questions.len()) + of(&clash.rival, clash.taken.len())).sum();
    Retrieval { asked, first: asked.saturating_sub(lost) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluation(compiles: bool) -> Evaluation {
        Evaluation { compiles, errors: 0, refused: 0, retrieval: Retrieval::default(), golden: None }
    }

    fn compared() -> Compared {
        let (before, after) = (evaluation(true), evaluation(true));
        Compared { before, after, newly_refused: Vec::new(), lost: Vec::new(), won: Vec::new() }
    }

    #[test]
    fn it_is_worse_where_something_is_lost() {
        assert!(!compared().is_worse());
        let won = Compared { won: vec!["a question".to_owned()], ..compared() };
        assert!(!won.is_worse());
        let lost = Compared { lost: vec!["a question".to_owned()], ..compared() };
        let refused = Compared { newly_refused: vec!["crm/find".to_owned()], ..compared() };
        let broken = Compared { after: evaluation(false), ..compared() };
        assert!(lost.is_worse() && refused.is_worse() && broken.is_worse());
        let never_compiled = Compared { before: evaluation(false), ..broken };
        assert!(!never_compiled.is_worse());
    }
}
