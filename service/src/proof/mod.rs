//! Proofs about policies with the SMT solver cvc5, where it is installed (Cedar's symbolic compiler: Cutler et al., "Cedar: A New
//! Language for Expressive, Fast, Safe, and Analyzable Authorization", OOPSLA 2024). What it says holds for all that may ever be
//! declared; without it, the comparison of views says what holds for what is declared now.

mod claims;
mod idle;
mod solver;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use ambit_engine::authority::built_in_text;
use ambit_model::proof::{Outcome, Proof, Verdict};
use ambit_model::snapshot::Snapshot;
use cedar_policy::{Effect, Policy, PolicyId, PolicySet, Schema};

use self::solver::{Solver, WITHOUT};

pub use self::idle::prove_idle;

/// Proves the invariant core of `to`, and how its policies stand to those of `from`.
pub async fn prove(from: &Snapshot, to: &Snapshot) -> Proof {
    let Some(version) = solver::version().await else {
        let policies = Verdict::Unknown { why: WITHOUT.to_owned() };
        return Proof { solver: None, core: Vec::new(), policies };
    };
    let core = claims::core(to).await;
    let policies = if from.schema == to.schema {
        compare(from, to).await.unwrap_or_else(|why| Verdict::Unknown { why })
    } else {
        Verdict::Unknown { why: "the Cedar schema is another".to_owned() }
    };
    Proof { solver: Some(version), core, policies }
}

/// By structure first: what did not change proves itself, and a pair of one id is proved by itself. What is left is held against
/// each other whole.
async fn compare(from: &Snapshot, to: &Snapshot) -> Result<Verdict, String> {
    let schema = read_schema(&to.schema)?;
    let (before, after) = (policies(from)?, policies(to)?);
    if let Some(id) = before.iter().chain(&after).find(|(_, policy)| could_fail(policy)).map(|(id, _)| id) {
        return Err(format!(
            "`{id}` could fail while it is evaluated, which denies, and the solver does not know that"
        ));
    }
    let mut solver = Solver::start(&schema)?;
    let mut narrowed = false;
    for (id, new) in &after {
        let step = match before.get(id) {
            Some(old) if same(old, new) => Step::Same,
            Some(old) if old.effect() == new.effect() => solver.pair(old, new).await?,
            None if new.effect() == Effect::Forbid => Step::Narrower,
            _ => Step::Unclear,
        };
        match step {
            Step::Same => {}
            Step::Narrower => narrowed = true,
            Step::Unclear => return whole(&mut solver, &before, &after).await,
        }
    }
    for (id, old) in before.iter().filter(|(id, _)| !after.contains_key(*id)) {
        match old.effect() {
            Effect::Permit => narrowed = true,
            Effect::Forbid => {
                tracing::debug!(policy = id, "a forbid is gone, so all policies are compared");
                return whole(&mut solver, &before, &after).await;
            }
        }
    }
    // Something may be less: whether it is, only the whole can tell.
    if narrowed { whole(&mut solver, &before, &after).await } else { Ok(Verdict::Equivalent) }
}

/// It counts or calls a function, which strict validation lets fail. (A word in a text only costs the proof.)
fn could_fail(policy: &Policy) -> bool {
    let text = policy.to_string();
    ["+", "*", " - ", "-(", "decimal(", "ip(", "datetime(", "duration("].iter().any(|sign| text.contains(sign))
}

/// What one change of one policy does to what is allowed.
enum Step {
    Same,
    Narrower,
    Unclear,
}

type Policies = BTreeMap<String, Policy>;

async fn whole(solver: &mut Solver<'_>, before: &Policies, after: &Policies) -> Result<Verdict, String> {
    let (before, after) = (set(before)?, set(after)?);
    match solver.implies(&after, &before).await {
        Outcome::Refuted { counterexample } => return Ok(Verdict::Widens { counterexample }),
        Outcome::Unknown { why } => return Ok(Verdict::Unknown { why }),
        Outcome::Proved => {}
    }
    Ok(match solver.implies(&before, &after).await {
        Outcome::Proved => Verdict::Equivalent,
        // That it narrows is certain; whether it is the same is not.
        Outcome::Refuted { .. } | Outcome::Unknown { .. } => Verdict::Narrows,
    })
}

fn same(old: &Policy, new: &Policy) -> bool {
    old.to_string() == new.to_string()
}

fn set(policies: &Policies) -> Result<PolicySet, String> {
    PolicySet::from_policies(policies.values().cloned()).map_err(|e| e.to_string())
}

/// The operator's policies and the built-in ones, by id.
fn policies(snapshot: &Snapshot) -> Result<Policies, String> {
    let mut all = built_in()?;
    for written in &snapshot.policies {
        let policy = Policy::parse(Some(PolicyId::new(&written.id)), &written.cedar);
        all.insert(written.id.clone(), policy.map_err(|e| format!("policy `{}` cannot be read: {e}", written.id))?);
    }
    Ok(all)
}

fn built_in() -> Result<Policies, String> {
    let set: PolicySet = built_in_text().parse().map_err(|e: cedar_policy::ParseErrors| e.to_string())?;
    let named = |policy: &Policy| {
        let id = policy.annotation("id").unwrap_or_default().to_owned();
        (id.clone(), policy.new_id(PolicyId::new(id)))
    };
    Ok(set.policies().map(named).collect())
}

fn read_schema(text: &str) -> Result<Schema, String> {
    Schema::from_cedarschema_str(text).map(|(schema, _)| schema).map_err(|e| e.to_string())
}
