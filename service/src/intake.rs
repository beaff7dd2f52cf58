//! The intake report of a stored snapshot: what was refused and what is worth a look, as far as the caller may read it.

use std::collections::BTreeSet;

use ambit_engine::cut;
use ambit_model::administration::AdminAction;
use ambit_model::card::ToolCard;
use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;
use ambit_model::identity::ToolId;
use ambit_model::intake::{Clash, Finding, IntakeReport};
use ambit_model::snapshot::{Snapshot, SnapshotRecord};
use serde::{Deserialize, Serialize};

pub use ambit_engine::intake::groups::as_yaml as group_as_yaml;

use crate::Error;
use crate::administration::reach;
use crate::caller::Caller;
use crate::live::Live;
use crate::snapshots::{cut_record, find};

/// A record with as much of its report as somebody may read.
pub(crate) struct ReadReport {
    pub(crate) record: SnapshotRecord,
    /// The tenant that it is cut to; absent where it is whole.
    pub(crate) tenant: Option<String>,
}

/// The record of a snapshot, with its report; the live one where no number is given.
pub async fn read_intake(caller: &Caller, live: &Live, number: Option<i64>) -> Result<SnapshotRecord, Error> {
    Ok(read_report(caller, live, number).await?.record)
}

pub(crate) async fn read_report(caller: &Caller, live: &Live, number: Option<i64>) -> Result<ReadReport, Error> {
    let reach = reach(caller, live, AdminAction::ReadIntake).await?;
    let record = find(live.store(), number).await?;
    let tenant = caller.principal().filter(|_| !reach.everything).map(|own| &own.tenant);
    let Some(tenant) = tenant else { return Ok(ReadReport { record, tenant: None }) };
    let catalogs = live.ownership(&record).await?.of_tenant(tenant, &reach.catalogs);
    Ok(ReadReport { record: cut_record(record, tenant, &catalogs), tenant: Some(tenant.clone()) })
}

/// What the report of one snapshot counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrendPoint {
    pub snapshot: i64,
    /// RFC 3339, UTC.
    pub at: String,
    pub offered: usize,
    pub refused: usize,
    /// That are not acknowledged.
    pub open_findings: usize,
    pub clashes: usize,
}

/// Snapshots that a trend looks back over.
const LOOKED_BACK: usize = 40;

/// What the newest reports counted, the oldest of them first, each as far as the caller may read it.
pub async fn read_trend(caller: &Caller, live: &Live) -> Result<Vec<TrendPoint>, Error> {
    let reach = reach(caller, live, AdminAction::ReadIntake).await?;
    let tenant = caller.principal().filter(|_| !reach.everything).map(|own| own.tenant.clone());
    let mut records = live.store().records().await?;
    records.truncate(LOOKED_BACK);
    let mut points = Vec::new();
    for record in records.into_iter().rev() {
        let record = match &tenant {
            None => record,
            Some(tenant) => {
                let catalogs = live.ownership(&record).await?.of_tenant(tenant, &reach.catalogs);
                cut_record(record, tenant, &catalogs)
            }
        };
        points.push(point(&record));
    }
    Ok(points)
}

fn point(record: &SnapshotRecord) -> TrendPoint {
    let report = &record.report;
    TrendPoint {
        snapshot: record.number,
        at: record.created_at.clone(),
        offered: report.offered,
        refused: report.rejected(),
        open_findings: report.findings.iter().filter(|finding| !finding.acknowledged).count(),
        clashes: report.clashes.len(),
    }
}

/// What one tool met at the gate.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ToolIntake {
    pub snapshot: i64,
    pub tool: String,
    pub admitted: bool,
    pub findings: Vec<Finding>,
    pub clashes: Vec<Clash>,
    /// As it is in the snapshot, or as it was refused; absent where it gave no usable name or was too large to be kept.
    pub card: Option<ToolCard>,
}

/// What intake found of one tool of the live snapshot's catalogs. One that the caller may not read is answered like one that
/// nobody has.
pub async fn read_tool_intake(caller: &Caller, live: &Live, tool: &str) -> Result<ToolIntake, Error> {
    let record = read_intake(caller, live, None).await?;
    let loaded = live.current().await?;
    let report: &IntakeReport = &record.report;
    let admitted = report.accepted.iter().any(|accepted| accepted == tool);
    let findings: Vec<Finding> = report.findings.iter().filter(|finding| finding.tool == tool).cloned().collect();
    if !admitted && findings.is_empty() {
        let message = format!("no tool `{tool}` is in the intake report of snapshot {}", record.number);
        let known = report.accepted.iter().map(String::as_str).chain(report.findings.iter().map(|f| f.tool.as_str()));
        let help = ambit_engine::nearest::did_you_mean(tool, known)
            .unwrap_or_else(|| "`ambit intake` lists what was offered".to_owned());
        return Err(Error::Request(Box::new(Diagnostic::error(codes::E_UNRESOLVED, message).help(help))));
    }
    let card = card_in(&record, &loaded.record, &loaded.snapshot, tool);
    let clashes = report.clashes.iter().filter(|clash| clash.tool == tool || clash.rival == tool).cloned().collect();
    Ok(ToolIntake { snapshot: record.number, tool: tool.to_owned(), admitted, findings, clashes, card })
}

/// The card of a tool that a record's report is about, as it was admitted or as it was refused, with nothing of tools that the report
/// is not about. Nothing where another snapshot is loaded by now.
pub(crate) fn card_in(
    record: &SnapshotRecord,
    loaded: &SnapshotRecord,
    snapshot: &Snapshot,
    tool: &str,
) -> Option<ToolCard> {
    let report = &record.report;
    let known: BTreeSet<ToolId> = report.accepted.iter().filter_map(|id| ToolId::parse(id)).collect();
    let admitted = snapshot.tools.iter().filter(|card| loaded.number == record.number && known.contains(&card.id));
    let card = admitted.chain(&report.refused).find(|card| card.id.as_str() == tool)?;
    Some(cut::without_others(card, |tool| known.contains(tool)))
}
