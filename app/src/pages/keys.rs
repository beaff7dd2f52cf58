//! The Keys page: who can get in, by key; and a form that makes one. The filter is the URL.

mod make;
pub(crate) mod rows;

use leptos::either::Either;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use crate::data::{self, KeyState, KeysPage};
use crate::pages::KEYS;
use crate::pages::keys::make::{CREATE, Making, make};
use crate::parts::command::{Command, copy_as};
use crate::parts::count::count;
use crate::parts::head::PageHead;
use crate::parts::icon::Icon;
use crate::parts::loaded::loaded;
use crate::parts::note::Empty;

/// The page.
pub fn page() -> AnyView {
    let query = use_query_map();
    let asked = Memo::new(move |_| query.with(|query| query.get("state")).unwrap_or_default());
    let making = Making::new();
    let made = making.create.version();
    // Asked anew once a key was made.
    let answer = Resource::new(move || (asked.get(), made.get()), |(state, _)| data::keys(state));
    view! {
        <Title text=KEYS.title />
        {loaded(KEYS.title, answer, move |page| found(page, making))}
    }
    .into_any()
}

fn found(page: KeysPage, making: Making) -> impl IntoView {
    let sentence = format!(
        "{}: {} valid, {} expired, {} revoked. Of a key only its digest is kept, so none can be shown again.",
        count(page.all, "key", "keys"),
        page.valid,
        page.expired,
        page.revoked,
    );
    let filter = filter(&page);
    let listed =
        if page.keys.is_empty() { Either::Left(nothing(page.all)) } else { Either::Right(rows::keys(page.keys)) };
    view! {
        <PageHead title=KEYS.title sentence=sentence>
            {copy_as(vec![Command::line("ambit keys list"), Command::line(CREATE)])}
        </PageHead>
        {filter}
        {listed}
        {make(making)}
    }
}

fn filter(page: &KeysPage) -> impl IntoView + use<> {
    let counted = |state| match state {
        KeyState::Valid => page.valid,
        KeyState::Expired => page.expired,
        KeyState::Revoked => page.revoked,
    };
    let all = choice("all", KEYS.path.to_owned(), page.all, page.state.is_none());
    let states = KeyState::ALL.map(|state| {
        let path = format!("{}?state={}", KEYS.path, state.word());
        choice(state.word(), path, counted(state), page.state == Some(state))
    });
    view! {
        <nav class="seg" aria-label="Keys by state">
            {all}
            {states.into_iter().collect_view()}
        </nav>
    }
}

fn choice(word: &'static str, path: String, number: usize, chosen: bool) -> impl IntoView {
    view! {
        <a href=path aria-current=chosen.then_some("true")>
            {word}
            " "
            <span class="n">{number}</span>
        </a>
    }
}

fn nothing(all: usize) -> impl IntoView {
    let (title, others) = match all {
        0 => ("There is no key that you may manage", None),
        _ => ("No key is in this state", Some(view! { <a href=KEYS.path>"Show all keys"</a> })),
    };
    view! {
        <div class="panel">
            <Empty of=Icon::Key title=title>
                {others}
            </Empty>
        </div>
    }
}
