//! The Overview page: what is live, what it holds, and what wants a look.

mod blocks;
mod counts;
mod lists;
mod live;

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::NavigateOptions;
use leptos_router::components::Redirect;

use crate::data::{self, Overview};
use crate::pages::{OVERVIEW, ROUTE};
use crate::parts::command::{Command, copy_as};
use crate::parts::count::count;
use crate::parts::head::PageHead;
use crate::parts::icon::{Icon, icon};
use crate::parts::loaded::loaded;

/// The page.
pub fn page() -> AnyView {
    let answer = Resource::new(|| (), |()| data::overview());
    view! {
        <Title text=OVERVIEW.title />
        {loaded(OVERVIEW.title, answer, first_page)}
    }
    .into_any()
}

/// Who may not read snapshots is led on to the Route page; going back does not end here again.
fn first_page(page: Option<Overview>) -> AnyView {
    match page {
        Some(page) => found(page).into_any(),
        None => {
            let options = NavigateOptions { replace: true, ..NavigateOptions::default() };
            view! { <Redirect path=ROUTE.path options=options /> }.into_any()
        }
    }
}

fn found(page: Overview) -> impl IntoView {
    let head = view! {
        <PageHead title=OVERVIEW.title sentence=sentence(&page)>
            {copy_as(vec![Command::line("ambit show"), Command::line("ambit check")])}
            <a class="btn primary" href=ROUTE.path>
                {icon(Icon::Route)}
                "Try a question"
            </a>
        </PageHead>
    };
    view! {
        {head}
        <div class="grid">{live::live(&page.live, &page.activation)} {counts::counts(&page)}</div>
        <div class="grid">
            <div class="c8 stack">{blocks::blocks(page.blocks)} {lists::projects(page.projects)} {lists::catalogs(page.catalogs)}</div>
            {lists::activations(page.activations)}
        </div>
    }
}

fn sentence(page: &Overview) -> String {
    let tools = usize::try_from(page.live.tools).unwrap_or_default();
    format!(
        "Snapshot {} is live with {}; {} refused at intake. {} {} open, {}.",
        page.live.number,
        count(tools, "tool", "tools"),
        count(page.live.refused, "tool is", "tools are"),
        count(page.open_findings, "finding", "findings"),
        if page.open_findings == 1 { "is" } else { "are" },
        count(page.clashes, "pair clashes", "pairs clash"),
    )
}
