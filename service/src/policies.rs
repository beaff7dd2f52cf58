//! The policies of the live snapshot with their text, what compiling found out about each, and how its tests ended.

use ambit_engine::authority::BUILT_IN_PREFIX;
use ambit_model::policies::{ListedPolicy, PolicyList, PolicyNote};

use crate::Error;
use crate::caller::Caller;
use crate::live::Live;
use crate::sight::Seen;

/// Lists the policies and tests that the caller may see, the built-in policies first.
pub async fn list_policies(caller: &Caller, live: &Live) -> Result<PolicyList, Error> {
    let seen = Seen::by(caller, live).await?;
    let report = seen.report();
    let listed = seen.authority().written_policies().map(|(id, mut named)| {
        let note = report.note(&id).cloned();
        named.place = note.as_ref().and_then(PolicyNote::place);
        ListedPolicy { built_in: id.starts_with(BUILT_IN_PREFIX), id, named, note }
    });
    let policies = listed.collect();
    Ok(PolicyList { snapshot: seen.loaded.name(), complete: true, policies, tests: report.tests.clone() })
}
