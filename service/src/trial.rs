//! How a tool would fare with another description: on the command line in the workspace, on a server among the live snapshot's tools.
//! Nothing is published, and the vectors of what is tried are not kept.

use std::collections::BTreeSet;
use std::path::Path;

use ambit_engine::cut;
use ambit_engine::index::Vectors;
use ambit_engine::intake::retrieval::Winners;
use ambit_engine::intake::trial::{self, Among};
use ambit_engine::nearest::did_you_mean;
use ambit_engine::route;
use ambit_model::card::ToolCard;
use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;
use ambit_model::identity::ToolId;
use ambit_model::intake::{Fared, IntakeReport};
use ambit_model::snapshot::Snapshot;
use serde::{Deserialize, Serialize};
use tokio::sync::OwnedSemaphorePermit;

use crate::caller::Caller;
use crate::check::check_workspace;
use crate::embedder::ModelPlaces;
use crate::intake::{ReadReport, read_report};
use crate::live::Live;
use crate::store::Store;
use crate::vectors::{self, LazyEmbedder};
use crate::{Error, turns, winners};

/// Longest description that is tried, in characters.
pub const LONGEST: usize = 4_000;

/// A tool before and after.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tried {
    pub tool: String,
    pub description: String,
    pub before: Fared,
    pub after: Fared,
}

/// Tries a description in the workspace as it lies.
pub async fn try_in_workspace(
    caller: &Caller,
    folder: &Path,
    store: &Store,
    places: &ModelPlaces,
    tool: &str,
    description: &str,
) -> Result<Tried, Error> {
    let checked = check_workspace(caller, folder, store, places).await?;
    let compiled = checked.compiled;
    let Some(snapshot) = compiled.snapshot.or(compiled.failed) else {
        let message = "the workspace has errors, so nothing can be tried in it";
        let help = "`ambit check` lists them";
        return Err(Error::Request(Box::new(Diagnostic::error(codes::E_REQUEST, message).help(help))));
    };
    let embedder = LazyEmbedder::new(&snapshot.settings.embedding_model, places.clone());
    let texts = route::texts(&snapshot);
    let bench = Bench::set_up(snapshot, compiled.report, tool, description).await?;
    let known = vectors::stored(store, &embedder.id()?, &texts).await?;
    measure(bench, known, &embedder, store).await
}

/// Tries a description among the tools of the live snapshot that the caller's intake report is about, and no others.
pub async fn try_live(caller: &Caller, live: &Live, tool: &str, description: &str) -> Result<Tried, Error> {
    let ReadReport { record, tenant } = read_report(caller, live, None).await?;
    let loaded = live.current().await?;
    let (known, embedder) = match loaded.vectors(live.store()).await? {
        Ok(known) => known,
        Err(error) => {
            tracing::warn!(error = crate::error::chain(error), "a description cannot be tried without the model");
            let message = "no model is at hand to try a description with";
            let help = "whoever runs the server finds the reason in its log";
            return Err(Error::Request(Box::new(Diagnostic::error(codes::E_MODEL, message).help(help))));
        }
    };
    let ground = ground(&loaded.snapshot, &record.report, tenant.as_deref());
    let bench = Bench::set_up(ground, record.report, tool, description).await?;
    measure(bench, known.clone(), embedder, live.store()).await
}

/// What a trial is held against: the tools that the reader's report is about, in the projects of its tenant, where it sees no others. So
/// an outcome depends on nothing that the reader may not see; where others share a catalog, a compile may come to another.
pub(crate) fn ground(snapshot: &Snapshot, report: &IntakeReport, tenant: Option<&str>) -> Snapshot {
    let mut ground = tenant.map_or_else(|| snapshot.clone(), |tenant| cut::snapshot(snapshot, tenant));
    let seen = |id: &ToolId| report.accepted.binary_search_by(|known| known.as_str().cmp(id.as_str())).is_ok();
    ground.tools.retain(|card| seen(&card.id));
    let catalogs: BTreeSet<String> = ground.tools.iter().map(|card| card.id.catalog().to_owned()).collect();
    ground.catalogs.retain(|catalog| tenant.is_none() || catalogs.contains(&catalog.id));
    ground.twins.retain(|twins| twins.members.iter().all(seen));
    ground.families.retain(|family| family.members.iter().all(|member| seen(&member.tool)));
    ground
}

/// A tool, what it is tried with, and what it is tried among.
struct Bench {
    /// Cut to what the reader may see, as the report is.
    snapshot: Snapshot,
    report: IntakeReport,
    card: ToolCard,
    description: String,
    /// Given back when the thread is done, also where nobody waits for it any more.
    _turn: OwnedSemaphorePermit,
}

impl Bench {
    /// Waits for a turn where there is something to try.
    async fn set_up(snapshot: Snapshot, report: IntakeReport, tool: &str, description: &str) -> Result<Self, Error> {
        if description.chars().count() > LONGEST {
            let message = format!("the description has more than {LONGEST} characters");
            return Err(Error::Request(Box::new(Diagnostic::error(codes::E_REQUEST, message).help("shorten it"))));
        }
        let Some(card) = trial::find(&snapshot, &report.refused, tool).cloned() else {
            return Err(unknown(tool, trial::known(&snapshot, &report.refused)));
        };
        let turn = turns::measuring().await?;
        Ok(Self { snapshot, report, card, description: description.to_owned(), _turn: turn })
    }

    fn tried(&self, vectors: &Vectors, former: &Winners) -> Result<Tried, Error> {
        let among = Among { snapshot: &self.snapshot, report: &self.report, vectors, former };
        let [before, after] = among.compare(&self.card, &self.description)?;
        Ok(Tried { tool: self.card.id.to_string(), description: self.description.clone(), before, after })
    }
}

/// Embeds what is not known yet, and asks on a thread of its own, so that nothing else waits. `vectors` are the snapshot's.
async fn measure(bench: Bench, mut vectors: Vectors, embedder: &LazyEmbedder, store: &Store) -> Result<Tried, Error> {
    let model = embedder.id()?;
    let texts = trial::texts(&bench.card, &bench.description);
    // One that intake refused is not in the snapshot, and its texts were embedded all the same.
    vectors.extend(vectors::stored(store, &model, &texts).await?);
    vectors::embed_missing(&mut vectors, embedder, texts).await?;
    let projects: Vec<_> = bench.snapshot.projects.iter().map(|project| project.id.clone()).collect();
    let former = winners::load(store, &model, &projects).await?;
    let work = move || bench.tried(&vectors, &former);
    tokio::task::spawn_blocking(work).await.map_err(|_| Error::Interrupted)?
}

fn unknown<'a>(tool: &str, known: impl IntoIterator<Item = &'a str>) -> Error {
    let message = format!("no tool `{tool}` can be tried");
    let help = did_you_mean(tool, known).unwrap_or_else(|| "`ambit intake` lists what was offered".to_owned());
    Error::Request(Box::new(Diagnostic::error(codes::E_UNRESOLVED, message).help(help)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trial_of_a_tenant_knows_no_tool_beyond_its_report() {
        let policies = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../policies"));
        let tree = crate::workspace::read(policies).unwrap().tree;
        let compiled = ambit_engine::compile::prepare(&tree).finish_without_retrieval("2026-01-01").unwrap();
        let snapshot = compiled.snapshot.unwrap();
        let all: Vec<String> = snapshot.tools.iter().map(|card| card.id.to_string()).collect();
        let own: Vec<String> = all.iter().filter(|id| id.starts_with("billing/")).cloned().collect();
        assert!(!own.is_empty() && own.len() < all.len());
        let report = IntakeReport { accepted: own.clone(), ..IntakeReport::default() };
        let cut = ground(&snapshot, &report, Some("acme"));
        assert_eq!(cut.tools.iter().map(|card| card.id.to_string()).collect::<Vec<_>>(), own);
        assert!(cut.projects.iter().all(|project| project.id.tenant == "acme"));
        assert!(cut.twins.iter().flat_map(|twins| &twins.members).all(|id| own.contains(&id.to_string())));
        let whole = IntakeReport { accepted: all.clone(), ..IntakeReport::default() };
        assert_eq!(ground(&snapshot, &whole, None).tools.len(), all.len());
    }
}
