//! The intake report of a stored snapshot: what was refused and what is worth a look, as far as the caller may read it.

use ambit_model::administration::AdminAction;
use ambit_model::snapshot::SnapshotRecord;

use crate::Error;
use crate::administration::reach;
use crate::caller::Caller;
use crate::live::Live;
use crate::snapshots::{cut_record, find};

/// The record of a snapshot, with its report; the live one where no number is given.
pub async fn read_intake(caller: &Caller, live: &Live, number: Option<i64>) -> Result<SnapshotRecord, Error> {
    let reach = reach(caller, live, AdminAction::ReadIntake).await?;
    let record = find(live.store(), number).await?;
    let tenant = caller.principal().filter(|_| !reach.everything).map(|own| &own.tenant);
    let Some(tenant) = tenant else { return Ok(record) };
    let catalogs = live.ownership(&record).await?.of_tenant(tenant, &reach.catalogs);
    Ok(cut_record(record, &catalogs))
}
