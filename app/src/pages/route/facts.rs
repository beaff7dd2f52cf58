//! From what an answer was made, and what it cost.

use ambit_model::route::RouteAnswer;
use leptos::prelude::*;

use crate::data::RoutedPage;
use crate::parts::digest::digest;
use crate::parts::panel::Panel;
use crate::parts::snapshot::snapshot_path;

/// Snapshot, view, mode, overlay, tokens, time.
pub(crate) fn facts(answer: &RouteAnswer, routed: &RoutedPage) -> impl IntoView + use<> {
    let snapshot = &answer.snapshot;
    let overlay = match &answer.overlay {
        Some(overlay) => digest(&overlay.short(), overlay.as_str()).into_any(),
        None => view! { <span class="dim">"none"</span> }.into_any(),
    };
    let body = view! {
            <dl class="body kv">
                <dt>"Snapshot"</dt>
                <dd>
                    <a href=snapshot_path(snapshot.number)>{snapshot.number}</a> " "
                    {digest(&snapshot.digest.short(), snapshot.digest.as_str())}
                </dd>
                <dt>"View"</dt>
                <dd>{digest(&answer.view.short(), answer.view.as_str())}</dd>
                <dt>"Mode"</dt>
                <dd>{answer.mode.clone()}</dd>
                <dt>"Overlay"</dt>
                <dd>{overlay}</dd>
                <dt>"Tokens"</dt>
                <dd>{answer.tokens.handed} " handed over, " {answer.tokens.view} " in the view"</dd>
                <dt>"Time"</dt>
                <dd>{routed.embed.clone()} " ms to embed, " {routed.route.clone()} " ms to route"</dd>
            </dl>
    };
    view! {
        <Panel id="facts" title="Made from">
            {body}
        </Panel>
    }
}
