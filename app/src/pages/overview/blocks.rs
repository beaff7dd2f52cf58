//! The tools that are blocked, each with the command that unblocks it; nothing where there are none.

use leptos::prelude::*;

use crate::data::BlockRow;
use crate::parts::command::quoted;
use crate::parts::icon::{Icon, tag};
use crate::parts::moment::moment;
use crate::parts::panel::Panel;
use crate::parts::tool::tool;

/// Every block that the reader may know of.
pub(crate) fn blocks(rows: Vec<BlockRow>) -> Option<impl IntoView> {
    (!rows.is_empty()).then(|| {
        view! {
            <Panel id="blocks" title="Blocked now" count=rows.len().to_string()>
                <ul class="rows">{rows.into_iter().map(block).collect_view()}</ul>
            </Panel>
        }
    })
}

fn block(row: BlockRow) -> impl IntoView {
    let unblock = format!("ambit unblock {} --reason …", quoted(&row.tool));
    let state = if row.ended { tag("", Icon::Info, "ended") } else { tag("bad", Icon::Bad, "blocked") };
    view! {
        <li class="line">
            {state} {tool(&row.tool)} <span>{row.reason}</span>
            <span class="dim">{row.until} ", by " {row.by} ", " {moment(&row.at)}</span>
            <code class="cmd" tabindex="0">
                {unblock}
            </code>
        </li>
    }
}
