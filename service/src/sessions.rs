//! Sessions of people who sign in with a key: a random cookie stands for the key until it ends.
//! INVARIANT: a session has the rights its key has at this moment, so a revocation ends it at once.

use ambit_model::digest::Digest;

use crate::caller::Caller;
use crate::store::{NewSession, Store};
use crate::{Error, clock, keys, secret};

/// How long a session lasts, in the form of [`clock::after`].
const LASTS: &str = "12h";
/// The same in seconds, for the cookie.
pub const SECONDS: u64 = 12 * 60 * 60;

/// Opens a session with a key. The cookie is a new one at each sign-in, and the former session ends.
pub async fn sign_in(store: &Store, key: &str, former: Option<&str>) -> Result<String, Error> {
    let Caller::Key(record) = keys::authenticate(store, key.trim()).await? else { return Err(Error::KeyRefused) };
    let cookie = secret::random(secret::BYTES)?;
    let expires_at = clock::after(LASTS).map_err(Error::Request)?;
    let new = NewSession { digest: Digest::of(cookie.as_bytes()), key: record.id, expires_at };
    let former = former.map(|cookie| Digest::of(cookie.as_bytes()));
    store.open_session(new, former.as_ref(), &clock::now()).await?;
    Ok(cookie)
}

/// Whose session this is; nobody's where it has ended or its key opens nothing any more.
pub async fn find(store: &Store, cookie: &str) -> Result<Option<Caller>, Error> {
    let now = clock::now();
    let record = store.session_key(&Digest::of(cookie.as_bytes()), &now).await?;
    Ok(record.filter(|record| record.is_valid(&now)).map(|record| Caller::Key(Box::new(record))))
}

/// Ends a session.
pub async fn sign_out(store: &Store, cookie: &str) -> Result<(), Error> {
    Ok(store.close_session(&Digest::of(cookie.as_bytes())).await?)
}
