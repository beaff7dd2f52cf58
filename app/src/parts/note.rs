//! Notes: a problem by its code, and what a page says where it has nothing to list.

use ambit_model::codes::{E_ALREADY_LIVE, E_FORBIDDEN, E_KEY, E_NO_SNAPSHOT};
use leptos::either::EitherOf4;
use leptos::prelude::*;
use leptos_router::hooks::use_location;

use crate::pages::{ROUTE, SIGN_IN};
use crate::parts::icon::{Icon, icon};
use crate::problem::Problem;

/// What a page shows in place of what it could not read.
pub fn problem_note(problem: &Problem) -> impl IntoView + use<> {
    match problem.code() {
        E_KEY => EitherOf4::A(sign_in_first()),
        E_FORBIDDEN => EitherOf4::B(not_allowed()),
        E_NO_SNAPSHOT => EitherOf4::C(nothing_compiled()),
        _ => EitherOf4::D(plain_problem(problem)),
    }
}

/// A problem as its code and its meaning.
pub fn plain_problem(problem: &Problem) -> impl IntoView + use<> {
    let calm = problem.code() == E_ALREADY_LIVE;
    let (class, shape) = if calm { ("note info", Icon::Info) } else { ("note bad", Icon::Bad) };
    view! {
        <div class=class role="alert">
            {icon(shape)}
            <p>
                {problem.meaning()} " " <code>{problem.code()}</code>
            </p>
        </div>
    }
}

/// An empty state: what was looked at, and when or what to do.
#[component]
pub fn Empty(of: Icon, #[prop(into)] title: String, children: Children) -> impl IntoView {
    view! {
        <div class="empty">
            {icon(of)} <b>{title}</b> {children()}
        </div>
    }
}

// A form and not a link, so that the path needs no encoding.
fn sign_in_first() -> impl IntoView {
    let location = use_location();
    view! {
        <form class="note info" method="get" action=SIGN_IN.path>
            {icon(Icon::Info)}
            <p>"This page is for people who are signed in. "</p>
            <input type="hidden" name="next" value=move || location.pathname.get() />
            <button class="btn" type="submit">
                "Sign in"
            </button>
        </form>
    }
}

fn not_allowed() -> impl IntoView {
    view! {
        <div class="note info">
            {icon(Icon::Info)}
            <p>
                "The policies of the live snapshot do not allow you this page. The " <a href=ROUTE.path>"Route page"</a>
                " is open to you. " <code>{E_FORBIDDEN}</code>
            </p>
        </div>
    }
}

fn nothing_compiled() -> impl IntoView {
    view! {
        <div class="panel">
            <Empty of=Icon::Snapshot title="No snapshot is live yet">
                <span>"Compile the workspace and make it live:"</span>
                <code class="cmd" tabindex="0">
                    "ambit apply"
                </code>
            </Empty>
        </div>
    }
}
