//! The Audit page: a page of entries, and the chain looked through where that was asked for.

use ambit_model::audit::{AuditEntry, AuditHead, AuditPayload};
use ambit_service::audit::{AuditQuery, read_audit, verify_audit};

use super::{noted, refuse, rows, shown, signed_in};
use crate::data::{Act, AuditPage, AuditRow, HeadRow, Verification};
use crate::problem::Problem;

/// Entries on a page.
const ON_A_PAGE: usize = 50;

pub(crate) async fn audit(before: Option<i64>, verify: bool) -> Result<AuditPage, Problem> {
    let (live, caller) = signed_in()?;
    let query = AuditQuery { before, limit: Some(ON_A_PAGE) };
    let listed = read_audit(&caller, &live, &query).await.map_err(|e| refuse(&e))?;
    // A broken chain is what was asked for: the page says so and is there all the same.
    let verified = if verify {
        Some(match verify_audit(&caller, &live, None).await {
            Ok(found) => Verification::Holds { entries: found.entries, head: found.head.as_ref().map(head) },
            Err(error) => Verification::Failed { problem: noted(&error) },
        })
    } else {
        None
    };
    let last = listed.entries.last().map(|entry| entry.sequence);
    shown(&AuditPage {
        older: last.filter(|_| !listed.complete),
        entries: listed.entries.into_iter().map(row).collect(),
        head: listed.head.as_ref().map(head),
        refused_today: listed.refused_today,
        verified,
    })
}

fn row(entry: AuditEntry) -> AuditRow {
    AuditRow {
        sequence: entry.sequence,
        at: rows::moment(&entry.at),
        tenant: entry.tenant,
        action: entry.action,
        outcome: entry.outcome,
        act: entry.payload.map(act),
    }
}

fn act(payload: AuditPayload) -> Act {
    let AuditPayload { caller, principal, resource, policies, details } = payload;
    Act { caller, principal, resource, policies, details: details.into_iter().collect() }
}

fn head(head: &AuditHead) -> HeadRow {
    HeadRow { sequence: head.sequence, short: head.hash.short(), hash: head.hash.as_str().to_owned() }
}
