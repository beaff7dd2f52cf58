//! The store against the real SQLite, in temporary folders.
//! Two handles on one folder stand for two processes: they share nothing but the file.

mod blocking;
mod crashing;
mod keeping;
mod opening;
mod publishing;

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};

use ambit_model::audit::{AuditOutcome, AuditPayload};
use ambit_model::digest::Digest;
use ambit_model::intake::IntakeReport;
use ambit_model::policies::PolicyReport;
use ambit_model::snapshot::ActivationKind;
use tempfile::TempDir;

use super::{NewActivation, NewAudit, NewSnapshot, Store, StoreError, StoredPart};

/// What a test answers: an error fails it.
type Tested = Result<(), Box<dyn Error>>;

/// A temporary place and the data folder in it, which is not made yet.
fn place() -> Result<(TempDir, PathBuf), std::io::Error> {
    let place = tempfile::tempdir()?;
    let data = place.path().join(".ambit");
    Ok((place, data))
}

/// A store in a new folder; the folder goes when the first value is dropped.
async fn fresh() -> Result<(TempDir, Store), Box<dyn Error>> {
    let (place, data) = place()?;
    let store = Store::open(&data).await?;
    Ok((place, store))
}

fn part(body: &str) -> (Digest, StoredPart) {
    (Digest::of(body.as_bytes()), StoredPart { kind: "tool".to_owned(), body: body.to_owned() })
}

/// A snapshot whose root is the first of these parts.
fn snapshot(bodies: &[&str]) -> NewSnapshot {
    let root = bodies.first().copied().unwrap_or_default();
    NewSnapshot {
        digest: Digest::of(root.as_bytes()),
        source_digest: Digest::of(b"source"),
        parts: bodies.iter().copied().map(part).collect(),
        created_at: "2026-11-30T09:00:00Z".to_owned(),
        author: "local:ada".to_owned(),
        message: Some("first light".to_owned()),
        git_commit: None,
        tools: 1,
        report: IntakeReport { offered: 1, accepted: vec!["crm/find".to_owned()], ..IntakeReport::default() },
        policies: PolicyReport::default(),
    }
}

fn rollback(snapshot: i64) -> NewActivation {
    NewActivation {
        snapshot,
        kind: ActivationKind::Rollback,
        at: "2026-11-30T10:00:00Z".to_owned(),
        by: "local:bob".to_owned(),
        reason: Some("it routes refunds to the wrong desk".to_owned()),
    }
}

/// Compares an error's message and the beginning of its help; `DIR` stands for the folder.
fn check(error: &StoreError, dir: &Path, message: &str, help: &str) {
    let plain = |text: String| text.replace(&dir.display().to_string(), "DIR");
    assert_eq!(plain(error.to_string()), message);
    let said = plain(error.help());
    assert!(said.starts_with(help), "the help is `{said}`");
}

/// Takes the error out of an answer that should be one.
fn refused<T>(answer: Result<T, StoreError>) -> Result<StoreError, String> {
    match answer {
        Ok(_) => Err("this should have been refused".to_owned()),
        Err(error) => Ok(error),
    }
}

/// An entry of the audit, whatever the act.
fn audit() -> NewAudit {
    NewAudit {
        at: "2026-11-30T12:00:00Z".to_owned(),
        tenant: None,
        action: "apply".to_owned(),
        outcome: AuditOutcome::Done,
        payload: AuditPayload {
            caller: "local:ada".to_owned(),
            principal: None,
            resource: "snapshot".to_owned(),
            policies: Vec::new(),
            details: BTreeMap::new(),
        },
        salt: "5a17".to_owned(),
    }
}
