//! The Clashes page: pairs of tools that answer to the same questions, by damage, and how the declared kin lies about them; and
//! one pair side by side, with the declarations that would end it.

#[cfg(feature = "ssr")]
mod graph;
#[cfg(feature = "ssr")]
mod list;
#[cfg(feature = "ssr")]
mod pair;
#[cfg(feature = "ssr")]
mod repair;

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use crate::data;
use crate::pages::{CLASH, CLASHES};
use crate::parts::loaded::loaded;
use crate::parts::made::made;
#[cfg(feature = "ssr")]
use crate::parts::{made::Made, query::encoded};
#[cfg(feature = "ssr")]
use ambit_model::snapshot::SnapshotRecord;
#[cfg(feature = "ssr")]
use ambit_service::clashes::{ClashDetails, DeclaredKin};

/// All clashes.
pub fn page() -> AnyView {
    let answer = Resource::new(|| (), |()| data::clashes());
    view! {
        <Title text=CLASHES.title />
        {loaded(CLASHES.title, answer, made)}
    }
    .into_any()
}

/// Two tools: `?tool=catalog/name&rival=catalog/name`.
pub fn pair_page() -> AnyView {
    let query = use_query_map();
    let text = move |key: &'static str| query.with(|query| query.get(key)).unwrap_or_default();
    let asked = Memo::new(move |_| (text("tool"), text("rival")));
    let answer = Resource::new(move || asked.get(), |(tool, rival)| data::clash(tool, rival));
    view! {
        <Title text=CLASH.title />
        {loaded(CLASH.title, answer, made)}
    }
    .into_any()
}

/// The content of the list.
#[cfg(feature = "ssr")]
pub(crate) fn list_content(record: SnapshotRecord, kin: DeclaredKin) -> Made {
    Made::of(list::list(record, &kin))
}

/// The content of a pair.
#[cfg(feature = "ssr")]
pub(crate) fn pair_content(details: ClashDetails) -> Made {
    Made::of(pair::pair(details))
}

/// Where a pair is.
#[cfg(feature = "ssr")]
pub(crate) fn pair_path(tool: &str, rival: &str) -> String {
    format!("{}?tool={}&rival={}", CLASH.path, encoded(tool), encoded(rival))
}
