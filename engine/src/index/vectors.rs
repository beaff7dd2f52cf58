//! Vectors by the digest of their text. They are an input: the service computes or loads them, the engine only compares.

use std::collections::BTreeMap;
use std::sync::Arc;

use ambit_model::digest::Digest;

/// Unit vectors of one model.
#[derive(Clone, Debug, Default)]
pub struct Vectors(BTreeMap<Digest, Arc<[f32]>>);

impl Vectors {
    /// Adds the vector of a text.
    pub fn insert(&mut self, text: Digest, vector: Vec<f32>) {
        self.0.insert(text, vector.into());
    }

    /// Adds what others know.
    pub fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// The vector of this text, where it is known.
    pub fn get(&self, text: &Digest) -> Option<&[f32]> {
        self.0.get(text).map(AsRef::as_ref)
    }

    /// How many are known.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Nothing is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The vectors of these texts, looked up once to be compared often; a text that is not known has none.
    pub fn rows<'t>(&self, texts: impl IntoIterator<Item = &'t Digest>) -> Vec<Option<&[f32]>> {
        texts.into_iter().map(|text| self.get(text)).collect()
    }

    /// The best cosine of `asked` with any of these texts (MaxSim over rows), and which row it was. Unknown texts do not count.
    pub fn best<'a>(&self, asked: &[f32], texts: impl IntoIterator<Item = &'a Digest>) -> Option<(usize, f64)> {
        let known =
            texts.into_iter().enumerate().filter_map(|(row, text)| self.get(text).map(|v| (row, cosine(asked, v))));
        known.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))
    }
}

impl FromIterator<(Digest, Vec<f32>)> for Vectors {
    fn from_iter<I: IntoIterator<Item = (Digest, Vec<f32>)>>(pairs: I) -> Self {
        Self(pairs.into_iter().map(|(text, vector)| (text, vector.into())).collect())
    }
}

/// Cosine of two unit vectors: their dot product, summed in eight lanes in a fixed order, so that it is the same on every run.
pub fn cosine(a: &[f32], b: &[f32]) -> f64 {
    let mut lanes = [0.0_f32; 8];
    let (whole_a, rest_a) = a.as_chunks::<8>();
    let (whole_b, rest_b) = b.as_chunks::<8>();
    for (x, y) in whole_a.iter().zip(whole_b) {
        add(&mut lanes, x, y);
    }
    total(&lanes, rest_a, rest_b)
}

#[inline]
fn add(lanes: &mut [f32; 8], x: &[f32; 8], y: &[f32; 8]) {
    for ((lane, p), q) in lanes.iter_mut().zip(x).zip(y) {
        *lane += p * q;
    }
}

#[inline]
fn total(lanes: &[f32; 8], rest_a: &[f32], rest_b: &[f32]) -> f64 {
    let rest: f32 = rest_a.iter().zip(rest_b).map(|(p, q)| p * q).sum();
    f64::from(lanes.iter().sum::<f32>() + rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cosine_of_unit_vectors_is_their_dot_product() {
        let mut a = vec![0.0; 19];
        let mut b = vec![0.0; 19];
        for (position, value) in [(0, 0.6), (17, 0.8)] {
            if let Some(slot) = a.get_mut(position) {
                *slot = value;
            }
        }
        if let Some(slot) = b.get_mut(17) {
            *slot = 1.0;
        }
        assert!((cosine(&a, &b) - 0.8).abs() < 1e-6);
    }
}
