//! One transaction that writes; its beginning takes the database's only write lock, and dropping it undoes everything.
//! INVARIANT: what a writer reads inside stays true until it commits, in this process and in any other.

use sea_orm::{DatabaseTransaction, SqliteTransactionMode, TransactionOptions, TransactionTrait as _};
use tokio::sync::MutexGuard;

use super::{Store, StoreError};

/// A transaction with the write lock; without `commit` it never happened.
pub(super) struct Writing<'s> {
    store: &'s Store,
    doing: &'static str,
    transaction: DatabaseTransaction,
    _turn: MutexGuard<'s, ()>,
}

impl Store {
    /// Begins to write. A deferred transaction would read first and then find that somebody else had written.
    pub(super) async fn write(&self, doing: &'static str) -> Result<Writing<'_>, StoreError> {
        let turn = self.turn.lock().await;
        self.present()?;
        let immediate = TransactionOptions {
            sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
            ..TransactionOptions::default()
        };
        let transaction = self.database.begin_with_options(immediate).await.map_err(self.failed(doing))?;
        Ok(Writing { store: self, doing, transaction, _turn: turn })
    }
}

impl Writing<'_> {
    /// The transaction, for queries.
    pub(super) fn transaction(&self) -> &DatabaseTransaction {
        &self.transaction
    }

    /// Makes the typed error of what failed inside.
    pub(super) fn failed(&self) -> impl FnOnce(sea_orm::DbErr) -> StoreError + '_ {
        self.store.failed(self.doing)
    }

    /// Makes everything happen at once.
    pub(super) async fn commit(self) -> Result<(), StoreError> {
        let Self { store, doing, transaction, _turn } = self;
        transaction.commit().await.map_err(store.failed(doing))
    }
}
