//! Why a tool is allowed or denied, for whoever may read snapshots: made from what it sees of the live one.

use ambit_model::audit::WORKSPACE;
use ambit_model::declaration::Action;
use ambit_model::explain::{Change, ChangeKind, Explained, Why};
use ambit_model::overlay::Block;

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
    let blocked = seen.loaded.blocks().iter().find(|block| block.tool == tool).cloned();
    let explained = if blocked.is_some() { under_block(explained) } else { explained };
    let blocked = blocked.map(|block| if seen.is_part() { without_words(block) } else { block });
    let explained = with_places(explained, &seen);
    Ok(Why { snapshot: seen.loaded.name(), unseen: unseen.is_some(), blocked, explained })
}

/// What is decided while the tool is blocked: it may be named as before, and no more. To unblock it comes first of what would flip
/// a denial, unless nothing would.
fn under_block(explained: Explained) -> Explained {
    let never = explained.changes.iter().any(|change| change.kind == ChangeKind::Never);
    if explained.action == Action::Discover || never {
        return explained;
    }
    let unblock = Change {
        kind: ChangeKind::Unblock,
        says: format!("unblock it: `ambit unblock {} --reason …`", explained.tool),
        policies: Vec::new(),
        nearest: Vec::new(),
    };
    // What would end an allowance is beside the point now.
    let others = if explained.allow { Vec::new() } else { explained.changes };
    let changes = std::iter::once(unblock).chain(others).collect();
    Explained { allow: false, needs_confirmation: false, changes, ..explained }
}

/// A block is an act upon the whole workspace: who did it and why may tell a tenant's reader of others.
fn without_words(block: Block) -> Block {
    Block { reason: "blocked for everybody".to_owned(), by: WORKSPACE.to_owned(), ..block }
}

/// Each policy with its file and line.
fn with_places(mut explained: Explained, seen: &Seen) -> Explained {
    for (id, policy) in &mut explained.policies {
        policy.place = seen.report().note(id).and_then(ambit_model::policies::PolicyNote::place);
    }
    explained
}
