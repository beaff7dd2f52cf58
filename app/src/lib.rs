//! The dashboard: pages, components and thin server functions. Every page is whole without WebAssembly; the browser bundle
//! makes the same pages alive.

// The type of a page is as deep as its tree of elements.
#![recursion_limit = "512"]

#[cfg(feature = "ssr")]
pub mod answers;
pub mod data;
pub mod frame;
pub mod pages;
pub mod parts;
pub mod problem;
pub mod shell;
#[cfg(feature = "ssr")]
pub mod visitor;

use leptos::prelude::*;
use leptos_meta::{Title, provide_meta_context};
use leptos_router::components::{Route, Router, Routes};
use leptos_router::{SsrMode, path};

use crate::frame::Frame;
use crate::pages::{
    audit, authority, clashes, diff, intake, keys, not_found, overview, revoke, rollback, route, sign_in, snapshots,
    tools,
};

pub use crate::shell::{Shell, shell};

/// All pages. INVARIANT: every route is `SsrMode::Async`, so that a page is whole before its first byte leaves and needs no
/// script; the default streams the parts of a page out of order and has a script move them.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    mark_hydrated();
    view! {
        <Title formatter=|title: String| format!("{title} · Ambit") />
        <Router>
            <Frame>
                <Routes fallback=not_found::page>
                    <Route path=path!("/") view=overview::page ssr=SsrMode::Async />
                    <Route path=path!("/intake") view=intake::page ssr=SsrMode::Async />
                    <Route path=path!("/intake/tool") view=intake::tool_page ssr=SsrMode::Async />
                    <Route path=path!("/clashes") view=clashes::page ssr=SsrMode::Async />
                    <Route path=path!("/clashes/pair") view=clashes::pair_page ssr=SsrMode::Async />
                    <Route path=path!("/tools") view=tools::page ssr=SsrMode::Async />
                    <Route path=path!("/tools/card") view=tools::card_page ssr=SsrMode::Async />
                    <Route path=path!("/snapshots") view=snapshots::page ssr=SsrMode::Async />
                    <Route path=path!("/snapshots/diff") view=diff::page ssr=SsrMode::Async />
                    <Route path=path!("/snapshots/:number/rollback") view=rollback::page ssr=SsrMode::Async />
                    <Route path=path!("/authority") view=authority::page ssr=SsrMode::Async />
                    <Route path=path!("/route") view=route::page ssr=SsrMode::Async />
                    <Route path=path!("/keys") view=keys::page ssr=SsrMode::Async />
                    <Route path=path!("/keys/:id/revoke") view=revoke::page ssr=SsrMode::Async />
                    <Route path=path!("/audit") view=audit::page ssr=SsrMode::Async />
                    <Route path=path!("/sign-in") view=sign_in::page ssr=SsrMode::Async />
                </Routes>
            </Frame>
        </Router>
    }
}

/// Effects run in the browser only: browser tests wait for this mark.
fn mark_hydrated() {
    Effect::new(|_| {
        if let Some(root) = document().document_element() {
            // A page that cannot be marked is a page all the same.
            let _ = root.set_attribute("data-hydrated", "true");
        }
    });
}
