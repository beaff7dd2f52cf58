//! Keys and the sessions that people open with them. Secrets are kept as SHA-256 digests only.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{boolean, text, text_null};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(keys()).await?;
        manager.create_table(sessions()).await
    }
}

fn keys() -> TableCreateStatement {
    Table::create()
        .table(Key::Table)
        .col(text(Key::Id).primary_key())
        .col(text(Key::Digest))
        .col(text(Key::Name))
        .col(boolean(Key::Admin))
        .col(text_null(Key::Principal))
        .col(text_null(Key::Project))
        .col(text(Key::CreatedAt))
        .col(text(Key::CreatedBy))
        .col(text_null(Key::ExpiresAt))
        .col(text_null(Key::RevokedAt))
        .take()
}

fn sessions() -> TableCreateStatement {
    Table::create()
        .table(Session::Table)
        .col(text(Session::Digest).primary_key())
        .col(text(Session::Key))
        .col(text(Session::ExpiresAt))
        .foreign_key(ForeignKey::create().from(Session::Table, Session::Key).to(Key::Table, Key::Id))
        .take()
}

#[derive(DeriveIden)]
enum Key {
    #[sea_orm(iden = "access_key")]
    Table,
    Id,
    Digest,
    Name,
    Admin,
    Principal,
    Project,
    CreatedAt,
    CreatedBy,
    ExpiresAt,
    RevokedAt,
}

#[derive(DeriveIden)]
enum Session {
    Table,
    Digest,
    Key,
    ExpiresAt,
}
