//! The proofs, with a real solver; where there is none they are skipped, and say so.

use ambit_engine::authority::SCHEMA;
use ambit_model::declaration::{Policy, Settings, Thresholds, Weights};
use ambit_model::snapshot::Snapshot;

use super::*;

fn snapshot(policies: &[(&str, &str)]) -> Snapshot {
    let policy = |(id, cedar): &(&str, &str)| Policy { id: (*id).to_owned(), cedar: (*cedar).to_owned(), reason: None };
    let settings = Settings {
        workspace: "proofs".to_owned(),
        embedding_model: "none".to_owned(),
        embedding_languages: ambit_model::declaration::english(),
        weights: Weights::default(),
        thresholds: Thresholds::default(),
    };
    Snapshot { policies: policies.iter().map(policy).collect(), ..Snapshot::empty(settings, SCHEMA) }
}

const READS: &str = r#"permit (principal in Ambit::Role::"acme:role:analyst", action in Ambit::Action::"use", resource)
    when { resource.effect == Ambit::Effect::"read" };"#;
const LISTS: &str = r#"permit (principal in Ambit::Role::"acme:role:analyst", action in Ambit::Action::"use", resource)
    when { resource.effect == Ambit::Effect::"read" && resource.operation == Ambit::Operation::"list" };"#;
const REFACTORED: &str = r#"permit (principal in Ambit::Role::"acme:role:analyst", action in Ambit::Action::"use", resource)
    when { [Ambit::Effect::"read"].contains(resource.effect) };"#;
const NO_CALLS: &str = r#"forbid (principal, action == Ambit::Action::"invoke", resource);"#;

#[track_caller]
fn check(proof: &Proof, expected: &str) {
    assert_eq!(proof.policies.word(), expected, "{proof:?}");
    for claim in &proof.core {
        assert_eq!(claim.outcome, Outcome::Proved, "{}", claim.says);
    }
    assert_eq!(proof.core.len(), 4);
}

#[tokio::test]
async fn changes_are_proved() {
    if solver::version().await.is_none() {
        assert!(std::env::var_os("CI").is_none(), "CI has a solver");
        return;
    }
    for (from, to, expected) in [
        (&[("reads", READS)][..], &[("reads", READS)][..], "equivalent"),
        (&[("reads", READS)], &[("reads", REFACTORED)], "equivalent"),
        (&[("reads", READS)], &[("renamed", READS)], "equivalent"),
        (&[("reads", READS)], &[("reads", LISTS)], "narrows"),
        (&[("reads", READS)], &[], "narrows"),
        (&[("reads", READS)], &[("reads", READS), ("calls", NO_CALLS)], "narrows"),
        (&[("reads", LISTS)], &[("reads", READS)], "widens"),
        (&[("reads", READS), ("calls", NO_CALLS)], &[("reads", READS)], "widens"),
        // A permit that another one holds already gives nothing.
        (&[("reads", READS)], &[("reads", READS), ("lists", LISTS)], "equivalent"),
    ] {
        check(&prove(&snapshot(from), &snapshot(to)).await, expected);
    }
}

#[tokio::test]
async fn a_counterexample_is_a_request() {
    if solver::version().await.is_none() {
        return;
    }
    let proof = prove(&snapshot(&[("reads", LISTS)]), &snapshot(&[("reads", READS)])).await;
    let Verdict::Widens { counterexample } = proof.policies else { return assert_eq!(proof.policies.word(), "widens") };
    assert!(counterexample.contains("Ambit::Action::"), "{counterexample}");
}
