//! The Tools page: a search over the live snapshot's tools, and the card of each. What is looked for is the URL.

#[cfg(feature = "ssr")]
mod card;
#[cfg(feature = "ssr")]
mod list;

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use crate::data;
use crate::pages::{CARD, TOOLS};
use crate::parts::loaded::loaded;
use crate::parts::made::made;
#[cfg(feature = "ssr")]
use crate::parts::{made::Made, query::encoded};
#[cfg(feature = "ssr")]
use ambit_service::cards::{CardDetails, CardList, CardQuery};

/// The search.
pub fn page() -> AnyView {
    let query = use_query_map();
    let text = move |key: &'static str| query.with(|query| query.get(key)).unwrap_or_default().trim().to_owned();
    let asked = Memo::new(move |_| (text("q"), text("catalog"), text("page").parse().unwrap_or(1)));
    let answer = Resource::new(
        move || asked.get(),
        |(words, catalog, page)| async move { data::tools(words, catalog, page).await },
    );
    view! {
        <Title text=TOOLS.title />
        {loaded(TOOLS.title, answer, made)}
    }
    .into_any()
}

/// One tool: `?tool=catalog/name`.
pub fn card_page() -> AnyView {
    let query = use_query_map();
    let asked = Memo::new(move |_| query.with(|query| query.get("tool")).unwrap_or_default());
    let answer = Resource::new(move || asked.get(), data::card);
    let title = move || format!("{} {}", CARD.title, asked.get());
    view! {
        <Title text=title />
        {loaded(CARD.title, answer, made)}
    }
    .into_any()
}

/// The content of the search.
#[cfg(feature = "ssr")]
pub(crate) fn list_content(list: CardList, query: &CardQuery) -> Made {
    Made::of(list::list(list, query))
}

/// The content of a card.
#[cfg(feature = "ssr")]
pub(crate) fn card_content(details: CardDetails) -> Made {
    Made::of(card::card(details))
}

/// Where a tool's card is.
#[cfg(feature = "ssr")]
pub(crate) fn card_path(tool: &str) -> String {
    format!("{}?tool={}", CARD.path, encoded(tool))
}
