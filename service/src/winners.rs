//! What compiling found out about meaning, kept from one compile to the next.
//! INVARIANT: a cache: where it cannot be written the compile is as good, and the next one takes longer.

use ambit_engine::intake::retrieval::Winners;
use ambit_model::identity::ProjectId;

use crate::store::{KeptWinners, Store};
use crate::{Error, clock, error};

/// The version of the scorer, as it is kept.
#[expect(clippy::cast_possible_wrap, reason = "the scorer has had a handful of versions")]
pub(crate) const SCORER: i32 = ambit_model::snapshot::SCORER as i32;

/// What no compile wrote for so many days is dropped.
const KEPT_DAYS: i64 = 90;

/// What is kept of these projects.
pub(crate) async fn load(store: &Store, model: &str, projects: &[ProjectId]) -> Result<Winners, Error> {
    let mut winners = Winners::default();
    for (project, kept) in store.winners(model, SCORER, projects).await? {
        winners.insert(project, kept);
    }
    Ok(winners)
}

/// Keeps what is new.
pub(crate) async fn keep(store: &Store, model: &str, former: &Winners, found: &Winners) {
    let new = found.iter().filter(|(project, kept)| former.get(project) != Some(*kept));
    let rows: Vec<KeptWinners> = new
        .map(|(project, kept)| KeptWinners {
            model: model.to_owned(),
            scorer: SCORER,
            project: project.to_string(),
            kept: kept.to_vec(),
        })
        .collect();
    if rows.is_empty() {
        return;
    }
    if let Err(failed) = store.put_winners(rows, &clock::today(), &clock::days_ago(KEPT_DAYS)).await {
        tracing::warn!(
            error = error::chain(&failed),
            "what compiling found out could not be kept; the next compile takes longer"
        );
    }
}
