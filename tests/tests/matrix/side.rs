//! One server, in this process: a data folder, what is live in it, and the router over it; and what it answers.

use std::path::Path;

use ambit_model::snapshot::SnapshotName;
use ambit_server::http::{Shared, router};
use ambit_service::embedder::ModelPlaces;
use ambit_service::live::Live;
use ambit_service::store::Store;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::Request;
use axum::http::header::CONTENT_TYPE;
use tower::ServiceExt as _;

use crate::doors::{Ask, Door};
use crate::log;

/// A server.
pub(crate) struct Side {
    pub(crate) store: Store,
    pub(crate) live: Live,
    router: Router,
}

/// Who asks, by what is shown at the door.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    pub(crate) key: String,
    pub(crate) cookie: String,
}

/// What a server answered, and what it wrote into its log meanwhile.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
    pub(crate) log: String,
}

/// Where the model and its runtime are.
pub(crate) fn places() -> ModelPlaces {
    ModelPlaces::resolve(None, None)
}

impl Side {
    /// A server on a data folder.
    pub(crate) async fn open(data: &Path) -> Self {
        let store = Store::open_existing(data).await.expect("a data folder");
        let live = Live::new(store.clone(), places());
        live.refresh().await.expect("a snapshot that can be loaded");
        let router = router(Shared::new(live.clone(), data.to_owned()));
        Self { store, live, router }
    }

    /// What is live.
    pub(crate) async fn name(&self) -> SnapshotName {
        self.live.current().await.expect("a live snapshot").name()
    }

    /// Answers a request; nobody shows nothing.
    pub(crate) async fn answer(&self, door: Door, ask: &Ask, who: Option<&Shown>) -> Answer {
        let mut request = Request::builder().method(ask.method).uri(&ask.path);
        for (name, value) in &ask.headers {
            request = request.header(*name, value);
        }
        if let Some(Shown { key, cookie }) = who {
            request = match door {
                Door::Api => request.header("authorization", format!("Bearer {key}")),
                Door::Function | Door::Page => request.header("cookie", format!("ambit_session={cookie}")),
            };
        }
        let body = match &ask.body {
            Some((kind, text)) => {
                request = request.header(CONTENT_TYPE, *kind);
                Body::from(text.clone())
            }
            None => Body::empty(),
        };
        let request = request.body(body).expect("a request");
        let mark = log::mark();
        let Ok(response) = self.router.clone().oneshot(request).await;
        let status = response.status().as_u16();
        let header = |value: &axum::http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        let headers = response.headers().iter().map(|(name, value)| (name.to_string(), header(value))).collect();
        let bytes = to_bytes(response.into_body(), usize::MAX).await.expect("a whole answer");
        let body = String::from_utf8_lossy(&bytes).into_owned();
        Answer { status, headers, body, log: log::since(mark) }
    }
}

/// Headers that are another time's: an id of the request, times, and a length that the body says better.
const PASSING: [&str; 4] = ["x-request-id", "x-ambit-snapshot", "server-timing", "content-length"];

impl Answer {
    /// A header; empty where it is absent.
    fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value.as_str())
    }

    /// The text that says which problem it is, if any.
    pub(crate) fn says(&self, words: &str) -> bool {
        self.body.contains(words)
    }

    /// Everything that was said, for a search in it.
    pub(crate) fn everything(&self) -> String {
        let headers: Vec<String> = self.headers.iter().map(|(name, value)| format!("{name}: {value}")).collect();
        format!("{}\n{}\n{}\n{}", self.status, headers.join("\n"), self.body, self.log)
    }

    /// As it would be of any snapshot of another number and digest: those, times and random values are taken out.
    pub(crate) fn plain(&self, of: &SnapshotName) -> String {
        let id = self.header("x-request-id");
        let nonce = self.header("content-security-policy").split_once("'nonce-").map_or("", |(_, rest)| rest);
        let nonce = nonce.split('\'').next().unwrap_or("");
        let short = of.digest.short();
        let mut headers: Vec<String> = self
            .headers
            .iter()
            .filter(|(name, _)| !PASSING.contains(&name.as_str()))
            .map(|(name, value)| format!("{name}: {value}"))
            .collect();
        headers.sort_unstable();
        let mut text = format!("{}\n{}\n{}", self.status, headers.join("\n"), without_times(&self.body));
        for (what, instead) in [(of.digest.as_str(), "DIGEST"), (short.as_str(), "SHORT"), (id, "ID"), (nonce, "NONCE")]
        {
            if !what.is_empty() {
                text = text.replace(what, instead);
            }
        }
        text = text.replace(&format!("<b>{}</b>", of.number), "<b>#</b>");
        // As JSON, as JSON in a text of a script, and as JSON in a text of that.
        for quote in ["\"", "\\\"", "\\\\\\\""] {
            for before in ["number", "snapshot"] {
                text = mask(&text, &format!("{quote}{before}{quote}:"));
            }
            for before in ["embed", "route"] {
                text = mask(&text, &format!("{quote}{before}{quote}:{quote}"));
            }
        }
        for before in ["/snapshots#s-", "/snapshots#s-#\">"] {
            text = mask(&text, before);
        }
        mask_while(&text, "\"at\":\"", |c| c.is_ascii_digit() || "-:.TZ".contains(c))
    }
}

/// Puts `#` in place of the number that follows.
fn mask(text: &str, before: &str) -> String {
    mask_while(text, before, |c| c.is_ascii_digit() || c == '.')
}

/// Puts `#` in place of what follows, as far as it is made of such characters.
fn mask_while(text: &str, before: &str, is_part: impl Fn(char) -> bool) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((head, tail)) = rest.split_once(before) {
        masked.push_str(head);
        masked.push_str(before);
        let after = tail.trim_start_matches(&is_part);
        if after.len() < tail.len() {
            masked.push('#');
        }
        rest = after;
    }
    masked.push_str(rest);
    masked
}

/// A page without the milliseconds that an answer took.
fn without_times(body: &str) -> String {
    body.split("<dd>").map(without_time).collect::<Vec<&str>>().join("<dd>")
}

/// What follows one `<dd>`, without its inside where that tells a time.
fn without_time(part: &str) -> &str {
    match part.split_once("</dd>") {
        Some((inside, rest)) if inside.contains(" ms to embed") => rest,
        _ => part,
    }
}
