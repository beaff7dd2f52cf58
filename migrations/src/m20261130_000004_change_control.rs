//! What compiling found out about a snapshot's policies, and tools that are blocked for now.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{text, text_null};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .alter_table(Table::alter().table(Snapshot::Table).add_column(text_null(Snapshot::Policies)).take())
            .await?;
        manager.create_table(blocks()).await
    }
}

fn blocks() -> TableCreateStatement {
    Table::create()
        .table(Block::Table)
        .col(text(Block::Tool).primary_key())
        .col(text(Block::Reason))
        .col(text_null(Block::Until))
        .col(text(Block::At))
        .col(text(Block::By))
        .take()
}

#[derive(DeriveIden)]
enum Snapshot {
    Table,
    Policies,
}

#[derive(DeriveIden)]
enum Block {
    Table,
    Tool,
    Reason,
    Until,
    At,
    By,
}
