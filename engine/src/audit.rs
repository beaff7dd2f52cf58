//! The chain of the audit: what a hash covers, and whether a list of entries still is one chain.
//! The chain is a plain hash list (each entry covers the hash before it); the payload is covered by a salted digest, so that it
//! can be erased and nobody can guess it back.

use std::collections::BTreeSet;

use ambit_model::audit::{AuditEntry, AuditOutcome, AuditPayload};
use ambit_model::digest::Digest;
use serde::Serialize;
use thiserror::Error;

/// What an entry's hash covers.
#[derive(Clone, Debug, Serialize)]
pub struct Header<'a> {
    pub sequence: i64,
    pub at: &'a str,
    pub tenant: Option<&'a str>,
    pub action: &'a str,
    pub outcome: AuditOutcome,
    pub payload_digest: &'a Digest,
    pub former: &'a Digest,
}

/// Where a chain is broken.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ChainBroken {
    #[error("entry {expected} of the audit is missing: entry {found} comes in its place")]
    Missing { expected: i64, found: i64 },
    #[error("entry {0} of the audit does not follow from the one before it")]
    Unchained(i64),
    #[error("entry {0} of the audit was changed")]
    Changed(i64),
    #[error("the payload of entry {0} of the audit was changed")]
    PayloadChanged(i64),
    #[error("the payload of entry {0} of the audit is gone, and no entry says that it was erased")]
    ErasedByHand(i64),
    #[error("`{0}` is not in the chain: it was never its head, this is another data folder, or the audit was replaced")]
    HeadGone(Digest),
}

/// The action of an entry that tells of another's erased payload; its own is never erased.
pub const ERASE: &str = "erase";

/// What the first entry follows.
pub fn beginning() -> Digest {
    Digest::zero()
}

/// The hash of an entry.
pub fn hash(header: &Header<'_>) -> Result<Digest, serde_json::Error> {
    Ok(Digest::of(&serde_json_canonicalizer::to_vec(header)?))
}

/// The digest of a payload under its salt.
pub fn payload_digest(salt: &str, payload: &AuditPayload) -> Result<Digest, serde_json::Error> {
    let mut bytes = salt.as_bytes().to_vec();
    bytes.extend(serde_json_canonicalizer::to_vec(payload)?);
    Ok(Digest::of(&bytes))
}

/// Checks entries one after the other, oldest first.
#[derive(Clone, Debug)]
pub struct Verifier {
    next: i64,
    former: Digest,
    /// Entries without a payload that no later entry has accounted for yet.
    erased: BTreeSet<i64>,
}

impl Default for Verifier {
    fn default() -> Self {
        Self { next: 1, former: beginning(), erased: BTreeSet::new() }
    }
}

impl Verifier {
    /// Entries that were found sound.
    pub fn count(&self) -> i64 {
        self.next - 1
    }

    /// Takes the next entry, with the salt of its payload where it still has one.
    pub fn take(
        &mut self,
        entry: &AuditEntry,
        salt: Option<&str>,
    ) -> Result<Result<(), ChainBroken>, serde_json::Error> {
        let AuditEntry { sequence, at, tenant, action, outcome, payload, payload_digest: digest, former, hash: own } =
            entry;
        if *sequence != self.next {
            return Ok(Err(ChainBroken::Missing { expected: self.next, found: *sequence }));
        }
        if *former != self.former {
            return Ok(Err(ChainBroken::Unchained(*sequence)));
        }
        let tenant = tenant.as_deref();
        let header =
            Header { sequence: *sequence, at, tenant, action, outcome: *outcome, payload_digest: digest, former };
        if hash(&header)? != *own {
            return Ok(Err(ChainBroken::Changed(*sequence)));
        }
        let sound = match (payload, salt) {
            (None, None) => true,
            (Some(payload), Some(salt)) => payload_digest(salt, payload)? == *digest,
            _ => false,
        };
        if !sound {
            return Ok(Err(ChainBroken::PayloadChanged(*sequence)));
        }
        match payload {
            None => drop(self.erased.insert(*sequence)),
            Some(payload) if action == ERASE => {
                let named = payload.resource.strip_prefix("audit:").and_then(|named| named.parse().ok());
                self.erased.retain(|sequence| Some(*sequence) != named);
            }
            Some(_) => {}
        }
        self.next += 1;
        self.former = own.clone();
        Ok(Ok(()))
    }

    /// After the last entry: every payload that is gone was erased by an act.
    pub fn finish(&self) -> Result<(), ChainBroken> {
        self.erased.first().map_or(Ok(()), |sequence| Err(ChainBroken::ErasedByHand(*sequence)))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    const SALT: &str = "5a17";

    fn chain(length: i64) -> Vec<AuditEntry> {
        chain_of(length, |_| ("apply", "snapshot:1"))
    }

    /// Each entry's action and resource.
    fn chain_of(length: i64, act: impl Fn(i64) -> (&'static str, &'static str)) -> Vec<AuditEntry> {
        let mut former = beginning();
        let mut entry = |sequence: i64| {
            let (action, resource) = act(sequence);
            let payload = AuditPayload {
                caller: "local:ada".to_owned(),
                principal: None,
                resource: resource.to_owned(),
                policies: Vec::new(),
                details: BTreeMap::new(),
            };
            let digest = payload_digest(SALT, &payload).unwrap();
            let (at, outcome) = ("2026-11-30T12:00:00Z", AuditOutcome::Done);
            let header =
                Header { sequence, at, tenant: None, action, outcome, payload_digest: &digest, former: &former };
            let hash = hash(&header).unwrap();
            AuditEntry {
                sequence,
                at: at.to_owned(),
                tenant: None,
                action: action.to_owned(),
                outcome,
                payload: Some(payload),
                payload_digest: digest.clone(),
                former: std::mem::replace(&mut former, hash.clone()),
                hash,
            }
        };
        (1..=length).map(&mut entry).collect()
    }

    fn broken(entries: &[AuditEntry]) -> Option<ChainBroken> {
        let mut verifier = Verifier::default();
        let found = entries.iter().find_map(|entry| {
            let salt = entry.payload.as_ref().map(|_| SALT);
            verifier.take(entry, salt).ok().and_then(Result::err)
        });
        found.or_else(|| verifier.finish().err())
    }

    #[track_caller]
    fn check(change: impl FnOnce(&mut Vec<AuditEntry>), expected: Option<ChainBroken>) {
        let mut entries = chain(4);
        change(&mut entries);
        assert_eq!(broken(&entries), expected);
    }

    fn second(entries: &mut [AuditEntry]) -> &mut AuditEntry {
        entries.get_mut(1).unwrap_or_else(|| unreachable!("there are four"))
    }

    #[test]
    fn a_payload_that_an_act_erased_is_no_change() {
        let check = |erasing: i64, erased: &[usize], expected| {
            let mut entries =
                chain_of(4, |sequence| if sequence == erasing { ("erase", "audit:2") } else { ("apply", "x") });
            for at in erased {
                entries.get_mut(*at).unwrap().payload = None;
            }
            assert_eq!(broken(&entries), expected, "{erasing} {erased:?}");
        };
        check(3, &[1], None);
        check(1, &[1], Some(ChainBroken::ErasedByHand(2)));
        check(3, &[1, 2], Some(ChainBroken::ErasedByHand(2)));
        check(3, &[3], Some(ChainBroken::ErasedByHand(4)));
    }

    #[test]
    fn every_change_is_found() {
        check(|_| (), None);
        check(|entries| second(entries).payload = None, Some(ChainBroken::ErasedByHand(2)));
        check(|entries| entries.iter_mut().for_each(|entry| entry.payload = None), Some(ChainBroken::ErasedByHand(1)));
        check(|entries| second(entries).action = "rollback".to_owned(), Some(ChainBroken::Changed(2)));
        check(|entries| second(entries).at = "2026-11-30T12:00:01Z".to_owned(), Some(ChainBroken::Changed(2)));
        check(|entries| second(entries).outcome = AuditOutcome::Denied, Some(ChainBroken::Changed(2)));
        check(|entries| second(entries).tenant = Some("acme".to_owned()), Some(ChainBroken::Changed(2)));
        check(|entries| drop(entries.remove(1)), Some(ChainBroken::Missing { expected: 2, found: 3 }));
        check(|entries| entries.swap(1, 2), Some(ChainBroken::Missing { expected: 2, found: 3 }));
        let forged = |entries: &mut Vec<AuditEntry>| {
            if let Some(payload) = &mut second(entries).payload {
                payload.caller = "local:eve".to_owned();
            }
        };
        check(forged, Some(ChainBroken::PayloadChanged(2)));
        check(|entries| second(entries).former = beginning(), Some(ChainBroken::Unchained(2)));
    }
}
