//! What compiling found out about meaning, so that the next compile compares only what changed.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{blob, integer, text};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .create_table(
                Table::create()
                    .table(Winners::Table)
                    .col(text(Winners::Model))
                    .col(integer(Winners::Scorer))
                    .col(text(Winners::Project))
                    .col(blob(Winners::Kept))
                    .col(text(Winners::Touched))
                    .primary_key(Index::create().col(Winners::Model).col(Winners::Scorer).col(Winners::Project))
                    .take(),
            )
            .await
    }
}

#[derive(DeriveIden)]
enum Winners {
    Table,
    Model,
    Scorer,
    Project,
    Kept,
    Touched,
}
