//! The audit: what was administered and what was refused, and whether the chain of entries still holds.

use std::collections::BTreeMap;

use ambit_engine::audit::{ChainBroken, ERASE, Verifier};
use ambit_model::administration::AdminAction;
use ambit_model::audit::{AuditEntry, AuditHead, AuditOutcome, AuditPayload, WORKSPACE};
use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;
use ambit_model::digest::Digest;
use ambit_model::identity::Principal;

use crate::administration::{permit, reach};
use crate::caller::Caller;
use crate::live::Live;
use crate::store::{AuditReach, NewAudit};
use crate::{Error, clock, reason, secret};

/// Bytes of a salt: 128 bits.
const SALT_BYTES: usize = 16;
/// Entries in one answer: unless another number is asked for, and at most.
const ENTRIES: usize = 50;
pub const MOST_ENTRIES: usize = 200;
/// Entries that are verified at a time.
const PAGE: u64 = 1_000;

/// An act, on its way into the audit.
pub(crate) struct Act<'a> {
    pub(crate) action: &'a str,
    /// Whose it is; absent: the caller's own tenant's where it was denied, else the whole workspace's.
    pub(crate) tenant: Option<&'a str>,
    pub(crate) resource: &'a str,
    pub(crate) policies: &'a [String],
    pub(crate) details: &'a [(&'a str, String)],
}

/// The entry of an act by this caller.
pub(crate) fn entry(caller: &Caller, outcome: AuditOutcome, act: &Act<'_>) -> Result<NewAudit, Error> {
    let of_caller = caller.principal().filter(|_| outcome == AuditOutcome::Denied).map(|own| own.tenant.clone());
    let details = act.details.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
    Ok(NewAudit {
        at: clock::now(),
        tenant: act.tenant.map(str::to_owned).or(of_caller),
        action: act.action.to_owned(),
        outcome,
        payload: AuditPayload {
            caller: caller.label(),
            principal: caller.principal().map(ToString::to_string),
            resource: act.resource.to_owned(),
            policies: act.policies.to_vec(),
            details: details.collect::<BTreeMap<_, _>>(),
        },
        salt: secret::random(SALT_BYTES)?,
    })
}

/// Which entries are wanted, newest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AuditQuery {
    /// Only entries below this sequence.
    pub before: Option<i64>,
    /// Most entries, 1 to [`MOST_ENTRIES`]; absent: fifty.
    pub limit: Option<usize>,
}

/// Entries, newest first.
pub struct AuditList {
    pub entries: Vec<AuditEntry>,
    /// There are none below these.
    pub complete: bool,
    /// For who reads the whole audit.
    pub head: Option<AuditHead>,
    /// Requests of today that came from nobody who is known; for who reads the whole audit.
    pub refused_today: Option<u64>,
}

/// Reads the audit, as much of it as is the caller's.
pub async fn read_audit(caller: &Caller, live: &Live, query: &AuditQuery) -> Result<AuditList, Error> {
    let reach = reach(caller, live, AdminAction::ReadAudit).await?;
    let limit = query.limit.unwrap_or(ENTRIES);
    if !(1..=MOST_ENTRIES).contains(&limit) {
        let message = format!("the limit is {limit}, and 1 to {MOST_ENTRIES} entries can be asked for");
        let help = "ask for the next ones with `before`";
        return Err(Error::Request(Box::new(Diagnostic::error(codes::E_LIMIT, message).help(help))));
    }
    let whole = reach.everything;
    let of = match &reach.tenant {
        _ if whole => AuditReach::Everything,
        Some(tenant) => AuditReach::Tenant(tenant.clone()),
        // A project has no entries of its own yet.
        None => return Ok(AuditList { entries: Vec::new(), complete: true, head: None, refused_today: None }),
    };
    let more = u64::try_from(limit + 1).unwrap_or(u64::MAX);
    let mut entries = live.store().audit(&of, query.before, more).await?;
    if let AuditReach::Tenant(tenant) = &of {
        entries.iter_mut().for_each(|entry| hide_others(entry, tenant));
    }
    let complete = entries.len() <= limit;
    entries.truncate(limit);
    if !whole {
        return Ok(AuditList { entries, complete, head: None, refused_today: None });
    }
    let refused = live.store().refusals(&clock::today()).await?;
    Ok(AuditList {
        entries,
        complete,
        head: live.store().audit_head().await?,
        refused_today: Some(u64::try_from(refused).unwrap_or(0)),
    })
}

/// Who is not of the tenant is nobody in particular to its reader.
fn hide_others(entry: &mut AuditEntry, tenant: &str) {
    let Some(payload) = &mut entry.payload else { return };
    let own =
        payload.principal.as_ref().and_then(|text| Principal::parse(text).ok()).is_some_and(|by| by.tenant == tenant);
    if !own {
        payload.caller = WORKSPACE.to_owned();
        payload.principal = None;
        payload.policies.clear();
    }
    // What one of its own wanted of another tenant is told without the names.
    let named = payload.resource.split_once(':').filter(|_| entry.outcome == AuditOutcome::Denied);
    if named.is_some_and(|(kind, id)| kind == "key" || id.split('/').next() != Some(tenant)) {
        payload.resource = WORKSPACE.to_owned();
        payload.details.retain(|name, _| name == "why");
    }
}

/// A chain that holds.
pub struct Verified {
    pub entries: i64,
    pub head: Option<AuditHead>,
}

/// Recomputes every hash from the first entry on, and looks whether heads that were kept are still in the chain: those of all
/// snapshots, and `since`.
pub async fn verify_audit(caller: &Caller, live: &Live, since: Option<&str>) -> Result<Verified, Error> {
    permit(caller, live, AdminAction::ReadAudit).await?;
    let since = since.map(|text| Digest::parse(text).ok_or_else(|| no_head(text))).transpose()?;
    let records = live.store().records().await?;
    let mut wanted: Vec<Digest> = records.into_iter().filter_map(|record| record.audit_head).chain(since).collect();
    let mut verifier = Verifier::default();
    let mut head: Option<AuditHead> = None;
    loop {
        // From below the first one: what somebody put there is found too.
        let after = head.as_ref().map_or(i64::MIN, |head| head.sequence);
        let page = live.store().audit_after(after, PAGE).await?;
        if page.is_empty() {
            break;
        }
        for salted in page {
            verifier.take(&salted.entry, salted.salt.as_deref())?.map_err(Error::AuditBroken)?;
            wanted.retain(|digest| *digest != salted.entry.hash);
            head = Some(AuditHead { sequence: salted.entry.sequence, hash: salted.entry.hash });
        }
    }
    verifier.finish().map_err(Error::AuditBroken)?;
    match wanted.into_iter().next() {
        Some(gone) => Err(Error::AuditBroken(ChainBroken::HeadGone(gone))),
        None => Ok(Verified { entries: verifier.count(), head }),
    }
}

/// Erases the payload of an entry for good; the chain still holds, and says who erased it and why.
pub async fn erase_payload(caller: &Caller, live: &Live, sequence: i64, why: &str) -> Result<(), Error> {
    caller.local_only("erase a payload of the audit")?;
    reason::check(why)?;
    let resource = format!("audit:{sequence}");
    let details = [("reason", why.to_owned())];
    let act = Act { action: ERASE, tenant: None, resource: &resource, policies: &[], details: &details };
    let entry = entry(caller, AuditOutcome::Done, &act)?;
    if live.store().erase_audit(sequence, &entry).await? {
        return Ok(());
    }
    let message = format!("entry {sequence} of the audit is not there, or has no payload any more");
    Err(Error::Request(Box::new(Diagnostic::error(codes::E_VALUE, message).help("`ambit audit` lists them"))))
}

fn no_head(text: &str) -> Error {
    let message = format!("`{text}` is not a head of the audit");
    let help = "write the `sha256:…` that `ambit apply` or `ambit audit verify` printed";
    Error::Request(Box::new(Diagnostic::error(codes::E_VALUE, message).help(help)))
}
