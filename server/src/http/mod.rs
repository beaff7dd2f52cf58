//! The network door: the API under `/v1` for applications with a key, and the pages for people with a session.
//! INVARIANT: every request passes the same layers, in the order of [`router`]; a handler decodes, calls one use case and encodes.

mod api;
mod extract;
mod frame;
mod guard;
mod listen;
mod pages;
mod refusal;
mod session;

use std::path::PathBuf;

use ambit_service::live::Live;
use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};

pub(crate) use listen::{Listening, listen};

/// What every request shares.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) live: Live,
    /// The folder with the browser bundle; pages work without it.
    pub(crate) site: Option<PathBuf>,
}

/// Everything that is served. The last layer is the first that a request meets.
pub(crate) fn router(shared: Shared) -> Router {
    let api = api::router(shared.clone());
    let pages = pages::router(&shared).layer(from_fn_with_state(shared, session::open));
    Router::new()
        .merge(api)
        .merge(pages)
        .layer(from_fn(guard::in_time))
        .layer(from_fn(guard::own_pages_only))
        .layer(tower_http::catch_panic::CatchPanicLayer::custom(refusal::panicked))
        .layer(from_fn(frame::finish))
}
