//! The store against the real SQLite, in temporary folders, and a real Postgres, in databases of their own.
//! Two handles on one place stand for two processes: they share nothing but what is kept there.

/// Makes two tests of each function: one on SQLite, one on Postgres.
macro_rules! on_both {
    ($($test:ident),+ $(,)?) => {$(
        mod $test {
            use $crate::store::tests::{Home, Tested};

            #[tokio::test(flavor = "multi_thread")]
            async fn on_sqlite() -> Tested {
                super::$test(&Home::on_sqlite()?).await
            }

            #[tokio::test(flavor = "multi_thread")]
            async fn on_postgres() -> Tested {
                let Some(home) = Home::on_postgres().await? else { return Ok(()) };
                super::$test(&home).await?;
                home.remove().await
            }
        }
    )+};
}

mod arriving;
mod blocking;
mod crashing;
mod home;
mod keeping;
mod opening;
mod publishing;
mod serving;

use std::collections::BTreeMap;
use std::error::Error;

use ambit_model::audit::{AuditOutcome, AuditPayload};
use ambit_model::digest::Digest;
use ambit_model::intake::IntakeReport;
use ambit_model::policies::PolicyReport;
use ambit_model::snapshot::ActivationKind;

use super::{NewActivation, NewAudit, NewSnapshot, Store, StoreError, StoredPart};
use home::Home;

/// What a test answers: an error fails it.
type Tested = Result<(), Box<dyn Error>>;

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

/// Compares an error's message and the beginning of its help; `DATABASE` stands for what a sentence calls it, `DIR` for the folder.
fn check(error: &StoreError, home: &Home, message: &str, help: &str) {
    assert_eq!(home.plain(&error.to_string()), message);
    let said = home.plain(&error.help());
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
