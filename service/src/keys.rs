//! Keys, `ambit_<id>_<256 bits in hex>`: made, listed, revoked, and recognised at the door.
//! INVARIANT: a key leaves this module once, to whoever made it; only its digest is kept, and the first key in a file.

use std::collections::BTreeSet;
use std::path::PathBuf;

use ambit_engine::authority::{Reach, ViewRefused, check_scope};
use ambit_model::administration::AdminAction;
use ambit_model::audit::{AuditOutcome, WORKSPACE};
use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;
use ambit_model::digest::Digest;
use ambit_model::hidden::is_plain_line;
use ambit_model::identity::{Principal, ProjectId};
use ambit_model::key::{Asker, KeyRecord};

use crate::administration::{denied_because, narrowed, reach, reach_of_key};
use crate::audit::{self, Act};
use crate::caller::{Caller, wrong};
use crate::live::Live;
use crate::loaded::Loaded;
use crate::store::Store;
use crate::{Error, clock, secret};

/// The file of the data folder that holds the first key.
pub const FIRST_KEY_FILE: &str = "admin.key";
/// Bytes of an id: enough to find a key by, and no secret.
const ID_BYTES: usize = 6;
/// Longest name of a key.
const LONGEST_NAME: usize = 100;
/// Most globs of a scope, and most bytes of each.
const MOST_GLOBS: usize = 50;
const LONGEST_GLOB: usize = 200;

/// What a key shall be made of, as somebody wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewKey {
    /// For people: which application or person holds it.
    pub name: String,
    /// Who its holder is.
    pub principal: String,
    /// The only project it asks in, with or without its tenant; absent: any of the tenant's.
    pub project: Option<String>,
    /// Globs over canonical ids: the only tools it reaches; empty: whatever the principal may use.
    pub tools: BTreeSet<String>,
    /// How long it lives, `30d`, `12h`; absent: until it is revoked.
    pub expires_in: Option<String>,
}

/// A key that was made.
pub struct CreatedKey {
    pub record: KeyRecord,
    /// The whole key. It is kept nowhere but in `file`.
    pub key: String,
    /// Where the first key of a data folder was written.
    pub file: Option<PathBuf>,
}

/// The same, read.
struct Wished {
    name: String,
    principal: Principal,
    project: Option<ProjectId>,
    tools: BTreeSet<String>,
    expires_in: Option<String>,
}

impl Wished {
    fn read(new: NewKey) -> Result<Self, Error> {
        let NewKey { name, principal, project, tools, expires_in } = new;
        let principal = Principal::parse(principal.trim()).map_err(|form| wrong(&form))?;
        let project = project.map(|text| ProjectId::parse(text.trim(), Some(&principal.tenant))).transpose();
        Ok(Self { name, project: project.map_err(|form| wrong(&form))?, principal, tools, expires_in })
    }
}

/// Makes a key. The first one of a data folder is also written to a file there that only its owner may read.
pub async fn create_key(caller: &Caller, live: &Live, new: NewKey) -> Result<CreatedKey, Error> {
    let reach = reach(caller, live, AdminAction::ManageKeys).await?;
    let new = Wished::read(new)?;
    if !reach.covers(&new.principal.tenant, new.project.as_ref()) {
        return Err(not_for(caller, live, &new, "outside its reach").await);
    }
    check(&new)?;
    if let Some(loaded) = live.current_if_any().await? {
        if !administers_no_more(&loaded, (&new.principal, new.project.as_ref(), &new.tools), caller) {
            return Err(not_for(caller, live, &new, "the key would administer more than its maker").await);
        }
        check_holder(&loaded, &new)?;
    }
    if !live.store().has_key().await?
        && let Some(created) = add(caller, live.store(), &new, &reach.policies, true).await?
    {
        return Ok(created);
    }
    // Somebody else made the first one in between.
    add(caller, live.store(), &new, &reach.policies, false).await?.ok_or(Error::Interrupted)
}

/// Writes down for whom a key was wanted and why it was not made.
async fn not_for(caller: &Caller, live: &Live, new: &Wished, why: &str) -> Error {
    let resource = match &new.project {
        Some(project) => format!("project:{project}"),
        None => format!("tenant:{}", new.principal.tenant),
    };
    let details = [("principal", new.principal.to_string()), ("why", why.to_owned())];
    denied_because(caller, live, AdminAction::ManageKeys, &resource, &[], &details).await
}

/// The keys that this caller may manage, oldest first.
pub async fn list_keys(caller: &Caller, live: &Live) -> Result<Vec<KeyRecord>, Error> {
    let reach = reach(caller, live, AdminAction::ManageKeys).await?;
    let mut keys = live.store().keys().await?;
    keys.retain(|key| reach.covers(&key.principal.tenant, key.project.as_ref()));
    let keys = keys.into_iter().map(|key| as_told(key, caller, &reach)).collect();
    Ok(keys)
}

/// Revokes a key and ends the sessions that were opened with it. A key of others and one that is not there are refused alike.
pub async fn revoke_key(caller: &Caller, live: &Live, id: &str) -> Result<KeyRecord, Error> {
    let reach = reach(caller, live, AdminAction::ManageKeys).await?;
    let Some((record, _)) = live.store().key(id).await? else { return Err(Error::NoSuchKey) };
    if !may_revoke(caller, live, &reach, &record).await? {
        let why = [("why", "outside its reach, or it administers more".to_owned())];
        denied_because(caller, live, AdminAction::ManageKeys, &format!("key:{id}"), &[], &why).await;
        return Err(Error::NoSuchKey);
    }
    let resource = format!("key:{id}");
    let details = [("name", record.name.clone()), ("principal", record.principal.to_string())];
    let act = Act {
        action: "revoke_key",
        tenant: Some(&record.principal.tenant),
        resource: &resource,
        policies: &reach.policies,
        details: &details,
    };
    let entry = audit::entry(caller, AuditOutcome::Done, &act)?;
    live.store().revoke_key(id, &clock::now(), &entry).await?;
    match live.store().key(id).await? {
        Some((record, _)) => Ok(as_told(record, caller, &reach)),
        None => Err(Error::NoSuchKey),
    }
}

async fn may_revoke(caller: &Caller, live: &Live, reach: &Reach, key: &KeyRecord) -> Result<bool, Error> {
    let covered = reach.covers(&key.principal.tenant, key.project.as_ref());
    Ok(match live.current_if_any().await? {
        Some(loaded) => {
            covered && administers_no_more(&loaded, (&key.principal, key.project.as_ref(), &key.tools), caller)
        }
        None => covered,
    })
}

/// A record without who made it, where that is another than the reader and none of its tenant's people.
fn as_told(key: KeyRecord, caller: &Caller, reach: &Reach) -> KeyRecord {
    let own = format!("{}:", key.principal.tenant);
    if reach.everything || key.created_by == caller.label() || key.created_by.starts_with(&own) {
        return key;
    }
    KeyRecord { created_by: WORKSPACE.to_owned(), ..key }
}

/// The holder is declared, and the key opens something for it.
fn check_holder(loaded: &Loaded, new: &Wished) -> Result<(), Error> {
    let Wished { principal, project, tools, .. } = new;
    if !loaded.authority().declares(principal) {
        return Err(ViewRefused::UnknownPrincipal(principal.clone()).into());
    }
    let of_tenant = loaded.snapshot.projects.iter().map(|known| &known.id).filter(|id| id.tenant == principal.tenant);
    let mut wanted: Vec<&ProjectId> = of_tenant.filter(|id| project.as_ref().is_none_or(|own| own == *id)).collect();
    wanted.extend(project.iter().filter(|own| !loaded.snapshot.projects.iter().any(|known| known.id == **own)));
    let reaches =
        |action: &AdminAction| !reach_of_key(loaded, principal, project.as_ref(), tools, *action).is_nothing();
    let administers = AdminAction::ALL.iter().any(reaches);
    let mut refused = Err(Error::NothingHere);
    for id in wanted {
        let asker = Asker { tools: tools.clone(), ..Asker::new(principal.clone(), id.clone()) };
        match loaded.view(asker) {
            Ok(_) => return Ok(()),
            Err(Error::View(ViewRefused::NoAccess { .. })) if administers => return Ok(()),
            Err(error) => refused = Err(error),
        }
    }
    if administers && project.is_none() { Ok(()) } else { refused }
}

/// Whoever holds such a key administers no more than whoever makes or revokes it.
fn administers_no_more(
    loaded: &Loaded,
    (holder, project, tools): (&Principal, Option<&ProjectId>, &BTreeSet<String>),
    caller: &Caller,
) -> bool {
    let no_more = |action: &AdminAction| {
        reach_of_key(loaded, holder, project, tools, *action).is_within(&narrowed(caller, loaded, *action))
    };
    AdminAction::ALL.iter().all(no_more)
}

/// There is a key: somebody can ask, or sign in.
pub async fn is_there_any(store: &Store) -> Result<bool, Error> {
    Ok(store.has_key().await?)
}

/// Who holds this key. What is wrong with one that opens nothing is not said.
pub(crate) async fn authenticate(store: &Store, key: &str) -> Result<Caller, Error> {
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

fn check(new: &Wished) -> Result<(), Error> {
    let refuse =
        |code, message: &str, help: &str| Err(Error::Request(Box::new(Diagnostic::error(code, message).help(help))));
    let fits = new.name.chars().any(char::is_alphanumeric) && new.name.chars().count() <= LONGEST_NAME;
    if !fits || !is_plain_line(&new.name) {
        let message = "the key's name is not one line of 1 to 100 characters";
        return refuse(codes::E_VALUE, message, "say who will hold it");
    }
    if let Some(project) = new.project.as_ref().filter(|project| project.tenant != new.principal.tenant) {
        let message = format!("`{project}` is not a project of `{}`", new.principal.tenant);
        return refuse(codes::E_OTHER_TENANT, &message, "name a project of the principal's own tenant");
    }
    if new.tools.len() > MOST_GLOBS || new.tools.iter().any(|glob| glob.is_empty() || glob.len() > LONGEST_GLOB) {
        let message = "the scope has more than 50 globs, or one that is empty or longer than 200 bytes";
        return refuse(codes::E_VALUE, message, "name whole catalogs with `catalog/*`");
    }
    if let Err(wrong) = check_scope(&new.tools) {
        return refuse(codes::E_VALUE, &wrong, "write `catalog/*`, or a whole id `catalog/tool`");
    }
    Ok(())
}

async fn add(
    caller: &Caller,
    store: &Store,
    new: &Wished,
    policies: &[String],
    only_first: bool,
) -> Result<Option<CreatedKey>, Error> {
    let id = secret::random(ID_BYTES)?;
    let key = format!("ambit_{id}_{}", secret::random(secret::BYTES)?);
    let record = KeyRecord {
        id,
        name: new.name.trim().to_owned(),
        principal: new.principal.clone(),
        project: new.project.clone(),
        tools: new.tools.clone(),
        created_at: clock::now(),
        created_by: caller.label(),
        expires_at: end(caller, new.expires_in.as_deref())?,
        revoked_at: None,
    };
    let (resource, tenant) = (format!("key:{}", record.id), record.principal.tenant.clone());
    let mut details = vec![("name", record.name.clone()), ("principal", record.principal.to_string())];
    details.extend(record.project.as_ref().map(|project| ("project", project.to_string())));
    if !record.tools.is_empty() {
        details.push(("tools", record.tools.iter().map(String::as_str).collect::<Vec<_>>().join(" ")));
    }
    details.extend(record.expires_at.clone().map(|at| ("expires_at", at)));
    let act = Act { action: "create_key", tenant: Some(&tenant), resource: &resource, policies, details: &details };
    let entry = audit::entry(caller, AuditOutcome::Done, &act)?;
    // Written before the key counts, so that all but a rename has been done: a first key that nobody has would be the last one
    // that lies in a file.
    let file = only_first.then(|| store.write_secret(&format!("{key}\n"))).transpose()?;
    if !store.add_key(&record, &Digest::of(key.as_bytes()), only_first, &entry).await? {
        return Ok(None);
    }
    let file = file.map(|file| file.keep(FIRST_KEY_FILE)).transpose()?;
    Ok(Some(CreatedKey { record, key, file }))
}

/// When a key ends: as wished, and no later than the key that makes it.
fn end(caller: &Caller, wished: Option<&str>) -> Result<Option<String>, Error> {
    let wished = wished.map(clock::after).transpose().map_err(Error::Request)?;
    let own = match caller {
        Caller::Key(own) => own.expires_at.clone(),
        _ => None,
    };
    // Texts of one form compare as times.
    Ok(match (wished, own) {
        (Some(wished), Some(own)) => Some(wished.min(own)),
        (wished, own) => wished.or(own),
    })
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
