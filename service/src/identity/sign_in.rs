//! Signing in to the dashboard: the browser goes to the provider and comes back with a code, which Ambit exchanges for an ID token
//! (OpenID Connect Core 1.0, 3.1, with PKCE, RFC 7636).
//! INVARIANT: an answer counts only for the browser, the tenant and the issuer that it was asked for, since all that is compared is
//! derived from these; and nothing is stored before it has succeeded.

use std::sync::Arc;

use ambit_model::declaration::{IdentityProvider, SignIn, Tenant};
use ambit_model::digest::Digest;
use openidconnect::core::{
    CoreAuthenticationFlow, CoreClient, CoreClientAuthMethod, CoreIdToken, CoreIdTokenVerifier, CoreTokenResponse,
};
use openidconnect::{
    AuthType, AuthorizationCode, ClaimsVerificationError, ClientId, ClientSecret, CsrfToken, EndpointMaybeSet,
    EndpointNotSet, EndpointSet, Nonce, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, RequestTokenError, Scope,
    SignatureVerificationError, TokenResponse as _,
};
use serde_json::{Map, Value};

use super::issuer::{Issuer, Published};
use super::mapping::{self, Claims, Reason};
use super::{Issuers, keys};
use crate::Error;
use crate::error::chain;

/// Digits of the value that the browser's cookie holds: 256 random bits in hex.
const BROWSER_DIGITS: usize = 64;

/// The dashboard as a client of a provider whose metadata are known.
type Client =
    CoreClient<EndpointSet, EndpointNotSet, EndpointNotSet, EndpointNotSet, EndpointMaybeSet, EndpointMaybeSet>;

/// What the browser brings back from the provider, as its query says it (RFC 6749, 4.1.2; RFC 9207, 2).
#[derive(Clone, Default)]
pub struct Callback {
    pub code: Option<String>,
    pub state: Option<String>,
    pub iss: Option<String>,
    pub error: Option<String>,
}

impl Issuers {
    /// Where the browser has to go, to sign in to this tenant with the first of its providers that allows it. `browser` is the
    /// secret value of the browser's cookie, 64 hex digits made for this attempt; `redirect` is where it comes back to.
    pub(crate) async fn begin_sign_in(&self, tenant: &Tenant, browser: &str, redirect: &str) -> Result<String, Error> {
        let attempt = Attempt::of(tenant, browser)?;
        let published = self.issuer(&attempt.provider.issuer).published().await?;
        let client = attempt.client(&published, redirect, None)?;
        let (state, nonce) = (attempt.state.clone(), attempt.nonce.clone());
        let verifier = PkceCodeVerifier::new(attempt.verifier.clone());
        let request = client
            .authorize_url(
                CoreAuthenticationFlow::AuthorizationCode,
                move || CsrfToken::new(state),
                move || Nonce::new(nonce),
            )
            .add_scopes(attempt.sign_in.scopes.iter().cloned().map(Scope::new))
            .set_pkce_challenge(PkceCodeChallenge::from_code_verifier_sha256(&verifier));
        let (url, _, _) = request.url();
        Ok(url.into())
    }

    /// What the provider vouches for, once the browser is back: the claims to keep in its session. [`super::person`] says who that
    /// is, now and at each later request.
    pub(crate) async fn finish_sign_in(
        &self,
        tenant: &Tenant,
        browser: &str,
        redirect: &str,
        back: &Callback,
        secret: Option<&str>,
    ) -> Result<Claims, Error> {
        let attempt = Attempt::of(tenant, browser)?;
        let issuer = self.issuer(&attempt.provider.issuer);
        let published = issuer.published().await?;
        let named = published.metadata.additional_metadata().authorization_response_iss_parameter_supported;
        let code = attempt.code(back, named).map_err(|reason| attempt.refused(reason))?;
        let client = attempt.client(&published, redirect, secret)?;
        let answer = attempt.exchange(&issuer, &client, code).await?;
        let token = answer.id_token().ok_or_else(|| attempt.refused("the provider sent no ID token"))?;
        let all = attempt.verified(&issuer, &published, token).await?;
        attempt.claims(all).map_err(|reason| attempt.refused(reason))
    }
}

/// One attempt to sign in. Its values follow from the cookie, the tenant and the issuer, so nobody has to remember them.
struct Attempt<'a> {
    tenant: &'a Tenant,
    provider: &'a IdentityProvider,
    sign_in: &'a SignIn,
    state: String,
    nonce: String,
    /// Of PKCE; 64 of the characters that it may have (RFC 7636, 4.1).
    verifier: String,
}

impl<'a> Attempt<'a> {
    fn of(tenant: &'a Tenant, browser: &str) -> Result<Self, Error> {
        let with =
            tenant.identity.iter().find_map(|provider| provider.sign_in.as_ref().map(|sign_in| (provider, sign_in)));
        let Some((provider, sign_in)) = with else {
            tracing::info!(tenant = tenant.id, "nobody can sign in: the tenant declares no provider for it");
            return Err(Error::SignInRefused);
        };
        if browser.len() != BROWSER_DIGITS || !browser.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            tracing::debug!("the cookie of an attempt to sign in is not one");
            return Err(Error::SignInRefused);
        }
        let derived = |what: &str| {
            let text = format!("ambit sign-in {what}:{}:{}:{browser}", tenant.id, provider.issuer);
            Digest::of(text.as_bytes()).as_str().trim_start_matches("sha256:").to_owned()
        };
        let (state, nonce, verifier) = (derived("state"), derived("nonce"), derived("verifier"));
        Ok(Self { tenant, provider, sign_in, state, nonce, verifier })
    }

    fn client(&self, published: &Published, redirect: &str, secret: Option<&str>) -> Result<Client, Error> {
        let redirect = RedirectUrl::new(redirect.to_owned())
            .map_err(|_| self.refused("the URL to come back to, which follows from the public URL, is not one"))?;
        let secret = secret.map(|secret| ClientSecret::new(secret.to_owned()));
        let by_body = published.metadata.token_endpoint_auth_methods_supported().is_some_and(|methods| {
            methods.contains(&CoreClientAuthMethod::ClientSecretPost)
                && !methods.contains(&CoreClientAuthMethod::ClientSecretBasic)
        });
        let client = CoreClient::from_provider_metadata(published.metadata.clone(), self.id(), secret);
        let way = if by_body { AuthType::RequestBody } else { AuthType::BasicAuth };
        Ok(client.set_redirect_uri(redirect).set_auth_type(way))
    }

    fn id(&self) -> ClientId {
        ClientId::new(self.sign_in.client.clone())
    }

    /// The code that the provider gave, where the answer is to this attempt. A provider that promises to name itself has to.
    fn code(&self, back: &Callback, named: bool) -> Result<AuthorizationCode, Reason> {
        // Comparing digests of 256 random bits tells a guesser nothing by its time.
        let is_ours = |state: &String| Digest::of(state.as_bytes()) == Digest::of(self.state.as_bytes());
        if !back.state.as_ref().is_some_and(is_ours) {
            return Err("the answer is not to what this browser asked");
        }
        if back.iss.as_ref().map_or(named, |issuer| *issuer != self.provider.issuer) {
            return Err("the answer does not come from the issuer that was asked");
        }
        if let Some(error) = &back.error {
            let error: String = error.chars().filter(char::is_ascii_graphic).take(60).collect();
            tracing::info!(issuer = self.provider.issuer, error, "an identity provider let nobody sign in");
            return Err("the provider says no");
        }
        back.code.clone().map(AuthorizationCode::new).ok_or("the answer holds no code")
    }

    async fn exchange(
        &self,
        issuer: &Issuer,
        client: &Client,
        code: AuthorizationCode,
    ) -> Result<CoreTokenResponse, Error> {
        let request = client.exchange_code(code).map_err(|_| self.refused("the provider has no token endpoint"))?;
        let http = issuer.speaking();
        let request = request.set_pkce_verifier(PkceCodeVerifier::new(self.verifier.clone()));
        // What the provider sends holds tokens, so no more than its error's code goes into the log.
        match request.request_async(&http).await {
            Ok(answer) => Ok(answer),
            Err(RequestTokenError::ServerResponse(said)) => {
                tracing::info!(issuer = self.provider.issuer, error = ?said.error(), "an identity provider takes no code");
                Err(Error::SignInRefused)
            }
            Err(RequestTokenError::Request(error)) => {
                tracing::warn!(
                    issuer = self.provider.issuer,
                    error = chain(&error),
                    "an identity provider is not there"
                );
                Err(issuer.no_answer())
            }
            Err(RequestTokenError::Parse(..) | RequestTokenError::Other(_)) => {
                tracing::warn!(issuer = self.provider.issuer, "an identity provider's tokens cannot be read");
                Err(issuer.no_answer())
            }
        }
    }

    /// All claims of the ID token, verified; where its key is not known, keys are asked for once more.
    async fn verified(
        &self,
        issuer: &Arc<Issuer>,
        published: &Arc<Published>,
        token: &CoreIdToken,
    ) -> Result<Map<String, Value>, Error> {
        let mut verdict = self.verdict(published, token);
        let unknown = SignatureVerificationError::NoMatchingKey;
        if verdict == Err(ClaimsVerificationError::SignatureVerification(unknown))
            && let Some(newer) = issuer.newer(published).await
        {
            verdict = self.verdict(&newer, token);
        }
        if let Err(error) = verdict {
            tracing::info!(issuer = self.provider.issuer, error = chain(&error), "an ID token was refused");
            return Err(Error::SignInRefused);
        }
        // The very text whose signature was verified, read once more for the claims that openidconnect does not know.
        jsonwebtoken::dangerous::insecure_decode_claims(token.to_string())
            .map_err(|_| self.refused("its ID token cannot be read"))
    }

    /// OpenID Connect Core 1.0, 3.1.3.7. A client with a secret gets no algorithm that signs with it either.
    fn verdict(&self, published: &Published, token: &CoreIdToken) -> Result<(), ClaimsVerificationError> {
        let (issuer, known) = (published.metadata.issuer().clone(), published.metadata.jwks().clone());
        let declared = self.provider.algorithms.iter().map(|declared| keys::algorithm_of_sign_in(*declared));
        let verifier = CoreIdTokenVerifier::new_public_client(self.id(), issuer, known).set_allowed_algs(declared);
        token.claims(&verifier, &Nonce::new(self.nonce.clone())).map(|_| ())
    }

    /// What is kept of the claims, where they are somebody of this tenant.
    fn claims(&self, all: Map<String, Value>) -> Result<Claims, Reason> {
        let issuer = &self.provider.issuer;
        let same = self.tenant.identity.iter().filter(|provider| provider.issuer == *issuer);
        let claims = Claims::of(issuer, all, same).ok_or("its ID token is about nobody")?;
        if !mapping::belongs(self.provider, &claims) {
            return Err("its claims do not belong to the tenant");
        }
        mapping::map(self.tenant, self.provider, &claims)?;
        Ok(claims)
    }

    fn refused(&self, reason: Reason) -> Error {
        tracing::info!(tenant = self.tenant.id, issuer = self.provider.issuer, reason, "signing in was refused");
        Error::SignInRefused
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use ambit_model::declaration::{SigningAlgorithm, UserClaim};
    use serde_json::json;

    use super::*;

    const BROWSER: &str = "00000000000000000000000000000000000000000000000000000000000000ff";

    fn tenant(id: &str) -> Tenant {
        let provider = |client: Option<&str>| IdentityProvider {
            issuer: format!("https://{}.example", client.unwrap_or("machines")),
            audience: Vec::new(),
            algorithms: vec![SigningAlgorithm::RS256],
            token_type: None,
            when: BTreeMap::from([("org".to_owned(), id.to_owned())]),
            user: UserClaim { claim: "sub".to_owned(), principals: BTreeMap::new(), undeclared: true },
            roles: None,
            sign_in: client.map(|client| SignIn { client: client.to_owned(), scopes: Vec::new(), secret: false }),
        };
        Tenant {
            id: id.to_owned(),
            name: id.to_owned(),
            users: BTreeMap::new(),
            agents: BTreeMap::new(),
            roles: BTreeMap::new(),
            identity: vec![provider(None), provider(Some("login")), provider(Some("second"))],
        }
    }

    fn back(state: &str) -> Callback {
        Callback { code: Some("c".to_owned()), state: Some(state.to_owned()), ..Callback::default() }
    }

    #[test]
    fn an_attempt_is_of_one_browser_and_one_tenant() {
        let acme = tenant("acme");
        let attempt = Attempt::of(&acme, BROWSER).unwrap();
        assert_eq!(attempt.provider.issuer, "https://login.example");
        let again = Attempt::of(&acme, BROWSER).unwrap();
        assert_eq!((&attempt.state, &attempt.nonce, &attempt.verifier), (&again.state, &again.nonce, &again.verifier));
        let all = [&attempt.state, &attempt.nonce, &attempt.verifier];
        for (at, value) in all.iter().enumerate() {
            assert!(value.len() == 64 && !value.contains(BROWSER) && !all[..at].contains(value), "{value}");
        }
        let globex = tenant("globex");
        assert_ne!(Attempt::of(&globex, BROWSER).unwrap().state, attempt.state);
        assert_ne!(Attempt::of(&acme, &BROWSER.replace('f', "e")).unwrap().state, attempt.state);
    }

    #[test]
    fn a_cookie_that_is_none_begins_nothing() {
        let acme = tenant("acme");
        for cookie in ["", "ff", BROWSER.replace('f', "g").as_str(), format!("{BROWSER}00").as_str()] {
            assert!(matches!(Attempt::of(&acme, cookie), Err(Error::SignInRefused)), "{cookie}");
        }
        let mut nobody = tenant("acme");
        nobody.identity.truncate(1);
        assert!(matches!(Attempt::of(&nobody, BROWSER), Err(Error::SignInRefused)));
    }

    #[test]
    fn an_answer_has_to_be_to_this_attempt_and_from_this_issuer() {
        let acme = tenant("acme");
        let attempt = Attempt::of(&acme, BROWSER).unwrap();
        let from = |iss: &str| Callback { iss: Some(iss.to_owned()), ..back(&attempt.state) };
        let cases = [
            (back(&attempt.state), false, true),
            (back(&attempt.state), true, false),
            (from("https://login.example"), true, true),
            (from("https://login.example"), false, true),
            (from("https://login.example/"), false, false),
            (from("https://evil.example"), false, false),
            (back(&attempt.nonce), false, false),
            (back(""), false, false),
            (Callback { state: None, ..back("") }, false, false),
            (Callback { code: None, ..back(&attempt.state) }, false, false),
            (Callback { error: Some("access_denied".to_owned()), ..back(&attempt.state) }, false, false),
        ];
        for (at, (callback, named, right)) in cases.into_iter().enumerate() {
            assert_eq!(attempt.code(&callback, named).is_ok(), right, "case {at}");
        }
    }

    #[test]
    fn claims_are_kept_where_they_are_somebody_of_the_tenant() {
        let acme = tenant("acme");
        let attempt = Attempt::of(&acme, BROWSER).unwrap();
        let kept = |all: Value| attempt.claims(all.as_object().unwrap().clone());
        let claims = kept(json!({ "sub": "ada", "org": "acme", "nonce": "x" })).unwrap();
        assert_eq!((claims.subject.as_str(), claims.members.len()), ("ada", 2));
        assert!(kept(json!({ "sub": "ada", "org": "globex" })).is_err());
        assert!(kept(json!({ "sub": "two words", "org": "acme" })).is_err());
        assert!(kept(json!({ "org": "acme" })).is_err());
    }
}
