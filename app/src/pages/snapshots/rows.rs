//! The table of snapshots.

use leptos::prelude::*;

use crate::data::SnapshotRow;
use crate::parts::digest::digest;
use crate::parts::icon::{Icon, tag};
use crate::parts::moment::moment;
use crate::parts::panel::Panel;
use crate::parts::snapshot::{commit, diff_path, rollback_path};
use crate::parts::table::{Column, head};

const COLUMNS: &[Column] = &[
    Column::Text("Snapshot"),
    Column::Text("Digest"),
    Column::Text("Compiled"),
    Column::Text("Author"),
    Column::Text("Message"),
    Column::Text("Commit"),
    Column::Number("Tools"),
    Column::Number("Refused"),
    Column::Hidden("What can be done"),
];

/// Newest first.
pub(crate) fn snapshots(rows: Vec<SnapshotRow>, live: Option<i64>) -> impl IntoView {
    view! {
        <Panel id="snapshots" title="Stored snapshots" count=rows.len().to_string()>
            <table class="tbl cards" role="table" aria-label="Stored snapshots">
                {head(COLUMNS)}
                <tbody role="rowgroup">{rows.into_iter().map(|row| snapshot(row, live)).collect_view()}</tbody>
            </table>
        </Panel>
    }
}

fn snapshot(row: SnapshotRow, live: Option<i64>) -> impl IntoView {
    let links = links(&row, live);
    let is_live = row.live.then(|| tag("ok", Icon::Ok, "live"));
    view! {
        <tr role="row" id=format!("s-{}", row.number)>
            <td role="cell" class="lead">
                <span class="row">
                    <a href=format!("#s-{}", row.number)>
                        <b>{row.number}</b>
                    </a>
                    {is_live}
                </span>
            </td>
            <td role="cell" data-l="Digest">
                {digest(&row.short, &row.digest)}
            </td>
            <td role="cell" data-l="Compiled">
                {moment(&row.created)}
            </td>
            <td role="cell" data-l="Author">
                {row.author}
            </td>
            <td role="cell" class="why full" data-l="Message">
                {row.message}
            </td>
            <td role="cell" data-l="Commit">
                {commit(row.commit)}
            </td>
            <td role="cell" class="num" data-l="Tools">
                {row.tools}
            </td>
            <td role="cell" class="num" data-l="Refused">
                {row.refused}
            </td>
            <td role="cell" class="full">
                {links}
            </td>
        </tr>
    }
}

fn links(row: &SnapshotRow, live: Option<i64>) -> impl IntoView + use<> {
    let number = row.number;
    let other = live.filter(|live| *live != number);
    // The live one's neighbour is often its parent: one link is enough then.
    let parent = row.parent.filter(|parent| Some(*parent) != other);
    view! {
        <span class="row end">
            {parent.map(|parent| view! { <a href=diff_path(parent, number)>"Diff " {parent} " to " {number}</a> })}
            {other.map(|live| view! { <a href=diff_path(number, live)>"Diff " {number} " to live " {live}</a> })}
            {(!row.live).then(|| view! { <a href=rollback_path(number)>"Roll back to " {number} "…"</a> })}
        </span>
    }
}
