//! A row of `gap`: a need that nothing could meet, as much of it as the project lets be kept.
//! INVARIANT: every row belongs to one tenant and one project.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "gap")]
pub(crate) struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub at: String,
    pub snapshot: i64,
    pub tenant: String,
    pub project: String,
    pub principal: String,
    pub question: Option<String>,
    pub step: Option<String>,
    pub cause: String,
    pub nearest: String,
    pub questions: String,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
