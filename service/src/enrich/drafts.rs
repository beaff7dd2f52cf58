//! Drafts of language models for many tools: kept ones first, then one call a tool, a few at a time. Whoever cannot be asked, or
//! answers with what cannot be used, costs no more than its own drafts.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use ambit_engine::parts;
use ambit_model::card::ToolCard;
use ambit_model::digest::Digest;
use ambit_model::identity::ProjectId;
use ambit_model::llm::Llm;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::DraftedBy;
use super::kept::Kept;
use super::model;
use crate::Error;
use crate::llm::{Model, NoAnswer};
use crate::secrets::SecretPlaces;

/// Calls that are on their way at once.
const AT_ONCE: usize = 4;
/// After so many calls without an answer nobody is asked any more in this run.
const MOST_UNANSWERED: usize = 4;

/// A tool to be drafted for, and whose model may be asked.
pub(super) struct Wanted<'a> {
    pub(super) card: &'a ToolCard,
    pub(super) asked: Option<(&'a ProjectId, &'a Llm)>,
}

/// What a model drafted for one tool, if it did.
#[derive(Clone)]
pub(super) struct Draft {
    pub(super) examples: Option<Vec<String>>,
    pub(super) by: DraftedBy,
    pub(super) because: Option<String>,
}

/// The drafts of all tools, in their order.
pub(super) struct Drafted {
    pub(super) of: Vec<Draft>,
    pub(super) calls: usize,
}

/// Who drafts, and where drafts are kept.
pub(super) struct Drafts {
    data: PathBuf,
    secrets: SecretPlaces,
    patience: Duration,
}

/// One tool, ready to be asked about.
struct Question {
    place: usize,
    card: ToolCard,
    key: Digest,
    model: Arc<Model>,
}

impl Drafts {
    pub(super) fn new(data: &Path, secrets: SecretPlaces, patience: Duration) -> Self {
        Self { data: data.to_owned(), secrets, patience }
    }

    /// One draft for each tool. `taken` holds the examples, in lower case, that are declared already.
    pub(super) async fn draft(&self, wanted: &[Wanted<'_>], taken: &BTreeSet<String>) -> Result<Drafted, Error> {
        let none = Draft { examples: None, by: DraftedBy::Rules, because: None };
        let mut drafted = Drafted { of: vec![none; wanted.len()], calls: 0 };
        if wanted.iter().all(|one| one.asked.is_none()) {
            return Ok(drafted);
        }
        let kept = Kept::new(&self.data)?;
        let mut models: Vec<(&ProjectId, Result<Arc<Model>, NoAnswer>)> = Vec::new();
        let mut questions = Vec::new();
        for (place, one) in wanted.iter().enumerate() {
            let Some((project, llm)) = one.asked else { continue };
            let bare = bare(one.card);
            let key = key(&bare, llm)?;
            let Some(slot) = drafted.of.get_mut(place) else { continue };
            if let Some(examples) = kept.read(&key, &bare) {
                *slot = Draft { examples: Some(examples), by: DraftedBy::Kept, because: None };
                continue;
            }
            if !models.iter().any(|(known, _)| *known == project) {
                models.push((project, Model::new(project, llm, &self.secrets, self.patience).map(Arc::new)));
            }
            match models.iter().find(|(known, _)| *known == project).map(|(_, model)| model) {
                Some(Ok(model)) => questions.push(Question { place, card: bare, key, model: Arc::clone(model) }),
                Some(Err(why)) => slot.because = Some(why.to_string()),
                None => {}
            }
        }
        for (place, key, answer, calls) in ask(questions, taken).await? {
            drafted.calls += calls;
            let Some(slot) = drafted.of.get_mut(place) else { continue };
            match answer {
                Ok(examples) => {
                    kept.keep(&key, &examples)?;
                    *slot = Draft { examples: Some(examples), by: DraftedBy::Model, because: None };
                }
                Err(why) => slot.because = Some(why.to_string()),
            }
        }
        Ok(drafted)
    }
}

type Answer = (usize, Digest, Result<Vec<String>, NoAnswer>, usize);

/// Asks all questions, a few at a time. Answers come in any order: each knows its place.
async fn ask(questions: Vec<Question>, taken: &BTreeSet<String>) -> Result<Vec<Answer>, Error> {
    let (turns, unanswered) = (Arc::new(Semaphore::new(AT_ONCE)), Arc::new(AtomicUsize::new(0)));
    let taken = Arc::new(taken.clone());
    let mut asking = JoinSet::new();
    for question in questions {
        let (turns, unanswered, taken) = (Arc::clone(&turns), Arc::clone(&unanswered), Arc::clone(&taken));
        asking.spawn(async move {
            let Question { place, card, key, model } = question;
            let Ok(_turn) = turns.acquire().await else { return (place, key, Err(NoAnswer::GivenUp), 0) };
            if unanswered.load(Ordering::Relaxed) >= MOST_UNANSWERED {
                return (place, key, Err(NoAnswer::GivenUp), 0);
            }
            let (answer, calls) = model::draft(&model, &card, &taken).await;
            if matches!(&answer, Err(why) if why.is_silence()) {
                unanswered.fetch_add(1, Ordering::Relaxed);
            }
            (place, key, answer, calls)
        });
    }
    let mut answers = Vec::new();
    while let Some(answer) = asking.join_next().await {
        answers.push(answer.map_err(|_| Error::Interrupted)?);
    }
    Ok(answers)
}

/// The card as its source has it: what an operator writes beside it is not what a model is asked about.
fn bare(card: &ToolCard) -> ToolCard {
    ToolCard { examples: Vec::new(), groups: Vec::new(), since: None, ..card.clone() }
}

/// What a draft is kept by: the card, whom was asked, and how.
fn key(bare: &ToolCard, llm: &Llm) -> Result<Digest, Error> {
    let prompt = ambit_engine::examples::PROMPT_VERSION;
    let asked = (parts::card_digest(bare)?, llm.provider, &llm.model, &llm.url, prompt);
    Ok(Digest::of(serde_json::to_string(&asked)?.as_bytes()))
}
