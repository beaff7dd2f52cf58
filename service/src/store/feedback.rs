//! What became of routes, as those who asked for them say; the newest of each project.
//! INVARIANT: where a project keeps no questions, no word of one is stored, whatever the caller passes.

use std::collections::BTreeSet;

use ambit_model::feedback::FeedbackOutcome;
use ambit_model::identity::{Principal, ProjectId, ToolId};
use sea_orm::{
    ColumnTrait as _, Condition, EntityTrait as _, QueryFilter as _, QueryOrder as _, QuerySelect as _, Set,
};
use serde::Serialize;

use super::entity::feedback::{ActiveModel, Column, Entity, Model};
use super::gaps::from_word;
use super::{Questions, Store, StoreError};

/// Most that is kept of one project; the oldest go first.
pub const MOST_KEPT: u64 = 10_000;

/// What became of a route, on its way into the store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NewFeedback {
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
    pub outcome: FeedbackOutcome,
    /// The tool that served, or did not fit.
    pub tool: Option<ToolId>,
    /// The tool that served in its place.
    pub instead: Option<ToolId>,
    pub questions: Questions,
}

/// What is stored; later ones have higher ids. An id counts what all tenants said, so it goes through no door.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    pub id: i64,
    pub feedback: NewFeedback,
}

/// Whose feedback to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FeedbackScope {
    Everything,
    Tenant(String),
    Projects(BTreeSet<ProjectId>),
}

impl Store {
    /// Keeps it, and drops what is then too much of its project; how many those are.
    pub async fn add_feedback(&self, feedback: &NewFeedback, most: u64) -> Result<u64, StoreError> {
        let writing = self.write("store feedback").await?;
        let insert = Entity::insert(row(feedback));
        insert.exec_without_returning(writing.transaction()).await.map_err(writing.failed())?;
        let first_too_many = Entity::find()
            .filter(of_project(&feedback.project))
            .order_by_desc(Column::Id)
            .offset(most)
            .limit(1)
            .one(writing.transaction())
            .await
            .map_err(writing.failed())?;
        let mut dropped = 0;
        if let Some(oldest) = first_too_many {
            let too_many =
                Entity::delete_many().filter(of_project(&feedback.project)).filter(Column::Id.lte(oldest.id));
            dropped = too_many.exec(writing.transaction()).await.map_err(writing.failed())?.rows_affected;
        }
        writing.commit().await?;
        Ok(dropped)
    }

    /// Newest first, at most `limit` after the first `skip`; of one tool alone where one is named, whether it served or not.
    pub async fn feedback(
        &self,
        scope: &FeedbackScope,
        tool: Option<&str>,
        skip: u64,
        limit: u64,
    ) -> Result<Vec<Stored>, StoreError> {
        let of = match scope {
            FeedbackScope::Everything => Condition::all(),
            FeedbackScope::Tenant(tenant) => Condition::all().add(Column::Tenant.eq(tenant)),
            FeedbackScope::Projects(projects) if projects.is_empty() => return Ok(Vec::new()),
            FeedbackScope::Projects(projects) => {
                projects.iter().fold(Condition::any(), |any, project| any.add(of_project(project)))
            }
        };
        let mut query = Entity::find().filter(of);
        if let Some(tool) = tool {
            // No id holds the character NUL, and Postgres takes no text with it.
            if tool.contains('\0') {
                return Ok(Vec::new());
            }
            query = query.filter(Condition::any().add(Column::Tool.eq(tool)).add(Column::Instead.eq(tool)));
        }
        let query = query.order_by_desc(Column::Id).offset(skip).limit(limit);
        let rows = query.all(&self.database).await.map_err(self.failed("read feedback"))?;
        rows.into_iter().map(read).collect()
    }
}

fn of_project(project: &ProjectId) -> Condition {
    Condition::all().add(Column::Tenant.eq(&project.tenant)).add(Column::Project.eq(&project.project))
}

fn row(feedback: &NewFeedback) -> ActiveModel {
    // Postgres keeps no text with the character NUL.
    let kept = |words: &Option<String>| {
        let words = words.as_ref().filter(|_| feedback.questions != Questions::Off);
        words.map(|words| words.replace('\0', "\u{fffd}"))
    };
    let id = |tool: &Option<ToolId>| tool.as_ref().map(ToString::to_string);
    ActiveModel {
        at: Set(feedback.at.clone()),
        snapshot: Set(feedback.snapshot),
        tenant: Set(feedback.project.tenant.clone()),
        project: Set(feedback.project.project.clone()),
        principal: Set(feedback.principal.to_string()),
        question: Set(kept(&feedback.question)),
        step: Set(kept(&feedback.step)),
        outcome: Set(feedback.outcome.word().to_owned()),
        tool: Set(id(&feedback.tool)),
        instead: Set(id(&feedback.instead)),
        questions: Set(feedback.questions.word().to_owned()),
        ..ActiveModel::default()
    }
}

fn read(row: Model) -> Result<Stored, StoreError> {
    let corrupt = |detail: String| StoreError::corrupt(format!("feedback {}", row.id), detail);
    let tool = |text: Option<String>| {
        let parse = |text: String| ToolId::parse(&text).ok_or(format!("`{text}` is not the id of a tool"));
        text.map(parse).transpose()
    };
    Ok(Stored {
        id: row.id,
        feedback: NewFeedback {
            project: ProjectId::parse(&format!("{}/{}", row.tenant, row.project), None).map_err(corrupt)?,
            principal: Principal::parse(&row.principal).map_err(corrupt)?,
            outcome: from_word(&row.outcome).map_err(corrupt)?,
            tool: tool(row.tool).map_err(corrupt)?,
            instead: tool(row.instead).map_err(corrupt)?,
            questions: from_word(&row.questions).map_err(corrupt)?,
            at: row.at,
            snapshot: row.snapshot,
            question: row.question,
            step: row.step,
        },
    })
}
