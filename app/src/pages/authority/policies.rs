//! Every policy with its text and what is worth a look, and how the tests of policies and routes ended.

use leptos::either::Either;
use leptos::prelude::*;

use crate::data::{PolicyRow, TestRow};
use crate::parts::anchor::anchors;
use crate::parts::count::count;
use crate::parts::icon::{Icon, classed_icon, tag};
use crate::parts::note::Empty;
use crate::parts::panel::Panel;
use crate::parts::policy::policy_anchor;
use crate::parts::table::{Column, head};
use crate::parts::words::words;

/// The built-in ones first.
pub(super) fn policies(rows: Vec<PolicyRow>) -> impl IntoView {
    let counted = rows.len().to_string();
    view! {
        <Panel id="policies" title="Policies" count=counted>
            <ul class="rows">{rows.into_iter().map(policy).collect_view()}</ul>
        </Panel>
    }
}

fn policy(row: PolicyRow) -> impl IntoView {
    let PolicyRow { id, effect, built_in, reason, cedar, place, marks } = row;
    let anchor = policy_anchor(&id);
    let built_in = built_in.then(|| tag("plain", Icon::Key, "built in"));
    let marks = marks.iter().map(|mark| tag("warn long", Icon::Warn, mark)).collect_view();
    let shape = if effect == "permit" { Icon::Added } else { Icon::Removed };
    let link = format!("#{anchor}");
    let says = format!("Link to {id}");
    view! {
        <li id=anchor>
            <details class="fold drift" open>
                <summary>
                    {classed_icon(Icon::Chevron, "i chev")}
                    <span class="row">{tag("", shape, &effect)} <span class="id">{id}</span> {built_in} {marks}</span>
                </summary>
                <div class="in-fold stack">
                    <p class="sub">
                        {reason.map(|reason| format!("{reason}. "))} <span class="mono">{place}</span> " "
                        <a href=link aria-label=says>
                            "Link"
                        </a>
                    </p>
                    <pre class="code" tabindex="0">
                        <code>{cedar}</code>
                    </pre>
                </div>
            </details>
        </li>
    }
}

/// Those that failed first.
pub(super) fn tests(rows: Vec<TestRow>) -> impl IntoView {
    const COLUMNS: &[Column] = &[
        Column::Text("Test"),
        Column::Text("Result"),
        Column::Text("Kind"),
        Column::Text("Where"),
        Column::Text("Instead"),
    ];
    let failed = rows.iter().filter(|row| !row.passed).count();
    let counted = format!("{}, {failed} failed", count(rows.len(), "test", "tests"));
    let listed = if rows.is_empty() {
        Either::Left(view! {
            <Empty of=Icon::Ok title="No test was run when this snapshot was compiled">
                <span>"PolicyTest and GoldenRoute documents are, by `ambit check` and `ambit apply`."</span>
            </Empty>
        })
    } else {
        let ids = anchors("test", rows.iter().map(|row| row.says.as_str()));
        Either::Right(view! {
            <table class="tbl cards two-up ledger" role="table" aria-label="Tests">
                {head(COLUMNS)}
                <tbody role="rowgroup">
                    {rows.into_iter().zip(ids).map(|(row, id)| test(row, id)).collect_view()}
                </tbody>
            </table>
        })
    };
    view! {
        <Panel id="tests" title="Tests, as the snapshot was compiled" count=counted>
            {listed}
        </Panel>
    }
}

fn test(row: TestRow, id: String) -> impl IntoView {
    let TestRow { kind, says, passed, place, instead } = row;
    let result = if passed { tag("ok", Icon::Ok, "passed") } else { tag("bad", Icon::Bad, "failed") };
    let instead = instead.iter().map(|line| view! { <p>{words(line)}</p> }).collect_view();
    view! {
        <tr role="row" id=id.clone()>
            <td role="cell" class="lead">
                <a href=format!("#{id}")>{says}</a>
            </td>
            <td role="cell" data-l="Result">
                {result}
            </td>
            <td role="cell" data-l="Kind">
                {kind}
            </td>
            <td role="cell" data-l="Where">
                <span class="mono">{place}</span>
            </td>
            <td role="cell" class="why full" data-l="Instead">
                {instead}
            </td>
        </tr>
    }
}
