//! The row of counts; each number leads to its list.

use leptos::prelude::*;

use crate::data::Overview;
use crate::pages::INTAKE;
use crate::parts::count::count;
use crate::parts::icon::{Icon, icon};
use crate::parts::panel::Panel;

/// Tools, refused tools, open findings, clashes; beneath, what else the snapshot holds.
pub(crate) fn counts(page: &Overview) -> impl IntoView + use<> {
    let clashes = format!("{}#clashes", INTAKE.path);
    let body = view! {
            <div class="stats">
                {stat("#catalogs".to_owned(), Icon::Tool, "Tools", page.live.tools.to_string(), "admitted")}
                {stat(format!("{}?acknowledged=true", INTAKE.path), Icon::Bad, "Refused", page.live.refused.to_string(), "at intake")}
                {stat(INTAKE.path.to_owned(), Icon::Warn, "Open findings", page.open_findings.to_string(), "not acknowledged")}
                {stat(clashes, Icon::Clash, "Clashes", page.clashes.to_string(), "pairs of tools")}
            </div>
            <dl class="strip">
                <div>
                    <dt>"Embedding model"</dt>
                    <dd class="mono">{page.model.clone()}</dd>
                </div>
                <div>
                    <dt>"Authority"</dt>
                    <dd>{count(page.policies, "policy", "policies")}</dd>
                </div>
                <div>
                    <dt>"Themes"</dt>
                    <dd>{count(page.groups, "group", "groups")}</dd>
                </div>
            </dl>
    };
    view! {
        <Panel id="counts" title="Counts" class="c8 counts">
            {body}
        </Panel>
    }
}

fn stat(path: String, of: Icon, name: &'static str, value: String, beneath: &'static str) -> impl IntoView {
    view! {
        <a class="stat" href=path>
            <span class="k">{icon(of)} {name}</span>
            <span class="v">{value}</span>
            <span class="d">{beneath}</span>
        </a>
    }
}
