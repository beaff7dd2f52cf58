//! A row of `activation`: what became live when, by whom and why.
//! INVARIANT: append-only; the row with the highest sequence is live.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "activation")]
pub(crate) struct Model {
    #[sea_orm(primary_key)]
    pub sequence: i64,
    pub snapshot: i64,
    pub kind: String,
    pub at: String,
    pub by: String,
    pub reason: Option<String>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
