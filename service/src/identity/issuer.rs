//! What an issuer publishes, kept for a while: where it is asked for what, and the keys it signs with.
//! INVARIANT: a provider is asked at most once in ten seconds, whatever tokens anybody sends; and a caller who goes away ends no
//! question that others wait for.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jsonwebtoken::jwk::Jwk;
use openidconnect::core::{
    CoreAuthDisplay, CoreClaimName, CoreClaimType, CoreClientAuthMethod, CoreGrantType, CoreJsonWebKey,
    CoreJweContentEncryptionAlgorithm, CoreJweKeyManagementAlgorithm, CoreResponseMode, CoreResponseType,
    CoreSubjectIdentifierType,
};
use openidconnect::{AdditionalProviderMetadata, DiscoveryError, HttpRequest, IssuerUrl, ProviderMetadata};
use serde::{Deserialize, Serialize};
use tokio::sync;

use crate::Error;
use crate::error::chain;
use crate::outbound::{Outbound, OutboundError, Sending, permitted};

/// How long keys are taken without asking again.
const FRESH: Duration = Duration::from_secs(5 * 60);
/// How long they are taken where the provider does not answer.
const USABLE: Duration = Duration::from_secs(60 * 60);
/// The shortest time between two questions to one provider, whatever came of them.
const PAUSE: Duration = Duration::from_secs(10);

/// What the provider says of itself (OpenID Connect Discovery 1.0, 3).
pub(super) type Metadata = ProviderMetadata<
    Promises,
    CoreAuthDisplay,
    CoreClientAuthMethod,
    CoreClaimName,
    CoreClaimType,
    CoreGrantType,
    CoreJweContentEncryptionAlgorithm,
    CoreJweKeyManagementAlgorithm,
    CoreJsonWebKey,
    CoreResponseMode,
    CoreResponseType,
    CoreSubjectIdentifierType,
>;

/// What it says beyond that standard.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct Promises {
    /// It names itself in every answer that a browser brings back (RFC 9207, 3).
    #[serde(default)]
    pub(super) authorization_response_iss_parameter_supported: bool,
}

impl AdditionalProviderMetadata for Promises {}

/// What an issuer published when it was asked last.
#[derive(Debug)]
pub(super) struct Published {
    pub(super) metadata: Metadata,
    /// The same keys as the metadata's, as they verify bearer tokens.
    pub(super) keys: Vec<Jwk>,
}

/// One issuer that a live tenant names.
#[derive(Debug)]
pub(super) struct Issuer {
    url: String,
    outbound: Outbound,
    state: Mutex<State>,
    /// Held while the provider is asked, so that all callers share one question.
    asking: Arc<sync::Mutex<()>>,
}

#[derive(Debug, Default)]
struct State {
    published: Option<(Arc<Published>, Instant)>,
    asked: Option<Instant>,
}

impl Issuer {
    pub(super) fn new(url: &str, outbound: Outbound) -> Self {
        Self { url: url.to_owned(), outbound, state: Mutex::default(), asking: Arc::default() }
    }

    /// What it publishes, not older than five minutes where it answers, and than an hour where it does not.
    pub(super) async fn published(self: &Arc<Self>) -> Result<Arc<Published>, Error> {
        if let Some(fresh) = self.known(FRESH) {
            return Ok(fresh);
        }
        match self.known(USABLE) {
            // Somebody else asks already, and what is known will do until then.
            Some(known) if self.asking.try_lock().is_err() => return Ok(known),
            _ => self.ask().await,
        }
        self.known(USABLE).ok_or_else(|| self.no_answer())
    }

    /// Something newer than this, for a token whose key is not in it; nothing where the provider was asked just now or says the
    /// same.
    pub(super) async fn newer(self: &Arc<Self>, than: &Arc<Published>) -> Option<Arc<Published>> {
        self.ask().await;
        self.known(USABLE).filter(|known| !Arc::ptr_eq(known, than))
    }

    /// For openidconnect: what asks this issuer.
    pub(super) fn speaking(&self) -> impl Fn(HttpRequest) -> Sending + Send + Sync + 'static + use<> {
        self.outbound.speaking(self.url.starts_with("https://"))
    }

    /// The error of a provider that gives nothing to work with. Why not is in the log.
    pub(super) fn no_answer(&self) -> Error {
        Error::Provider { issuer: self.url.clone() }
    }

    fn known(&self, age: Duration) -> Option<Arc<Published>> {
        let state = self.state();
        let young = state.published.as_ref().filter(|(_, since)| since.elapsed() < age);
        young.map(|(published, _)| Arc::clone(published))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the provider, or waits for whoever asks already; does nothing where it was asked just now.
    async fn ask(self: &Arc<Self>) {
        let turn = Arc::clone(&self.asking).lock_owned().await;
        if !self.may_ask() {
            return;
        }
        let issuer = Arc::clone(self);
        let asked = tokio::spawn(async move {
            issuer.keep(issuer.discover().await);
            drop(turn);
        });
        if let Err(error) = asked.await {
            tracing::error!(issuer = self.url, error = chain(&error), "asking an identity provider was interrupted");
        }
    }

    /// Marks the question before it is asked, so that one which never ends counts too.
    fn may_ask(&self) -> bool {
        let mut state = self.state();
        let may = state.asked.is_none_or(|asked| asked.elapsed() >= PAUSE);
        if may {
            state.asked = Some(Instant::now());
        }
        may
    }

    fn keep(&self, found: Result<Published, DiscoveryError<OutboundError>>) {
        let mut state = self.state();
        let now = Instant::now();
        // From its end too: whoever waited for a slow provider shares its answer and does not ask again.
        state.asked = Some(now);
        match found {
            Ok(published) => state.published = Some((Arc::new(published), now)),
            Err(error) => {
                let kept = state.published.is_some();
                tracing::warn!(issuer = self.url, error = chain(&error), kept, "an identity provider gives no keys");
            }
        }
    }

    async fn discover(&self) -> Result<Published, DiscoveryError<OutboundError>> {
        let url = IssuerUrl::new(self.url.clone()).map_err(DiscoveryError::UrlParse)?;
        let client = self.speaking();
        let metadata = Metadata::discover_async(url, &client).await?;
        if metadata.issuer().as_str() != self.url {
            return Err(DiscoveryError::Validation("it calls itself otherwise than it is declared".to_owned()));
        }
        // Browsers are sent there, so it has to be a place that a browser may be sent to.
        permitted(metadata.authorization_endpoint().url()).map_err(DiscoveryError::Request)?;
        let known = metadata.jwks().keys().iter();
        let keys = known.filter_map(|key| serde_json::to_value(key).and_then(serde_json::from_value::<Jwk>).ok());
        let keys: Vec<Jwk> = keys.collect();
        Ok(Published { metadata, keys })
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpListener;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use serde_json::{Value, json};

    use super::*;

    /// A server that answers as a provider with one key, and how often it was asked for its keys.
    struct Provider {
        url: String,
        asked: Arc<AtomicUsize>,
    }

    impl Provider {
        fn start(calls_itself: Option<&'static str>) -> Self {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let url = format!("http://{}", listener.local_addr().unwrap());
            let asked = Arc::new(AtomicUsize::new(0));
            let (named, counted) = (calls_itself.unwrap_or(&url).to_owned(), Arc::clone(&asked));
            let base = url.clone();
            thread::spawn(move || {
                for stream in listener.incoming() {
                    let mut stream = stream.unwrap();
                    let mut head = [0; 4096];
                    let read = stream.read(&mut head).unwrap();
                    let keys = String::from_utf8_lossy(&head[..read]).starts_with("GET /keys ");
                    counted.fetch_add(usize::from(keys), Ordering::SeqCst);
                    // So slow that all who ask at once have asked before it answers.
                    thread::sleep(Duration::from_millis(50));
                    let body = if keys { key_set() } else { metadata(&named, &base) }.to_string();
                    let head =
                        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length:";
                    drop(stream.write_all(format!("{head} {}\r\n\r\n{body}", body.len()).as_bytes()));
                }
            });
            Self { url, asked }
        }

        fn issuer(&self) -> Arc<Issuer> {
            Arc::new(Issuer::new(&self.url, Outbound::default()))
        }

        fn times(&self) -> usize {
            self.asked.load(Ordering::SeqCst)
        }
    }

    fn metadata(issuer: &str, base: &str) -> Value {
        json!({
            "issuer": issuer,
            "authorization_endpoint": format!("{base}/auth"),
            "token_endpoint": format!("{base}/token"),
            "jwks_uri": format!("{base}/keys"),
            "response_types_supported": ["code", "none"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["ES256", "later"],
            "token_endpoint_auth_signing_alg_values_supported": ["Ed25519"],
            "authorization_response_iss_parameter_supported": true,
            "more": [1, 2],
        })
    }

    fn key_set() -> Value {
        json!({ "keys": [
            {
                "kty": "EC", "use": "sig", "kid": "a", "alg": "ES256", "crv": "P-256",
                "x": "YVs0Yxv3TRbS16GRgqpKZpvYT-vjYhSk2_XIICjQ_ao",
                "y": "SaDmz608g6iJqJZLzj8e0PyPrv3xLEwKAURMWVWnMRY",
            },
            { "kty": "later", "kid": "b" },
        ] })
    }

    /// As if that much time had gone by.
    fn age(issuer: &Issuer, by: Duration) {
        let earlier = |since: Instant| since.checked_sub(by).expect("the machine has run that long");
        let mut state = issuer.state();
        state.asked = state.asked.map(earlier);
        state.published = state.published.take().map(|(published, since)| (published, earlier(since)));
    }

    #[tokio::test]
    async fn keys_are_read_as_the_provider_publishes_them() {
        let provider = Provider::start(None);
        let published = provider.issuer().published().await.unwrap();
        let ids: Vec<_> = published.keys.iter().map(|key| key.common.key_id.as_deref()).collect();
        assert_eq!(ids, [Some("a")]);
        assert!(published.metadata.additional_metadata().authorization_response_iss_parameter_supported);
    }

    #[tokio::test]
    async fn many_callers_share_one_question_and_a_flood_of_made_up_keys_asks_nothing() {
        let provider = Provider::start(None);
        let issuer = provider.issuer();
        let callers = (0..20).map(|_| {
            let issuer = Arc::clone(&issuer);
            tokio::spawn(async move { issuer.published().await.is_ok() })
        });
        for caller in callers.collect::<Vec<_>>() {
            assert!(caller.await.unwrap());
        }
        let published = issuer.published().await.unwrap();
        for _ in 0..100 {
            assert!(issuer.newer(&published).await.is_none());
        }
        assert_eq!(provider.times(), 1);
        age(&issuer, PAUSE);
        assert!(issuer.newer(&published).await.is_some());
        assert!(issuer.newer(&issuer.published().await.unwrap()).await.is_none());
        assert_eq!(provider.times(), 2);
    }

    #[tokio::test]
    async fn a_caller_who_goes_away_ends_no_question() {
        let provider = Provider::start(None);
        let issuer = provider.issuer();
        assert!(tokio::time::timeout(Duration::from_millis(10), issuer.published()).await.is_err());
        assert!(issuer.published().await.is_ok());
        assert_eq!(provider.times(), 1);
    }

    #[tokio::test]
    async fn a_provider_that_is_away_is_asked_at_a_limited_rate() {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let issuer = Arc::new(Issuer::new(&format!("http://127.0.0.1:{port}"), Outbound::default()));
        assert!(matches!(issuer.published().await, Err(Error::Provider { .. })));
        let asked = issuer.state().asked;
        assert!(matches!(issuer.published().await, Err(Error::Provider { .. })));
        assert_eq!(issuer.state().asked, asked);
    }

    #[tokio::test]
    async fn who_calls_itself_otherwise_is_no_provider() {
        let provider = Provider::start(Some("https://login.example"));
        assert!(matches!(provider.issuer().published().await, Err(Error::Provider { .. })));
        assert_eq!(provider.times(), 0);
    }
}
