//! Signing in with an identity provider: where the browser goes, and the session it has once it is back.
//! INVARIANT: nothing of an attempt is kept. State, nonce and verifier are made of a secret that only the browser's cookie holds.

use ambit_model::declaration::{SignIn, Tenant};

use crate::identity::Callback;
use crate::live::Live;
use crate::secrets::{Secret, SecretPlaces};
use crate::{Error, secret, sessions};

/// An attempt that has begun.
pub struct Begun {
    /// Of the provider, to send the browser to.
    pub address: String,
    /// For the browser's cookie, and for nobody else.
    pub secret: String,
}

/// Begins to sign in to a tenant. Of one that is not there, or that has no provider for it, nothing more is said.
pub async fn begin(live: &Live, tenant: &str, public_url: &str) -> Result<Begun, Error> {
    let (tenant, _) = find(live, tenant).await?;
    let secret = secret::random(secret::BYTES)?;
    let address = live.issuers().begin_sign_in(&tenant, &secret, &redirect(public_url, &tenant.id)).await?;
    Ok(Begun { address, secret })
}

/// Opens a session for whom the provider vouches for; gives its cookie.
pub async fn finish(live: &Live, secrets: &SecretPlaces, back: Return<'_>) -> Result<String, Error> {
    let (tenant, sign_in) = find(live, back.tenant).await?;
    let client = if sign_in.secret { Some(secrets.sign_in(&tenant.id)?) } else { None };
    let client = client.as_ref().map(Secret::expose);
    let redirect = redirect(back.public_url, &tenant.id);
    let claims = live.issuers().finish_sign_in(&tenant, back.secret, &redirect, &back.callback, client).await?;
    sessions::sign_in_with(live, &claims, back.former).await
}

/// A browser that is back from the provider.
pub struct Return<'a> {
    pub tenant: &'a str,
    /// As [`begin`] gave it.
    pub secret: &'a str,
    pub public_url: &'a str,
    pub callback: Callback,
    /// The session that was open before, which ends.
    pub former: Option<&'a str>,
}

async fn find(live: &Live, tenant: &str) -> Result<(Tenant, SignIn), Error> {
    let refused = |reason: &'static str| {
        tracing::info!(reason, "nobody could sign in");
        Error::SignInRefused
    };
    let loaded = live.current_if_any().await?.ok_or_else(|| refused("there is no snapshot yet"))?;
    let found = loaded.snapshot.tenants.iter().find(|known| known.id == tenant);
    let found = found.ok_or_else(|| refused("there is no such tenant"))?;
    let sign_in = found.identity.iter().find_map(|provider| provider.sign_in.clone());
    let sign_in = sign_in.ok_or_else(|| refused("the tenant has no provider to sign in with"))?;
    Ok((found.clone(), sign_in))
}

fn redirect(public_url: &str, tenant: &str) -> String {
    format!("{public_url}/sign-in/{tenant}/callback")
}
