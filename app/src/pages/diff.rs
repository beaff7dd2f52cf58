//! The Diff page: any two snapshots, by URL.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use crate::data::{self, DiffPage, SnapshotRow};
use crate::pages::{DIFF, SNAPSHOTS};
use crate::parts::command::{Command, copy_as, quoted};
use crate::parts::digest::digest;
use crate::parts::head::PageHead;
use crate::parts::icon::{Icon, icon};
use crate::parts::loaded::loaded;
use crate::parts::made::made;
use crate::parts::moment::moment;
use crate::parts::snapshot::{commit, rollback_path};

/// The page. A missing number is chosen by the server: the live snapshot against what was live before it.
pub fn page() -> AnyView {
    let query = use_query_map();
    let number = move |key: &'static str| query.with(|query| query.get(key)).and_then(|text| text.parse::<i64>().ok());
    let asked = Memo::new(move |_| (number("from"), number("to")));
    let answer = Resource::new(move || asked.get(), |(from, to)| data::diff(from, to));
    let title = move || match asked.get() {
        (Some(from), Some(to)) => format!("{} {from} to {to}", DIFF.title),
        _ => DIFF.title.to_owned(),
    };
    view! {
        <Title text=title />
        {loaded(DIFF.title, answer, found)}
    }
    .into_any()
}

fn found(page: DiffPage) -> impl IntoView {
    let title = format!("What {} changes against {}", page.to.number, page.from.number);
    let choose = choose(&page);
    view! {
        <PageHead title=title sentence=page.counts.clone() above=SNAPSHOTS>
            {choose}
        </PageHead>
        {compared(&page.from, &page.to)}
        {made(page.difference)}
    }
}

fn choose(page: &DiffPage) -> impl IntoView + use<> {
    view! {
        <form class="row cmp" method="get" action=DIFF.path aria-label="Snapshots to compare">
            <label class="sr" for="from">
                "From"
            </label>
            <select class="in" id="from" name="from">
                {options(&page.numbers, page.from.number)}
            </select>
            {icon(Icon::Arrow)}
            <label class="sr" for="to">
                "To"
            </label>
            <select class="in" id="to" name="to">
                {options(&page.numbers, page.to.number)}
            </select>
            <button class="btn" type="submit">
                "Compare"
            </button>
        </form>
    }
}

fn options(numbers: &[i64], chosen: i64) -> impl IntoView + use<> {
    numbers
        .iter()
        .copied()
        .map(|number| {
            view! {
                <option value=number selected=number == chosen>
                    {number}
                </option>
            }
        })
        .collect_view()
}

/// Stays in sight: what is compared, who made it, what can be done.
fn compared(from: &SnapshotRow, to: &SnapshotRow) -> impl IntoView + use<> {
    // Only one of the two can be live; the other is what can be rolled back to.
    let target = [from, to].into_iter().find(|row| !row.live).filter(|_| from.live || to.live).map(|row| row.number);
    let author = format!("{}, ", to.author);
    let actions = target.map(|number| {
        let command = Command::line(format!("ambit rollback {number} --reason {}", quoted("…")));
        view! {
            {copy_as(vec![command])}
            <a class="btn danger" href=rollback_path(number)>
                {icon(Icon::Undo)}
                "Roll back to "
                {number}
                "…"
            </a>
        }
    });
    view! {
        <div class="stickybar" role="region" aria-label="Compared snapshots">
            {ends(from, to)}
            <span>{author} {commit(to.commit.clone())} ", " {moment(&to.created)}</span>
            {actions.map(|actions| view! { <div class="end">{actions}</div> })}
        </div>
    }
}

/// From number and digest to number and digest.
pub fn ends(from: &SnapshotRow, to: &SnapshotRow) -> impl IntoView + use<> {
    let name = |row: &SnapshotRow| if row.live { format!("{}, live", row.number) } else { row.number.to_string() };
    view! {
        <span class="ft">
            {name(from)} {digest(&from.short, &from.digest)} {icon(Icon::Arrow)} {name(to)}
            {digest(&to.short, &to.digest)}
        </span>
    }
}
