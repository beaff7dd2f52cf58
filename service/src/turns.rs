//! Turns at measuring how tools fare. It keeps every processor busy, so only a few measure at once, whatever they were asked for.

use std::sync::{Arc, LazyLock};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::Error;

const TURNS: usize = 2;
static TURN: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(TURNS)));

/// Waits for a turn; it is given back when it is dropped.
pub(crate) async fn measuring() -> Result<OwnedSemaphorePermit, Error> {
    Arc::clone(&TURN).acquire_owned().await.map_err(|_| Error::Interrupted)
}
