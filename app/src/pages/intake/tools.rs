//! Findings tool by tool, those with most errors first.

use std::collections::BTreeMap;

use ambit_model::diagnostic::Severity;
use ambit_model::intake::Finding;
use leptos::prelude::*;

use super::tool_path;
use crate::parts::anchor::anchors;
use crate::parts::count::count;
use crate::parts::icon::{Icon, tag};
use crate::parts::panel::Panel;
use crate::parts::table::{Column, head};
use crate::parts::tool::tool;

pub(super) fn by_tool(findings: Vec<Finding>, accepted: &[String]) -> impl IntoView + use<> {
    const COLUMNS: &[Column] = &[
        Column::Text("Tool"),
        Column::Text("Standing"),
        Column::Number("Errors"),
        Column::Number("Warnings"),
        Column::Text("Codes"),
    ];
    let rows = rows(&findings, accepted);
    let counted = count(rows.len(), "tool", "tools");
    let ids = anchors("tool", rows.iter().map(|row| row.tool.as_str()));
    let rows = rows.into_iter().zip(ids).map(|(row, id)| shown(row, id)).collect_view();
    view! {
        <Panel id="by-tool" title="By tool" count=counted>
            <table class="tbl cards four-up" role="table" aria-label="Tools with findings, those with most errors first">
                {head(COLUMNS)}
                <tbody role="rowgroup">{rows}</tbody>
            </table>
        </Panel>
    }
}

#[derive(Debug, PartialEq, Eq)]
struct Row {
    tool: String,
    admitted: bool,
    errors: usize,
    warnings: usize,
    codes: Vec<String>,
}

/// The findings may be some of a tool's; whether it was admitted is not read off them.
fn rows(findings: &[Finding], accepted: &[String]) -> Vec<Row> {
    let mut tools: BTreeMap<&str, Row> = BTreeMap::new();
    for finding in findings {
        let tool = finding.tool.as_str();
        let admitted = accepted.binary_search_by(|id| id.as_str().cmp(tool)).is_ok();
        let empty = || Row { tool: tool.to_owned(), admitted, errors: 0, warnings: 0, codes: Vec::new() };
        let row = tools.entry(tool).or_insert_with(empty);
        if finding.severity == Severity::Error {
            row.errors += 1
        } else {
            row.warnings += 1
        }
        if !row.codes.iter().any(|code| *code == finding.code) {
            row.codes.push(finding.code.to_string());
        }
    }
    let mut rows: Vec<Row> = tools.into_values().collect();
    rows.sort_by(|a, b| (b.errors, b.warnings, &a.tool).cmp(&(a.errors, a.warnings, &b.tool)));
    rows
}

fn shown(row: Row, id: String) -> impl IntoView {
    let standing = if row.admitted { tag("plain", Icon::Ok, "admitted") } else { tag("bad", Icon::Bad, "refused") };
    view! {
        <tr role="row" id=id>
            <td role="cell" class="lead">
                <a href=tool_path(&row.tool)>{tool(&row.tool)}</a>
            </td>
            <td role="cell" data-l="Standing">
                {standing}
            </td>
            <td role="cell" class="num" data-l="Errors">
                {row.errors}
            </td>
            <td role="cell" class="num" data-l="Warnings">
                {row.warnings}
            </td>
            <td role="cell" class="full mono" data-l="Codes">
                {row.codes.join(", ")}
            </td>
        </tr>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_with_most_errors_come_first() {
        let finding = |tool: &str, severity: Severity, code: &'static str| Finding {
            tool: tool.to_owned(),
            severity,
            code: code.into(),
            pointer: String::new(),
            message: String::new(),
            remedy: String::new(),
            acknowledged: false,
            place: None,
            other: None,
        };
        let findings = [
            finding("a/x", Severity::Warning, "W_ONE"),
            finding("b/y", Severity::Error, "E_ONE"),
            finding("b/y", Severity::Error, "E_ONE"),
        ];
        let said: Vec<String> = rows(&findings, &["a/x".to_owned()])
            .into_iter()
            .map(|row| format!("{} {} {} {} {}", row.tool, row.admitted, row.errors, row.warnings, row.codes.join(" ")))
            .collect();
        assert_eq!(said, ["b/y false 2 0 E_ONE", "a/x true 0 1 W_ONE"]);
    }
}
