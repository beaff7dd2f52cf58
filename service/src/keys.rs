//! Keys, `ambit_<id>_<256 bits in hex>`: made, listed, revoked, and recognised at the door.
//! INVARIANT: a key leaves this module once, to whoever made it; only its digest is kept, and the first admin key in a file.

use std::path::PathBuf;

use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;
use ambit_model::digest::Digest;
use ambit_model::key::{Asker, KeyRecord};

use crate::caller::{Administration, Caller};
use crate::live::Live;
use crate::store::Store;
use crate::{Error, clock, secret};

/// The file of the data folder that holds the first admin key.
pub const FIRST_KEY_FILE: &str = "admin.key";
/// Bytes of an id: enough to find a key by, and no secret.
const ID_BYTES: usize = 6;
/// Longest name of a key.
const LONGEST_NAME: usize = 100;

/// What a key is made of.
#[derive(Clone, Debug, Default)]
pub struct NewKey {
    /// For people: which application or person holds it.
    pub name: String,
    pub admin: bool,
    pub asker: Option<Asker>,
    /// How long it lives, `30d`, `12h`; absent: until it is revoked.
    pub expires_in: Option<String>,
}

/// A key that was made.
pub struct CreatedKey {
    pub record: KeyRecord,
    /// The whole key. It is kept nowhere but in `file`.
    pub key: String,
    /// Where the first admin key of a data folder was written.
    pub file: Option<PathBuf>,
}

/// Makes a key. The first admin key of a data folder is also written to a file there that only its owner may read.
pub async fn create_key(caller: &Caller, live: &Live, new: NewKey) -> Result<CreatedKey, Error> {
    caller.may(Administration::ManageKeys)?;
    check(&new)?;
    if let (Some(asker), Some(loaded)) = (&new.asker, live.current_if_any().await?) {
        loaded.view(asker)?;
    }
    if new.admin
        && !live.store().has_admin_key().await?
        && let Some(created) = add(caller, live.store(), &new, true).await?
    {
        return Ok(created);
    }
    add(caller, live.store(), &new, false).await?.ok_or(Error::KeyRefused)
}

/// Makes an admin key where the data folder has none, so that a new server has somebody who may look at it.
pub async fn first_admin_key(caller: &Caller, store: &Store) -> Result<Option<CreatedKey>, Error> {
    caller.may(Administration::ManageKeys)?;
    if store.has_admin_key().await? {
        return Ok(None);
    }
    let new = NewKey { name: "first admin key".to_owned(), admin: true, ..NewKey::default() };
    add(caller, store, &new, true).await
}

/// All keys, oldest first.
pub async fn list_keys(caller: &Caller, store: &Store) -> Result<Vec<KeyRecord>, Error> {
    caller.may(Administration::ManageKeys)?;
    Ok(store.keys().await?)
}

/// Revokes a key and ends the sessions that were opened with it.
pub async fn revoke_key(caller: &Caller, store: &Store, id: &str) -> Result<KeyRecord, Error> {
    caller.may(Administration::ManageKeys)?;
    store.revoke_key(id, &clock::now()).await?;
    match store.key(id).await? {
        Some((record, _)) => Ok(record),
        None => {
            let diagnostic = Diagnostic::error(codes::E_VALUE, format!("there is no key with the id `{id}`"))
                .help("`ambit keys list` lists the ids");
            Err(Error::Request(Box::new(diagnostic)))
        }
    }
}

/// Who holds this key. What is wrong with one that opens nothing is not said.
pub async fn authenticate(store: &Store, key: &str) -> Result<Caller, Error> {
    let id = id_of(key).ok_or(Error::KeyRefused)?;
    let (record, digest) = store.key(id).await?.ok_or(Error::KeyRefused)?;
    // Comparing digests of 256 random bits tells a guesser nothing by its time.
    let right = digest == Digest::of(key.as_bytes()) && record.is_valid(&clock::now());
    if right { Ok(Caller::Key(Box::new(record))) } else { Err(Error::KeyRefused) }
}

fn id_of(key: &str) -> Option<&str> {
    let (id, secret) = key.strip_prefix("ambit_")?.split_once('_')?;
    (id.len() == ID_BYTES * 2 && secret.len() == secret::BYTES * 2).then_some(id)
}

fn check(new: &NewKey) -> Result<(), Error> {
    let refuse =
        |code, message: &str, help: &str| Err(Error::Request(Box::new(Diagnostic::error(code, message).help(help))));
    let fits = !new.name.trim().is_empty() && new.name.chars().count() <= LONGEST_NAME;
    if !fits || new.name.chars().any(char::is_control) {
        let message = "the key's name is not one line of 1 to 100 characters";
        return refuse(codes::E_VALUE, message, "say who will hold it");
    }
    if !new.admin && new.asker.is_none() {
        let help = "name a principal and a project with `--as` and `--project`, or make it an admin key with `--admin`";
        return refuse(codes::E_VALUE, "the key would open nothing", help);
    }
    if let Some(asker) = new.asker.as_ref().filter(|asker| asker.principal.tenant != asker.project.tenant) {
        let message = format!("`{}` is not a project of `{}`", asker.project, asker.principal.tenant);
        return refuse(codes::E_OTHER_TENANT, &message, "name a project of the principal's own tenant");
    }
    Ok(())
}

async fn add(caller: &Caller, store: &Store, new: &NewKey, only_first: bool) -> Result<Option<CreatedKey>, Error> {
    let id = secret::random(ID_BYTES)?;
    let key = format!("ambit_{id}_{}", secret::random(secret::BYTES)?);
    let record = KeyRecord {
        id,
        name: new.name.trim().to_owned(),
        admin: new.admin,
        asker: new.asker.clone(),
        created_at: clock::now(),
        created_by: caller.label(),
        expires_at: new.expires_in.as_deref().map(clock::after).transpose().map_err(Error::Request)?,
        revoked_at: None,
    };
    // Written before the key counts, so that all but a rename has been done: an admin key that nobody has would be the last one
    // that is made by itself.
    let file = only_first.then(|| store.write_secret(&format!("{key}\n"))).transpose()?;
    if !store.add_key(&record, &Digest::of(key.as_bytes()), only_first).await? {
        return Ok(None);
    }
    let file = file.map(|file| file.keep(FIRST_KEY_FILE)).transpose()?;
    Ok(Some(CreatedKey { record, key, file }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_names_its_id() {
        let key = format!("ambit_0123456789ab_{}", "f".repeat(64));
        assert_eq!(id_of(&key), Some("0123456789ab"));
        for wrong in ["", "ambit__", "ambit_0123456789ab_ff", "0123456789ab", "Bearer x"] {
            assert_eq!(id_of(wrong), None, "{wrong}");
        }
    }
}
