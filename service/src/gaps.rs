//! Gaps on their way into the store: an answer never waits for them, and a store that is away for a while loses none of the
//! first [`MOST_WAITING`]; what comes on top is counted.

use std::sync::{Mutex, PoisonError};

use crate::Error;
use crate::store::{NewGap, Store};

/// Most gaps that wait; what comes on top while the store is away is counted and let go.
const MOST_WAITING: usize = 10_000;

/// Gaps that wait to be stored.
#[derive(Default)]
pub(crate) struct GapQueue(Mutex<Waiting>);

#[derive(Default)]
struct Waiting {
    gaps: Vec<NewGap>,
    lost: usize,
}

impl GapQueue {
    /// Lets these wait.
    pub(crate) fn add(&self, gaps: impl IntoIterator<Item = NewGap>) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for gap in gaps {
            if waiting.gaps.len() < MOST_WAITING {
                waiting.gaps.push(gap);
            } else {
                waiting.lost += 1;
            }
        }
    }

    /// Stores what waits; on a failure it goes on waiting.
    pub(crate) async fn flush(&self, store: &Store) -> Result<(), Error> {
        let Waiting { gaps, lost } = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        if let Err(error) = store.add_gaps(&gaps).await {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).lost += lost;
            self.add(gaps);
            return Err(error.into());
        }
        if lost > 0 {
            tracing::warn!(lost, "the data folder was away too long, so some gaps were not kept");
        }
        Ok(())
    }
}
