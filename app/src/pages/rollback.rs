//! The Rollback page: first what would change, then the form. A rollback is a new activation of an old snapshot.

use ambit_model::codes::{E_ALREADY_LIVE, E_SNAPSHOT};
use leptos::either::Either;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_params_map;

use crate::data::{self, DiffPage};
use crate::pages::diff::ends;
use crate::pages::{ROLLBACK, SNAPSHOTS};
use crate::parts::command::{Command, copy_as, quoted};
use crate::parts::head::PageHead;
use crate::parts::icon::{Icon, icon};
use crate::parts::loaded::loaded;
use crate::parts::made::made;
use crate::parts::note::plain_problem;
use crate::parts::panel::Panel;
use crate::problem::Problem;

/// What the page found: what would change, or that the target is live already.
type Found = Result<DiffPage, Problem>;

/// The page. The number comes from the path.
pub fn page() -> AnyView {
    let path = use_params_map();
    let target = Memo::new(move |_| path.with(|path| path.get("number")).and_then(|text| text.parse::<i64>().ok()));
    let answer = Resource::new(move || target.get(), preview);
    let action = ServerAction::<data::Rollback>::new();
    let title = move || match target.get() {
        Some(number) => format!("{} to {number}", ROLLBACK.title),
        None => ROLLBACK.title.to_owned(),
    };
    let show = move |found: Found| match found {
        Ok(page) => Either::Left(offered(page, action)),
        Err(problem) => Either::Right(live_already(&problem)),
    };
    view! {
        <Title text=title />
        {loaded(ROLLBACK.title, answer, show)}
    }
    .into_any()
}

async fn preview(target: Option<i64>) -> Result<Found, Problem> {
    let Some(number) = target else {
        return Err(Problem::new(E_SNAPSHOT));
    };
    match data::rollback_preview(number).await {
        Ok(page) => Ok(Ok(page)),
        Err(problem) if problem.code() == E_ALREADY_LIVE => Ok(Err(problem)),
        Err(problem) => Err(problem),
    }
}

fn live_already(problem: &Problem) -> impl IntoView + use<> {
    view! {
        <PageHead title=ROLLBACK.title sentence="There is nothing to roll back to." above=SNAPSHOTS />
        {plain_problem(problem)}
        <p>
            <a href=SNAPSHOTS.path>"All snapshots"</a>
        </p>
    }
}

fn offered(page: DiffPage, action: ServerAction<data::Rollback>) -> impl IntoView {
    let (live, target, widens) = (page.from.number, page.to.number, page.widens);
    let sentence = format!("Live is {live}. Against it, {target} is this: {}", page.counts);
    let accept = if widens { " --accept-gains" } else { "" };
    let command = Command::line(format!("ambit rollback {target} --reason {}{accept}", quoted("…")));
    let problem = move || action.value().get().and_then(Result::err).map(|problem| plain_problem(&problem));
    view! {
        <PageHead title=format!("{} to {target}", ROLLBACK.title) sentence=sentence above=SNAPSHOTS>
            {copy_as(vec![command])}
        </PageHead>
        {problem}
        <div class="stickybar" role="region" aria-label="Compared snapshots">
            {ends(&page.from, &page.to)}
            <div class="end">
                <a class="btn" href="#roll-back">
                    "To the form"
                </a>
            </div>
        </div>
        {made(page.difference)}
        {form(live, target, widens, action)}
    }
}

fn form(live: i64, target: i64, widens: bool, action: ServerAction<data::Rollback>) -> impl IntoView {
    view! {
        <Panel id="roll-back" title=format!("Make {target} live again")>
            <ActionForm action=action attr:class="body stack">
                <p class="sub">
                    {format!(
                        "A new activation of {target}; {live} stays in the list. Where another snapshot became live in the meantime, nothing changes.",
                    )}
                </p>
                <input type="hidden" name="number" value=target />
                <input type="hidden" name="from" value=live />
                <label class="field">
                    <span>"Reason, required"</span>
                    <textarea class="in" name="reason" rows="2" required></textarea>
                </label>
                <label class="check">
                    <input type="checkbox" name="confirm" value="yes" required />
                    <span>{format!("Everything that is listed above shall change when {target} replaces {live}")}</span>
                </label>
                {widens
                    .then(|| {
                        view! {
                            <label class="check">
                                <input type="checkbox" name="accept_gains" value="true" required />
                                <span>"Ceilings that are raised, and who gains by it, are accepted"</span>
                            </label>
                        }
                    })}
                <div>
                    <button class="btn danger" type="submit">
                        {icon(Icon::Undo)}
                        {format!("Roll back to {target}")}
                    </button>
                </div>
            </ActionForm>
        </Panel>
    }
}
