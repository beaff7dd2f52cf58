//! How a tool would fare with another description: on the command line in the workspace, on a server among the live snapshot's tools.
//! Nothing is published, and the vectors of what is tried are not kept.

use std::path::Path;

use ambit_engine::index::Vectors;
use ambit_engine::intake::trial;
use ambit_engine::nearest::did_you_mean;
use ambit_engine::route;
use ambit_model::card::ToolCard;
use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;
use ambit_model::digest::Digest;
use ambit_model::intake::Fared;
use ambit_model::snapshot::Snapshot;
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::caller::Caller;
use crate::check::check_workspace;
use crate::embedder::ModelPlaces;
use crate::intake::read_intake;
use crate::live::Live;
use crate::store::Store;
use crate::vectors::{self, LazyEmbedder};
use crate::winners;

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
    tried(&snapshot, &compiled.report.refused, store, &embedder, tool, description).await
}

/// Tries a description among the tools of the live snapshot that the caller's intake report is about; what others have stays
/// untold, for of them only those in the report are named.
pub async fn try_live(caller: &Caller, live: &Live, tool: &str, description: &str) -> Result<Tried, Error> {
    let record = read_intake(caller, live, None).await?;
    let loaded = live.current().await?;
    let in_report = record.report.accepted.iter().any(|id| id == tool)
        || record.report.refused.iter().any(|card| card.id.as_str() == tool);
    if !in_report {
        let known = record.report.accepted.iter().map(String::as_str);
        return Err(unknown(tool, known));
    }
    let embedder = match loaded.embedder(live.store()).await? {
        Ok(embedder) => embedder,
        Err(error) => {
            let message = format!("no model is at hand to try a description with: {}", crate::error::chain(error));
            return Err(Error::Request(Box::new(Diagnostic::error(codes::E_MODEL, message))));
        }
    };
    let mut tried = tried(&loaded.snapshot, &record.report.refused, live.store(), embedder, tool, description).await?;
    let seen = |id: &str| record.report.accepted.iter().any(|known| known == id);
    for fared in [&mut tried.before, &mut tried.after] {
        cut(fared, seen);
    }
    Ok(tried)
}

async fn tried(
    snapshot: &Snapshot,
    refused: &[ToolCard],
    store: &Store,
    embedder: &LazyEmbedder,
    tool: &str,
    description: &str,
) -> Result<Tried, Error> {
    if description.chars().count() > LONGEST {
        let message = format!("the description has more than {LONGEST} characters");
        return Err(Error::Request(Box::new(Diagnostic::error(codes::E_REQUEST, message).help("shorten it"))));
    }
    let Some(card) = trial::find(snapshot, refused, tool) else {
        return Err(unknown(tool, trial::known(snapshot, refused)));
    };
    let other = ToolCard { description: description.to_owned(), ..card.clone() };
    let vectors = vectors_of(snapshot, &[card, &other], store, embedder).await?;
    let projects: Vec<_> = snapshot.projects.iter().map(|project| project.id.clone()).collect();
    let former = winners::load(store, &embedder.id()?, &projects).await?;
    Ok(Tried {
        tool: tool.to_owned(),
        description: description.to_owned(),
        before: trial::fare(snapshot, card, &vectors, &former)?,
        after: trial::fare(snapshot, &other, &vectors, &former)?,
    })
}

/// Those of the snapshot as they are stored; what is tried is embedded anew and not kept.
async fn vectors_of(
    snapshot: &Snapshot,
    cards: &[&ToolCard],
    store: &Store,
    embedder: &LazyEmbedder,
) -> Result<Vectors, Error> {
    let mut vectors = vectors::stored(store, &embedder.id()?, &route::texts(snapshot)).await?;
    let mut missing: Vec<String> = cards.iter().flat_map(|card| trial::texts(card)).collect();
    missing.sort();
    missing.dedup();
    missing.retain(|text| vectors.get(&Digest::of(text.as_bytes())).is_none());
    if !missing.is_empty() {
        let made = embedder.embed(missing.clone()).await?;
        for (text, vector) in missing.iter().zip(made) {
            vectors.insert(Digest::of(text.as_bytes()), vector);
        }
    }
    Ok(vectors)
}

/// What the reader may not see of others is counted together, without names.
fn cut(fared: &mut Fared, seen: impl Fn(&str) -> bool) {
    let hidden: usize = fared.lost.iter().filter(|(tool, _)| !seen(tool)).map(|(_, lost)| lost).sum();
    fared.lost.retain(|(tool, _)| seen(tool));
    if hidden > 0 {
        fared.lost.push(("another tool, which you may not read".to_owned(), hidden));
    }
    for finding in &mut fared.findings {
        if finding.other.as_deref().is_some_and(|other| !seen(other)) {
            ambit_engine::cut::without_other(finding);
        }
    }
}

fn unknown<'a>(tool: &str, known: impl IntoIterator<Item = &'a str>) -> Error {
    let message = format!("no tool `{tool}` can be tried");
    let help = did_you_mean(tool, known).unwrap_or_else(|| "`ambit intake` lists what was offered".to_owned());
    Error::Request(Box::new(Diagnostic::error(codes::E_UNRESOLVED, message).help(help)))
}
