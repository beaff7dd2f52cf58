//! Keys of applications and people.

use ambit_service::keys::{self, CreatedKey, NewKey};
use ambit_service::live::Live;
use ambit_service::store::Store;
use serde_json::json;

use super::{CLEAN, Desk, Said, print, text};
use crate::cli::arguments::{KeysCommand, NewKeyArguments};

pub(super) async fn run(desk: &Desk, command: KeysCommand) -> anyhow::Result<Said> {
    match command {
        KeysCommand::Create(new) => create(desk, new).await,
        KeysCommand::List => {
            let listed = keys::list_keys(&desk.caller, &desk.live().await?).await?;
            Ok(Said {
                text: text::keys::list(&listed, &ambit_service::clock::now()),
                json: json!({ "keys": listed, "complete": true }),
                code: CLEAN,
            })
        }
        KeysCommand::Revoke { id } => {
            let revoked = keys::revoke_key(&desk.caller, &desk.live().await?, &id).await?;
            Ok(Said { text: text::keys::revoked(&revoked), json: json!({ "key": revoked }), code: CLEAN })
        }
    }
}

async fn create(desk: &Desk, new: NewKeyArguments) -> anyhow::Result<Said> {
    let new = NewKey {
        name: new.name,
        principal: new.principal,
        project: new.project,
        tools: new.tools.into_iter().collect(),
        expires_in: new.expires,
    };
    let store = Store::open(&desk.data).await.map_err(ambit_service::Error::from)?;
    let live = Live::new(store, desk.places.clone());
    let created = keys::create_key(&desk.caller, &live, new).await?;
    let shown = shown(&created);
    let json = json!({ "key": shown, "record": created.record, "file": created.file });
    Ok(Said { text: text::keys::created(&created, shown), json, code: CLEAN })
}

/// The first key lies in a file; a terminal may show it too, a log or a pipe may not.
pub(super) fn shown(created: &CreatedKey) -> Option<&str> {
    (created.file.is_none() || print::to_terminal()).then_some(created.key.as_str())
}
