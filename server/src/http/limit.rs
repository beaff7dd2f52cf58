//! Limits of how often: per address, per key or session, and stricter for signing in. Each is a bucket that refills evenly (GCRA, by
//! `tower_governor`).
//! INVARIANT: a bucket goes by what only its owner can send, so nobody empties that of another.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use ambit_app::visitor::SESSION_COOKIE;
use ambit_model::codes;
use ambit_model::digest::Digest;
use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, State};
use axum::http::header::{AUTHORIZATION, RETRY_AFTER};
use axum::http::{HeaderValue, Method, Request};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use tower_governor::governor::GovernorConfigBuilder;
use tower_governor::key_extractor::KeyExtractor;
use tower_governor::{GovernorError, GovernorLayer};

use super::extract::bearer;
use super::refusal::Refusal;
use super::session::cookie;

/// How many requests at once, for each that is allowed a second.
const BURST: u32 = 4;
/// One attempt to sign in every so often from one address, and how many at once.
const SIGN_IN_EVERY: Duration = Duration::from_secs(2);
const SIGN_INS_AT_ONCE: u32 = 30;
/// Most addresses that are remembered for their attempts before full buckets are forgotten.
const MOST_BUCKETS: usize = 10_000;
/// How often buckets that are full again are forgotten.
const TIDYING: Duration = Duration::from_secs(60);

/// How often is too often.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Requests a second of one key or session; 0: any number.
    pub(crate) per_key: u32,
    /// Requests a second from one address; 0: any number.
    pub(crate) per_address: u32,
    /// The address is the last one that a proxy wrote into `X-Forwarded-For`.
    pub(crate) behind_proxy: bool,
}

/// Puts the limits before everything; the address's is met first.
pub(super) fn layers(router: Router, limits: Option<&Limits>) -> Router {
    let Some(limits) = limits else { return router };
    let address = ByAddress { behind_proxy: limits.behind_proxy };
    let second = |rate: u32| Duration::from_secs(1).checked_div(rate);
    let router = router.layer(from_fn_with_state(Attempts::new(address), Attempts::hold));
    let router = held(router, ByKey(address), second(limits.per_key), limits.per_key.saturating_mul(BURST));
    held(router, address, second(limits.per_address), limits.per_address.saturating_mul(BURST))
}

fn held<K>(router: Router, by: K, period: Option<Duration>, burst: u32) -> Router
where
    K: KeyExtractor + Send + Sync + 'static,
    K::Key: Send + Sync + 'static,
{
    let Some(period) = period else { return router };
    let mut builder = GovernorConfigBuilder::default().key_extractor(by);
    let Some(config) = builder.period(period).burst_size(burst).finish() else { return router };
    let limiter = Arc::downgrade(config.limiter());
    tokio::spawn(async move {
        while let Some(limiter) = limiter.upgrade() {
            // Full buckets are forgotten, as long as there is a server.
            limiter.retain_recent();
            drop(limiter);
            tokio::time::sleep(TIDYING).await;
        }
    });
    router.layer(GovernorLayer::new(config).error_handler(refuse))
}

/// Says whether one more attempt from an address is not too many.
#[derive(Clone)]
struct Attempts {
    address: ByAddress,
    allow: Arc<dyn Fn(Option<IpAddr>) -> bool + Send + Sync>,
}

impl Attempts {
    fn new(address: ByAddress) -> Self {
        let mut builder = GovernorConfigBuilder::default().key_extractor(address);
        let config = builder.period(SIGN_IN_EVERY).burst_size(SIGN_INS_AT_ONCE).finish();
        let allow = move |from: Option<IpAddr>| {
            config.as_ref().is_none_or(|config| {
                let allowed = config.limiter().check_key(&from).is_ok();
                if config.limiter().len() > MOST_BUCKETS {
                    config.limiter().retain_recent();
                }
                allowed
            })
        };
        Self { address, allow: Arc::new(allow) }
    }

    async fn hold(State(attempts): State<Self>, request: Request<Body>, next: Next) -> Response {
        let path = request.uri().path();
        let signs_in = path == "/api/ui/sign_in" || path.starts_with("/sign-in/");
        if signs_in && !(attempts.allow)(attempts.address.of(&request)) {
            return too_many(SIGN_IN_EVERY.as_secs());
        }
        next.run(request).await
    }
}

fn refuse(error: GovernorError) -> Response<Body> {
    let GovernorError::TooManyRequests { wait_time, .. } = error else {
        // Our extractors always give a key, so this is never reached.
        return Refusal::new(codes::E_INTERNAL, "a limit could not be looked up", "try again").into_response();
    };
    too_many(wait_time.max(1))
}

fn too_many(wait: u64) -> Response<Body> {
    let message = "too many requests came from this key or address";
    let refusal = Refusal::new(codes::E_RATE, message, format!("try again in {wait} s; `Retry-After` says when"));
    let mut response = refusal.into_response();
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(wait));
    response
}

/// The address that a request comes from.
#[derive(Clone, Copy, Debug)]
struct ByAddress {
    behind_proxy: bool,
}

impl ByAddress {
    fn of<T>(self, request: &Request<T>) -> Option<IpAddr> {
        let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|peer| peer.0.ip());
        if !self.behind_proxy {
            return peer.map(network);
        }
        // The last word of the last line is the proxy's own; what stands before it anybody may have sent.
        let last = request.headers().get_all("x-forwarded-for").into_iter().next_back().map(HeaderValue::as_bytes);
        let word = last.and_then(|line| line.rsplit(|byte| *byte == b',').next());
        let written = word.and_then(|word| std::str::from_utf8(word).ok()).and_then(|word| read(word.trim()));
        written.or(peer).map(network)
    }
}

/// Some proxies write the port too.
fn read(address: &str) -> Option<IpAddr> {
    address.parse().ok().or_else(|| address.parse::<SocketAddr>().ok().map(|address| address.ip()))
}

/// Whoever has one address of IPv6 usually has all of its /64 (RFC 6177), so they count as one.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => IpAddr::V6((u128::from(address) >> 64 << 64).into()),
    }
}

impl KeyExtractor for ByAddress {
    type Key = Option<IpAddr>;

    fn extract<T>(&self, request: &Request<T>) -> Result<Self::Key, GovernorError> {
        Ok(self.of(request))
    }
}

/// The key, token or session that a request shows, by its digest; else its address.
#[derive(Clone, Copy, Debug)]
struct ByKey(ByAddress);

/// Whose bucket it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Holder {
    Shown(Digest),
    Address(Option<IpAddr>),
}

impl KeyExtractor for ByKey {
    type Key = Holder;

    fn extract<T>(&self, request: &Request<T>) -> Result<Self::Key, GovernorError> {
        // What the door itself goes by, and in its form: another spelling is no other bucket.
        let headers = request.headers();
        let path = request.uri().path();
        let shown = if path.starts_with("/v1") || (path == "/route" && *request.method() == Method::POST) {
            let header = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
            header.and_then(bearer).map(|key| Digest::of(key.as_bytes()))
        } else {
            cookie(headers, SESSION_COOKIE).map(|session| Digest::of(session.as_bytes()))
        };
        Ok(shown.map_or_else(|| Holder::Address(self.0.of(request)), Holder::Shown))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(behind_proxy: bool, forwarded: &[&str]) -> String {
        let mut request = Request::builder().uri("/v1/tools");
        for line in forwarded {
            request = request.header("x-forwarded-for", line.as_bytes());
        }
        let mut request = request.body(()).unwrap();
        request.extensions_mut().insert(ConnectInfo(SocketAddr::from(([192, 0, 2, 1], 4000))));
        ByAddress { behind_proxy }.of(&request).map_or_else(String::new, |address| address.to_string())
    }

    #[test]
    fn only_the_proxys_own_word_counts() {
        assert_eq!(of(false, &["203.0.113.9"]), "192.0.2.1");
        assert_eq!(of(true, &["198.51.100.7, 203.0.113.9"]), "203.0.113.9");
        assert_eq!(of(true, &["198.51.100.7", "203.0.113.9"]), "203.0.113.9");
        assert_eq!(of(true, &[]), "192.0.2.1");
        assert_eq!(of(true, &["nonsense"]), "192.0.2.1");
        assert_eq!(of(true, &["203.0.113.9:4711"]), "203.0.113.9");
        assert_eq!(of(true, &["203.0.113.9", "\u{e9}, 198.51.100.7"]), "198.51.100.7");
        assert_eq!(of(true, &["203.0.113.9", "\u{e9}"]), "192.0.2.1");
        assert_eq!(of(true, &["2001:db8:1:2:3:4:5:6"]), "2001:db8:1:2::");
        assert_eq!(of(true, &["::ffff:203.0.113.9"]), "203.0.113.9");
    }
}
