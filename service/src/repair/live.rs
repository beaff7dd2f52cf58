//! What would end a clash of the live snapshot: proposed and measured among the tools that its reader may see. Nothing is written, and
//! vectors of what is proposed are not kept.
//! INVARIANT: made of the ground alone, so it tells nothing of a tool that is not in it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use ambit_engine::index::{Vectors, card_texts};
use ambit_engine::intake::ground::{self, Ground, Measured, Suggested};
use ambit_engine::intake::repair::Repair;
use ambit_model::card::ToolCard;
use ambit_model::digest::Digest;
use ambit_model::intake::Clash;
use ambit_model::repair::{ProposedRepair, RepairAdvice, Rerun, WrittenAt};
use ambit_model::snapshot::Snapshot;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, timeout_at};

use super::best_first;
use crate::loaded::Loaded;
use crate::store::Store;
use crate::{Error, error, turns, vectors};

/// Longest that a reader of a clash waits for advice.
const PATIENCE: Duration = Duration::from_secs(5);

const NO_MODEL: &str =
    "no model is at hand, so the questions were not asked again; whoever runs the server finds the reason in its log";
const TOO_LONG: &str = "asking the questions again took too long here; `ambit repair` has no limit of time";
const APART: &str = "no project in your sight lists both tools, so the questions were not asked again; `ambit repair` in the workspace asks them";
const NOTHING_LOST: &str = "among the tools in your sight neither loses a question, so there is nothing to repair";
const NO_IDEA: &str = "no repair suggests itself: say in the descriptions what sets the two apart";
const NONE_HELPS: &str = "none of what was tried helps: change the descriptions or the examples";

/// Advice, and the clash as it is among the tools in sight.
#[derive(Default)]
pub(crate) struct Advised {
    pub(crate) advice: RepairAdvice,
    pub(crate) clash: Option<Clash>,
}

/// What it is measured on.
struct Bench {
    /// Cut to what the reader may see.
    snapshot: Snapshot,
    /// Refused tools that the reader may see and that lost their own questions.
    refused: Vec<ToolCard>,
    pair: [ToolCard; 2],
    /// Given back when the last thread is done, also where nobody waits for it any more.
    _turn: Option<OwnedSemaphorePermit>,
}

impl Bench {
    fn ground(&self) -> (Ground<'_>, [&ToolCard; 2]) {
        let pair = self.pair.each_ref();
        (Ground::of(&self.snapshot, &self.refused, pair), pair)
    }
}

/// How the questions end as things are, and with each repair that could be measured.
struct Run {
    before: Measured,
    /// In the order of the repairs.
    after: Vec<Option<Measured>>,
    late: bool,
}

/// Proposes what would end the clash of these two. `written` says where Catalogs and tools are declared.
pub(crate) async fn advise(
    loaded: &Loaded,
    store: &Store,
    (snapshot, refused): (Snapshot, Vec<ToolCard>),
    pair: [ToolCard; 2],
    written: &BTreeMap<String, WrittenAt>,
) -> Result<Advised, Error> {
    let deadline = Instant::now() + PATIENCE;
    let Ok(turn) = timeout_at(deadline, turns::measuring()).await else { return Ok(only(TOO_LONG)) };
    let bench = Arc::new(Bench { snapshot, refused, pair, _turn: Some(turn?) });
    let found = on_thread(&bench, |bench| {
        let (ground, pair) = bench.ground();
        ground.compares(pair).then(|| ground.suggest(pair))
    });
    let Some(Suggested { repairs, addition }) = found.await? else { return Ok(only(APART)) };
    let repairs = Arc::new(repairs);
    let Known { vectors, trouble } = known(loaded, store, &bench, &repairs, deadline).await?;
    let Some(vectors) = vectors else {
        return Ok(Advised { advice: unmeasured(&repairs, addition, written), clash: None });
    };
    let (asked, until) = (Arc::clone(&repairs), deadline.into_std());
    let run = on_thread(&bench, move |bench| measure(bench, &asked, &vectors, until)).await??;
    let Measured { standings, clash } = run.before;
    if standings.iter().all(|standing| standing.lost() == 0) {
        return Ok(Advised { clash, ..only(NOTHING_LOST) });
    }
    let trouble = if run.late { Some(TOO_LONG) } else { trouble };
    let (mut measured, mut left) = (Vec::new(), Vec::new());
    for (repair, after) in repairs.iter().zip(run.after) {
        match after {
            Some(after) => measured.push((repair, Rerun::new(standings.clone(), after.standings))),
            None => left.push(repair),
        }
    }
    let tried = measured.len();
    let best = best_first(measured).into_iter().next();
    let helps = best.is_some();
    let best = best.map(|(repair, rerun)| proposed(repair, Some(rerun), written));
    let proposed = best.or_else(|| left.first().map(|repair| proposed(repair, None, written)));
    let without = match (repairs.is_empty(), &addition) {
        (_, Some(_)) => None,
        (true, None) => Some(NO_IDEA),
        (false, None) => Some(NONE_HELPS),
    };
    let note = note(trouble.or(without.filter(|_| !helps)), addition);
    Ok(Advised { advice: RepairAdvice { proposed, tried, note }, clash })
}

fn only(note: &str) -> Advised {
    Advised { advice: RepairAdvice { note: Some(note.to_owned()), ..RepairAdvice::default() }, clash: None }
}

/// Without a model: the first that fits the two.
fn unmeasured(repairs: &[Repair], addition: Option<String>, written: &BTreeMap<String, WrittenAt>) -> RepairAdvice {
    let proposed = repairs.first().map(|repair| proposed(repair, None, written));
    RepairAdvice { proposed, tried: 0, note: note(Some(NO_MODEL), addition) }
}

/// What is to be said, and what to add to a document by hand.
fn note(said: Option<&str>, addition: Option<String>) -> Option<String> {
    let parts: Vec<String> = said.map(str::to_owned).into_iter().chain(addition).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

fn proposed(repair: &Repair, rerun: Option<Rerun>, written: &BTreeMap<String, WrittenAt>) -> ProposedRepair {
    let tools = repair.tools().into_iter();
    let mut places: Vec<WrittenAt> = match repair {
        // A new document stands beside a Catalog.
        Repair::Declaration(_) => tools.filter_map(|tool| written.get(tool.catalog())).take(1).cloned().collect(),
        // A description in what the Catalog says of the tool, where it says something.
        Repair::Descriptions(_) => tools
            .filter_map(|tool| written.get(tool.as_str()).or_else(|| written.get(tool.catalog())))
            .cloned()
            .collect(),
    };
    places.dedup();
    ProposedRepair { kind: repair.kind(), yaml: repair.yaml(), places, rerun }
}

/// The vectors that are known, and why some are not.
struct Known {
    vectors: Option<Vectors>,
    trouble: Option<&'static str>,
}

/// Those of the snapshot, of the two, and of what is proposed for them; only the last have to be made.
async fn known(
    loaded: &Loaded,
    store: &Store,
    bench: &Bench,
    repairs: &[Repair],
    deadline: Instant,
) -> Result<Known, Error> {
    let (known, embedder) = match loaded.vectors(store).await? {
        Ok(known) => known,
        Err(missing) => {
            tracing::warn!(error = error::chain(missing), "a repair cannot be measured without the model");
            return Ok(Known { vectors: None, trouble: Some(NO_MODEL) });
        }
    };
    let mut vectors = known.clone();
    // One that intake refused is not in the snapshot, and its texts were embedded all the same.
    let of_pair: Vec<String> = bench.pair.iter().flat_map(card_texts).collect();
    vectors.extend(vectors::stored(store, &embedder.id()?, &of_pair).await?);
    let pair = bench.pair.each_ref();
    let wanted = of_pair.into_iter().chain(repairs.iter().flat_map(|repair| ground::texts(pair, repair)));
    let made = timeout_at(deadline, vectors::embed_missing(&mut vectors, embedder, wanted.collect())).await;
    let trouble = match made {
        Ok(Ok(())) => None,
        Ok(Err(failed)) => {
            tracing::warn!(error = error::chain(&failed), "a description cannot be measured without the model");
            Some(NO_MODEL)
        }
        Err(_) => Some(TOO_LONG),
    };
    Ok(Known { vectors: Some(vectors), trouble })
}

fn measure(bench: &Bench, repairs: &[Repair], vectors: &Vectors, until: std::time::Instant) -> Result<Run, Error> {
    let (ground, pair) = bench.ground();
    let before = ground.measure(pair, vectors, None)?;
    let mut run = Run { before, after: Vec::new(), late: false };
    for repair in repairs {
        let is_known = |text: &String| vectors.get(&Digest::of(text.as_bytes())).is_some();
        let ready = ground::texts(pair, repair).iter().all(is_known);
        run.late |= std::time::Instant::now() >= until;
        let after = (ready && !run.late).then(|| ground.measure(pair, vectors, Some(repair))).transpose()?;
        run.after.push(after);
    }
    Ok(run)
}

/// On a thread of its own, so that nothing else waits.
async fn on_thread<T: Send + 'static>(
    bench: &Arc<Bench>,
    work: impl FnOnce(&Bench) -> T + Send + 'static,
) -> Result<T, Error> {
    let bench = Arc::clone(bench);
    tokio::task::spawn_blocking(move || work(&bench)).await.map_err(|_| Error::Interrupted)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use ambit_model::identity::ToolId;

    use super::*;

    #[test]
    fn what_would_come_too_late_is_not_measured() {
        let policies = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../policies"));
        let tree = crate::workspace::read(policies).unwrap().tree;
        let compiled = ambit_engine::compile::prepare(&tree).finish_without_retrieval("2026-01-01").unwrap();
        let snapshot = compiled.snapshot.unwrap();
        let card = |id: &str| snapshot.tools.iter().find(|card| card.id.as_str() == id).unwrap().clone();
        let pair = [card("billing/list_overdue_invoices"), card("billing/create_invoice")];
        let bench = Bench { snapshot, refused: Vec::new(), pair, _turn: None };
        let repairs = bench.ground().0.suggest(bench.pair.each_ref()).repairs;
        assert!(!repairs.is_empty());
        let run = measure(&bench, &repairs, &Vectors::default(), std::time::Instant::now()).unwrap();
        assert!(run.late && run.after.len() == repairs.len() && run.after.iter().all(Option::is_none));
    }

    #[test]
    fn what_to_add_by_hand_stands_in_the_note() {
        let words = || Some("add `a/x` to the TwinGroup `g`".to_owned());
        assert_eq!(note(None, words()), words());
        assert_eq!(note(Some("too late"), words()).as_deref(), Some("too late; add `a/x` to the TwinGroup `g`"));
        assert_eq!(note(None, None), None);
    }

    #[test]
    fn a_description_goes_to_its_tool_else_to_its_catalog() {
        let at = |line| WrittenAt { file: "a.yaml".to_owned(), line };
        let written = BTreeMap::from([("a".to_owned(), at(2)), ("a/x".to_owned(), at(7))]);
        let of = |names: &[&str]| {
            let descriptions = names.iter().map(|name| (ToolId::new("a", name), "Text.".to_owned())).collect();
            proposed(&Repair::Descriptions(descriptions), None, &written).places
        };
        assert_eq!((of(&["x"]), of(&["y"]), of(&["x", "y"])), (vec![at(7)], vec![at(2)], vec![at(7), at(2)]));
    }
}
