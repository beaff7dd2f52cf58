//! A row of `access_key`: what is known of a key, and the digest of the whole key.
//! INVARIANT: the key itself is in no column.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "access_key")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub digest: String,
    pub name: String,
    pub principal: Option<String>,
    pub project: Option<String>,
    pub tools: String,
    pub created_at: String,
    pub created_by: String,
    pub expires_at: Option<String>,
    pub revoked_at: Option<String>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
