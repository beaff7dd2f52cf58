//! The audit as a table, and what a verification found.

use ambit_model::audit::AuditEntry;
use ambit_model::hidden::visible;
use ambit_service::audit::{AuditList, Verified};

/// Newest first. What callers wrote is shown with its hidden characters.
pub(in crate::cli) fn list(list: &AuditList) -> String {
    let mut text = String::from("entry  when                  outcome  what          on                    who\n");
    for entry in &list.entries {
        text.push_str(&row(entry));
    }
    let next = match (list.complete, list.entries.last()) {
        (false, Some(last)) => format!("`ambit audit --before {}` shows earlier ones", last.sequence),
        _ => "`ambit audit verify` checks the chain".to_owned(),
    };
    let head =
        list.head.as_ref().map(|head| format!("head {} (entry {})\n", head.hash, head.sequence)).unwrap_or_default();
    let refused = match list.refused_today {
        Some(requests) if requests > 0 => format!("{requests} requests of today came from nobody who is known\n"),
        _ => String::new(),
    };
    let counted = match list.entries.len() {
        1 => "1 entry".to_owned(),
        many => format!("{many} entries"),
    };
    format!("{text}\n{refused}{head}{counted}; {next}\n")
}

fn row(entry: &AuditEntry) -> String {
    let AuditEntry { sequence, at, action, outcome, payload, .. } = entry;
    let Some(payload) = payload else {
        return format!("{sequence:<5}  {at}  {:<7}  {action:<12}  (erased)\n", outcome.word());
    };
    let who = match &payload.principal {
        Some(principal) if *principal != payload.caller => format!("{} ({principal})", payload.caller),
        _ => payload.caller.clone(),
    };
    let mut line = format!(
        "{sequence:<5}  {at}  {:<7}  {action:<12}  {:<20}  {}\n",
        outcome.word(),
        payload.resource,
        visible(&who)
    );
    for (name, value) in &payload.details {
        line.push_str(&format!("         {name}: {}\n", visible(value)));
    }
    if !payload.policies.is_empty() {
        line.push_str(&format!("         by {}\n", payload.policies.join(", ")));
    }
    line
}

/// A chain that holds.
pub(in crate::cli) fn verified(verified: &Verified) -> String {
    match &verified.head {
        Some(head) => format!("{} entries hold; head {} (entry {})\n", verified.entries, head.hash, head.sequence),
        None => "the audit has no entry yet\n".to_owned(),
    }
}
