//! The Intake page: what was refused and what is worth a look, one panel per rule, then the tools that answer to the same
//! questions. The filter is the URL.

mod filter;
mod rules;
#[cfg(feature = "ssr")]
mod tool;
#[cfg(feature = "ssr")]
mod tools;
#[cfg(feature = "ssr")]
mod trend;

use leptos::either::EitherOf3;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use crate::data::{self, IntakePage};
use crate::pages::intake::filter::{Filter, filter};
use crate::pages::{CLASHES, INTAKE, TOOL_INTAKE};
use crate::parts::command::{Command, copy_as};
use crate::parts::count::count;
use crate::parts::head::PageHead;
use crate::parts::icon::Icon;
use crate::parts::loaded::loaded;
use crate::parts::made::made;
use crate::parts::moment::moment;
use crate::parts::note::Empty;
#[cfg(feature = "ssr")]
use crate::parts::{made::Made, query::encoded};

/// The page.
pub fn page() -> AnyView {
    let query = use_query_map();
    let asked = Memo::new(move |_| query.with(Filter::read));
    let answer = Resource::new(
        move || asked.get(),
        |asked| async move {
            let Filter { catalog, code, acknowledged, by } = asked;
            data::intake(catalog, code, acknowledged, by).await
        },
    );
    view! {
        <Title text=INTAKE.title />
        {loaded(INTAKE.title, answer, move |page| found(page, asked.get_untracked()))}
    }
    .into_any()
}

/// One tool: `?tool=catalog/name`, and a description to try.
pub fn tool_page() -> AnyView {
    let query = use_query_map();
    let text = move |key: &'static str| query.with(|query| query.get(key)).unwrap_or_default();
    let asked = Memo::new(move |_| (text("tool"), text("description")));
    let answer = Resource::new(
        move || asked.get(),
        |(tool, description)| async move { data::tool_intake(tool, description).await },
    );
    view! {
        <Title text=TOOL_INTAKE.title />
        {loaded(TOOL_INTAKE.title, answer, made)}
    }
    .into_any()
}

/// The content of one tool's page.
#[cfg(feature = "ssr")]
pub(crate) fn tool_content(
    found: ambit_service::intake::ToolIntake,
    tried: Option<ambit_service::trial::Tried>,
) -> Made {
    Made::of(tool::tool_intake(found, tried))
}

/// Findings by tool; `accepted` holds the ids of admitted tools, sorted.
#[cfg(feature = "ssr")]
pub(crate) fn tools_content(findings: Vec<ambit_model::intake::Finding>, accepted: &[String]) -> Made {
    Made::of(tools::by_tool(findings, accepted))
}

/// What the reports counted, from snapshot to snapshot.
#[cfg(feature = "ssr")]
pub(crate) fn trend_content(points: Vec<ambit_service::intake::TrendPoint>) -> Made {
    Made::of(trend::trend(&points))
}

/// Where a tool's page is.
#[cfg(feature = "ssr")]
pub(crate) fn tool_path(tool: &str) -> String {
    format!("{}?tool={}", TOOL_INTAKE.path, encoded(tool))
}

fn found(page: IntakePage, asked: Filter) -> impl IntoView {
    let commands = vec![Command::line("ambit intake"), Command::line(format!("ambit show {}", page.snapshot))];
    let found = match &page.tools {
        _ if page.shown == 0 => EitherOf3::A(nothing(&page, &asked)),
        Some(tools) => EitherOf3::B(made(tools.clone())),
        None => EitherOf3::C(page.rules.iter().map(rules::rule).collect_view()),
    };
    view! {
        <PageHead title=INTAKE.title sentence=sentence(&page)>
            {copy_as(commands)}
        </PageHead>
        {made(page.trend.clone())}
        {filter(&asked, &page)}
        {found}
        <p class="lead-in">
            <a href=CLASHES.path>{count(page.clashes, "pair of tools clashes", "pairs of tools clash")}</a>
        </p>
    }
}

fn sentence(page: &IntakePage) -> String {
    format!(
        "{} of {} admitted to snapshot {}, {} refused; {} shown of {}, {}.",
        page.admitted,
        count(page.offered, "tool", "tools"),
        page.snapshot,
        page.refused,
        count(page.shown, "finding", "findings"),
        page.total,
        count(page.clashes, "pair clashes", "pairs clash"),
    )
}

fn nothing(page: &IntakePage, asked: &Filter) -> impl IntoView + use<> {
    let checked = view! {
        <span>
            {count(page.offered, "tool was", "tools were")} " checked when snapshot " {page.snapshot} " was compiled, "
            {moment(&page.compiled)} "."
        </span>
    };
    let (title, others) = match page.total {
        0 => ("No finding", None),
        total if *asked == Filter::default() => {
            let words = format!("Show {}", count(total, "acknowledged one", "acknowledged ones"));
            ("No open finding", Some((format!("{}?acknowledged=true", INTAKE.path), words)))
        }
        _ => ("No finding fits this filter", Some((INTAKE.path.to_owned(), "Show all without a filter".to_owned()))),
    };
    let others = others.map(|(path, words)| view! { <a href=path>{words}</a> });
    view! {
        <div class="panel">
            <Empty of=Icon::Ok title=title>
                {checked}
                {others}
            </Empty>
        </div>
    }
}
