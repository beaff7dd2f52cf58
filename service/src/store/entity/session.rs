//! A row of `session`: the digest of a cookie, and the key that it was opened with or the claims that a provider vouched for.
//! INVARIANT: the cookie itself is in no column.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "session")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub digest: String,
    pub key: Option<String>,
    pub claims: Option<String>,
    pub expires_at: String,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
