//! Two tools that answer to the same questions, side by side: the clash of the live snapshot's intake report, with the cards of both.

use std::collections::{BTreeMap, BTreeSet};

use ambit_engine::intake::likeness::refused_alike;
use ambit_model::administration::AdminAction;
use ambit_model::card::ToolCard;
use ambit_model::codes;
use ambit_model::declaration::{Group, TwinGroup, VersionFamily};
use ambit_model::diagnostic::Diagnostic;
use ambit_model::identity::ToolId;
use ambit_model::intake::{Clash, ClashQuestion, Likeness};
use ambit_model::repair::RepairAdvice;
use ambit_model::snapshot::SnapshotRecord;
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::administration::reach;
use crate::caller::Caller;
use crate::intake::{ReadReport, card_in, read_report};
use crate::live::Live;
use crate::loaded::Loaded;
use crate::repair::{Advised, advise};
use crate::trial::ground;

/// A clash, and what its reader needs to end it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ClashDetails {
    pub snapshot: i64,
    pub clash: Clash,
    /// The first by canonical id, then the other. One that was refused is here as it was refused; absent where it was not kept.
    pub cards: [Option<ToolCard>; 2],
    /// Looks like twins, or like versions of one tool.
    pub likenesses: Vec<Likeness>,
    /// What would end it, measured among the tools that the reader may see.
    pub repair: RepairAdvice,
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
    let read = read_report(caller, live, None).await?;
    let loaded = live.current().await?;
    let record = &read.record;
    let report = &record.report;
    let sorted = by_damage(&report.clashes);
    let is_it = |clash: &&Clash| {
        let sides = [clash.tool.as_str(), clash.rival.as_str()];
        sides == [tool, rival] || sides == [rival, tool]
    };
    let at = sorted.iter().position(is_it).filter(|_| !tool.is_empty() && !rival.is_empty());
    let at = at.ok_or_else(|| no_clash(tool, rival, record))?;
    let clash = sorted.get(at).map(|clash| (*clash).clone()).unwrap_or_default();
    let named = |place: Option<usize>| {
        let clash = sorted.get(place?)?;
        Some((clash.tool.clone(), clash.rival.clone()))
    };
    // The report is cut to what the reader may see, so both names are of tools that it may see.
    let card = |id: &str| card_in(record, &loaded.record, &loaded.snapshot, id);
    let about = |like: &&Likeness| like.tool == clash.tool && like.other == clash.rival;
    let likenesses = report.likenesses.iter().filter(about).cloned().collect();
    let cards = [card(&clash.tool), card(&clash.rival)];
    let Advised { advice, clash: measured } = advised(live, &loaded, &read, &cards).await?;
    let clash = match measured.filter(|_| read.tenant.is_some()) {
        Some(measured) => with_margins(clash, &measured),
        None => clash,
    };
    Ok(ClashDetails {
        snapshot: record.number,
        cards,
        repair: advice,
        likenesses,
        neighbours: [named(at.checked_sub(1)), named(Some(at + 1))],
        place: (at + 1, sorted.len()),
        clash,
    })
}

/// What would end the clash of these two, as far as the reader sees.
async fn advised(
    live: &Live,
    loaded: &Loaded,
    read: &ReadReport,
    cards: &[Option<ToolCard>; 2],
) -> Result<Advised, Error> {
    let [Some(first), Some(second)] = cards else {
        let note =
            "the definition of one of the two was not kept; `ambit repair` in the workspace asks the questions again";
        let advice = RepairAdvice { note: Some(note.to_owned()), ..RepairAdvice::default() };
        return Ok(Advised { advice, clash: None });
    };
    let report = &read.record.report;
    let ground = ground(&loaded.snapshot, report, read.tenant.as_deref());
    let refused = refused_alike(&report.refused, &report.findings).into_iter().cloned().collect();
    // A file and a line tell of what else stands in the file, so only a reader of the whole report is told them.
    let everywhere = read.tenant.is_none().then_some(&loaded.record.report.written);
    let nowhere = BTreeMap::new();
    let written = everywhere.unwrap_or(&nowhere);
    advise(loaded, live.store(), (ground, refused), [first.clone(), second.clone()], written).await
}

/// The clash with ranks and margins as they are among the tools in sight, for the questions that are lost there too.
fn with_margins(mut clash: Clash, measured: &Clash) -> Clash {
    for (told, known) in [(&mut clash.questions, &measured.questions), (&mut clash.taken, &measured.taken)] {
        let known: BTreeMap<&str, &ClashQuestion> =
            known.iter().map(|asked| (asked.question.as_str(), asked)).collect();
        for asked in told {
            if let Some(known) = known.get(asked.question.as_str()) {
                asked.clone_from(known);
            }
        }
    }
    clash
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
