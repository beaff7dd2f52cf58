//! The dashboard: pages, components and thin server functions. Every page is whole without WebAssembly; the browser bundle
//! makes the same pages alive.

#[cfg(feature = "ssr")]
pub mod answers;
pub mod data;
pub mod problem;
#[cfg(feature = "ssr")]
pub mod visitor;

use leptos::prelude::*;

/// All pages.
#[component]
pub fn App() -> impl IntoView {
    view! { <p>"Ambit"</p> }
}
