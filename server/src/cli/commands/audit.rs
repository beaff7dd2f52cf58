//! The audit: reading it, checking its chain, erasing the payload of one entry.

use ambit_service::audit::{self, AuditQuery};
use serde_json::json;

use super::{CLEAN, Desk, Said, text};
use crate::cli::arguments::{AuditArguments, AuditCommand};

pub(super) async fn run(desk: &Desk, arguments: AuditArguments) -> anyhow::Result<Said> {
    let live = desk.live().await?;
    match arguments.command {
        None => {
            let query = AuditQuery { before: arguments.before, limit: arguments.limit };
            let list = audit::read_audit(&desk.caller, &live, &query).await?;
            Ok(Said { text: text::audit::list(&list), json: crate::json::audit(&list), code: CLEAN })
        }
        Some(AuditCommand::Verify { since }) => {
            let verified = audit::verify_audit(&desk.caller, &live, since.as_deref()).await?;
            Ok(Said { text: text::audit::verified(&verified), json: crate::json::verified(&verified), code: CLEAN })
        }
        Some(AuditCommand::Erase { sequence, reason }) => {
            audit::erase_payload(&desk.caller, &live, sequence, &reason).await?;
            let text = format!("the payload of entry {sequence} is erased; `ambit audit verify` still holds\n");
            Ok(Said { text, json: json!({ "erased": sequence }), code: CLEAN })
        }
    }
}
