//! Validating a plan against the caller's view of the live snapshot, before anything is called.

use ambit_engine::validate::{PlanContext, validate};
use ambit_model::plan::Verdict;

use crate::Error;
use crate::caller::Caller;
use crate::route::{For, Loaded};
use crate::store::Store;

/// The verdict on a plan's text; an error where the text is not JSON at all.
pub async fn validate_plan(_caller: &Caller, store: &Store, asker: &For, plan: &str) -> Result<Verdict, Error> {
    let loaded = Loaded::live(store).await?;
    let view = loaded.view(asker)?;
    let context = PlanContext { snapshot: loaded.record.number, snapshot_data: &loaded.snapshot, view: &view };
    validate(plan, &context).map_err(Error::Request)
}
