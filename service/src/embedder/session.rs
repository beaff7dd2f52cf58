//! A loaded model that many threads share: one call at a time, in batches, every vector checked before it leaves.
//! One intra-op thread: with other work on the cores, more threads are slower.

use std::sync::{Mutex, MutexGuard};

use fastembed::{QuantizationMode, TextEmbedding};

use super::{EmbedError, Embedder};

/// Texts in one call of the model. Larger batches were no faster on two cores and hold more memory.
const BATCH: usize = 64;

pub(super) struct Session {
    id: String,
    dimensions: usize,
    batch: usize,
    model: Mutex<TextEmbedding>,
}

impl Session {
    pub(super) fn new(id: String, dimensions: usize, quantization: QuantizationMode, model: TextEmbedding) -> Self {
        // A dynamically quantised model scales by what is in the batch, so there a text must be alone in its call.
        let batch = if quantization == QuantizationMode::Dynamic { 1 } else { BATCH };
        Self { id, dimensions, batch, model: Mutex::new(model) }
    }

    fn model(&self) -> Result<MutexGuard<'_, TextEmbedding>, EmbedError> {
        self.model.lock().map_err(|_| EmbedError::failed("use the embedding model", "an earlier call panicked"))
    }

    fn embed_batch(&self, texts: &[&String]) -> Result<Vec<Vec<f32>>, EmbedError> {
        // The lock is taken for each batch, so that a short question is not held up by a whole catalog.
        let vectors = self
            .model()?
            .embed(texts, Some(self.batch))
            .map_err(|cause| EmbedError::failed(doing(texts.len()), cause))?;
        self.check(&vectors, texts.len())?;
        Ok(vectors)
    }

    /// INVARIANT: what is stored as a vector has the model's dimensions and only finite numbers.
    fn check(&self, vectors: &[Vec<f32>], texts: usize) -> Result<(), EmbedError> {
        let sound = |vector: &Vec<f32>| vector.len() == self.dimensions && vector.iter().all(|x| x.is_finite());
        if vectors.len() == texts && vectors.iter().all(sound) {
            return Ok(());
        }
        let cause = format!("`{}` did not give {texts} vectors of {} finite numbers", self.id, self.dimensions);
        Err(EmbedError::failed(doing(texts), cause))
    }
}

impl Embedder for Session {
    fn id(&self) -> &str {
        &self.id
    }

    fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
        // A batch is padded to its longest text, so texts of like length go together.
        let mut ordered: Vec<(usize, &String)> = texts.iter().enumerate().collect();
        ordered.sort_by_key(|(_, text)| text.len());
        let mut embedded = Vec::with_capacity(texts.len());
        for batch in ordered.chunks(self.batch) {
            let (positions, texts): (Vec<usize>, Vec<&String>) = batch.iter().copied().unzip();
            embedded.extend(positions.into_iter().zip(self.embed_batch(&texts)?));
        }
        embedded.sort_by_key(|(position, _)| *position);
        Ok(embedded.into_iter().map(|(_, vector)| vector).collect())
    }
}

fn doing(texts: usize) -> String {
    format!("embed {texts} {}", if texts == 1 { "text" } else { "texts" })
}
