//! The Overview page: what is live, who may do how much, and what was refused.

use ambit_model::administration::AdminAction;
use ambit_model::intake::IntakeReport;
use ambit_model::snapshot::Snapshot;
use ambit_service::blocks::list_blocks;
use ambit_service::snapshots::{list_snapshots, show_snapshot};
use ambit_service::{Error, administers};

use super::{refuse, rows, shown, signed_in};
use crate::data::{CatalogRow, Overview, ProjectRow};
use crate::problem::Problem;

/// Activations on the page.
const RECENT: usize = 8;

pub(crate) async fn overview() -> Result<Option<Overview>, Problem> {
    let (live, caller) = signed_in()?;
    live.current().await.map_err(|e| refuse(&e))?;
    // Asked before anything is read: to open the first page is not to try what one may not, which the audit would hold.
    if !administers(&caller, &live).await.map_err(|e| refuse(&e))?.contains(&AdminAction::ReadSnapshot) {
        return Ok(None);
    }
    let (record, snapshot) = show_snapshot(&caller, &live, None).await.map_err(|e| refuse(&e))?;
    let listed = list_snapshots(&caller, &live).await.map_err(|e| refuse(&e))?;
    let blocks = list_blocks(&caller, &live).await.map_err(|e| refuse(&e))?;
    let activations: Vec<_> = listed.activations.iter().take(RECENT).map(rows::activation).collect();
    let activation = activations.first().cloned().ok_or_else(|| refuse(&Error::NothingApplied))?;
    let open = record.report.findings.iter().filter(|finding| !finding.acknowledged).count();
    shown(&Some(Overview {
        live: rows::snapshot(&record, listed.live),
        activation,
        model: snapshot.settings.embedding_model.clone(),
        policies: snapshot.policies.len(),
        groups: snapshot.groups.len(),
        blocks: blocks.into_iter().map(rows::block).collect(),
        projects: projects(&snapshot),
        catalogs: catalogs(&snapshot, &record.report),
        open_findings: open,
        clashes: record.report.clashes.len(),
        activations,
    }))
}

fn projects(snapshot: &Snapshot) -> Vec<ProjectRow> {
    let row = |project: &ambit_model::declaration::Project| ProjectRow {
        id: project.id.to_string(),
        name: project.name.clone(),
        ceiling: project.ceiling.word().to_owned(),
        catalogs: project.catalogs.clone(),
        tools: snapshot.tools.iter().filter(|card| project.catalogs.iter().any(|c| c == card.id.catalog())).count(),
    };
    snapshot.projects.iter().map(row).collect()
}

fn catalogs(snapshot: &Snapshot, report: &IntakeReport) -> Vec<CatalogRow> {
    let of = |tool: &str, catalog: &str| tool.split_once('/').is_some_and(|(before, _)| before == catalog);
    let refused = |catalog: &str| {
        let mut tools: Vec<&str> = report
            .findings
            .iter()
            .filter(|f| f.severity == ambit_model::diagnostic::Severity::Error && of(&f.tool, catalog))
            .map(|f| f.tool.as_str())
            .collect();
        tools.sort_unstable();
        tools.dedup();
        tools.iter().filter(|tool| !report.accepted.iter().any(|accepted| accepted == *tool)).count()
    };
    let row = |catalog: &ambit_model::declaration::Catalog| CatalogRow {
        id: catalog.id.clone(),
        tenant: catalog.tenant.clone(),
        admitted: report.accepted.iter().filter(|tool| of(tool, &catalog.id)).count(),
        refused: refused(&catalog.id),
    };
    snapshot.catalogs.iter().map(row).collect()
}
