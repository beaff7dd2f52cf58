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
        let mut vectors = Vec::with_capacity(texts.len());
        for batch in texts.chunks(self.batch) {
            // The lock is taken for each batch, so that a short question is not held up by a whole catalog.
            let embedded = self.model()?.embed(batch, Some(self.batch));
            vectors.extend(embedded.map_err(|cause| EmbedError::failed(doing(batch.len()), cause))?);
        }
        self.check(&vectors, texts.len())?;
        Ok(vectors)
    }
}

fn doing(texts: usize) -> String {
    format!("embed {texts} {}", if texts == 1 { "text" } else { "texts" })
}
