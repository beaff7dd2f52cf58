//! The Intake page: what was refused and what is worth a look, one panel per rule, then the tools that answer to the same
//! questions. The filter is the URL.

mod clashes;
mod filter;
mod rules;

use leptos::either::Either;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use crate::data::{self, IntakePage};
use crate::pages::INTAKE;
use crate::pages::intake::filter::{Filter, filter};
use crate::parts::command::{Command, copy_as};
use crate::parts::count::count;
use crate::parts::head::PageHead;
use crate::parts::icon::Icon;
use crate::parts::loaded::loaded;
use crate::parts::moment::moment;
use crate::parts::note::Empty;

/// The page.
pub fn page() -> AnyView {
    let query = use_query_map();
    let asked = Memo::new(move |_| query.with(Filter::read));
    let answer = Resource::new(
        move || asked.get(),
        |asked| async move {
            let Filter { catalog, code, acknowledged } = asked;
            data::intake(catalog, code, acknowledged).await
        },
    );
    view! {
        <Title text=INTAKE.title />
        {loaded(INTAKE.title, answer, move |page| found(page, asked.get_untracked()))}
    }
    .into_any()
}

fn found(page: IntakePage, asked: Filter) -> impl IntoView {
    let commands = vec![Command::line("ambit check"), Command::line(format!("ambit show {}", page.snapshot))];
    let rules = if page.rules.is_empty() {
        Either::Left(nothing(&page, &asked))
    } else {
        Either::Right(page.rules.iter().map(rules::rule).collect_view())
    };
    view! {
        <PageHead title=INTAKE.title sentence=sentence(&page)>
            {copy_as(commands)}
        </PageHead>
        {filter(&asked, &page)}
        {rules}
        {clashes::clashes(page.clashes)}
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
        count(page.clashes.len(), "pair clashes", "pairs clash"),
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
