//! Searching a project's passages: nearness in meaning and words in common, in the proportion that routing gives the two.
//! Without vectors words decide alone. Scores are rounded before they are compared; ties go by path, then by place.

use ambit_model::declaration::Weights;
use ambit_model::diagnostic::Diagnostic;
use ambit_model::digest::Digest;
use ambit_model::identity::ProjectId;
use ambit_model::knowledge::{KnowledgeChunk, KnowledgeDocument, MOST_PASSAGES, Passage};
use ambit_model::ratio::Score;
use ambit_model::snapshot::Snapshot;
use roaring::RoaringBitmap;

use super::passage_text;
use crate::index::{IndexError, Vectors, WordIndex, cosine};
use crate::{route, text};

/// The passages of one project, in the order of paths and places.
pub struct KnowledgeIndex {
    passages: Vec<Indexed>,
    words: WordIndex,
    weights: Weights,
}

struct Indexed {
    passage: Passage,
    vector: Option<Vec<f32>>,
}

/// What was found.
pub struct Found {
    /// The best first.
    pub passages: Vec<Passage>,
    /// Meaning did not count, for a vector is missing.
    pub words_only: bool,
}

/// What is wrong with a search before anything is looked at.
pub fn check_request(question: &str, limit: usize) -> Result<(), Box<Diagnostic>> {
    route::check_question(question)?;
    if limit == 0 || limit > MOST_PASSAGES {
        let message = format!("`limit` is {limit}, and 1 to {MOST_PASSAGES} passages can be asked for");
        let complaint = Diagnostic::error(ambit_model::codes::E_LIMIT, message);
        return Err(Box::new(complaint.help("leave `limit` out for the usual number")));
    }
    Ok(())
}

impl KnowledgeIndex {
    /// Indexes a project's documents; nothing where it has none.
    pub fn build(snapshot: &Snapshot, project: &ProjectId, vectors: &Vectors) -> Result<Option<Self>, IndexError> {
        let documents = snapshot.knowledge.iter().filter(|document| document.project == *project);
        let (mut passages, mut words) = (Vec::new(), Vec::new());
        for (document, chunk) in documents.flat_map(|one| one.chunks.iter().map(move |chunk| (one, chunk))) {
            let text = passage_text(document, chunk);
            words.push(text::words(&text));
            let vector = vectors.get(&Digest::of(text.as_bytes())).map(<[f32]>::to_vec);
            passages.push(Indexed { passage: passage(document, chunk), vector });
        }
        if passages.is_empty() {
            return Ok(None);
        }
        let weights = snapshot.settings.weights.clone();
        Ok(Some(Self { words: WordIndex::of_words(&words)?, passages, weights }))
    }

    /// The passages that come nearest to a question, at most `limit`; `asked` is the vector of its text.
    pub fn search(&self, question: &str, asked: Option<&[f32]>, limit: usize) -> Result<Found, IndexError> {
        let all: RoaringBitmap = (0..u32::try_from(self.passages.len()).unwrap_or(u32::MAX)).collect();
        let words = self.words.scores(&text::words(question), &all)?;
        // A passage without a vector would seem far from everything, so one that is missing leaves meaning out for all.
        let asked = asked.filter(|_| self.passages.iter().all(|indexed| indexed.vector.is_some()));
        let mut scored: Vec<(Score, &Passage)> = self
            .passages
            .iter()
            .enumerate()
            .map(|(at, Indexed { passage, vector })| {
                let meaning = asked.zip(vector.as_deref()).map(|(asked, vector)| cosine(asked, vector));
                (self.score(meaning, words.share(at)), passage)
            })
            .filter(|(score, _)| *score > Score::default())
            .collect();
        // Stable, so that equals stay in the order of paths and places.
        scored.sort_by(|(a, _), (b, _)| b.cmp(a));
        let best = scored.into_iter().take(limit);
        let passages = best.map(|(score, passage)| Passage { score, ..passage.clone() }).collect();
        Ok(Found { passages, words_only: asked.is_none() })
    }

    fn score(&self, meaning: Option<f64>, words: f64) -> Score {
        let Some(meaning) = meaning else { return Score::from_f64(words) };
        let (of_meaning, of_words) = (self.weights.semantic.to_f64(), self.weights.bm25.to_f64());
        let whole = (of_meaning + of_words).max(f64::EPSILON);
        Score::from_f64((of_meaning * meaning.max(0.0) + of_words * words) / whole)
    }
}

fn passage(document: &KnowledgeDocument, chunk: &KnowledgeChunk) -> Passage {
    Passage {
        path: document.path.clone(),
        title: document.title.clone(),
        heading: chunk.headings.join(" > "),
        line: chunk.line,
        text: chunk.text.clone(),
        score: Score::default(),
    }
}
