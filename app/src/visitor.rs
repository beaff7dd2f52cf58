//! Who looks at a page, and the service behind it; the server puts it into the context of each request.

use ambit_service::caller::Caller;
use ambit_service::live::Live;
use leptos::prelude::use_context;

/// The name of the session's cookie.
pub const SESSION_COOKIE: &str = "ambit_session";

/// One request of a browser.
#[derive(Clone)]
pub struct Visitor {
    pub live: Live,
    /// Nobody where no session is open.
    pub caller: Option<Caller>,
    /// The session's cookie as it came, open or not.
    pub session: Option<String>,
    /// The browser came by https, so its cookie never travels in the clear.
    pub secure: bool,
}

impl Visitor {
    /// The one of this request; nothing outside a request, as when the list of routes is made.
    pub fn current() -> Option<Self> {
        use_context()
    }
}
