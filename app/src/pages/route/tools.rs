//! What the agent receives: the tools with their definitions, and the hint of a plan.

use ambit_model::route::HandedTool;
use leptos::either::Either;
use leptos::prelude::*;

use crate::parts::anchor::anchor;
use crate::parts::icon::{Icon, classed_icon};
use crate::parts::note::Empty;
use crate::parts::panel::Panel;
use crate::parts::tool::tool;

/// The tools, in step order; schemas are the text of their file.
pub(crate) fn handed(tools: Vec<HandedTool>) -> impl IntoView {
    let counted = tools.len().to_string();
    let body = if tools.is_empty() {
        Either::Left(view! {
            <Empty of=Icon::Tool title="No tool is handed over">
                <span>"The steps and the gaps say why."</span>
            </Empty>
        })
    } else {
        Either::Right(view! { <ul class="rows">{tools.into_iter().map(definition).collect_view()}</ul> })
    };
    view! {
        <Panel id="handed" title="Tools handed over" count=counted>
            {body}
        </Panel>
    }
}

fn definition(handed: HandedTool) -> impl IntoView {
    let id = anchor("tool", handed.id.as_str());
    let json = serde_json::to_string_pretty(&handed.definition).unwrap_or_default();
    view! {
        <li id=id>
            <details class="fold drift">
                <summary>
                    {classed_icon(Icon::Chevron, "i chev")}
                    {tool(handed.id.as_str())}
                    <span class="dim">"definition"</span>
                </summary>
                <div class="in-fold">
                    <pre class="code" tabindex="0">
                        <code>{json}</code>
                    </pre>
                </div>
            </details>
        </li>
    }
}

/// One line for the agent's prompt.
pub(crate) fn plan_hint(hint: String) -> impl IntoView {
    (!hint.is_empty()).then(|| {
        view! {
            <Panel id="plan-hint" title="Plan hint">
                <p class="body mono">{hint}</p>
            </Panel>
        }
    })
}
