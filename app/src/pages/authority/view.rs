//! What somebody may do with each tool that it may name, and the policies that say so.

use leptos::either::Either;
use leptos::prelude::*;

use super::Asked;
use crate::data::{DecidedRow, ToolRow, ViewPage};
use crate::parts::anchor::anchors;
use crate::parts::icon::{Icon, tag};
use crate::parts::note::Empty;
use crate::parts::panel::Panel;
use crate::parts::policy::policies;
use crate::parts::table::{Column, head};
use crate::parts::tool::tool;

/// The filters with their counts, the tools of one page, and the way to the others.
pub(super) fn view(page: ViewPage, asked: &Asked) -> impl IntoView + use<> {
    let ViewPage { filters, filter, page, pages, rows } = page;
    let choices =
        filters.into_iter().map(|(word, says, number)| choice(word, says, number, &filter, asked)).collect_view();
    let title = format!("What {} may do in {}", asked.about.principal, asked.about.project);
    let listed = if rows.is_empty() { Either::Left(nothing()) } else { Either::Right(table(rows, asked)) };
    view! {
        <nav class="seg" aria-label="Tools by what may be done">
            {choices}
        </nav>
        <Panel id="view" title=title>
            {listed}
        </Panel>
        {turn(asked, page, pages)}
    }
}

fn choice(word: String, says: String, number: usize, chosen: &str, asked: &Asked) -> impl IntoView + use<> {
    let current = (word == chosen).then_some("true");
    let path = Asked { show: word, page: 1, ..asked.clone() }.path();
    view! {
        <a href=path aria-current=current>
            {says}
            " "
            <span class="n">{number}</span>
        </a>
    }
}

fn nothing() -> impl IntoView {
    view! {
        <Empty of=Icon::Tool title="No tool is so">
            <span>"Every tool that may be named here was looked at."</span>
        </Empty>
    }
}

fn table(rows: Vec<ToolRow>, asked: &Asked) -> impl IntoView + use<> {
    const COLUMNS: &[Column] = &[
        Column::Text("Tool"),
        Column::Text("Effect"),
        Column::Text("Discover"),
        Column::Text("Route"),
        Column::Text("Invoke"),
    ];
    let ids = anchors("may", rows.iter().map(|row| row.tool.as_str()));
    let rows = rows.into_iter().zip(ids).map(|(row, id)| tool_row(row, id, asked)).collect_view();
    view! {
        <table class="tbl cards two-up ledger" role="table" aria-label="Tools that may be named">
            {head(COLUMNS)}
            <tbody role="rowgroup">{rows}</tbody>
        </table>
    }
}

fn tool_row(row: ToolRow, id: String, asked: &Asked) -> impl IntoView + use<> {
    let why = asked.why(&row.tool, &asked.about.action);
    let cells = row.decided.into_iter().zip(["Discover", "Route", "Invoke"]).map(|(decided, label)| {
        view! {
            <td role="cell" data-l=label>
                {decision(decided)}
            </td>
        }
    });
    view! {
        <tr role="row" id=id>
            <td role="cell" class="lead">
                <a href=why title="Why?">
                    {tool(&row.tool)}
                </a>
            </td>
            <td role="cell" data-l="Effect">
                {row.effect}
            </td>
            {cells.collect_view()}
        </tr>
    }
}

/// A word and a shape, and what decided. What may be done is not painted green: more authority is no success.
pub(super) fn decision(row: DecidedRow) -> impl IntoView {
    let DecidedRow { allow, verdict, by, policies: ids, .. } = row;
    let shape = if allow { Icon::Ok } else { Icon::Bad };
    view! {
        {tag("plain", shape, &verdict)}
        <span class="sub beneath">{by} " " {policies("", ids)}</span>
    }
}

fn turn(asked: &Asked, page: usize, pages: usize) -> impl IntoView + use<> {
    let to = |page: usize| Asked { page, ..asked.clone() }.path();
    let before = (page > 1).then(|| view! { <a class="btn" href=to(page - 1)>"Before"</a> });
    let next = (page < pages).then(|| view! { <a class="btn" href=to(page + 1)>"Next"</a> });
    (pages > 1).then(|| {
        view! {
            <nav class="row" aria-label="Pages of tools">
                {before} {next} <span class="dim">{format!("page {page} of {pages}")}</span>
            </nav>
        }
    })
}
