//! A row of `refusal`: how many requests of a day came from nobody who is known.
//! INVARIANT: a number and nothing else: what an unknown sender sent is not kept.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "refusal")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub day: String,
    pub requests: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
