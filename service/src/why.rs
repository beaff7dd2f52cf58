//! Why a tool is allowed or denied, for whoever may read snapshots: made from what it sees of the live one.

use ambit_model::declaration::Action;
use ambit_model::explain::{Explained, Why};

use crate::Error;
use crate::caller::{Caller, Wanted};
use crate::live::Live;
use crate::named;
use crate::sight::Seen;

/// Explains what the live snapshot decides about one action on one tool. A name that the caller does not see gets the nearest one
/// that it does as help, as a name that nobody has.
pub async fn explain_decision(
    caller: &Caller,
    live: &Live,
    wanted: &Wanted,
    tool: &str,
    action: Action,
) -> Result<Why, Error> {
    let seen = Seen::by(caller, live).await?;
    let snapshot = seen.snapshot();
    let tool = named::tool(snapshot, tool)?;
    let asker = named::asker(snapshot, wanted, Some(&tool))?;
    let mut explained = seen.authority().explain(&asker, &tool, action);
    // A policy that names somebody else's too is out of sight, and decides all the same.
    let really = seen.is_part().then(|| seen.loaded.authority().explain(&asker, &tool, action));
    let unseen = really.filter(|really| really.allow != explained.allow);
    if let Some(really) = &unseen {
        explained.allow = really.allow;
        explained.needs_confirmation = really.needs_confirmation;
        explained.changes.clear();
    }
    let why = Why { snapshot: seen.loaded.name(), unseen: unseen.is_some(), explained };
    Ok(Why { explained: with_places(why.explained, &seen), ..why })
}

/// Each policy with its file and line.
fn with_places(mut explained: Explained, seen: &Seen) -> Explained {
    for (id, policy) in &mut explained.policies {
        policy.place = seen.report().note(id).and_then(ambit_model::policies::PolicyNote::place);
    }
    explained
}
