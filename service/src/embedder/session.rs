//! A loaded model that many threads share: one call at a time, in batches, every vector checked before it leaves.
//! One intra-op thread: with other work on the cores, more threads are slower.

use std::sync::{Mutex, MutexGuard};

use fastembed::{QuantizationMode, TextEmbedding};

use super::{EmbedError, Embedder};

/// Texts in one call of the model. Larger batches were no faster on two cores and hold more memory.
const BATCH: usize = 64;
/// Bytes of text in one call, each text counted as the longest of it, for so much is padded: long texts go in smaller batches, since
/// what a model holds grows with the square of a text's length.
const BATCH_BYTES: usize = 32 * 1024;

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
        let mut left = ordered.as_slice();
        while !left.is_empty() {
            let (batch, rest) = left.split_at(batch_of(left, self.batch));
            left = rest;
            let (positions, texts): (Vec<usize>, Vec<&String>) = batch.iter().copied().unzip();
            embedded.extend(positions.into_iter().zip(self.embed_batch(&texts)?));
        }
        embedded.sort_by_key(|(position, _)| *position);
        Ok(embedded.into_iter().map(|(_, vector)| vector).collect())
    }
}

/// How many of these texts, shortest first, go into one call: at least one.
fn batch_of(texts: &[(usize, &String)], most: usize) -> usize {
    let sizes = (1..).zip(texts.iter().take(most)).map(|(count, (_, text))| count * text.len());
    sizes.take_while(|bytes| *bytes <= BATCH_BYTES).count().max(1)
}

fn doing(texts: usize) -> String {
    format!("embed {texts} {}", if texts == 1 { "text" } else { "texts" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_go_in_smaller_batches() {
        let check = |lengths: &[usize], most: usize, expected: usize| {
            let texts: Vec<String> = lengths.iter().map(|length| "x".repeat(*length)).collect();
            let texts: Vec<(usize, &String)> = texts.iter().enumerate().collect();
            assert_eq!(batch_of(&texts, most), expected, "{lengths:?}");
        };
        check(&[300; 100], 64, 64);
        check(&[1_100; 100], 64, 29);
        check(&[40, 40, 20_000, 20_000], 64, 2);
        check(&[100_000, 100_000], 64, 1);
        check(&[40; 3], 1, 1);
    }
}
