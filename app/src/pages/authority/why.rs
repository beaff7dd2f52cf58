//! Why somebody may do something, or may not: the answer first, then each decision and what would flip it.

use leptos::prelude::*;

use super::view::decision;
use crate::data::{DecidedRow, WhyPage};
use crate::parts::icon::{Icon, icon, tag};
use crate::parts::panel::Panel;
use crate::parts::table::{Column, head};
use crate::parts::words::words;

/// The explanation; the policies that it names have their text further down the page.
pub(super) fn why(page: WhyPage) -> impl IntoView {
    const COLUMNS: &[Column] = &[Column::Text("Action"), Column::Text("Decision")];
    let WhyPage { allow, answer, unseen, facts, decided, above_changes, changes } = page;
    let (shape, verdict) = if allow { (Icon::Ok, "allow") } else { (Icon::Bad, "deny") };
    let facts = facts.into_iter().map(|(what, says)| view! { <dt>{what}</dt><dd>{says}</dd> }).collect_view();
    let changes = (!changes.is_empty()).then(|| changed(above_changes, changes));
    view! {
        <Panel id="why" title="Why">
            <div class="body stack">
                <p class="row">{tag("plain", shape, verdict)} <b id="answer">{answer}</b></p>
                {unseen.then(out_of_sight)}
                <dl class="kv">{facts}</dl>
            </div>
            <table class="tbl cards two-up ledger" role="table" aria-label="Decisions">
                {head(COLUMNS)}
                <tbody role="rowgroup">{decided.into_iter().map(row).collect_view()}</tbody>
            </table>
            {changes}
        </Panel>
    }
}

fn row(of: DecidedRow) -> impl IntoView {
    view! {
        <tr role="row">
            <td role="cell" class="lead">
                <span class="mono">{of.of.clone()}</span>
            </td>
            <td role="cell" class="full" data-l="Decision">
                {decision(of)}
            </td>
        </tr>
    }
}

fn changed(above: String, changes: Vec<(String, Vec<String>)>) -> impl IntoView {
    let change = |(says, near): (String, Vec<String>)| {
        let near = (!near.is_empty()).then(|| {
            let near = near.into_iter().map(|near| view! { <li><span>"near: " {words(&near)}</span></li> });
            view! { <ul class="near sub">{near.collect_view()}</ul> }
        });
        view! {
            <li class="line">
                <span>{words(&says)}</span>
                {near}
            </li>
        }
    };
    view! {
        <p class="lead-in">{above}</p>
        <ul class="rows" id="changes">
            {changes.into_iter().map(change).collect_view()}
        </ul>
    }
}

fn out_of_sight() -> impl IntoView {
    view! {
        <div class="note warn">
            {icon(Icon::Warn)}
            <p>
                "Policies that you may not read decide too, and turn the answer. Below stands what the policies in your sight make of it."
            </p>
        </div>
    }
}
