//! The one HTTP client of Ambit: whatever it asks of another machine is asked here.
//! INVARIANT: https only, or http to this machine itself; no redirect is followed, no proxy is taken from the environment, and no
//! answer of ours is read beyond its limit (that of a language model is bounded by its tokens and by time). What else may be asked is
//! narrower still, in `guarded`.

mod address;
mod guarded;

use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use openidconnect::{HttpRequest, HttpResponse};
use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder, Request, Url};
use tokio::sync::OnceCell;

pub(crate) use guarded::{Answer, Bounds, Guarded, NotPublic};

/// How long a connection may take to be made.
const CONNECTING: Duration = Duration::from_secs(5);
/// How long the whole of a request and its answer may take.
const WHOLE: Duration = Duration::from_secs(10);
/// Bytes of an answer that are read; a longer one is none.
const LARGEST_ANSWER: usize = 1024 * 1024;

/// A request on its way.
pub(crate) type Sending = Pin<Box<dyn Future<Output = Result<HttpResponse, OutboundError>> + Send>>;

/// The client. Cloning it is cheap; its clones share their connections.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outbound {
    // Made at the first request: a machine without root certificates still serves those who sign in with a key.
    client: Arc<OnceCell<Client>>,
}

/// Why there is no answer. The host is named, and nothing else of a request: queries and bodies hold secrets.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OutboundError {
    /// No client can be made: this machine trusts nobody, for instance.
    #[error("the HTTP client cannot be set up")]
    Client {
        /// What the library says.
        #[source]
        cause: reqwest::Error,
    },
    /// A URL that cannot be asked at all.
    #[error("a URL to ask is not one")]
    Malformed {
        /// What the library says.
        #[source]
        cause: reqwest::Error,
    },
    /// The URL's scheme would show the request to the network.
    #[error("`{host}` is not asked: only https is spoken, or http with this machine itself")]
    Plain {
        /// Whom the URL names.
        host: String,
    },
    /// The connection or the answer broke, or took too long.
    #[error("`{host}` did not answer")]
    NoAnswer {
        /// Who was asked.
        host: String,
        /// What the library says.
        #[source]
        cause: reqwest::Error,
    },
    /// The answer is longer than what is read.
    #[error("`{host}` answers with more than {} KiB", most_bytes / 1024)]
    TooLarge {
        /// Who was asked.
        host: String,
        /// The limit.
        most_bytes: usize,
    },
    /// An answer that would have to be unpacked, to whatever size.
    #[error("`{host}` answers in a compressed form, which nobody asked for")]
    Compressed {
        /// Who was asked.
        host: String,
    },
    /// The name or the address leads into a private network.
    #[error(transparent)]
    NotPublic(#[from] NotPublic),
}

impl Outbound {
    /// Sends a request and reads its whole answer, whatever status it has.
    pub(crate) async fn send(&self, request: HttpRequest) -> Result<HttpResponse, OutboundError> {
        let request =
            Request::try_from(request).map_err(|cause| OutboundError::Malformed { cause: cause.without_url() })?;
        permitted(request.url())?;
        let host = host(request.url());
        let no_answer =
            |cause: reqwest::Error| OutboundError::NoAnswer { host: host.clone(), cause: cause.without_url() };
        let client = self.client.get_or_try_init(|| async { client(WHOLE) }).await?;
        let mut answer = client.execute(request).await.map_err(no_answer)?;
        let mut whole = HttpResponse::new(Vec::new());
        *whole.status_mut() = answer.status();
        *whole.headers_mut() = std::mem::take(answer.headers_mut());
        while let Some(chunk) = answer.chunk().await.map_err(no_answer)? {
            if whole.body().len() + chunk.len() > LARGEST_ANSWER {
                return Err(OutboundError::TooLarge { host: host.clone(), most_bytes: LARGEST_ANSWER });
            }
            whole.body_mut().extend_from_slice(&chunk);
        }
        Ok(whole)
    }

    /// The same as openidconnect wants it. A peer that is asked with https names nothing that is asked without.
    pub(crate) fn speaking(&self, secure: bool) -> impl Fn(HttpRequest) -> Sending + Send + Sync + 'static + use<> {
        let outbound = self.clone();
        move |request: HttpRequest| -> Sending {
            let outbound = outbound.clone();
            Box::pin(async move {
                if secure && request.uri().scheme_str() != Some("https") {
                    return Err(OutboundError::Plain { host: request.uri().host().unwrap_or_default().to_owned() });
                }
                outbound.send(request).await
            })
        }
    }
}

/// The rule for every URL: https, or http to this machine itself, where nobody listens in (RFC 8252, 8.3). An operator wrote the
/// URL, or somebody whom the operator trusts, so it may lie in a private network; URLs of others need a stricter rule, beside this.
pub(crate) fn permitted(url: &Url) -> Result<(), OutboundError> {
    match url.scheme() {
        "https" => Ok(()),
        "http" if url.host_str().is_some_and(is_this_machine) => Ok(()),
        _ => Err(OutboundError::Plain { host: host(url) }),
    }
}

fn is_this_machine(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || address.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

fn host(url: &Url) -> String {
    url.host_str().unwrap_or_default().to_owned()
}

/// A client under these rules for a library that sends by itself; the rule for URLs is the caller's to keep. `whole` is how long a
/// request and its answer may take.
pub(crate) fn client(whole: Duration) -> Result<Client, OutboundError> {
    builder().timeout(whole).build().map_err(|cause| OutboundError::Client { cause })
}

/// What every client has in common.
fn builder() -> ClientBuilder {
    // Where another part of this process was first, its choice serves as well.
    drop(rustls::crypto::ring::default_provider().install_default());
    Client::builder()
        .user_agent(concat!("ambit/", env!("CARGO_PKG_VERSION")))
        .redirect(Policy::none())
        .no_proxy()
        .referer(false)
        // What is read is bounded in the form in which it comes, and a small answer could unpack to a large one.
        .no_gzip()
        .no_brotli()
        .no_deflate()
        .no_zstd()
        .connect_timeout(CONNECTING)
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpListener;

    use super::*;

    /// A server that gives one caller this answer.
    fn serving(answer: Vec<u8>) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            drop(stream.read(&mut [0; 4096]));
            drop(stream.write_all(&answer));
        });
        format!("http://{address}/secret?key=secret")
    }

    async fn get(url: &str) -> Result<HttpResponse, OutboundError> {
        let mut request = HttpRequest::new(Vec::new());
        *request.uri_mut() = url.parse().unwrap();
        Outbound::default().send(request).await
    }

    #[test]
    fn only_https_leaves_this_machine() {
        for good in
            ["https://a.example/x", "http://127.0.0.1:9/", "http://127.9.9.9/", "http://[::1]:8/", "http://localhost/"]
        {
            assert!(permitted(&Url::parse(good).unwrap()).is_ok(), "{good}");
        }
        let bad = [
            "http://a.example/",
            "http://10.0.0.1/",
            "http://localhost.example/",
            "http://127.0.0.1.example/",
            "http://0.0.0.0/",
            "http://[::ffff:127.0.0.1]/",
            "file:///etc/passwd",
            "javascript:alert(1)",
        ];
        for bad in bad {
            assert!(permitted(&Url::parse(bad).unwrap()).is_err(), "{bad}");
        }
    }

    #[tokio::test]
    async fn an_answer_is_read_whole_and_a_redirect_is_only_an_answer() {
        let url =
            serving(b"HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 4\r\n\r\nmore".to_vec());
        let answer = get(&url).await.unwrap();
        assert_eq!((answer.status().as_u16(), answer.body().as_slice()), (302, b"more".as_slice()));
    }

    #[tokio::test]
    async fn an_answer_without_end_is_none() {
        let mut answer = b"HTTP/1.1 200 OK\r\n\r\n".to_vec();
        answer.resize(answer.len() + LARGEST_ANSWER + 1, b'x');
        let error = get(&serving(answer)).await.unwrap_err();
        assert!(matches!(error, OutboundError::TooLarge { .. }), "{error:?}");
    }

    #[tokio::test]
    async fn a_failure_names_the_host_and_no_more() {
        // A port that nobody listens at any more.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let error = get(&format!("http://127.0.0.1:{port}/secret?key=secret")).await.unwrap_err();
        let text = crate::error::chain(&error);
        assert!(text.contains("`127.0.0.1` did not answer") && !text.contains("secret"), "{text}");
    }

    #[tokio::test]
    async fn who_is_asked_with_https_names_nobody_without() {
        let mut request = HttpRequest::new(Vec::new());
        *request.uri_mut() = "http://127.0.0.1:1/".parse().unwrap();
        let error = Outbound::default().speaking(true)(request).await.unwrap_err();
        assert!(matches!(error, OutboundError::Plain { .. }), "{error:?}");
    }
}
