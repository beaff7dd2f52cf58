//! A row of `audit`: one act of administration, chained to the one before it.
//! INVARIANT: append-only, but that payload and salt can be taken out together.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "audit")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub sequence: i64,
    pub at: String,
    pub tenant: Option<String>,
    pub action: String,
    pub outcome: String,
    pub payload: Option<String>,
    pub salt: Option<String>,
    pub payload_digest: String,
    pub former: String,
    pub hash: String,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
