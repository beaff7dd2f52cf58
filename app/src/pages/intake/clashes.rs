//! Pairs of tools that answer to the same questions, with the questions that went to the wrong one.

use leptos::either::Either;
use leptos::prelude::*;

use crate::data::{ClashQuestionRow, ClashRow};
use crate::parts::anchor::anchors;
use crate::parts::icon::{Icon, icon};
use crate::parts::note::Empty;
use crate::parts::panel::Panel;
use crate::parts::table::{Column, head};
use crate::parts::tool::tool;

const COLUMNS: &[Column] =
    &[Column::Text("Example question"), Column::Number("Its own tool"), Column::Number("The rival")];

/// All clashes.
pub(crate) fn clashes(rows: Vec<ClashRow>) -> impl IntoView {
    let body = if rows.is_empty() {
        Either::Left(view! {
            <Empty of=Icon::Ok title="No clash">
                <span>"Every tool was asked its own example questions, and none came first for too many of another's."</span>
            </Empty>
        })
    } else {
        Either::Right(table(&rows))
    };
    view! {
        <Panel id="clashes" title="Clashes" count=rows.len().to_string()>
            {body}
        </Panel>
    }
}

fn table(rows: &[ClashRow]) -> impl IntoView + use<> {
    let named: Vec<String> = rows.iter().map(|row| format!("{}-{}", row.tool, row.rival)).collect();
    let ids = anchors("clash", named.iter().map(String::as_str));
    let pairs = rows.iter().cloned().zip(ids).map(|(row, id)| pair(row, id)).collect_view();
    view! {
        <table class="tbl cards two-up" role="table" aria-label="Questions that went to the rival, with both scores">
            {head(COLUMNS)}
            {pairs}
        </table>
    }
}

fn pair(row: ClashRow, id: String) -> impl IntoView {
    let link = format!("#{id}");
    let says = format!("Link to a clash of {}", row.tool);
    let rival = if row.rival.is_empty() {
        Either::Left(view! { <span class="what">"another tool, which you may not read"</span> })
    } else {
        Either::Right(tool(&row.rival))
    };
    view! {
        <tbody role="rowgroup">
            <tr role="row" class="group" id=id>
                <th role="rowheader" scope="rowgroup" colspan="3">
                    <div class="gh">
                        {tool(&row.tool)} <span class="what">"loses to"</span> {rival}
                        <a class="gate lnk" href=link aria-label=says>
                            {icon(Icon::Link)}
                        </a>
                    </div>
                </th>
            </tr>
            {row.questions.into_iter().map(question).collect_view()}
        </tbody>
    }
}

fn question(row: ClashQuestionRow) -> impl IntoView {
    view! {
        <tr role="row">
            <td role="cell" class="lead">
                {row.question}
            </td>
            <td role="cell" class="num" data-l="Its own tool">
                {row.own}
            </td>
            <td role="cell" class="num" data-l="The rival">
                <b>{row.rival}</b>
            </td>
        </tr>
    }
}
