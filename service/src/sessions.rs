//! Sessions of people: a random cookie stands for a key, or for what an identity provider vouched for, until it ends.
//! INVARIANT: a session holds no rights. At each request its key is looked up, or its claims are mapped, by what is live then.

use ambit_model::digest::Digest;

use crate::caller::Caller;
use crate::identity::{self, Claims};
use crate::live::Live;
use crate::store::{NewSession, OpenSession, SessionHolder, Store};
use crate::{Error, clock, keys, secret};

/// How long a session lasts, in the form of [`clock::after`].
const LASTS: &str = "12h";
/// The same in seconds, for the cookie.
pub const SECONDS: u64 = 12 * 60 * 60;

/// Opens a session with a key. The cookie is a new one at each sign-in, and the former session ends.
pub async fn sign_in(live: &Live, key: &str, former: Option<&str>) -> Result<String, Error> {
    let found = keys::authenticate(live.store(), key.trim()).await;
    if matches!(found, Err(Error::KeyRefused)) {
        live.count_refusal();
    }
    let Caller::Key(record) = found? else { return Err(Error::KeyRefused) };
    open(live.store(), SessionHolder::Key(record.id), former).await
}

/// Opens a session for a person whom an identity provider vouches for.
pub async fn sign_in_with(live: &Live, claims: &Claims, former: Option<&str>) -> Result<String, Error> {
    let loaded = live.current().await?;
    identity::person(&loaded.snapshot.tenants, claims)?;
    open(live.store(), SessionHolder::Claims(serde_json::to_string(claims)?), former).await
}

async fn open(store: &Store, holder: SessionHolder, former: Option<&str>) -> Result<String, Error> {
    let cookie = secret::random(secret::BYTES)?;
    let expires_at = clock::after(LASTS).map_err(Error::Request)?;
    let new = NewSession { digest: Digest::of(cookie.as_bytes()), holder, expires_at };
    let former = former.map(|cookie| Digest::of(cookie.as_bytes()));
    store.open_session(new, former.as_ref(), &clock::now()).await?;
    Ok(cookie)
}

/// Whose session this is; nobody's where it has ended, its key opens nothing any more, or nobody maps its claims any more.
pub async fn find(live: &Live, cookie: &str) -> Result<Option<Caller>, Error> {
    let now = clock::now();
    match live.store().session(&Digest::of(cookie.as_bytes()), &now).await? {
        Some(OpenSession::Key(record)) => Ok(record.is_valid(&now).then_some(Caller::Key(record))),
        Some(OpenSession::Claims(claims)) => {
            let claims: Claims = serde_json::from_str(&claims)?;
            let Some(loaded) = live.current_if_any().await? else { return Ok(None) };
            let person = identity::person(&loaded.snapshot.tenants, &claims);
            Ok(person.ok().map(|person| Caller::Person(Box::new(person))))
        }
        None => Ok(None),
    }
}

/// Ends a session.
pub async fn sign_out(store: &Store, cookie: &str) -> Result<(), Error> {
    Ok(store.close_session(&Digest::of(cookie.as_bytes())).await?)
}
