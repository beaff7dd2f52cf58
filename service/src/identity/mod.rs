//! Identity providers: who vouches for whom, by bearer tokens and by signing in to the dashboard (OpenID Connect Core 1.0).
//! INVARIANT: only an issuer that a live tenant names is ever asked or believed, and its keys verify its own tokens alone.

mod issuer;
mod keys;
mod mapping;
mod sign_in;
mod token;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use ambit_model::declaration::{IdentityProvider, Tenant};
use serde_json::{Map, Value};

use self::issuer::Issuer;
use self::mapping::Reason;
use self::token::Token;
use crate::Error;
use crate::outbound::Outbound;

pub use self::mapping::{Claims, Person, person};
pub use self::sign_in::Callback;

/// What the issuers of the live tenants publish. Cloning it is cheap; its clones are one.
#[derive(Clone, Debug, Default)]
pub struct Issuers {
    outbound: Outbound,
    known: Arc<Mutex<BTreeMap<String, Arc<Issuer>>>>,
}

/// A tenant, and its provider that a token may be of.
type Candidate<'a> = (&'a Tenant, &'a IdentityProvider);

impl Issuers {
    /// Nothing is asked before somebody comes with a token or to sign in.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whom a bearer token stands for, in these tenants, the live ones. What is wrong with one that is refused is not said, except
    /// in the log.
    pub async fn verify(&self, tenants: &[Tenant], token: &str) -> Result<Person, Error> {
        self.forget_others(tenants);
        let token = Token::read(token).map_err(|reason| {
            tracing::info!(reason, "a token was refused");
            Error::TokenRefused
        })?;
        let named: Vec<Candidate<'_>> =
            mapping::providers(tenants, &token.issuer).filter(|(_, provider)| !provider.audience.is_empty()).collect();
        if named.is_empty() {
            tracing::info!(reason = "no live tenant takes tokens of its issuer", "a token was refused");
            return Err(Error::TokenRefused);
        }
        let refused = |reason: Reason| {
            tracing::info!(issuer = token.issuer, reason, "a token was refused");
            Error::TokenRefused
        };
        let candidates: Vec<Candidate<'_>> = named.into_iter().filter(|(_, provider)| token.suits(provider)).collect();
        if candidates.is_empty() {
            return Err(refused("its algorithm or its type is not as declared"));
        }
        let claims = self.signed(&token, &candidates).await?.map_err(refused)?;
        person_of(&token.issuer, &candidates, claims).map_err(refused)
    }

    /// The claims of a token that its issuer has signed for one of the candidates. The outer error is of the provider.
    async fn signed(
        &self,
        token: &Token<'_>,
        candidates: &[Candidate<'_>],
    ) -> Result<Result<Map<String, Value>, Reason>, Error> {
        let audience: Vec<&str> =
            candidates.iter().flat_map(|(_, provider)| provider.audience.iter().map(String::as_str)).collect();
        let issuer = self.issuer(&token.issuer);
        let published = issuer.published().await?;
        if let Some(key) = token.key(&published.keys) {
            return Ok(token.claims(key, &audience));
        }
        // Keys may have changed since.
        let newer = issuer.newer(&published).await;
        let key = newer.as_ref().and_then(|newer| token.key(&newer.keys));
        Ok(key.ok_or("its key is not one of the issuer's").and_then(|key| token.claims(key, &audience)))
    }

    /// An issuer that is declared. Nobody else's may be asked for.
    fn issuer(&self, url: &str) -> Arc<Issuer> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || Arc::new(Issuer::new(url, self.outbound.clone()));
        Arc::clone(known.entry(url.to_owned()).or_insert_with(new))
    }

    /// Forgets the issuers that no tenant names any more.
    fn forget_others(&self, tenants: &[Tenant]) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|url, _| mapping::providers(tenants, url).next().is_some());
    }
}

/// Who verified claims are: of the candidates whose audience and values they have, there is one.
fn person_of(issuer: &str, candidates: &[Candidate<'_>], claims: Map<String, Value>) -> Result<Person, Reason> {
    let meant: Vec<&Candidate<'_>> =
        candidates.iter().filter(|(_, provider)| token::is_for(&claims, &provider.audience)).collect();
    let claims = Claims::of(issuer, claims, meant.iter().map(|(_, provider)| *provider)).ok_or("it is about nobody")?;
    let (tenant, provider) =
        mapping::sole(meant.into_iter().filter(|(_, provider)| mapping::belongs(provider, &claims)))?;
    mapping::map(tenant, provider, &claims)
}

#[cfg(test)]
mod tests {
    use ambit_model::declaration::{SigningAlgorithm, UserClaim};
    use serde_json::json;

    use super::*;

    fn provider(audience: &str, when: &[(&str, &str)]) -> IdentityProvider {
        IdentityProvider {
            issuer: "https://login.example".to_owned(),
            audience: vec![audience.to_owned()],
            algorithms: vec![SigningAlgorithm::RS256],
            token_type: None,
            when: when.iter().map(|(claim, value)| ((*claim).to_owned(), (*value).to_owned())).collect(),
            user: UserClaim { claim: "sub".to_owned(), principals: BTreeMap::new(), undeclared: true },
            roles: None,
            sign_in: None,
        }
    }

    fn tenant(id: &str, provider: IdentityProvider) -> Tenant {
        let (name, identity) = (id.to_owned(), vec![provider]);
        let none = BTreeMap::new;
        Tenant { id: id.to_owned(), name, users: none(), agents: none(), roles: none(), identity }
    }

    fn who(tenants: &[Tenant], claims: Value) -> Result<String, Reason> {
        let candidates: Vec<Candidate<'_>> = mapping::providers(tenants, "https://login.example").collect();
        let Value::Object(claims) = claims else { return Err("no claims") };
        person_of("https://login.example", &candidates, claims).map(|person| person.principal.to_string())
    }

    #[test]
    fn a_token_is_of_one_tenant_by_its_audience_or_its_values() {
        let by_audience = [tenant("acme", provider("a", &[])), tenant("globex", provider("g", &[]))];
        assert_eq!(who(&by_audience, json!({ "sub": "ada", "aud": "g" })).as_deref(), Ok("globex:user:ada"));
        assert!(who(&by_audience, json!({ "sub": "ada", "aud": ["a", "g"] })).is_err());
        assert!(who(&by_audience, json!({ "sub": "ada", "aud": "x" })).is_err());
        assert!(who(&by_audience, json!({ "aud": "g" })).is_err());
        let by_value = ["acme", "globex"].map(|id| tenant(id, provider("a", &[("org", id)])));
        assert_eq!(who(&by_value, json!({ "sub": "ada", "aud": "a", "org": "acme" })).as_deref(), Ok("acme:user:ada"));
        assert!(who(&by_value, json!({ "sub": "ada", "aud": "a", "org": ["acme", "globex"] })).is_err());
        assert!(who(&by_value, json!({ "sub": "ada", "aud": "a" })).is_err());
    }

    #[test]
    fn issuers_are_forgotten_with_the_tenants_that_name_them() {
        let issuers = Issuers::new();
        let live = [tenant("acme", provider("a", &[]))];
        drop(issuers.issuer("https://login.example"));
        issuers.forget_others(&live);
        assert_eq!(issuers.known.lock().unwrap().len(), 1);
        issuers.forget_others(&[]);
        assert!(issuers.known.lock().unwrap().is_empty());
    }

    #[tokio::test]
    async fn a_token_of_an_undeclared_issuer_asks_nobody() {
        // {"alg":"RS256"} and {"iss":"https://evil.example"}
        let token = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJodHRwczovL2V2aWwuZXhhbXBsZSJ9.AA";
        let issuers = Issuers::new();
        let live = [tenant("acme", provider("a", &[]))];
        assert!(matches!(issuers.verify(&live, token).await, Err(Error::TokenRefused)));
        assert!(issuers.known.lock().unwrap().is_empty());
    }
}
