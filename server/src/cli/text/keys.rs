//! Keys: what was made, and what there is. The secret of a key is printed once, when it is made.

use ambit_model::key::KeyRecord;
use ambit_service::keys::CreatedKey;

/// A new key, and where it is or what it is.
pub(in crate::cli) fn created(created: &CreatedKey, shown: Option<&str>) -> String {
    let record = &created.record;
    let mut text = format!("key {} ({}) {}\n", record.id, record.name, rights(record));
    if let Some(file) = &created.file {
        text.push_str(&format!("  it lies in {}, which only you may read\n", file.display()));
    }
    if let Some(key) = shown {
        let again = if created.file.is_some() { "" } else { "; it is not shown again" };
        text.push_str(&format!("  {key}{again}\n"));
    }
    text
}

/// Oldest first; `now` says which have expired.
pub(in crate::cli) fn list(keys: &[KeyRecord], now: &str) -> String {
    let mut text = String::from("id            name                  state                         rights\n");
    for key in keys {
        let state = match (&key.revoked_at, &key.expires_at) {
            (Some(at), _) => format!("revoked {at}"),
            (None, Some(at)) if !key.is_valid(now) => format!("expired {at}"),
            (None, Some(at)) => format!("until {at}"),
            (None, None) => "until revoked".to_owned(),
        };
        text.push_str(&format!("{:<12}  {:<20}  {state:<28}  {}\n", key.id, key.name, rights(key)));
    }
    format!("{text}\n{}; `ambit keys revoke ID` ends one at once\n", super::snapshots::counted(keys.len(), "key"))
}

/// What opens nothing any more.
pub(in crate::cli) fn revoked(key: &KeyRecord) -> String {
    format!("key {} ({}) opens nothing any more, and its sessions have ended\n", key.id, key.name)
}

fn rights(key: &KeyRecord) -> String {
    let project = key.project.as_ref().map_or_else(|| "any project".to_owned(), ToString::to_string);
    let tools: Vec<&str> = key.tools.iter().map(String::as_str).collect();
    let tools = if tools.is_empty() { String::new() } else { format!(", tools {}", tools.join(" ")) };
    format!("asks for {} in {project}{tools}", key.principal)
}
