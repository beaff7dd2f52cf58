//! A row of `part`: one compiled piece of a snapshot under its digest.
//! INVARIANT: rows are added, never changed and never removed.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "part")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub digest: String,
    pub kind: String,
    pub body: String,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
