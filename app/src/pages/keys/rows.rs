//! The table of keys.

use leptos::either::Either;
use leptos::prelude::*;

use crate::data::{KeyRow, KeyState};
use crate::pages::revoke::revoke_path;
use crate::parts::anchor::anchor;
use crate::parts::icon::{Icon, tag};
use crate::parts::moment::moment;
use crate::parts::panel::Panel;
use crate::parts::table::{Column, head};

const COLUMNS: &[Column] = &[
    Column::Text("Key"),
    Column::Text("Principal"),
    Column::Text("Project"),
    Column::Text("Tools"),
    Column::Text("Made"),
    Column::Text("Expires"),
    Column::Text("State"),
    Column::Hidden("What can be done"),
];

/// Newest first.
pub(crate) fn keys(rows: Vec<KeyRow>) -> impl IntoView {
    view! {
        <Panel id="keys" title="Keys" count=rows.len().to_string()>
            <table class="tbl cards two-up ledger" role="table" aria-label="Keys">
                {head(COLUMNS)}
                <tbody role="rowgroup">{rows.into_iter().map(key).collect_view()}</tbody>
            </table>
        </Panel>
    }
}

fn key(row: KeyRow) -> impl IntoView {
    let id = anchor("key", &row.id);
    let own = row.own.then(|| tag("accent", Icon::Person, "yours"));
    let revoke = (row.state != KeyState::Revoked).then(|| {
        let says = format!("Revoke {} {}…", row.name, row.id);
        view! {
            <a href=revoke_path(&row.id) aria-label=says>
                "Revoke…"
            </a>
        }
    });
    view! {
        <tr role="row" id=id.clone()>
            <td role="cell" class="lead">
                <span class="row">
                    <b>{row.name.clone()}</b>
                    <a class="id dim" href=format!("#{id}")>
                        {row.id.clone()}
                    </a>
                    {own}
                </span>
            </td>
            <td role="cell" class="full" data-l="Principal">
                <span class="mono">{row.principal.clone()}</span>
            </td>
            <td role="cell" data-l="Project">
                {project(&row)}
            </td>
            <td role="cell" data-l="Tools">
                {tools(&row)}
            </td>
            <td role="cell" data-l="Made">
                {moment(&row.created)} " by " <span class="mono">{row.created_by.clone()}</span>
            </td>
            <td role="cell" data-l="Expires">
                {expires(&row)}
            </td>
            <td role="cell" data-l="State">
                {state(row.state)}
            </td>
            <td role="cell">{revoke}</td>
        </tr>
    }
}

/// What a key is good for, in words.
pub(crate) fn project(row: &KeyRow) -> impl IntoView + use<> {
    match row.project.clone() {
        Some(project) => Either::Left(view! { <span class="mono">{project}</span> }),
        None => Either::Right(view! { <span class="dim">"any"</span> }),
    }
}

/// Its scope.
pub(crate) fn tools(row: &KeyRow) -> impl IntoView + use<> {
    if row.tools.is_empty() {
        return Either::Right(view! { <span class="dim">"all that the principal may use"</span> });
    }
    Either::Left(view! { <span class="mono">{row.tools.join(", ")}</span> })
}

/// When it ends by itself.
pub(crate) fn expires(row: &KeyRow) -> impl IntoView + use<> {
    match &row.expires {
        Some(end) => Either::Left(moment(end)),
        None => Either::Right(view! { <span class="dim">"never"</span> }),
    }
}

/// A word and a shape, never a colour alone.
pub(crate) fn state(of: KeyState) -> impl IntoView {
    match of {
        KeyState::Valid => tag("ok", Icon::Ok, of.word()),
        KeyState::Expired => tag("warn", Icon::Version, of.word()),
        KeyState::Revoked => tag("plain", Icon::Bad, of.word()),
    }
}
