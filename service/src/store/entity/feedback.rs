//! A row of `feedback`: what became of a route, with as much of its question as the project lets be kept.
//! INVARIANT: every row belongs to one tenant and one project.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "feedback")]
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
    pub outcome: String,
    pub tool: Option<String>,
    pub instead: Option<String>,
    pub questions: String,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
