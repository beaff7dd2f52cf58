//! One panel per rule, with the findings of that rule.

use leptos::prelude::*;

use crate::data::{FindingRow, RuleRows};
use crate::parts::anchor::anchors;
use crate::parts::count::count;
use crate::parts::icon::{Icon, icon, tag};
use crate::parts::panel::Panel;
use crate::parts::table::{Column, head};
use crate::parts::tool::tool;
use crate::parts::words::words;

const COLUMNS: &[Column] = &[
    Column::Text("Tool"),
    Column::Text("Where"),
    Column::Text("Finding"),
    Column::Text("Remedy"),
    Column::Hidden("Link to the row"),
];

/// The rule's code, what it means, how grave it is, and its findings.
pub(crate) fn rule(rule: &RuleRows) -> impl IntoView + use<> {
    let named: Vec<String> = rule.findings.iter().map(|row| format!("{}{}", row.tool, row.pointer)).collect();
    let ids = anchors(&rule.code.to_ascii_lowercase(), named.iter().map(String::as_str));
    let rows = rule.findings.iter().cloned().zip(ids).map(|(row, id)| finding(row, id)).collect_view();
    let body = view! {
        <p class="lead-in">{rule.meaning.clone()}</p>
        <table class="tbl cards findings" role="table" aria-label=format!("Findings of {}", rule.code)>
            {head(COLUMNS)}
            <tbody role="rowgroup">{rows}</tbody>
        </table>
    };
    view! {
        <Panel
            id=rule.code.clone()
            title=rule.code.clone()
            count=count(rule.findings.len(), "finding", "findings")
            end=severity(&rule.severity).into_any()
        >
            {body}
        </Panel>
    }
}

fn severity(word: &str) -> impl IntoView + use<> {
    match word {
        "error" => tag("bad", Icon::Bad, "error"),
        "warning" => tag("warn", Icon::Warn, "warning"),
        other => tag("info", Icon::Info, other),
    }
}

fn finding(row: FindingRow, id: String) -> impl IntoView {
    let link = format!("#{id}");
    let says = format!("Link to the finding of {}", row.tool);
    let acknowledged = row.acknowledged.then(|| tag("plain", Icon::Ok, "acknowledged"));
    let place = if row.pointer.is_empty() {
        view! { <span class="dim">"the whole tool"</span> }.into_any()
    } else {
        view! { <span class="mono">{row.pointer}</span> }.into_any()
    };
    view! {
        <tr role="row" id=id>
            <td role="cell" class="lead">
                <span class="row">{tool(&row.tool)} {acknowledged}</span>
            </td>
            <td role="cell" data-l="Where" class="full">
                {place}
            </td>
            <td role="cell" data-l="Finding" class="why full">
                {words(&row.message)}
            </td>
            <td role="cell" data-l="Remedy" class="why full">
                {words(&row.remedy)}
            </td>
            <td role="cell" class="lnk corner">
                <a href=link aria-label=says>
                    {icon(Icon::Link)}
                </a>
            </td>
        </tr>
    }
}
