//! A row of `block`: a tool that is taken away from everybody for now.
//! INVARIANT: at most one row a tool.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "block")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tool: String,
    pub reason: String,
    pub until: Option<String>,
    pub at: String,
    pub by: String,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
