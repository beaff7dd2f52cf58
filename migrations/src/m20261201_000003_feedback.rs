//! What became of routes, as applications say.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, big_pk_auto, text, text_null};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(feedback()).await?;
        manager.create_index(by_project()).await
    }
}

fn feedback() -> TableCreateStatement {
    Table::create()
        .table(Feedback::Table)
        .col(big_pk_auto(Feedback::Id))
        .col(text(Feedback::At))
        .col(big_integer(Feedback::Snapshot))
        .col(text(Feedback::Tenant))
        .col(text(Feedback::Project))
        .col(text(Feedback::Principal))
        .col(text_null(Feedback::Question))
        .col(text_null(Feedback::Step))
        .col(text(Feedback::Outcome))
        .col(text_null(Feedback::Tool))
        .col(text_null(Feedback::Instead))
        .col(text(Feedback::Questions))
        .foreign_key(
            ForeignKey::create()
                .from(Feedback::Table, Feedback::Snapshot)
                .to(Alias::new("snapshot"), Alias::new("number")),
        )
        .take()
}

fn by_project() -> IndexCreateStatement {
    Index::create()
        .name("feedback_by_project")
        .table(Feedback::Table)
        .col(Feedback::Tenant)
        .col(Feedback::Project)
        .col(Feedback::Id)
        .take()
}

#[derive(DeriveIden)]
enum Feedback {
    Table,
    Id,
    At,
    Snapshot,
    Tenant,
    Project,
    Principal,
    Question,
    Step,
    Outcome,
    Tool,
    Instead,
    Questions,
}
