//! Keys with a scope, sessions of people whom an identity provider vouches for, and the audit.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, text, text_null};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // A session lasts hours: whoever had one signs in again.
        manager.drop_table(Table::drop().table(Session::Table).take()).await?;
        manager.create_table(sessions()).await?;
        // Policies say who administers. A key without a principal, which only administered, opens nothing from here on.
        manager.alter_table(Table::alter().table(Key::Table).drop_column(Key::Admin).take()).await?;
        manager.alter_table(Table::alter().table(Key::Table).add_column(text(Key::Tools).default("[]")).take()).await?;
        manager
            .alter_table(Table::alter().table(Snapshot::Table).add_column(text_null(Snapshot::AuditHead)).take())
            .await?;
        manager.create_table(audit()).await?;
        manager.create_table(refusals()).await
    }
}

fn sessions() -> TableCreateStatement {
    Table::create()
        .table(Session::Table)
        .col(text(Session::Digest).primary_key())
        .col(text_null(Session::Key))
        .col(text_null(Session::Claims))
        .col(text(Session::ExpiresAt))
        .foreign_key(ForeignKey::create().from(Session::Table, Session::Key).to(Key::Table, Key::Id))
        .take()
}

fn audit() -> TableCreateStatement {
    Table::create()
        .table(Audit::Table)
        .col(big_integer(Audit::Sequence).primary_key())
        .col(text(Audit::At))
        .col(text_null(Audit::Tenant))
        .col(text(Audit::Action))
        .col(text(Audit::Outcome))
        .col(text_null(Audit::Payload))
        .col(text_null(Audit::Salt))
        .col(text(Audit::PayloadDigest))
        .col(text(Audit::Former))
        .col(text(Audit::Hash))
        .take()
}

fn refusals() -> TableCreateStatement {
    Table::create()
        .table(Refusal::Table)
        .col(text(Refusal::Day).primary_key())
        .col(big_integer(Refusal::Requests))
        .take()
}

#[derive(DeriveIden)]
enum Key {
    #[sea_orm(iden = "access_key")]
    Table,
    Id,
    Admin,
    Tools,
}

#[derive(DeriveIden)]
enum Session {
    Table,
    Digest,
    Key,
    Claims,
    ExpiresAt,
}

#[derive(DeriveIden)]
enum Snapshot {
    Table,
    AuditHead,
}

#[derive(DeriveIden)]
enum Audit {
    Table,
    Sequence,
    At,
    Tenant,
    Action,
    Outcome,
    Payload,
    Salt,
    PayloadDigest,
    Former,
    Hash,
}

#[derive(DeriveIden)]
enum Refusal {
    Table,
    Day,
    Requests,
}
