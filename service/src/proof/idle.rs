//! Policies that enumeration found to decide nothing: does that hold for whatever may ever be declared, too?

use ambit_model::codes::{W_NEVER_APPLIES, W_SHADOWED};
use ambit_model::diagnostic::Diagnostic;
use ambit_model::policies::{IdleKind, PolicyReport, Shown};
use ambit_model::proof::Outcome;
use ambit_model::snapshot::Snapshot;
use cedar_policy::Effect;

use super::solver::{self, Solver};
use super::{Policies, policies, read_schema, set};

/// Most policies that are looked at; each may take some seconds.
const MOST: usize = 50;
/// What a finding says where the solver agrees.
const PROVED: &str = "a solver proved it for whatever may be declared";
const ENUMERATED: &str = "this is by enumeration over what is declared now";

/// Marks what is proved in the report, and says so in the findings. Without a solver nothing changes; the answer says whether there
/// is one.
pub async fn prove_idle(snapshot: &Snapshot, report: &mut PolicyReport, findings: &mut [Diagnostic]) -> bool {
    if solver::version().await.is_none() {
        return false;
    }
    let (Ok(schema), Ok(all)) = (read_schema(&snapshot.schema), policies(snapshot)) else { return true };
    let Ok(mut solver) = Solver::start(&schema) else { return true };
    for note in report.policies.iter_mut().filter(|note| note.idle.is_some()).take(MOST) {
        let Some(idle) = &mut note.idle else { continue };
        let proved = match idle.kind {
            IdleKind::NeverApplies => solver.never_applies(&all, &note.id).await,
            IdleKind::Shadowed => changes_nothing(&mut solver, &all, &note.id).await,
        };
        if proved {
            idle.shown = Shown::Proof;
            let about = format!("`{}` ", note.id);
            let of_it = |found: &&mut Diagnostic| {
                (found.code == W_SHADOWED || found.code == W_NEVER_APPLIES) && found.message.starts_with(&about)
            };
            findings.iter_mut().filter(of_it).for_each(say_proved);
        }
    }
    true
}

fn say_proved(finding: &mut Diagnostic) {
    let help = finding.help.take().unwrap_or_default();
    let said = if help.contains(ENUMERATED) { help.replace(ENUMERATED, PROVED) } else { format!("{help}; {PROVED}") };
    finding.help = Some(said);
}

/// With it and without it the same is allowed: a permit can only add, a forbid only take away.
async fn changes_nothing(solver: &mut Solver<'_>, all: &Policies, id: &str) -> bool {
    let mut without = all.clone();
    let Some(policy) = without.remove(id) else { return false };
    let (Ok(with), Ok(without)) = (set(all), set(&without)) else { return false };
    let (less, more) = if policy.effect() == Effect::Permit { (with, without) } else { (without, with) };
    solver.implies(&less, &more).await == Outcome::Proved
}
