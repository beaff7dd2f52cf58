//! Vectors by (model and runtime id, text digest), so that only new texts are embedded and starting embeds nothing.
//! INVARIANT: the first vector of a text stays: snapshots were calibrated with it. Bits come back as they were given.

use std::collections::BTreeMap;

use ambit_model::digest::Digest;
use sea_orm::{
    ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _, QuerySelect as _, SelectGetableTuple,
    Selector, Set, TryInsertResult,
};

use super::entity::vector::{ActiveModel, Column, Entity};
use super::writing::Writing;
use super::{CHUNK, Store, StoreError};

const F32: usize = size_of::<f32>();

impl Store {
    /// The stored vectors of these texts; what was never embedded with this model is absent.
    pub async fn vectors(&self, model: &str, texts: &[Digest]) -> Result<BTreeMap<Digest, Vec<f32>>, StoreError> {
        let mut found = BTreeMap::new();
        for some in texts.chunks(CHUNK) {
            let query = select(model, &some.iter().map(Digest::as_str).collect::<Vec<_>>());
            for (text, bytes) in query.all(&self.database).await.map_err(self.failed("read vectors"))? {
                let (digest, vector) = read(&text, &bytes)?;
                found.insert(digest, vector);
            }
        }
        Ok(found)
    }

    /// Keeps the vectors of texts that have none yet; says how many were new.
    pub async fn put_vectors(&self, model: &str, vectors: &[(Digest, Vec<f32>)]) -> Result<u64, StoreError> {
        if vectors.is_empty() {
            return Ok(0);
        }
        let writing = self.write("store vectors").await?;
        let added = insert(&writing, model, vectors).await?;
        writing.commit().await?;
        Ok(added)
    }

    /// Every model that something was embedded with, sorted.
    pub async fn vector_models(&self) -> Result<Vec<String>, StoreError> {
        let query = Entity::find().select_only().column(Column::Model).distinct().into_tuple::<String>();
        let mut models = query.all(&self.database).await.map_err(self.failed("read vectors"))?;
        // Databases sort texts by their own rules.
        models.sort();
        Ok(models)
    }

    /// At most so many vectors of a model whose texts' digests come after `last`. (Hexadecimal digits, which all databases sort alike.)
    pub async fn vectors_after(
        &self,
        model: &str,
        last: Option<&Digest>,
        most: usize,
    ) -> Result<BTreeMap<Digest, Vec<f32>>, StoreError> {
        let query = Entity::find()
            .select_only()
            .columns([Column::TextDigest, Column::Vector])
            .filter(Column::Model.eq(model))
            .filter(Column::TextDigest.gt(last.map(Digest::as_str).unwrap_or_default()))
            .order_by_asc(Column::TextDigest)
            .limit(u64::try_from(most).unwrap_or(u64::MAX))
            .into_tuple::<(String, Vec<u8>)>();
        let rows = query.all(&self.database).await.map_err(self.failed("read vectors"))?;
        rows.iter().map(|(text, bytes)| read(text, bytes)).collect()
    }
}

/// Vectors of these texts, with their digests.
pub(super) fn select(model: &str, texts: &[&str]) -> Selector<SelectGetableTuple<(String, Vec<u8>)>> {
    Entity::find()
        .select_only()
        .columns([Column::TextDigest, Column::Vector])
        .filter(Column::Model.eq(model))
        .filter(Column::TextDigest.is_in(texts.iter().copied()))
        .into_tuple()
}

/// Adds vectors of texts that have none yet; says how many were new.
pub(super) async fn insert(
    writing: &Writing<'_>,
    model: &str,
    vectors: &[(Digest, Vec<f32>)],
) -> Result<u64, StoreError> {
    let mut added = 0;
    for some in vectors.chunks(CHUNK) {
        let rows = some.iter().map(|(text, vector)| row(model, text, vector));
        let insert = Entity::insert_many(rows).on_conflict_do_nothing();
        let result = insert.exec_without_returning(writing.transaction()).await.map_err(writing.failed())?;
        if let TryInsertResult::Inserted(count) = result {
            added += count;
        }
    }
    Ok(added)
}

fn row(model: &str, text: &Digest, vector: &[f32]) -> ActiveModel {
    ActiveModel {
        model: Set(model.to_owned()),
        text_digest: Set(text.as_str().to_owned()),
        vector: Set(vector.iter().flat_map(|number| number.to_le_bytes()).collect()),
    }
}

pub(super) fn read(text: &str, bytes: &[u8]) -> Result<(Digest, Vec<f32>), StoreError> {
    let corrupt = |detail: &str| StoreError::corrupt(format!("the vector of text `{text}`"), detail);
    let digest = Digest::parse(text).ok_or_else(|| corrupt("its name is not a digest"))?;
    let (numbers, rest) = bytes.as_chunks::<F32>();
    if !rest.is_empty() {
        return Err(corrupt("its length is no whole count of numbers"));
    }
    Ok((digest, numbers.iter().map(|number| f32::from_le_bytes(*number)).collect()))
}
