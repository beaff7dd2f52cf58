//! A row of `winners`: what compiling a project found out about meaning, in a form that only the engine reads.
//! INVARIANT: a cache; a row that is lost or stale changes nothing but the time that the next compile takes.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "winners")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub model: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub scorer: i32,
    #[sea_orm(primary_key, auto_increment = false)]
    pub project: String,
    pub kept: Vec<u8>,
    /// The day on which it was written, `YYYY-MM-DD`.
    pub touched: String,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
