//! What a server answered, as it wrote it: `rmcp` learns the meaning, and the text of each result waits here to be taken.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Deserialize;
use serde_json::value::RawValue;

use super::Trouble;

/// Shared by a transport and by who asks through it.
#[derive(Clone, Debug, Default)]
pub(super) struct Heard(Arc<Mutex<Inner>>);

#[derive(Debug, Default)]
struct Inner {
    /// By the id of the request; the first answer counts.
    results: BTreeMap<String, String>,
    /// Why nothing more is heard.
    trouble: Option<Trouble>,
}

/// A message as far as it is an answer.
#[derive(Deserialize)]
struct Answer<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
}

impl Heard {
    /// Keeps the result of a message that has one.
    pub(super) fn note(&self, message: &str) {
        let Ok(Answer { id: Some(id), result: Some(result) }) = serde_json::from_str(message) else { return };
        let id = id.get().trim_matches('"').to_owned();
        self.inner().results.entry(id).or_insert_with(|| result.get().to_owned());
    }

    /// The result of the request with this id.
    pub(super) fn take(&self, id: &str) -> Option<String> {
        self.inner().results.remove(id)
    }

    /// Nothing more will be heard.
    pub(super) fn fail(&self, trouble: Trouble) {
        self.inner().trouble.get_or_insert(trouble);
    }

    /// Why nothing more is heard, once.
    pub(super) fn trouble(&self) -> Option<Trouble> {
        self.inner().trouble.take()
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
