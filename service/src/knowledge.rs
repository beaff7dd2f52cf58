//! Searching a project's documents: only for a caller that may invoke the project's `knowledge.search`, and nothing of other projects.

use ambit_engine::index::Vectors;
use ambit_engine::knowledge::check_request;
use ambit_model::digest::Digest;
use ambit_model::knowledge::{KnowledgeAnswer, USUAL_PASSAGES, tool_id};

use crate::Error;
use crate::caller::{Caller, Wanted};
use crate::live::Live;
use crate::route::{WithoutModel, embed};

/// What an answer says where meaning did not count, as routes do.
const WORDS_ONLY: &str = "words_only";

/// What was found, and why meaning was left out, where it was.
pub struct Searched {
    pub answer: KnowledgeAnswer,
    pub without_model: Option<WithoutModel>,
}

/// Searches the documents of the project that is asked in. A project without documents, and one whose documents this caller may not
/// search, are refused alike.
pub async fn search_knowledge(
    caller: &Caller,
    live: &Live,
    wanted: &Wanted,
    question: &str,
    limit: Option<usize>,
) -> Result<Searched, Error> {
    let loaded = live.current().await?;
    let seen = caller.view(&loaded, wanted)?;
    let project = &seen.asker.project;
    let capability = seen.view.capability(&tool_id(project));
    if !capability.is_some_and(|may| may.invoke && !may.needs_confirmation) {
        return Err(refused());
    }
    let limit = limit.unwrap_or(USUAL_PASSAGES);
    check_request(question, limit).map_err(Error::Request)?;
    let index = loaded.knowledge(live.store(), project).await?.ok_or_else(refused)?;
    let question = question.trim();
    let (asked, without_model) = match loaded.embedder(live.store()).await? {
        Ok(embedder) => embed(embedder, vec![question.to_owned()]).await?,
        Err(error) => (Vectors::default(), Some(error.into())),
    };
    let found = index.search(question, asked.get(&Digest::of(question.as_bytes())), limit)?;
    let answer = KnowledgeAnswer {
        snapshot: loaded.name(),
        view: seen.view.digest.clone(),
        overlay: seen.overlay_digest(),
        project: project.clone(),
        degraded: found.words_only.then(|| WORDS_ONLY.to_owned()).into_iter().collect(),
        results: found.passages,
    };
    Ok(Searched { answer, without_model })
}

fn refused() -> Error {
    Error::Forbidden { what: "search documents of this project, or there are none" }
}
