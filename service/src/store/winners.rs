//! What compiling found out about meaning, by model, version of the scorer and project. Only the engine reads it.
//! INVARIANT: a cache: writing it is never part of another act, and what nobody wrote for a season is dropped.

use std::collections::BTreeMap;

use ambit_model::identity::ProjectId;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ColumnTrait as _, EntityTrait as _, QueryFilter as _, QuerySelect as _, Set};

use super::entity::winners::{ActiveModel, Column, Entity};
use super::writing::Writing;
use super::{Store, StoreError};

/// One row, as it travels between data folders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptWinners {
    pub model: String,
    pub scorer: i32,
    pub project: String,
    pub kept: Vec<u8>,
}

const READING: &str = "read the winners";

impl Store {
    /// What is kept of each of these projects.
    pub async fn winners(
        &self,
        model: &str,
        scorer: i32,
        projects: &[ProjectId],
    ) -> Result<BTreeMap<ProjectId, Vec<u8>>, StoreError> {
        let query = Entity::find()
            .filter(Column::Model.eq(model))
            .filter(Column::Scorer.eq(scorer))
            .filter(Column::Project.is_in(projects.iter().map(ToString::to_string)));
        let rows = query.all(&self.database).await.map_err(self.failed(READING))?;
        let named =
            rows.into_iter().filter_map(|row| ProjectId::parse(&row.project, None).ok().map(|id| (id, row.kept)));
        Ok(named.collect())
    }

    /// What is kept, in the order of its key, without the blobs: they can be large.
    pub async fn winners_kept(&self) -> Result<Vec<KeptWinners>, StoreError> {
        let query = Entity::find()
            .select_only()
            .columns([Column::Model, Column::Scorer, Column::Project])
            .into_tuple::<(String, i32, String)>();
        let mut rows = query.all(&self.database).await.map_err(self.failed(READING))?;
        // Databases sort texts by their own rules.
        rows.sort();
        let named = |(model, scorer, project)| KeptWinners { model, scorer, project, kept: Vec::new() };
        Ok(rows.into_iter().map(named).collect())
    }

    /// The same with its blob; nothing where it is gone.
    pub async fn winners_of(&self, named: KeptWinners) -> Result<Option<KeptWinners>, StoreError> {
        let key = (named.model.clone(), named.scorer, named.project.clone());
        let row = Entity::find_by_id(key).one(&self.database).await.map_err(self.failed(READING))?;
        Ok(row.map(|row| KeptWinners { kept: row.kept, ..named }))
    }

    /// Keeps what a compile of `today` found out, in place of what was kept, and drops what nobody wrote since `before`.
    pub async fn put_winners(&self, rows: Vec<KeptWinners>, today: &str, before: &str) -> Result<(), StoreError> {
        let writing = self.write("store winners").await?;
        let stale = Entity::delete_many().filter(Column::Touched.lt(before));
        stale.exec(writing.transaction()).await.map_err(writing.failed())?;
        for row in rows {
            let replace = OnConflict::columns([Column::Model, Column::Scorer, Column::Project])
                .update_columns([Column::Kept, Column::Touched])
                .to_owned();
            let insert = Entity::insert(active(row, today)).on_conflict(replace);
            insert.exec_without_returning(writing.transaction()).await.map_err(writing.failed())?;
        }
        writing.commit().await
    }
}

impl Writing<'_> {
    /// Keeps winners of which nothing is kept yet; says whether it was.
    pub(super) async fn add_winners(&self, row: KeptWinners, today: &str) -> Result<bool, StoreError> {
        let insert = Entity::insert_many([active(row, today)]).on_conflict_do_nothing();
        let result = insert.exec_without_returning(self.transaction()).await.map_err(self.failed())?;
        Ok(matches!(result, sea_orm::TryInsertResult::Inserted(1)))
    }
}

fn active(row: KeptWinners, today: &str) -> ActiveModel {
    ActiveModel {
        model: Set(row.model),
        scorer: Set(row.scorer),
        project: Set(row.project),
        kept: Set(row.kept),
        touched: Set(today.to_owned()),
    }
}
