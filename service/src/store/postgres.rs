//! Connections to a Postgres server, each to the one database that was opened.
//! A connection stays with its database for life, so looking once, when it is made, is enough.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sea_orm::sqlx::postgres::{PgConnection, PgPoolOptions};
use sea_orm::sqlx::{ConnectOptions as _, Connection as _, query_scalar};
use sea_orm::{DatabaseConnection, SqlxError};

use super::place::Server;

/// A round trip holds a connection longer than a file does, and a server of many tenants has a hundred to share.
const CONNECTIONS: u32 = 8;

/// Connects, and says from then on whether what was reached last was another database than the first.
pub(super) async fn connect(
    server: &Server,
    patience: Duration,
) -> Result<(DatabaseConnection, Arc<AtomicBool>), SqlxError> {
    // Statements are logged nowhere: the slow ones would be by default, and where they fail, whoever asked says so.
    let options = server.options.clone().disable_statement_logging();
    // By itself, because a pool would ask again and again and then say nothing but that it had waited.
    let first = tokio::time::timeout(patience, PgConnection::connect_with(&options));
    let mut first = first.await.map_err(|_| SqlxError::PoolTimedOut)??;
    let opened = identity(&mut first).await?;
    first.close().await?;
    let replaced = Arc::new(AtomicBool::new(false));
    let pool = PgPoolOptions::new()
        .max_connections(CONNECTIONS)
        .acquire_timeout(patience + Duration::from_secs(1))
        .after_connect({
            let replaced = Arc::clone(&replaced);
            move |connection, _| {
                let replaced = Arc::clone(&replaced);
                Box::pin(async move {
                    let other = identity(connection).await? != opened;
                    replaced.store(other, Ordering::Relaxed);
                    if other { Err(another_database()) } else { Ok(()) }
                })
            }
        })
        .connect_lazy_with(options);
    Ok((DatabaseConnection::from(pool), replaced))
}

/// Which database a connection leads to: the cluster, where the server tells, and the database's number in it. A copy that was
/// restored elsewhere has others; a standby that took over has the same.
async fn identity(connection: &mut PgConnection) -> Result<(Option<i64>, i64), SqlxError> {
    let database = "SELECT oid::int8 FROM pg_database WHERE datname = current_database()";
    let database = query_scalar(database).fetch_one(&mut *connection).await?;
    match query_scalar("SELECT system_identifier FROM pg_control_system()").fetch_one(connection).await {
        Ok(cluster) => Ok((Some(cluster), database)),
        // Some providers let nobody ask.
        Err(SqlxError::Database(_)) => Ok((None, database)),
        Err(error) => Err(error),
    }
}

fn another_database() -> SqlxError {
    SqlxError::Configuration("this is another database than the one that was opened".into())
}
