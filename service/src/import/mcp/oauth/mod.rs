//! A token for an MCP server from its authorization server (MCP 2025-11-25, Authorization). `rmcp` knows the steps; all that it asks goes
//! through the one outbound client, and what it would log of them (a code, what comes with a token) is logged nowhere.
//! INVARIANT: tokens, codes and a client that was registered live in the memory of one command, and are in no message and no file.

mod asking;
mod callback;
mod denied;

use std::sync::Arc;
use std::time::Duration;

use openidconnect::OAuth2TokenResponse as _;
use reqwest::Url;
use rmcp::transport::auth::{
    AuthorizationManager, AuthorizationMetadata, ClientCredentialsConfig, OAuthClientConfig, OAuthHttpClient,
    OAuthTokenResponse, WWWAuthenticateParams,
};
use serde_json::json;
use tracing::instrument::WithSubscriber as _;
use tracing::subscriber::NoSubscriber;

use crate::import::Unsaid;
use crate::import::access::Person;
use crate::outbound::Guarded;
use crate::secrets::Secret;
use asking::Asking;
use callback::Callback;
pub(super) use denied::Denied;

/// What a client that is registered is called.
const NAME: &str = "Ambit";
/// How a client may prove itself at the token endpoint (RFC 8414, 2).
const METHODS: &str = "token_endpoint_auth_methods_supported";
/// What would let a token be renewed later, when this command is long over.
const OFFLINE: &str = "offline_access";

/// What was found out about the authorization server of one MCP server.
pub(super) struct Authority {
    asking: Arc<Asking>,
    manager: AuthorizationManager,
    metadata: AuthorizationMetadata,
    scopes: Vec<String>,
    /// For every exchange with it; a person has longer.
    within: Duration,
}

impl Authority {
    /// Finds it by the challenge with which the MCP server refused (RFC 9728, RFC 8414).
    pub(super) async fn of(guarded: Guarded, url: &Url, challenge: &str, unsaid: Unsaid) -> Result<Self, Denied> {
        let asking = Arc::new(Asking::new(guarded, bare(url), unsaid));
        Self::discover(asking.clone(), asking, challenge).with_subscriber(NoSubscriber::default()).await
    }

    async fn discover(asking: Arc<Asking>, client: Arc<dyn OAuthHttpClient>, challenge: &str) -> Result<Self, Denied> {
        let (url, within) = (asking.url().clone(), asking.within());
        let found = in_time(within, async {
            let manager = AuthorizationManager::new_with_oauth_http_client(url.clone(), client).await;
            let manager = manager.map_err(|error| asking.denied(error))?;
            // `rmcp` passes over an address that it would not ask, and would go on with a guess.
            let points = challenge.to_ascii_lowercase().contains("resource_metadata=");
            if points && WWWAuthenticateParams::parse(challenge, &url).resource_metadata_url.is_none() {
                return Err(Denied::Pointer);
            }
            let challenge = Some(challenge).filter(|challenge| !challenge.is_empty());
            let found = manager.resolve_metadata_from_challenge(challenge).await;
            Ok((manager, found.map_err(|error| asking.denied(error))?))
        });
        let (mut manager, found) = found.await?;
        if !found.source.is_discovered() {
            return Err(Denied::NoMetadata);
        }
        let mut metadata = found.metadata;
        // By the standard that is meant where nothing is said; `rmcp` would send the secret in the body.
        metadata.additional_fields.entry(METHODS.to_owned()).or_insert_with(|| json!(["client_secret_basic"]));
        manager.set_metadata(metadata.clone());
        let mut scopes = manager.select_initial_scopes(&[]).await;
        scopes.retain(|scope| scope != OFFLINE);
        Ok(Self { asking, manager, metadata, scopes, within })
    }

    /// A token for a client alone (RFC 6749, 4.4).
    pub(super) async fn of_client(mut self, id: &str, secret: &Secret) -> Result<Secret, Denied> {
        let config = ClientCredentialsConfig::ClientSecret {
            client_id: id.to_owned(),
            client_secret: secret.expose().to_owned(),
            scopes: self.scopes.clone(),
            resource: Some(self.asking.resource()),
        };
        self.manager.validate_client_credentials_metadata(&config).map_err(|_| Denied::Method)?;
        self.manager.configure_client_credentials(&config).map_err(|error| self.asking.denied(error))?;
        let exchange = self.manager.exchange_client_credentials(&config).with_subscriber(NoSubscriber::default());
        let given = async { exchange.await.map_err(|error| self.asking.denied(error)) };
        bearer(&in_time(self.within, given).await?, self.asking.unsaid())
    }

    /// A token for whoever signs in with a browser (RFC 6749, 4.1, with PKCE).
    pub(super) async fn of_person(mut self, person: &Person, secret: Option<&Secret>) -> Result<Secret, Denied> {
        let callback = Callback::open(person.port).await?;
        let within = self.within;
        let lead = self.lead(person.client.as_deref(), secret, callback.redirect());
        let (page, state) = in_time(within, lead.with_subscriber(NoSubscriber::default())).await?;
        (person.show)(page.as_str());
        let answer = tokio::time::timeout(person.wait, callback.answer()).await;
        let answer = answer.map_err(|_| Denied::NobodyCame { wait: person.wait })?;
        let (code, issuer) = answer.granted(&state)?;
        self.asking.unsaid().keep_value(code);
        let exchange = self.manager.exchange_code_for_token_with_issuer(code, &state, issuer);
        let exchange = exchange.with_subscriber(NoSubscriber::default());
        let given = async { exchange.await.map_err(|error| self.asking.denied(error)) };
        bearer(&in_time(within, given).await?, self.asking.unsaid())
    }

    /// The page to sign in on, and the state by which its answer is known again.
    async fn lead(
        &mut self,
        client: Option<&str>,
        secret: Option<&Secret>,
        redirect: &str,
    ) -> Result<(Url, String), Denied> {
        // A server that takes PKCE has to say so: one that only ignores it would let a stolen code be used.
        let methods = self.metadata.code_challenge_methods_supported.iter().flatten();
        if !methods.into_iter().any(|method| method == "S256") {
            return Err(Denied::NoPkce);
        }
        let scopes: Vec<&str> = self.scopes.iter().map(String::as_str).collect();
        match client {
            Some(id) => {
                let mut config = OAuthClientConfig::new(id, redirect);
                config.client_secret = secret.map(|secret| secret.expose().to_owned());
                self.manager.configure_client(config).map_err(|error| self.asking.denied(error))?;
            }
            None if self.metadata.registration_endpoint.is_none() => return Err(Denied::NoRegistration),
            None => {
                let registered = self.manager.register_client(NAME, redirect, &scopes).await;
                let registered = registered.map_err(|error| self.asking.denied(error))?;
                registered.client_secret.iter().for_each(|secret| self.asking.unsaid().keep_value(secret));
            }
        }
        let page = self.manager.get_authorization_url(&scopes).await.map_err(|error| self.asking.denied(error))?;
        let page = Url::parse(&page).map_err(|_| Denied::NoMetadata)?;
        // The address is shown, and everything in it but the state is the authorization server's to choose.
        if self.asking.unsaid().stands_in(page.as_str()) {
            return Err(Denied::Metadata { why: "it holds a secret of this import".to_owned() });
        }
        // A browser is sent there, so it has to be a place that may be asked.
        self.asking.permits(&page)?;
        let state = page.query_pairs().find(|(name, _)| name == "state").map(|(_, state)| state.into_owned());
        state.map(|state| (page, state)).ok_or(Denied::NoMetadata)
    }
}

/// The URL by which a server is known: its query may hold a secret, and is nothing to an authorization server.
fn bare(url: &Url) -> Url {
    let mut bare = url.clone();
    bare.set_query(None);
    bare.set_fragment(None);
    bare
}

fn bearer(given: &OAuthTokenResponse, unsaid: &Unsaid) -> Result<Secret, Denied> {
    let token = given.access_token().secret();
    unsaid.keep_value(token);
    given.refresh_token().into_iter().for_each(|token| unsaid.keep_value(token.secret()));
    // What a token of another kind wants is not known (RFC 6749, 7.1).
    let sound = given.token_type().as_ref().eq_ignore_ascii_case("bearer") && !token.is_empty();
    sound.then(|| Secret::new(token.clone())).ok_or(Denied::NoToken)
}

async fn in_time<T>(within: Duration, asked: impl Future<Output = Result<T, Denied>>) -> Result<T, Denied> {
    tokio::time::timeout(within, asked).await.unwrap_or(Err(Denied::Late))
}

#[cfg(test)]
mod tests;
