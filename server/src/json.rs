//! Answers as JSON, the same for the command line and the network.

use ambit_model::overlay::{Block, ListedBlock};
use ambit_service::audit::{AuditList, Verified};
use ambit_service::blocks::Blocked;
use ambit_service::diff::{Comparison, End};
use ambit_service::feedback::Reported;
use ambit_service::rollback::RolledBack;
use ambit_service::snapshots::Listed;
use ambit_service::whoami::Whoami;
use serde_json::{Value, json};

/// The list of snapshots and activations.
pub(crate) fn snapshots(listed: &Listed) -> Value {
    json!({ "live": listed.live, "snapshots": listed.records, "activations": listed.activations, "complete": true })
}

/// What differs between two states; a number is null for the workspace, and everything before the first apply.
pub(crate) fn diff(comparison: &Comparison) -> Value {
    let name = |end: &End| {
        let (digest, source) = end.digests().unzip();
        json!({ "number": end.number(), "digest": digest, "source_digest": source })
    };
    let Comparison { from, to, diff } = comparison;
    json!({ "from": name(from), "to": name(to), "equal": diff.is_empty(), "alarms": diff.alarms(), "diff": diff })
}

/// What a rollback did.
pub(crate) fn rolled_back(done: &RolledBack) -> Value {
    json!({
        "from": done.from, "to": done.to.number, "digest": done.to.digest, "gained": done.gained, "lost": done.lost,
        "activation": done.activation,
    })
}

/// A tool that was blocked, and the block in force that this one replaced.
pub(crate) fn blocked(blocked: &Blocked) -> Value {
    json!({ "block": blocked.block, "replaced": blocked.replaced })
}

/// A block that was taken back.
pub(crate) fn unblocked(block: &Block) -> Value {
    json!({ "unblocked": block })
}

/// Blocks, by tool.
pub(crate) fn blocks(listed: &[ListedBlock]) -> Value {
    json!({ "blocks": listed, "complete": true })
}

/// Entries of the audit, newest first.
pub(crate) fn audit(list: &AuditList) -> Value {
    let mut json = json!({ "entries": list.entries, "complete": list.complete });
    if let Some(object) = json.as_object_mut() {
        object.extend(list.head.as_ref().map(|head| ("head".to_owned(), json!(head))));
        object.extend(list.refused_today.map(|requests| ("refused_today".to_owned(), json!(requests))));
    }
    json
}

/// A chain that holds.
pub(crate) fn verified(verified: &Verified) -> Value {
    json!({ "verified": true, "entries": verified.entries, "head": verified.head })
}

/// Feedback that was kept.
pub(crate) fn reported(reported: &Reported) -> Value {
    json!({ "snapshot": reported.live, "feedback": reported.feedback })
}

/// Who a caller is, and what it may do.
pub(crate) fn whoami(who: &Whoami) -> Value {
    let asks = who.asks.as_ref().map(|asks| {
        json!({
            "principal": asks.asker.principal, "for": asks.asker.acting_for, "acting_by": asks.acting_by,
            "project": asks.asker.project, "tools": asks.asker.tools, "view": asks.view, "overlay": asks.overlay,
            "counts": { "discover": asks.discover, "route": asks.route, "invoke": asks.invoke },
        })
    });
    json!({
        "snapshot": who.snapshot, "caller": who.label, "projects": who.projects, "administers": who.administers, "asks": asks,
    })
}
