//! Two tools that answer to the same questions, side by side: the clash of the live snapshot's intake report, with the cards of both.

use std::collections::BTreeSet;

use ambit_model::administration::AdminAction;
use ambit_model::card::ToolCard;
use ambit_model::codes;
use ambit_model::declaration::{Group, TwinGroup, VersionFamily};
use ambit_model::diagnostic::Diagnostic;
use ambit_model::identity::ToolId;
use ambit_model::intake::{Clash, Likeness};
use ambit_model::snapshot::SnapshotRecord;
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::administration::reach;
use crate::caller::Caller;
use crate::intake::{card_in, read_intake};
use crate::live::Live;

/// A clash, and what its reader needs to end it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ClashDetails {
    pub snapshot: i64,
    pub clash: Clash,
    /// The first by canonical id, then the other. One that was refused is here as it was refused; absent where it was not kept.
    pub cards: [Option<ToolCard>; 2],
    /// Looks like twins, or like versions of one tool.
    pub likenesses: Vec<Likeness>,
    /// The clashes before and after it in order of damage: both tools of each.
    pub neighbours: [Option<(String, String)>; 2],
    /// From 1, in order of damage, and how many there are.
    pub place: (usize, usize),
}

/// The clashes of a report, those that cost most questions first.
pub fn by_damage(clashes: &[Clash]) -> Vec<&Clash> {
    let mut sorted: Vec<&Clash> = clashes.iter().collect();
    sorted.sort_by(|a, b| b.damage().cmp(&a.damage()).then_with(|| a.cmp(b)));
    sorted
}

/// The clash of these two tools, in any order. A tool that the reader may not see is answered like one that nobody has.
pub async fn read_clash(caller: &Caller, live: &Live, tool: &str, rival: &str) -> Result<ClashDetails, Error> {
    let record = read_intake(caller, live, None).await?;
    let loaded = live.current().await?;
    let report = &record.report;
    let sorted = by_damage(&report.clashes);
    let is_it = |clash: &&Clash| {
        let sides = [clash.tool.as_str(), clash.rival.as_str()];
        sides == [tool, rival] || sides == [rival, tool]
    };
    let at = sorted.iter().position(is_it).filter(|_| !tool.is_empty() && !rival.is_empty());
    let at = at.ok_or_else(|| no_clash(tool, rival, &record))?;
    let clash = sorted.get(at).map(|clash| (*clash).clone()).unwrap_or_default();
    let named = |place: Option<usize>| {
        let clash = sorted.get(place?)?;
        Some((clash.tool.clone(), clash.rival.clone()))
    };
    // The report is cut to what the reader may see, so both names are of tools that it may see.
    let card = |id: &str| card_in(&record, &loaded.record, &loaded.snapshot, id);
    let about = |like: &&Likeness| like.tool == clash.tool && like.other == clash.rival;
    Ok(ClashDetails {
        snapshot: record.number,
        cards: [card(&clash.tool), card(&clash.rival)],
        likenesses: report.likenesses.iter().filter(about).cloned().collect(),
        neighbours: [named(at.checked_sub(1)), named(Some(at + 1))],
        place: (at + 1, sorted.len()),
        clash,
    })
}

fn no_clash(tool: &str, rival: &str, record: &SnapshotRecord) -> Error {
    let message = format!("`{tool}` and `{rival}` do not clash in snapshot {}", record.number);
    let help = "`ambit intake` lists the pairs that do";
    Error::Request(Box::new(Diagnostic::error(codes::E_UNRESOLVED, message).help(help)))
}

/// What is declared about the tools of a report: what a graph of clashes stands on.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct DeclaredKin {
    /// Groups by id, each with those of its members that the report names as admitted.
    pub groups: Vec<Group>,
    pub twins: Vec<TwinGroup>,
    pub families: Vec<VersionFamily>,
}

/// The groups, twins and families of the snapshot that the record is of, as far as the record's report reaches.
pub async fn declared_kin(caller: &Caller, live: &Live, record: &SnapshotRecord) -> Result<DeclaredKin, Error> {
    reach(caller, live, AdminAction::ReadIntake).await?;
    let loaded = live.current().await?;
    if loaded.record.number != record.number {
        return Ok(DeclaredKin::default());
    }
    let seen: BTreeSet<&str> = record.report.accepted.iter().map(String::as_str).collect();
    let is_seen = |tool: &ToolId| seen.contains(tool.as_str());
    let snapshot = &loaded.snapshot;
    let groups = snapshot.groups.iter().filter_map(|group| {
        let members: Vec<ToolId> = group.members.iter().filter(|tool| is_seen(tool)).cloned().collect();
        (!members.is_empty()).then(|| Group { members, ..group.clone() })
    });
    let twins = snapshot.twins.iter().filter(|twins| twins.members.iter().all(is_seen));
    let families = snapshot.families.iter().filter(|family| family.members.iter().all(|m| is_seen(&m.tool)));
    Ok(DeclaredKin { groups: groups.collect(), twins: twins.cloned().collect(), families: families.cloned().collect() })
}
