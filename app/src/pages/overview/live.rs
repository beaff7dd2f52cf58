//! The card of the live snapshot.

use leptos::prelude::*;

use crate::data::{ActivationRow, SnapshotRow};
use crate::pages::SNAPSHOTS;
use crate::parts::digest::digest;
use crate::parts::moment::moment;
use crate::parts::panel::Panel;
use crate::parts::snapshot::{commit, diff_path};

/// Number, digest, who made it and which activation made it live.
pub(crate) fn live(row: &SnapshotRow, activation: &ActivationRow) -> impl IntoView + use<> {
    let compare = row.parent.map(|parent| {
        view! { <a href=diff_path(parent, row.number)>"Compare with " {parent}</a> }
    });
    let body = view! {
        <div class="body">
            <p class="big">
                <b>{row.number}</b>
                {digest(&row.short, &row.digest)}
            </p>
            {row.message.clone().map(|message| view! { <p>{message}</p> })}
            {facts(row, activation)}
        </div>
    };
    view! {
        <Panel id="live" title="Live snapshot" class="c4 tall live-card" end=moment(&activation.at).into_any()>
            {body}
            <footer>{compare} <a href=SNAPSHOTS.path>"All snapshots"</a></footer>
        </Panel>
    }
}

fn facts(row: &SnapshotRow, activation: &ActivationRow) -> impl IntoView + use<> {
    let reason = activation.reason.as_ref().map(|reason| format!(", “{reason}”"));
    let parent = match row.parent {
        Some(parent) => format!("{parent}"),
        None => "none, the first".to_owned(),
    };
    view! {
        <dl class="kv">
            <dt>"Compiled"</dt>
            <dd>{moment(&row.created)}</dd>
            <dt>"Author"</dt>
            <dd>{row.author.clone()}</dd>
            <dt>"Commit"</dt>
            <dd>{commit(row.commit.clone())}</dd>
            <dt>"Parent"</dt>
            <dd>{parent}</dd>
            <dt>"Live by"</dt>
            <dd>
                {activation.kind.clone()} " " <a href="/snapshots#activations">"no. " {activation.sequence}</a> ", "
                {activation.by.clone()} {reason}
            </dd>
        </dl>
    }
}
