//! The first tables: parts, snapshots, activations, vectors and gaps.
//! Times are RFC 3339 text and JSON is text, so that SQLite and Postgres hold the same bytes.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, big_integer_null, big_pk_auto, blob, text, text_null};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [parts(), snapshots(), activations(), vectors(), gaps()] {
            manager.create_table(table).await?;
        }
        manager.create_index(gaps_by_project()).await
    }
}

fn parts() -> TableCreateStatement {
    Table::create()
        .table(Part::Table)
        .col(text(Part::Digest).primary_key())
        .col(text(Part::Kind))
        .col(text(Part::Body))
        .take()
}

fn snapshots() -> TableCreateStatement {
    Table::create()
        .table(Snapshot::Table)
        .col(big_pk_auto(Snapshot::Number))
        .col(text(Snapshot::Digest))
        .col(text(Snapshot::SourceDigest))
        .col(big_integer_null(Snapshot::Parent))
        .col(text(Snapshot::CreatedAt))
        .col(text(Snapshot::Author))
        .col(text_null(Snapshot::Message))
        .col(text_null(Snapshot::GitCommit))
        .col(big_integer(Snapshot::Tools))
        .col(text(Snapshot::Report))
        .foreign_key(ForeignKey::create().from(Snapshot::Table, Snapshot::Digest).to(Part::Table, Part::Digest))
        .foreign_key(ForeignKey::create().from(Snapshot::Table, Snapshot::Parent).to(Snapshot::Table, Snapshot::Number))
        .take()
}

fn activations() -> TableCreateStatement {
    Table::create()
        .table(Activation::Table)
        .col(big_pk_auto(Activation::Sequence))
        .col(big_integer(Activation::Snapshot))
        .col(text(Activation::Kind))
        .col(text(Activation::At))
        .col(text(Activation::By))
        .col(text_null(Activation::Reason))
        .foreign_key(
            ForeignKey::create().from(Activation::Table, Activation::Snapshot).to(Snapshot::Table, Snapshot::Number),
        )
        .take()
}

fn vectors() -> TableCreateStatement {
    Table::create()
        .table(Vector::Table)
        .col(text(Vector::Model))
        .col(text(Vector::TextDigest))
        .col(blob(Vector::Vector))
        .primary_key(Index::create().col(Vector::Model).col(Vector::TextDigest))
        .take()
}

fn gaps() -> TableCreateStatement {
    Table::create()
        .table(Gap::Table)
        .col(big_pk_auto(Gap::Id))
        .col(text(Gap::At))
        .col(big_integer(Gap::Snapshot))
        .col(text(Gap::Tenant))
        .col(text(Gap::Project))
        .col(text(Gap::Principal))
        .col(text_null(Gap::Question))
        .col(text_null(Gap::Step))
        .col(text(Gap::Cause))
        .col(text(Gap::Nearest))
        .col(text(Gap::Questions))
        .foreign_key(ForeignKey::create().from(Gap::Table, Gap::Snapshot).to(Snapshot::Table, Snapshot::Number))
        .take()
}

fn gaps_by_project() -> IndexCreateStatement {
    Index::create().name("gap_by_project").table(Gap::Table).col(Gap::Tenant).col(Gap::Project).col(Gap::Id).take()
}

#[derive(DeriveIden)]
enum Part {
    Table,
    Digest,
    Kind,
    Body,
}

#[derive(DeriveIden)]
enum Snapshot {
    Table,
    Number,
    Digest,
    SourceDigest,
    Parent,
    CreatedAt,
    Author,
    Message,
    GitCommit,
    Tools,
    Report,
}

#[derive(DeriveIden)]
enum Activation {
    Table,
    Sequence,
    Snapshot,
    Kind,
    At,
    By,
    Reason,
}

#[derive(DeriveIden)]
#[expect(clippy::enum_variant_names, reason = "the column is called as its table is")]
enum Vector {
    Table,
    Model,
    TextDigest,
    Vector,
}

#[derive(DeriveIden)]
enum Gap {
    Table,
    Id,
    At,
    Snapshot,
    Tenant,
    Project,
    Principal,
    Question,
    Step,
    Cause,
    Nearest,
    Questions,
}
