//! A row of `vector`: what a model made of a text, as little-endian f32.
//! INVARIANT: the first vector of a (model, text) stays; a snapshot was calibrated with it.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "vector")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub model: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub text_digest: String,
    pub vector: Vec<u8>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
