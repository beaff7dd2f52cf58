//! Who is at the door: by a key of ours, or by a token of an identity provider that the live snapshot names.
//! INVARIANT: what is wrong with one that opens nothing is not said, and of whoever sent it only a number is kept.

use crate::caller::Caller;
use crate::live::Live;
use crate::{Error, keys};

/// How every key of ours begins; no token of a provider does (RFC 7515: it begins with the Base64 of `{`).
const KEY: &str = "ambit_";

/// The Caller behind what was sent as a bearer (RFC 6750, 2.1).
pub async fn authenticate(live: &Live, bearer: Option<&str>) -> Result<Caller, Error> {
    let found = match bearer {
        None => Err(Error::KeyRefused),
        Some(key) if key.starts_with(KEY) => keys::authenticate(live.store(), key).await,
        Some(token) => by_token(live, token).await,
    };
    if matches!(found, Err(Error::KeyRefused | Error::TokenRefused)) {
        live.count_refusal();
    }
    found
}

async fn by_token(live: &Live, token: &str) -> Result<Caller, Error> {
    // A token of a provider has two dots (RFC 7515, 3.1); whatever else comes was meant as a key.
    let looks_like_one = token.split('.').count() == 3;
    let Some(loaded) = live.current_if_any().await?.filter(|_| looks_like_one) else { return Err(Error::KeyRefused) };
    let person = live.issuers().verify(&loaded.snapshot.tenants, token).await?;
    Ok(Caller::Person(Box::new(person)))
}
