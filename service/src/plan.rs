//! Validating a plan against the caller's view of the live snapshot, before anything is called.

use ambit_engine::validate::{PlanContext, validate};
use ambit_model::plan::Verdict;

use crate::Error;
use crate::caller::{Caller, Wanted};
use crate::live::Live;

/// A plan's text and what its reader calls it.
pub struct Proposed {
    pub name: String,
    pub text: String,
}

/// The verdict on a plan; an error where the text is not JSON at all.
pub async fn validate_plan(caller: &Caller, live: &Live, wanted: &Wanted, plan: &Proposed) -> Result<Verdict, Error> {
    let loaded = live.current().await?;
    let seen = caller.view(&loaded, wanted)?;
    let (snapshot, snapshot_data) = (loaded.record.number, &loaded.snapshot);
    let context = PlanContext { snapshot, snapshot_data, view: &seen.view, blocks: seen.blocks() };
    let verdict = validate(&plan.text, &context).map_err(|mut diagnostic| {
        if let Some(place) = &mut diagnostic.place {
            place.file.clone_from(&plan.name);
        }
        Error::Request(diagnostic)
    })?;
    Ok(Verdict { overlay: seen.overlay_digest(), ..verdict })
}
