//! Models of projects, made once and kept ready for the next question; one that did not answer is left alone for a while.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use ambit_model::identity::ProjectId;
use ambit_model::llm::Llm;

use super::{Model, NoAnswer};
use crate::secrets::SecretPlaces;

/// How long one answer may take.
const PATIENCE: Duration = Duration::from_secs(8);
/// How long a model is kept: a secret that was changed is found by then.
const KEPT: Duration = Duration::from_secs(60);
/// How long a model is left alone that did not answer: others need not wait for it too.
const LEFT_ALONE: Duration = Duration::from_secs(30);

/// The models that were asked of late.
#[derive(Default)]
pub(crate) struct Models {
    known: Mutex<BTreeMap<ProjectId, Known>>,
}

struct Known {
    llm: Llm,
    model: Arc<Model>,
    made: Instant,
    silent: Option<Instant>,
}

impl Models {
    /// The model of this project.
    pub(crate) fn of(&self, project: &ProjectId, llm: &Llm, secrets: &SecretPlaces) -> Result<Arc<Model>, NoAnswer> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let earlier = known.get(project).filter(|known| known.llm == *llm);
        if let Some(earlier) = earlier {
            if earlier.silent.is_some_and(|since| since.elapsed() < LEFT_ALONE) {
                return Err(NoAnswer::GivenUp);
            }
            if earlier.made.elapsed() < KEPT {
                return Ok(Arc::clone(&earlier.model));
            }
        }
        let model = Arc::new(Model::new(project, llm, secrets, PATIENCE)?);
        let fresh = Known { llm: llm.clone(), model: Arc::clone(&model), made: Instant::now(), silent: None };
        known.insert(project.clone(), fresh);
        Ok(model)
    }

    /// Remembers how the project's model answered.
    pub(crate) fn heard(&self, project: &ProjectId, failure: Option<&NoAnswer>) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get_mut(project) {
            known.silent = failure.filter(|why| why.is_silence()).map(|_| Instant::now());
        }
    }
}
