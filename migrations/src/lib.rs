//! The database's shape, as migrations in the order in which they were made.
//! INVARIANT: a released migration never changes; a change of shape is a new migration.

mod m20261130_000001_first;
mod m20261130_000002_keys;
mod m20261130_000003_callers;
mod m20261130_000004_change_control;
mod m20261130_000005_winners;
mod m20261201_000003_feedback;

use std::collections::BTreeSet;

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::EntityTrait;
use sea_orm_migration::seaql_migrations;

/// All migrations, oldest first.
pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(m20261130_000001_first::Migration),
            Box::new(m20261130_000002_keys::Migration),
            Box::new(m20261130_000003_callers::Migration),
            Box::new(m20261130_000004_change_control::Migration),
            Box::new(m20261130_000005_winners::Migration),
            Box::new(m20261201_000003_feedback::Migration),
        ]
    }
}

/// Applies only the first so many migrations: for tests of what an older build left.
pub async fn migrate_to<'c>(database: impl IntoSchemaManagerConnection<'c>, steps: u32) -> Result<(), DbErr> {
    Migrator::up(database, Some(steps)).await
}

/// How a database's shape compares with the one this build knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// No build has made tables in it.
    pub fresh: bool,
    /// Migrations that the database still lacks.
    pub pending: Vec<String>,
    /// Migrations in the database that this build does not know: a newer build made them.
    pub unknown: Vec<String>,
}

/// Compares without writing, so that opening a database in use waits for nobody.
pub async fn standing<'c>(database: impl IntoSchemaManagerConnection<'c>) -> Result<Standing, DbErr> {
    let ours: BTreeSet<String> = Migrator::migrations().iter().map(|migration| migration.name().to_owned()).collect();
    let theirs = applied(&SchemaManager::new(database)).await?;
    Ok(Standing {
        fresh: theirs.is_empty(),
        pending: ours.difference(&theirs).cloned().collect(),
        unknown: theirs.difference(&ours).cloned().collect(),
    })
}

/// Applies what is pending; give it a transaction, so that half a migration is never seen.
pub async fn migrate<'c>(database: impl IntoSchemaManagerConnection<'c>) -> Result<(), DbErr> {
    Migrator::up(database, None).await
}

async fn applied(manager: &SchemaManager<'_>) -> Result<BTreeSet<String>, DbErr> {
    if !manager.has_table(seaql_migrations::Entity.to_string()).await? {
        return Ok(BTreeSet::new());
    }
    let rows = seaql_migrations::Entity::find().all(manager.get_connection()).await?;
    Ok(rows.into_iter().map(|row| row.version).collect())
}
