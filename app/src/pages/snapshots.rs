//! The Snapshots page: every stored snapshot, newest first, and the list of what was live when.

mod rows;

use leptos::prelude::*;
use leptos_meta::Title;

use crate::data::{self, ActivationRow, SnapshotsPage};
use crate::pages::SNAPSHOTS;
use crate::parts::command::{Command, copy_as};
use crate::parts::count::count;
use crate::parts::head::PageHead;
use crate::parts::icon::{Icon, tag};
use crate::parts::loaded::loaded;
use crate::parts::moment::moment;
use crate::parts::note::Empty;
use crate::parts::panel::Panel;
use crate::parts::snapshot::snapshot_path;
use crate::parts::table::{Column, head};

/// The page.
pub fn page() -> AnyView {
    let answer = Resource::new(|| (), |()| data::snapshots());
    view! {
        <Title text=SNAPSHOTS.title />
        {loaded(SNAPSHOTS.title, answer, found)}
    }
    .into_any()
}

fn found(page: SnapshotsPage) -> impl IntoView {
    let live = match page.live {
        Some(number) => format!("{number} is live"),
        None => "none is live".to_owned(),
    };
    let sentence = format!(
        "{}, {live}; {} so far. A snapshot never changes: to roll back is to make an old one live again.",
        count(page.snapshots.len(), "snapshot", "snapshots"),
        count(page.activations.len(), "activation", "activations"),
    );
    view! {
        <PageHead title=SNAPSHOTS.title sentence=sentence>
            {copy_as(vec![Command::line("ambit snapshots"), Command::line("ambit verify")])}
        </PageHead>
        {rows::snapshots(page.snapshots, page.live)}
        {activations(page.activations)}
    }
}

/// Append-only: a rollback is a new line, never a change of an old one.
fn activations(rows: Vec<ActivationRow>) -> impl IntoView {
    const COLUMNS: &[Column] = &[
        Column::Number("No."),
        Column::Text("Snapshot"),
        Column::Text("Kind"),
        Column::Text("When"),
        Column::Text("By"),
        Column::Text("Reason"),
    ];
    if rows.is_empty() {
        return view! {
            <div class="panel" id="activations">
                <Empty of=Icon::Snapshot title="Nothing was live so far">
                    <code class="cmd" tabindex="0">
                        "ambit apply"
                    </code>
                </Empty>
            </div>
        }
        .into_any();
    }
    view! {
        <Panel id="activations" title="Activations" count="what was live when; lines are only ever added">
            <table class="tbl cards" role="table" aria-label="Activations">
                {head(COLUMNS)}
                <tbody role="rowgroup">{rows.into_iter().map(activation).collect_view()}</tbody>
            </table>
        </Panel>
    }
    .into_any()
}

fn activation(row: ActivationRow) -> impl IntoView {
    let (class, shape) = if row.kind == "rollback" { ("warn", Icon::Undo) } else { ("plain", Icon::Snapshot) };
    view! {
        <tr role="row" id=format!("a-{}", row.sequence)>
            <td role="cell" class="num" data-l="No.">
                {row.sequence}
            </td>
            <td role="cell" data-l="Snapshot">
                <a href=snapshot_path(row.snapshot)>{row.snapshot}</a>
            </td>
            <td role="cell" data-l="Kind">
                {tag(class, shape, &row.kind)}
            </td>
            <td role="cell" data-l="When">
                {moment(&row.at)}
            </td>
            <td role="cell" data-l="By">
                {row.by}
            </td>
            <td role="cell" class="why full" data-l="Reason">
                {row.reason}
            </td>
        </tr>
    }
}
