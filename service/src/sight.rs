//! What a reader sees of the live snapshot's authority: all of it, or the part that is its tenant's.
//! INVARIANT: who reads a part is answered from the part, so that nothing of another tenant can be in an answer.

use std::sync::Arc;

use ambit_engine::authority::Authority;
use ambit_model::administration::AdminAction;
use ambit_model::audit::WORKSPACE;
use ambit_model::policies::PolicyReport;
use ambit_model::snapshot::Snapshot;

use crate::Error;
use crate::administration::{denied, narrowed};
use crate::caller::Caller;
use crate::live::Live;
use crate::loaded::{Loaded, Part};

/// What is in sight.
pub(crate) struct Seen {
    /// The snapshot itself, for decisions about what is in sight.
    pub(crate) loaded: Arc<Loaded>,
    part: Option<Arc<Part>>,
}

impl Seen {
    /// What this caller sees; an error where it may read no snapshot.
    pub(crate) async fn by(caller: &Caller, live: &Live) -> Result<Self, Error> {
        let loaded = live.current().await?;
        let action = AdminAction::ReadSnapshot;
        let reach = narrowed(caller, &loaded, action);
        let part = match &reach.tenant {
            _ if reach.everything => None,
            Some(tenant) => Some(loaded.part(tenant)?),
            None => return Err(denied(caller, live, action, WORKSPACE, &reach.policies).await),
        };
        Ok(Self { loaded, part })
    }

    /// It is less than everything.
    pub(crate) fn is_part(&self) -> bool {
        self.part.is_some()
    }

    pub(crate) fn snapshot(&self) -> &Snapshot {
        self.part.as_ref().map_or(&self.loaded.snapshot, |part| &part.snapshot)
    }

    pub(crate) fn authority(&self) -> &Authority {
        self.part.as_ref().map_or_else(|| self.loaded.authority(), |part| &part.authority)
    }

    pub(crate) fn report(&self) -> &PolicyReport {
        self.part.as_ref().map_or(&self.loaded.record.policies, |part| &part.report)
    }
}
