//! Importing a catalog.

use std::time::Duration;

use ambit_model::diagnostic::Diagnostic;
use ambit_service::import::{ImportRequest, Imported, OAuth, Person, Source, import_catalog};
use ambit_service::secrets::SecretPlaces;
use serde_json::json;

use super::{CLEAN, Desk, FINDINGS, Said, text};
use crate::cli::arguments::{ImportArguments, OAuthArguments};
use crate::cli::print;

pub(super) async fn run(desk: &Desk, asked: ImportArguments) -> anyhow::Result<Said> {
    let request = request(asked);
    let secrets = SecretPlaces::new(desk.data.data());
    let imported = import_catalog(&desk.caller, &desk.workspace, &secrets, &request).await?;
    let code = if imported.diagnostics.iter().any(Diagnostic::is_error) { FINDINGS } else { CLEAN };
    Ok(Said { text: text::import::report(&imported, request.dry), json: report(&imported, request.dry), code })
}

fn request(asked: ImportArguments) -> ImportRequest {
    let ImportArguments { source, mcp, stdio, id, tenant, to, dry_run, secret, oauth, allow_private, .. } = asked;
    let (most_bytes, within) = (asked.max_bytes, Duration::from_secs(asked.within));
    let source = match (mcp, stdio) {
        (Some(url), _) => Source::Mcp(url),
        (None, Some(command)) => Source::Stdio(command),
        (None, None) => Source::Named(source.unwrap_or_default()),
    };
    let oauth = self::oauth(oauth);
    ImportRequest { source, id, tenant, to, dry: dry_run, secret, oauth, allow_private, most_bytes, within }
}

fn oauth(asked: OAuthArguments) -> Option<OAuth> {
    let OAuthArguments { oauth, oauth_client: client, oauth_secret: secret, oauth_port, oauth_wait } = asked;
    match (client, secret) {
        (None, _) if !oauth => None,
        (Some(id), Some(secret)) if !oauth => Some(OAuth::Client { id, secret }),
        (client, secret) => {
            let (port, wait) = (oauth_port.unwrap_or_default(), Duration::from_secs(oauth_wait));
            Some(OAuth::Person(Person { client, secret, port, wait, show }))
        }
    }
}

/// The address stands alone on its line, to be copied whole.
fn show(address: &str) {
    print::notes(&format!("the server wants you to sign in; open\n{address}\n"));
}

fn report(imported: &Imported, dry: bool) -> serde_json::Value {
    let duplicates = imported.duplicates.iter();
    let changes = imported.changes.as_ref().map(|changes| {
        let drifted = changes.drifted.iter();
        json!({
            "new": changes.new,
            "changed": changes.changed,
            "vanished": changes.vanished,
            "drifted": drifted.map(|one| json!({ "tool": one.tool, "place": one.place, "digest": one.found })).collect::<Vec<_>>(),
            "lines": changes.lines,
        })
    });
    json!({
        "id": imported.id,
        "from": imported.from,
        "format": imported.format,
        "tools": imported.tools,
        "catalog": imported.catalog,
        "document": imported.document,
        "dry_run": dry,
        "written": imported.written,
        "duplicates": duplicates.map(|one| json!({ "tool": one.tool, "places": one.places, "same": one.same })).collect::<Vec<_>>(),
        "changes": changes,
        "diagnostics": imported.diagnostics,
    })
}
