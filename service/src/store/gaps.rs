//! Gaps: needs that nothing could meet, kept so that whoever may grant can see what is missing.
//! INVARIANT: where a project keeps no questions, no word of one is stored, whatever the caller passes.

use std::collections::BTreeMap;

use ambit_model::identity::{Principal, ProjectId, ToolId};
use ambit_model::ratio::Score;
use ambit_model::route::GapCause;
use sea_orm::{ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _, QuerySelect as _, Set};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::entity::gap::{ActiveModel, Column, Entity, Model};
use super::{CHUNK, Store, StoreError};

/// How a project lets questions be kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Questions {
    /// Not at all.
    Off,
    /// With names, ids, numbers and quoted text replaced by their types.
    #[default]
    Typed,
    /// As asked.
    Text,
}

/// A gap on its way into the store.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NewGap {
    /// RFC 3339, UTC.
    pub at: String,
    /// The number of the snapshot that answered.
    pub snapshot: i64,
    pub project: ProjectId,
    pub principal: Principal,
    /// In the form that `questions` asks for; the store does not mask.
    pub question: Option<String>,
    /// The step's words, in the same form.
    pub step: Option<String>,
    pub cause: GapCause,
    /// The nearest tools of the view and their scores.
    pub nearest: BTreeMap<ToolId, Score>,
    pub questions: Questions,
}

/// A stored gap; later ones have higher ids.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredGap {
    pub id: i64,
    #[serde(flatten)]
    pub gap: NewGap,
}

/// Whose gaps to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GapScope {
    Everything,
    Tenant(String),
    Project(ProjectId),
}

impl Store {
    /// Keeps these gaps, all or none.
    pub async fn add_gaps(&self, gaps: &[NewGap]) -> Result<(), StoreError> {
        if gaps.is_empty() {
            return Ok(());
        }
        let rows = gaps.iter().map(row).collect::<Result<Vec<_>, _>>()?;
        let writing = self.write("store gaps").await?;
        for some in rows.chunks(CHUNK) {
            let insert = Entity::insert_many(some.iter().cloned());
            insert.exec_without_returning(writing.transaction()).await.map_err(writing.failed())?;
        }
        writing.commit().await
    }

    /// Gaps, newest first, at most `limit`; `before` is the last id of the page before.
    pub async fn gaps(&self, scope: &GapScope, before: Option<i64>, limit: u64) -> Result<Vec<StoredGap>, StoreError> {
        let mut query = match scope {
            GapScope::Everything => Entity::find(),
            GapScope::Tenant(tenant) => Entity::find().filter(Column::Tenant.eq(tenant)),
            GapScope::Project(project) => {
                Entity::find().filter(Column::Tenant.eq(&project.tenant)).filter(Column::Project.eq(&project.project))
            }
        };
        if let Some(id) = before {
            query = query.filter(Column::Id.lt(id));
        }
        let query = query.order_by_desc(Column::Id).limit(limit);
        let rows = query.all(&self.database).await.map_err(self.failed("read gaps"))?;
        rows.into_iter().map(read).collect()
    }
}

fn row(gap: &NewGap) -> Result<ActiveModel, StoreError> {
    // Postgres keeps no text with the character NUL.
    let kept = |words: &Option<String>| {
        let words = words.as_ref().filter(|_| gap.questions != Questions::Off);
        words.map(|words| words.replace('\0', "\u{fffd}"))
    };
    Ok(ActiveModel {
        at: Set(gap.at.clone()),
        snapshot: Set(gap.snapshot),
        tenant: Set(gap.project.tenant.clone()),
        project: Set(gap.project.project.clone()),
        principal: Set(gap.principal.to_string()),
        question: Set(kept(&gap.question)),
        step: Set(kept(&gap.step)),
        cause: Set(gap.cause.word().to_owned()),
        nearest: Set(serde_json::to_string(&gap.nearest).map_err(|error| StoreError::corrupt("a gap", error))?),
        questions: Set(gap.questions.word().to_owned()),
        ..ActiveModel::default()
    })
}

fn read(row: Model) -> Result<StoredGap, StoreError> {
    let corrupt = |detail: String| StoreError::corrupt(format!("gap {}", row.id), detail);
    Ok(StoredGap {
        id: row.id,
        gap: NewGap {
            project: ProjectId::parse(&format!("{}/{}", row.tenant, row.project), None).map_err(corrupt)?,
            principal: Principal::parse(&row.principal).map_err(corrupt)?,
            cause: from_word(&row.cause).map_err(corrupt)?,
            nearest: serde_json::from_str(&row.nearest).map_err(|error| corrupt(error.to_string()))?,
            questions: from_word(&row.questions).map_err(corrupt)?,
            at: row.at,
            snapshot: row.snapshot,
            question: row.question,
            step: row.step,
        },
    })
}

/// Reads back the word of a closed list.
pub(super) fn from_word<T: DeserializeOwned>(word: &str) -> Result<T, String> {
    serde_json::from_value(word.into()).map_err(|error| error.to_string())
}

impl Questions {
    /// The written word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Typed => "typed",
            Self::Text => "text",
        }
    }
}
