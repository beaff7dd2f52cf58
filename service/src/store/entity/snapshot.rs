//! A row of `snapshot`: the record kept beside the parts.
//! INVARIANT: rows are added, never changed once their transaction is over; `digest` names the root part.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "snapshot")]
pub(crate) struct Model {
    #[sea_orm(primary_key)]
    pub number: i64,
    pub digest: String,
    pub source_digest: String,
    pub parent: Option<i64>,
    pub created_at: String,
    pub author: String,
    pub message: Option<String>,
    pub git_commit: Option<String>,
    pub tools: i64,
    pub report: String,
    pub policies: Option<String>,
    pub audit_head: Option<String>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
