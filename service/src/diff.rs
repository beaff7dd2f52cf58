//! What a change does, before anything is live: the workspace against what is live, and who would gain by it.
//! Nothing is published, and nobody but the command line on the data folder may ask: it reads the machine's files.

use std::collections::BTreeSet;
use std::path::Path;

use ambit_engine::parts;
use ambit_model::diagnostic::Diagnostic;
use ambit_model::diff::{CeilingChange, ClassChange, Diff, ReachChange, ToolChange};
use ambit_model::digest::Digest;
use ambit_model::facts::Ceiling;
use ambit_model::proof::Proof;
use ambit_model::snapshot::{Snapshot, SnapshotName, SnapshotRecord};

use crate::apply::losses;
use crate::caller::Caller;
use crate::check::{Checked, check_workspace};
use crate::embedder::ModelPlaces;
use crate::live::Live;
use crate::snapshots::{Compared, find};
use crate::store::Store;
use crate::{Error, live, proof};

/// A workspace, and what applying it would change.
pub struct Proposal {
    pub checked: Checked,
    /// Absent where the workspace does not compile.
    pub comparison: Option<Comparison>,
    /// Why `apply` would refuse it as it stands: tools that would vanish.
    pub refusals: Vec<Diagnostic>,
    /// Where it was asked for.
    pub proof: Option<Proof>,
}

/// Two states, and what differs between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    pub from: End,
    pub to: End,
    pub diff: Diff,
}

/// One side of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Before the first apply: a snapshot with nothing in it.
    Nothing,
    Snapshot {
        name: SnapshotName,
        source_digest: Digest,
    },
    /// What the workspace compiles to.
    Workspace {
        digest: Digest,
        source_digest: Digest,
    },
}

impl From<Compared> for Comparison {
    fn from(compared: Compared) -> Self {
        Self { from: End::of(&compared.from), to: End::of(&compared.to), diff: compared.diff }
    }
}

impl End {
    fn of(record: &SnapshotRecord) -> Self {
        Self::Snapshot { name: name(record), source_digest: record.source_digest.clone() }
    }

    /// The number of a stored snapshot.
    pub fn number(&self) -> Option<i64> {
        match self {
            Self::Snapshot { name, .. } => Some(name.number),
            _ => None,
        }
    }

    /// The digest of the snapshot, and of what it was compiled from.
    pub fn digests(&self) -> Option<(&Digest, &Digest)> {
        match self {
            Self::Nothing => None,
            Self::Snapshot { name, source_digest } => Some((&name.digest, source_digest)),
            Self::Workspace { digest, source_digest } => Some((digest, source_digest)),
        }
    }
}

fn name(record: &SnapshotRecord) -> SnapshotName {
    SnapshotName { number: record.number, digest: record.digest.clone() }
}

/// Compiles the workspace and compares it with what is live. Nothing is published.
pub async fn diff_workspace(
    caller: &Caller,
    folder: &Path,
    store: &Store,
    places: &ModelPlaces,
    prove: bool,
) -> Result<Proposal, Error> {
    caller.local_only("compare a workspace")?;
    let base = live::record(store).await?;
    let checked = check_workspace(caller, folder, store, places).await?;
    let Some(new) = &checked.compiled.snapshot else {
        return Ok(Proposal { checked, comparison: None, refusals: Vec::new(), proof: None });
    };
    let served = match &base {
        Some(record) => live::load(store, record).await?,
        None => Snapshot::empty(new.settings.clone(), new.schema.as_str()),
    };
    let to = End::Workspace { digest: root(new)?, source_digest: checked.compiled.source_digest.clone() };
    let from = base.as_ref().map_or(End::Nothing, End::of);
    let comparison = Comparison { from, to, diff: compare(&served, new)? };
    let refusals = losses(&served, new, &BTreeSet::new());
    let proof = if prove { Some(proof::prove(&served, new).await) } else { None };
    Ok(Proposal { checked, comparison: Some(comparison), refusals, proof })
}

/// Proves what became of the policies between two stored snapshots; where `to` is not given, it is the live one.
pub async fn prove_snapshots(caller: &Caller, live: &Live, from: i64, to: Option<i64>) -> Result<Proof, Error> {
    caller.local_only("prove what a change does")?;
    let store = live.store();
    let (from, to) = (store.record(from).await?, find(store, to).await?);
    Ok(proof::prove(&live::load(store, &from).await?, &live::load(store, &to).await?).await)
}

/// What differs between two snapshots.
pub(crate) fn compare(from: &Snapshot, to: &Snapshot) -> Result<Diff, Error> {
    Ok(ambit_engine::diff::diff(from, to)?)
}

/// The digest that a snapshot will have in the store.
pub(crate) fn root(snapshot: &Snapshot) -> Result<Digest, Error> {
    let parts = parts::split(snapshot)?;
    Ok(parts.last().map_or_else(Digest::zero, |root| root.digest.clone()))
}

/// Each ceiling that lets more through, then whoever gains something, one line each.
pub fn gained(diff: &Diff) -> Vec<String> {
    let ceilings = diff.ceilings.iter().filter(|change| change.is_alarming()).map(raising);
    let classes = diff.authority.classes.iter().filter(|class| !class.gains.is_empty()).map(gaining);
    let reaches = diff.authority.reaches.iter().filter(|reach| !reach.gains.is_empty()).map(reaching);
    ceilings.chain(classes).chain(reaches).collect()
}

fn raising(change: &CeilingChange) -> String {
    let to = change.to.map_or("none", Ceiling::word);
    match change.from {
        Some(from) => format!("the ceiling of {} is raised from {from} to {to}", change.project),
        None => format!("the project {} is new, and its ceiling is {to}", change.project),
    }
}

/// Each lowered ceiling, then whoever loses something, one line each.
pub fn lost(diff: &Diff) -> Vec<String> {
    let lowered = diff.ceilings.iter().filter(|change| !change.raised && change.to.is_some() && change.from.is_some());
    let ceilings = lowered.map(|change| format!("the ceiling of {} is lowered", change.project));
    let classes = diff.authority.classes.iter().filter(|class| !class.loses.is_empty()).map(|class| {
        let tools: Vec<&str> = class.loses.iter().map(|change| change.tool.as_str()).collect();
        format!("losses for {} in {}: {}", class.class, class.project, first(&tools))
    });
    let reaches = diff.authority.reaches.iter().filter(|reach| !reach.loses.is_empty()).map(|reach| {
        let loses: Vec<&str> = reach.loses.iter().map(String::as_str).collect();
        format!("{} administers less: {}", reach.who, first(&loses))
    });
    ceilings.chain(classes).chain(reaches).collect()
}

/// Things that are named in a line.
const NAMED: usize = 3;

fn gaining(class: &ClassChange) -> String {
    let tools: Vec<&str> = class.gains.iter().map(|ToolChange { tool, .. }| tool.as_str()).collect();
    format!("gains for {} in {}: {}", class.class, class.project, first(&tools))
}

fn reaching(reach: &ReachChange) -> String {
    let gains: Vec<&str> = reach.gains.iter().map(String::as_str).collect();
    format!("{} administers more: {}", reach.who, first(&gains))
}

/// The first of them, and how many more there are.
fn first(names: &[&str]) -> String {
    let shown = names.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(NAMED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use ambit_model::declaration::Action;
    use ambit_model::diff::{AuthorityChanges, Who};
    use ambit_model::facts::Effect;
    use ambit_model::identity::{Principal, ProjectId, ToolId};

    use super::*;

    fn tool(id: &str) -> ToolChange {
        ToolChange {
            tool: ToolId::parse(id).unwrap(),
            actions: vec![Action::Invoke],
            effect: Effect::Write,
            condition: None,
            policies: Vec::new(),
            because: Vec::new(),
        }
    }

    fn widening() -> Diff {
        let who = Who::Principal { principal: Principal::parse("acme:role:lead").unwrap() };
        Diff {
            ceilings: vec![CeilingChange {
                project: "acme/desk".to_owned(),
                from: Some(Ceiling::ReadOnly),
                to: Some(Ceiling::Open),
                raised: true,
            }],
            authority: AuthorityChanges {
                classes: vec![ClassChange {
                    project: ProjectId::parse("acme/desk", None).unwrap(),
                    class: "whoever holds acme:role:lead".to_owned(),
                    who: vec![who.clone()],
                    gains: ["a/1", "a/2", "a/3", "a/4"].map(tool).to_vec(),
                    loses: Vec::new(),
                    effects: Vec::new(),
                }],
                reaches: vec![ReachChange {
                    who,
                    gains: vec!["rollback on Workspace sample".to_owned()],
                    loses: Vec::new(),
                    policies: Vec::new(),
                }],
                compared: 1,
            },
            sections: Vec::new(),
        }
    }

    #[test]
    fn who_gains_is_one_line_each() {
        assert_eq!(
            gained(&widening()),
            [
                "the ceiling of acme/desk is raised from read_only to open",
                "gains for whoever holds acme:role:lead in acme/desk: a/1, a/2, a/3 and 1 more",
                "acme:role:lead administers more: rollback on Workspace sample",
            ]
        );
        assert!(widening().widens() && !Diff::default().widens());
    }
}
