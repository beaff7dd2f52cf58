//! What is shown where no page is.

use ambit_model::codes::E_NOT_FOUND;
use leptos::prelude::*;
use leptos_meta::Title;

use crate::parts::head::PageHead;
use crate::parts::note::problem_note;
use crate::problem::Problem;

/// The page; its status is 404.
pub fn page() -> AnyView {
    set_status();
    view! {
        <Title text="Not found" />
        <PageHead title="Not found" sentence="There is no page here.">
            <a class="btn" href="/">
                "Overview"
            </a>
        </PageHead>
        {problem_note(&Problem::new(E_NOT_FOUND))}
    }
    .into_any()
}

#[cfg(feature = "ssr")]
fn set_status() {
    if let Some(response) = use_context::<leptos_axum::ResponseOptions>() {
        response.set_status(axum::http::StatusCode::NOT_FOUND);
    }
}

/// The browser has no status to set.
#[cfg(not(feature = "ssr"))]
fn set_status() {}
