//! The Keys page: keys that the visitor may manage, one that is made, one that is revoked.

use std::collections::BTreeSet;

use ambit_model::codes;
use ambit_model::key::KeyRecord;
use ambit_service::caller::Caller;
use ambit_service::clock;
use ambit_service::keys::{self as stored, NewKey};

use super::{given, is_form, refuse, refused, rows, shown, signed_in};
use crate::data::{KeyRow, KeyState, KeysPage, MadeKey, Moment};
use crate::problem::Problem;

pub(crate) async fn keys(state: &str) -> Result<KeysPage, Problem> {
    let (live, caller) = signed_in()?;
    let records = stored::list_keys(&caller, &live).await.map_err(|e| refuse(&e))?;
    let now = clock::now();
    let all: Vec<KeyRow> = records.iter().rev().map(|record| row(record, &caller, &now)).collect();
    let count = |state| all.iter().filter(|row| row.state == state).count();
    let state = KeyState::read(state);
    shown(&KeysPage {
        state,
        all: all.len(),
        valid: count(KeyState::Valid),
        expired: count(KeyState::Expired),
        revoked: count(KeyState::Revoked),
        keys: all.into_iter().filter(|row| state.is_none_or(|state| row.state == state)).collect(),
    })
}

pub(crate) async fn key(id: &str) -> Result<KeyRow, Problem> {
    let (live, caller) = signed_in()?;
    let records = stored::list_keys(&caller, &live).await.map_err(|e| refuse(&e))?;
    match records.iter().find(|record| record.id == id) {
        Some(record) => shown(&row(record, &caller, &clock::now())),
        None => Err(refused(codes::E_NOT_FOUND)),
    }
}

pub(crate) async fn create_key(
    name: String,
    principal: &str,
    project: &str,
    tools: &str,
    expires: &str,
) -> Result<MadeKey, Problem> {
    let (live, caller) = signed_in()?;
    // The page of a form without a script could not show the key: it would be made for nobody.
    if is_form() {
        return Err(refused(codes::E_REQUEST));
    }
    let (principal, project) = (principal.to_owned(), given(project));
    let new = NewKey { name, principal, project, tools: globs(tools), expires_in: given(expires) };
    let created = stored::create_key(&caller, &live, new).await.map_err(|e| refuse(&e))?;
    shown(&MadeKey { id: created.record.id, name: created.record.name, key: created.key })
}

pub(crate) async fn revoke_key(id: &str, confirmed: bool) -> Result<(), Problem> {
    let (live, caller) = signed_in()?;
    if !confirmed {
        return Err(refused(codes::E_CONFIRM));
    }
    stored::revoke_key(&caller, &live, id).await.map_err(|e| refuse(&e))?;
    leptos_axum::redirect("/keys");
    Ok(())
}

fn row(record: &KeyRecord, visitor: &Caller, now: &str) -> KeyRow {
    let state = match (&record.revoked_at, record.is_valid(now)) {
        (Some(_), _) => KeyState::Revoked,
        (None, true) => KeyState::Valid,
        (None, false) => KeyState::Expired,
    };
    KeyRow {
        id: record.id.clone(),
        name: record.name.clone(),
        principal: record.principal.to_string(),
        project: record.project.as_ref().map(ToString::to_string),
        tools: record.tools.iter().cloned().collect(),
        created: rows::moment(&record.created_at),
        created_by: record.created_by.clone(),
        expires: record.expires_at.as_deref().map(|at| end(at, now)),
        revoked: record.revoked_at.as_deref().map(rows::moment),
        state,
        own: matches!(visitor, Caller::Key(own) if own.id == record.id),
    }
}

/// A time ahead is said by its day, in UTC.
fn end(at: &str, now: &str) -> Moment {
    if at <= now {
        return rows::moment(at);
    }
    let day = at.split('T').next().unwrap_or(at);
    Moment { at: at.to_owned(), ago: day.to_owned() }
}

/// Globs with commas or white space between them.
fn globs(text: &str) -> BTreeSet<String> {
    let between = |c: char| c == ',' || c.is_whitespace();
    text.split(between).filter(|glob| !glob.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::{end, globs};

    #[test]
    fn globs_stand_apart_by_commas_or_white_space() {
        let found: Vec<String> = globs(" crm/*, billing/list_invoices\nmail/*").into_iter().collect();
        assert_eq!(found, ["billing/list_invoices", "crm/*", "mail/*"]);
        assert!(globs(" , ").is_empty());
    }

    #[test]
    fn an_end_that_is_ahead_is_a_day() {
        assert_eq!(end("2030-01-02T03:04:05Z", "2029-01-01T00:00:00Z").ago, "2030-01-02");
    }
}
