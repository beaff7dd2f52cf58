//! Who a caller is to the live snapshot: for whom it asks, in which projects, how much it may use there, and what it may administer.

use std::collections::BTreeSet;

use ambit_model::administration::AdminAction;
use ambit_model::digest::Digest;
use ambit_model::identity::ProjectId;
use ambit_model::key::Asker;
use ambit_model::snapshot::SnapshotName;

use crate::Error;
use crate::administration::administers_in;
use crate::caller::{Caller, Wanted};
use crate::live::Live;

/// What a caller is.
pub struct Whoami {
    pub snapshot: SnapshotName,
    /// `key:<id>`, or the principal that a provider vouches for.
    pub label: String,
    /// In which it may use something.
    pub projects: Vec<ProjectId>,
    pub administers: BTreeSet<AdminAction>,
    /// Nothing where no project can be meant.
    pub asks: Option<Asks>,
}

/// For whom it asks, and how many tools it may name, be offered and call.
pub struct Asks {
    pub asker: Asker,
    pub view: Digest,
    /// Of the blocks in force of tools that it may name.
    pub overlay: Option<Digest>,
    /// The policies by which it acts for another.
    pub acting_by: Vec<String>,
    pub discover: usize,
    pub route: usize,
    pub invoke: usize,
}

/// Says who the caller is. A project or a user that it names must be its to name.
pub async fn who_am_i(caller: &Caller, live: &Live, wanted: &Wanted) -> Result<Whoami, Error> {
    let loaded = live.current().await?;
    let asks = match caller.view(&loaded, wanted) {
        Ok(seen) => {
            let (route, invoke) = seen.view.counts();
            let count = |tools: u64| usize::try_from(tools).unwrap_or(usize::MAX);
            Some(Asks {
                view: seen.view.digest.clone(),
                overlay: seen.overlay_digest(),
                acting_by: seen.view.acting_by.clone(),
                discover: seen.view.len(),
                route: count(route),
                invoke: count(invoke),
                asker: seen.asker,
            })
        }
        Err(Error::NothingHere | Error::WhichProject(_)) if wanted.project.is_none() => None,
        Err(error) => return Err(error),
    };
    Ok(Whoami {
        snapshot: loaded.name(),
        label: caller.label(),
        projects: caller.projects(&loaded),
        administers: administers_in(caller, &loaded),
        asks,
    })
}
