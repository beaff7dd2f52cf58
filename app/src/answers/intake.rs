//! The Intake page: the report of the live snapshot, by rule.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::codes;
use ambit_model::diagnostic::Severity;
use ambit_model::intake::{Finding, IntakeReport};
use ambit_service::intake::{read_intake, read_tool_intake, read_trend};
use ambit_service::trial::try_live;

use super::{given, refuse, rows, shown, signed_in};
use crate::data::{FindingRow, IntakePage, RuleRows};
use crate::pages::intake::{tool_content, tools_content, trend_content};
use crate::parts::made::Made;
use crate::problem::Problem;

pub(crate) async fn intake(catalog: &str, code: &str, acknowledged: bool, by: &str) -> Result<IntakePage, Problem> {
    let (live, caller) = signed_in()?;
    let record = read_intake(&caller, &live, None).await.map_err(|e| refuse(&e))?;
    let points = read_trend(&caller, &live).await.map_err(|e| refuse(&e))?;
    let report = &record.report;
    let passes = |finding: &&Finding| {
        (catalog.is_empty() || catalog_of(&finding.tool) == catalog)
            && (code.is_empty() || finding.code == code)
            && (acknowledged || !finding.acknowledged)
    };
    let passing: Vec<&Finding> = report.findings.iter().filter(passes).collect();
    let clashes = report.clashes.iter().filter(|clash| catalog.is_empty() || catalog_of(&clash.tool) == catalog);
    let by_tool = by == "tool";
    let findings: Vec<Finding> = passing.iter().map(|finding| (*finding).clone()).collect();
    let tools = by_tool.then(|| shown(&findings)).transpose()?;
    let tools = tools.map(|findings| tools_content(findings, &report.accepted));
    shown(&IntakePage {
        snapshot: record.number,
        compiled: rows::moment(&record.created_at),
        offered: report.offered,
        admitted: report.accepted.len(),
        refused: report.rejected(),
        shown: passing.len(),
        total: report.findings.len(),
        rules: if by_tool { Vec::new() } else { rules(&passing) },
        tools,
        trend: trend_content(points),
        clashes: clashes.count(),
        catalogs: names(report, |finding| catalog_of(&finding.tool)),
        codes: names(report, |finding| &finding.code),
    })
}

pub(crate) async fn tool_intake(tool: String, description: String) -> Result<Made, Problem> {
    let (live, caller) = signed_in()?;
    let found = read_tool_intake(&caller, &live, &tool).await.map_err(|e| refuse(&e))?;
    let tried = match given(&description) {
        Some(description) => {
            Some(shown(&try_live(&caller, &live, &tool, &description).await.map_err(|e| refuse(&e))?)?)
        }
        None => None,
    };
    Ok(tool_content(shown(&found)?, tried))
}

fn catalog_of(tool: &str) -> &str {
    tool.split_once('/').map_or(tool, |(catalog, _)| catalog)
}

fn names(report: &IntakeReport, of: impl Fn(&Finding) -> &str) -> Vec<String> {
    let all: BTreeSet<&str> = report.findings.iter().map(of).collect();
    all.into_iter().map(str::to_owned).collect()
}

/// Errors before warnings, then the rules that most tools broke.
fn rules(findings: &[&Finding]) -> Vec<RuleRows> {
    let mut by_rule: BTreeMap<(Severity, &str), Vec<FindingRow>> = BTreeMap::new();
    for finding in findings {
        by_rule.entry((finding.severity, &finding.code)).or_default().push(row(finding));
    }
    let mut rules: Vec<((Severity, &str), Vec<FindingRow>)> = by_rule.into_iter().collect();
    rules.sort_by(|(a, these), (b, those)| a.0.cmp(&b.0).then(those.len().cmp(&these.len())).then(a.1.cmp(b.1)));
    rules
        .into_iter()
        .map(|((severity, code), findings)| RuleRows {
            code: code.to_owned(),
            meaning: codes::find(code).map_or("", |entry| entry.meaning).to_owned(),
            severity: severity.word().to_owned(),
            findings,
        })
        .collect()
}

fn row(finding: &Finding) -> FindingRow {
    FindingRow {
        tool: finding.tool.clone(),
        pointer: finding.pointer.clone(),
        message: finding.message.clone(),
        remedy: finding.remedy.clone(),
        acknowledged: finding.acknowledged,
    }
}
