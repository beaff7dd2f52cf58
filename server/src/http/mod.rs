//! The network door: the API under `/v1` for applications with a key or a token, and the pages for people with a session.
//! INVARIANT: every request passes the same layers, in the order of [`router`]; a handler decodes, calls one use case and encodes.

mod api;
mod extract;
mod frame;
mod guard;
mod limit;
mod listen;
mod pages;
mod refusal;
mod session;
mod sign_in;

use std::path::PathBuf;

use ambit_service::live::Live;
use ambit_service::secrets::SecretPlaces;
use axum::Router;
use axum::http::HeaderMap;
use axum::middleware::{from_fn, from_fn_with_state};

pub(crate) use limit::Limits;
pub(crate) use listen::{Listening, listen, told_to_stop};

/// What every request shares.
#[derive(Clone)]
pub struct Shared {
    pub(crate) live: Live,
    /// The folder with the browser bundle; pages work without it.
    pub(crate) site: Option<PathBuf>,
    /// Where people reach this server, without a slash at the end: identity providers send them back there.
    pub(crate) public_url: String,
    pub(crate) secrets: SecretPlaces,
    /// Absent: nobody is held back.
    pub(crate) limits: Option<Limits>,
}

impl Shared {
    /// With nothing but what is live: no bundle, no limits.
    pub fn new(live: Live, data: PathBuf) -> Self {
        let (public_url, secrets) = ("http://127.0.0.1".to_owned(), SecretPlaces::new(data));
        Self { live, site: None, public_url, secrets, limits: None }
    }
}

impl Shared {
    /// People come by https, as the public URL or the proxy before this server says, so no cookie of theirs travels in the clear.
    fn is_secure(&self, headers: &HeaderMap) -> bool {
        self.public_url.starts_with("https:")
            || headers.get("x-forwarded-proto").is_some_and(|scheme| scheme == "https")
    }
}

/// Everything that is served. The last layer is the first that a request meets.
pub fn router(shared: Shared) -> Router {
    let limits = shared.limits;
    let api = api::router(shared.clone());
    let sign_in = sign_in::router(shared.clone());
    let pages = pages::router(&shared).layer(from_fn_with_state(shared, session::open));
    let all = Router::new().merge(api).merge(sign_in).merge(pages);
    limit::layers(all, limits.as_ref())
        .layer(from_fn(guard::in_time))
        .layer(from_fn(guard::own_pages_only))
        .layer(tower_http::catch_panic::CatchPanicLayer::custom(refusal::panicked))
        .layer(from_fn(frame::finish))
}
