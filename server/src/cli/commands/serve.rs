//! The server: opens the address, loads what is live, follows the store, and serves until it is told to stop.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;
use ambit_service::keys;
use ambit_service::live::Live;
use ambit_service::secrets::SecretPlaces;
use ambit_service::store::Store;
use axum::http::Uri;
use serde_json::json;
use tokio::sync::oneshot;

use super::{CLEAN, Desk, Said};
use crate::http::{self, Limits, Listening, Shared};

/// How soon a server answers from what another process made live.
const FOLLOWING: Duration = Duration::from_millis(200);

/// How a server is run.
pub(super) struct Options {
    pub(super) site: Option<PathBuf>,
    pub(super) public_url: Option<String>,
    pub(super) limits: Limits,
}

pub(super) async fn serve(desk: &Desk, listen: SocketAddr, options: Options) -> anyhow::Result<Said> {
    let listening = Listening::open(listen)
        .map_err(|source| ambit_service::Error::Address { address: listen.to_string(), source })?;
    let public_url = public_url(options.public_url, listening.address)?;
    let store = Store::open(&desk.data).await.map_err(ambit_service::Error::from)?;
    if !keys::is_there_any(&store).await? {
        tracing::warn!(
            "no key was made yet, so nobody can ask or sign in with one: `ambit keys create --name NAME --as PRINCIPAL` makes one"
        );
    }
    let live = Live::new(store, desk.places.clone());
    if let Err(error) = live.refresh().await {
        tracing::error!(error = %ambit_service::error::chain(&error), "the live snapshot cannot be loaded");
    }
    if live.loaded().is_none() {
        tracing::warn!("no snapshot is live yet: `ambit apply` makes one, and this server will answer from it");
    }
    let (stop, stopped) = oneshot::channel();
    let following = tokio::spawn(live.clone().follow(FOLLOWING, stopped));
    let router = http::router(Shared {
        live: live.clone(),
        site: options.site,
        public_url,
        secrets: SecretPlaces::new(desk.data.data()),
        limits: Some(options.limits),
    });
    if !listening.address.ip().is_loopback() {
        tracing::warn!(
            "other machines reach this server, and what they send is not encrypted: put a proxy with TLS before it"
        );
    }
    tracing::info!("listening on http://{}", listening.address);
    let served = http::listen(listening, router).await;
    drop(stop);
    following.await?;
    live.flush().await?;
    live.store().clone().close().await.map_err(ambit_service::Error::from)?;
    served?;
    Ok(Said { text: String::new(), json: json!({ "stopped": true }), code: CLEAN })
}

/// Where people reach it, without a slash at the end.
fn public_url(given: Option<String>, address: SocketAddr) -> Result<String, ambit_service::Error> {
    let Some(url) = given else { return Ok(format!("http://{address}")) };
    let read: Option<Uri> = url.parse().ok();
    let whole = read.is_some_and(|uri| {
        let host = uri.authority().is_some_and(|authority| !authority.as_str().contains('@'));
        matches!(uri.scheme_str(), Some("http" | "https")) && host && uri.query().is_none()
    });
    if whole {
        return Ok(url.trim_end_matches('/').to_owned());
    }
    let message = format!("`{url}` is not a URL that people can reach this server at");
    let help = "write `--public-url https://ambit.example`";
    Err(ambit_service::Error::Request(Box::new(Diagnostic::error(codes::E_VALUE, message).help(help))))
}
