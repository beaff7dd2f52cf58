//! The invariant core: what holds whatever operators permit. Shown with a permit of everything beside the built-in forbids, so that
//! it holds for any permits there may ever be; more forbids only take away.

use ambit_model::declaration::Action;
use ambit_model::proof::{Claim, Outcome};
use ambit_model::snapshot::Snapshot;
use cedar_policy::{Policy, PolicyId, PolicySet};

use super::solver::Solver;
use super::{built_in, read_schema};

const EVERYTHING: &str = "permit (principal, action in Ambit::Action::\"use\", resource);";

/// Something that must never be allowed: what it is, for which actions, and the requests that it is about.
struct Forbidden {
    says: &'static str,
    actions: &'static [Action],
    when: &'static str,
}

const CORE: [Forbidden; 4] = [
    Forbidden {
        says: "nothing crosses tenants",
        actions: &Action::ALL,
        when: "context.project.tenant != principal.tenant || (resource has tenant && resource.tenant != principal.tenant)",
    },
    Forbidden {
        says: "no tool of a catalog that the project does not list",
        actions: &Action::ALL,
        when: "!context.project.catalogs.contains(resource.catalog)",
    },
    Forbidden {
        says: "under read_only nothing but reads without confirmation, of low or medium risk",
        actions: &[Action::Route, Action::Invoke],
        when: "context.project.ceiling == Ambit::Ceiling::\"read_only\" && (resource.effect != Ambit::Effect::\"read\" || \
               resource.confirmation || resource.risk == Ambit::Risk::\"high\" || resource.risk == Ambit::Risk::\"critical\")",
    },
    Forbidden {
        says: "under confirm_writes nothing destructive",
        actions: &[Action::Route, Action::Invoke],
        when: "context.project.ceiling == Ambit::Ceiling::\"confirm_writes\" && resource.effect == Ambit::Effect::\"destructive\"",
    },
];

/// Each claim of the core, under this snapshot's schema.
pub(super) async fn core(snapshot: &Snapshot) -> Vec<Claim> {
    let mut claims = Vec::new();
    for forbidden in &CORE {
        let outcome = show(snapshot, forbidden).await.unwrap_or_else(|why| Outcome::Unknown { why });
        claims.push(Claim { says: forbidden.says.to_owned(), outcome });
    }
    claims
}

async fn show(snapshot: &Snapshot, forbidden: &Forbidden) -> Result<Outcome, String> {
    let schema = read_schema(&snapshot.schema)?;
    let permit = |cedar: &str| Policy::parse(Some(PolicyId::new("permit")), cedar).map_err(|e| e.to_string());
    let set = |policies: Vec<Policy>| PolicySet::from_policies(policies).map_err(|e| e.to_string());
    let mut all: Vec<Policy> = built_in()?.into_values().collect();
    all.push(permit(EVERYTHING)?);
    let region = format!("{} when {{ {} }};", EVERYTHING.trim_end_matches(';'), forbidden.when);
    let mut solver = Solver::about(&schema, forbidden.actions)?;
    Ok(solver.disjoint(&set(all)?, &set(vec![permit(&region)?])?).await)
}
