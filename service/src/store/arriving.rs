//! Vectors and winners that come from another data folder: all of a file or none of it.
//! INVARIANT: what is here stays: a vector of the same text that has other bits is counted and not taken.

use std::collections::BTreeMap;

use ambit_model::digest::Digest;

use super::vectors::{self, insert};
use super::winners::KeptWinners;
use super::writing::Writing;
use super::{Store, StoreError};

/// What came of some vectors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Arrived {
    /// New here.
    pub added: usize,
    /// Here already, bit by bit.
    pub known: usize,
    /// Here already with other bits, which stay.
    pub different: usize,
}

/// An import that is under way; without `commit` it never happened.
pub struct Arriving<'s>(Writing<'s>);

impl Store {
    /// Begins to take in what another data folder gave.
    pub async fn begin_arriving(&self) -> Result<Arriving<'_>, StoreError> {
        Ok(Arriving(self.write("import vectors").await?))
    }
}

impl Arriving<'_> {
    /// Takes vectors of texts that have none yet.
    pub async fn vectors(&self, model: &str, given: &[(Digest, Vec<f32>)]) -> Result<Arrived, StoreError> {
        let digests: Vec<&str> = given.iter().map(|(text, _)| text.as_str()).collect();
        let query = vectors::select(model, &digests);
        let rows = query.all(self.0.transaction()).await.map_err(self.0.failed())?;
        let here: BTreeMap<Digest, Vec<f32>> =
            rows.iter().map(|(text, bytes)| vectors::read(text, bytes)).collect::<Result<_, _>>()?;
        let mut arrived = Arrived::default();
        let mut new = Vec::new();
        for (text, vector) in given {
            match here.get(text) {
                None => new.push((text.clone(), vector.clone())),
                Some(known) if same_bits(known, vector) => arrived.known += 1,
                Some(_) => arrived.different += 1,
            }
        }
        arrived.added = new.len();
        insert(&self.0, model, &new).await?;
        Ok(arrived)
    }

    /// Takes winners of which there are none yet; says whether it did.
    pub async fn winners(&self, row: KeptWinners, today: &str) -> Result<bool, StoreError> {
        self.0.add_winners(row, today).await
    }

    /// Makes everything happen at once.
    pub async fn commit(self) -> Result<(), StoreError> {
        self.0.commit().await
    }
}

fn same_bits(a: &[f32], b: &[f32]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits())
}
