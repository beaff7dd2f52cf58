//! Asking a URL that was given for one job, such as an import: the stricter rule beside that for identity providers.
//! INVARIANT: unless private addresses are allowed by word, only https is spoken, and only with addresses that are public at the
//! moment of the connection, so that a name that leads elsewhere by then gains nothing. All answers together have one limit.

use std::net::{IpAddr, SocketAddr, ToSocketAddrs as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{CONTENT_ENCODING, HeaderMap};
use reqwest::{Client, Request, Response, StatusCode, Url};

use super::address::is_public;
use super::{OutboundError, builder, host, permitted};

/// Whoever asks ends the whole job in time and says so; a single request ends a little later, should nobody do that.
const SLACK: Duration = Duration::from_secs(1);

/// What asking may cost, and where it may lead.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Addresses that are not public may be asked, and this machine itself without https.
    pub(crate) allow_private: bool,
    /// For each request with its answer.
    pub(crate) within: Duration,
    /// Bytes of all answers together.
    pub(crate) most_bytes: usize,
}

/// The client of one job. Clones share their connections and what is left of the bytes.
#[derive(Clone, Debug)]
pub(crate) struct Guarded {
    client: Client,
    bounds: Bounds,
    heard: Arc<AtomicUsize>,
}

/// An answer whose body is not read yet.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    response: Response,
    host: String,
    most_bytes: usize,
    heard: Arc<AtomicUsize>,
}

impl Guarded {
    pub(crate) fn new(bounds: Bounds) -> Result<Self, OutboundError> {
        let mut builder = builder().timeout(bounds.within.saturating_add(SLACK));
        if !bounds.allow_private {
            builder = builder.dns_resolver(Arc::new(PublicOnly));
        }
        let client = builder.build().map_err(|cause| OutboundError::Client { cause })?;
        Ok(Self { client, bounds, heard: Arc::default() })
    }

    /// For requests to be made of.
    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    /// How long a request with its answer may take.
    pub(crate) fn within(&self) -> Duration {
        self.bounds.within
    }

    /// Whether the URL may be asked, as far as it alone says: its scheme, and an address that is written in it.
    pub(crate) fn permits(&self, url: &Url) -> Result<(), OutboundError> {
        permitted(url)?;
        if self.bounds.allow_private {
            return Ok(());
        }
        let host = host(url);
        if url.scheme() != "https" {
            return Err(OutboundError::Plain { host });
        }
        match host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>() {
            Ok(address) if !is_public(address) => Err(OutboundError::NotPublic(NotPublic { host, address })),
            _ => Ok(()),
        }
    }

    /// Sends a request; whatever status the answer has, it is an answer. A redirect is one too and is not followed.
    pub(crate) async fn send(&self, request: Request) -> Result<Answer, OutboundError> {
        self.permits(request.url())?;
        let host = host(request.url());
        let mut response = self.client.execute(request).await.map_err(|cause| no_answer(&host, cause))?;
        if response.headers().contains_key(CONTENT_ENCODING) {
            return Err(OutboundError::Compressed { host });
        }
        let most_bytes = self.bounds.most_bytes;
        if response.content_length().is_some_and(|length| length > u64::try_from(most_bytes).unwrap_or(u64::MAX)) {
            return Err(OutboundError::TooLarge { host, most_bytes });
        }
        let (status, headers) = (response.status(), std::mem::take(response.headers_mut()));
        Ok(Answer { status, headers, response, host, most_bytes, heard: self.heard.clone() })
    }
}

impl Answer {
    /// The next piece of the body.
    pub(crate) async fn chunk(&mut self) -> Result<Option<Vec<u8>>, OutboundError> {
        let chunk = self.response.chunk().await.map_err(|cause| no_answer(&self.host, cause))?;
        let Some(chunk) = chunk else { return Ok(None) };
        let before = self.heard.fetch_add(chunk.len(), Ordering::Relaxed);
        if before.saturating_add(chunk.len()) > self.most_bytes {
            return Err(OutboundError::TooLarge { host: self.host.clone(), most_bytes: self.most_bytes });
        }
        Ok(Some(chunk.to_vec()))
    }

    /// The whole body.
    pub(crate) async fn whole(&mut self) -> Result<Vec<u8>, OutboundError> {
        let mut body = Vec::new();
        while let Some(chunk) = self.chunk().await? {
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }
}

/// A name or an address that is not asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{host}` leads to {address}, which is not a public address")]
pub(crate) struct NotPublic {
    pub(crate) host: String,
    pub(crate) address: IpAddr,
}

/// The system's resolver, whose answer counts only where every address in it is public.
struct PublicOnly;

impl Resolve for PublicOnly {
    fn resolve(&self, name: Name) -> Resolving {
        let host = name.as_str().to_owned();
        Box::pin(async move {
            let asked = host.clone();
            let found = tokio::task::spawn_blocking(move || (asked.as_str(), 0).to_socket_addrs()).await??;
            let found: Vec<SocketAddr> = found.collect();
            if let Some(private) = found.iter().find(|address| !is_public(address.ip())) {
                return Err(NotPublic { host, address: private.ip() }.into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

/// The refusal of an address lies inside what the library says.
fn no_answer(host: &str, cause: reqwest::Error) -> OutboundError {
    let mut inner: Option<&(dyn std::error::Error + 'static)> = Some(&cause);
    while let Some(error) = inner {
        if let Some(refused) = error.downcast_ref::<NotPublic>() {
            return OutboundError::NotPublic(refused.clone());
        }
        inner = error.source();
    }
    OutboundError::NoAnswer { host: host.to_owned(), cause: cause.without_url() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guarded(allow_private: bool) -> Guarded {
        Guarded::new(Bounds { allow_private, within: Duration::from_secs(5), most_bytes: 1000 }).unwrap()
    }

    #[track_caller]
    fn check(url: &str, public_only: bool, private_too: bool) {
        let url = Url::parse(url).unwrap();
        let found = [false, true].map(|allow_private| guarded(allow_private).permits(&url).is_ok());
        assert_eq!(found, [public_only, private_too], "{url}");
    }

    #[test]
    fn a_url_alone_says_where_it_leads() {
        check("https://tools.example/mcp", true, true);
        check("https://8.8.8.8/", true, true);
        check("http://tools.example/", false, false);
        check("http://127.0.0.1:9/", false, true);
        check("https://10.0.0.1/", false, true);
        check("http://10.0.0.1/", false, false);
        check("https://[::1]/", false, true);
        check("https://[::ffff:10.0.0.1]/", false, true);
        check("https://[64:ff9b::a00:1]/", false, true);
        // Other ways to write 127.0.0.1 and 169.254.169.254.
        check("https://2130706433/", false, true);
        check("https://0x7f.1/", false, true);
        check("https://0251.0376.0251.0376/", false, true);
        check("ftp://8.8.8.8/", false, false);
    }

    #[tokio::test]
    async fn a_name_is_asked_only_where_it_leads_to_public_addresses() {
        let guarded = guarded(false);
        let request = guarded.client().get("https://localhost:1/secret?key=secret").build().unwrap();
        let error = guarded.send(request).await.unwrap_err();
        assert!(matches!(&error, OutboundError::NotPublic(refused) if refused.address.is_loopback()), "{error:?}");
        assert!(!crate::error::chain(&error).contains("secret"));
    }
}
