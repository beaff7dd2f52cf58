//! One transaction that writes; its beginning takes the database's only lock for writers, and dropping it undoes everything.
//! INVARIANT: what a writer reads inside stays true until it commits, in this process and in any other.

use std::time::Duration;

use sea_orm::{
    ConnectionTrait as _, DatabaseTransaction, DbErr, IsolationLevel, SqliteTransactionMode, TransactionOptions,
    TransactionTrait as _,
};
use tokio::sync::MutexGuard;

use super::{Store, StoreError};

/// The number that writers to a Postgres database agree on: `ambit` in ASCII.
const LOCK: i64 = 0x61_6D_62_69_74;
/// A writer that says nothing for so long in the middle is cut off by the server, so that it holds up nobody for good.
const STALLED: Duration = Duration::from_secs(30);

/// A transaction with the write lock; without `commit` it never happened.
pub(super) struct Writing<'s> {
    store: &'s Store,
    doing: &'static str,
    transaction: DatabaseTransaction,
    _turn: MutexGuard<'s, ()>,
}

impl Store {
    /// Begins to write, when it is this one's turn in this process and among all others.
    pub(super) async fn write(&self, doing: &'static str) -> Result<Writing<'_>, StoreError> {
        let turn = self.turn.lock().await;
        self.present()?;
        let transaction = match self.place.server() {
            None => self.begin_on_file().await,
            Some(_) => self.begin_on_server().await,
        };
        Ok(Writing { store: self, doing, transaction: transaction.map_err(self.failed(doing))?, _turn: turn })
    }

    /// A deferred transaction would read first and then find that somebody else had written.
    async fn begin_on_file(&self) -> Result<DatabaseTransaction, DbErr> {
        let immediate = TransactionOptions {
            sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
            ..TransactionOptions::default()
        };
        self.database.begin_with_options(immediate).await
    }

    /// Postgres has no lock of the whole database, so writers agree on a number. It is let go when the transaction ends, however it
    /// ends. Each statement reads what was committed before it: a transaction that reads as of its beginning would have begun
    /// before its turn came.
    async fn begin_on_server(&self) -> Result<DatabaseTransaction, DbErr> {
        let each_reads_the_newest = TransactionOptions {
            isolation_level: Some(IsolationLevel::ReadCommitted),
            ..TransactionOptions::default()
        };
        let transaction = self.database.begin_with_options(each_reads_the_newest).await?;
        let take_turn = format!(
            "SET LOCAL lock_timeout = {}; SET LOCAL idle_in_transaction_session_timeout = {}; \
             SELECT pg_advisory_xact_lock({LOCK})",
            self.patience.as_millis(),
            STALLED.as_millis()
        );
        transaction.execute_unprepared(&take_turn).await?;
        Ok(transaction)
    }
}

impl Writing<'_> {
    /// The transaction, for queries.
    pub(super) fn transaction(&self) -> &DatabaseTransaction {
        &self.transaction
    }

    /// Makes the typed error of what failed inside.
    pub(super) fn failed(&self) -> impl FnOnce(DbErr) -> StoreError + '_ {
        self.store.failed(self.doing)
    }

    /// Makes everything happen at once.
    pub(super) async fn commit(self) -> Result<(), StoreError> {
        let Self { store, doing, transaction, _turn } = self;
        transaction.commit().await.map_err(store.failed(doing))
    }
}
