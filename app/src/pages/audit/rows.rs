//! The table of entries.

use ambit_model::audit::AuditOutcome;
use leptos::either::Either;
use leptos::prelude::*;

use crate::data::{Act, AuditRow};
use crate::pages::audit::entry_path;
use crate::parts::icon::{Icon, tag};
use crate::parts::moment::moment;
use crate::parts::panel::Panel;
use crate::parts::table::{Column, head};

const COLUMNS: &[Column] = &[
    Column::Number("No."),
    Column::Text("When"),
    Column::Text("Action"),
    Column::Text("Outcome"),
    Column::Text("Who"),
    Column::Text("On what"),
    Column::Text("Policies"),
    Column::Text("Details"),
];

/// Newest first.
pub(crate) fn entries(rows: Vec<AuditRow>) -> impl IntoView {
    view! {
        <Panel id="entries" title="Entries" count=rows.len().to_string()>
            <table class="tbl cards two-up ledger" role="table" aria-label="Entries of the audit">
                {head(COLUMNS)}
                <tbody role="rowgroup">{rows.into_iter().map(entry).collect_view()}</tbody>
            </table>
        </Panel>
    }
}

fn entry(row: AuditRow) -> impl IntoView {
    let AuditRow { sequence, at, tenant, action, outcome, act } = row;
    let cells = match act {
        Some(act) => Either::Left(of(act)),
        None => Either::Right(erased(tenant)),
    };
    view! {
        <tr role="row" id=format!("entry-{sequence}")>
            <td role="cell" class="num" data-l="No.">
                <a href=entry_path(sequence)>{sequence}</a>
            </td>
            <td role="cell" data-l="When">
                {moment(&at)}
            </td>
            <td role="cell" class="word" data-l="Action">
                <span class="mono">{action}</span>
            </td>
            <td role="cell" data-l="Outcome">
                {outcome_tag(outcome)}
            </td>
            {cells}
        </tr>
    }
}

/// A word and a shape, never a colour alone.
fn outcome_tag(of: AuditOutcome) -> impl IntoView {
    match of {
        AuditOutcome::Done => tag("ok", Icon::Ok, of.word()),
        AuditOutcome::Denied => tag("bad", Icon::Bad, of.word()),
    }
}

fn of(act: Act) -> impl IntoView {
    let Act { caller, principal, resource, policies, details } = act;
    let principal = principal.filter(|principal| *principal != caller);
    view! {
        <td role="cell" class="full" data-l="Who">
            <span class="mono">{caller}</span>
            {principal.map(|principal| view! { <span class="mono dim beneath">{principal}</span> })}
        </td>
        <td role="cell" data-l="On what">
            <span class="mono">{resource}</span>
        </td>
        <td role="cell" data-l="Policies" class="sub">
            {policies.join(", ")}
        </td>
        <td role="cell" class="why full" data-l="Details">
            {pairs(details)}
        </td>
    }
}

fn pairs(details: Vec<(String, String)>) -> impl IntoView {
    let listed = details.into_iter().map(|(name, value)| view! { <dt>{name}</dt><dd>{value}</dd> });
    let listed: Vec<_> = listed.collect();
    (!listed.is_empty()).then(|| view! { <dl class="kv">{listed}</dl> })
}

fn erased(tenant: Option<String>) -> impl IntoView {
    let whose = match tenant {
        Some(tenant) => format!(" It was one of {tenant}."),
        None => String::new(),
    };
    view! {
        <td role="cell" class="full" colspan="4">
            <span class="row">
                {tag("plain", Icon::Removed, "erased")}
                <span class="dim">"Who, on what and why was erased; the chain still holds." {whose}</span>
            </span>
        </td>
    }
}
