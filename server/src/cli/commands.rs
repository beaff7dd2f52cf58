//! One function a command: decode, make a Caller, call one use case, encode.

use ambit_model::diagnostic::Diagnostic;
use ambit_model::identity::{Principal, ProjectId};
use ambit_model::plan::VerdictWord;
use ambit_model::route::{Ambiguity, RouteRequest};
use ambit_service::apply::{self, ApplyRequest, Outcome};
use ambit_service::caller::Caller;
use ambit_service::embedder::ModelPlaces;
use ambit_service::plan::Proposed;
use ambit_service::route::For;
use ambit_service::store::Store;
use ambit_service::{check, plan, rollback, route, snapshots};
use serde_json::json;

use super::arguments::{Arguments, Asker, Command, PlanCommand};
use super::{CLEAN, FINDINGS, Said, print, text};

/// Runs one command.
pub(super) async fn run(arguments: Arguments) -> anyhow::Result<Said> {
    let caller = Caller::local(operating_system_user());
    let places = ModelPlaces::resolve(arguments.models.clone(), arguments.runtime.clone());
    let data = arguments.data.as_path();
    let workspace = arguments.workspace.as_path();
    match arguments.command {
        Command::Check { strict } => {
            let store = Store::open(data).await.map_err(ambit_service::Error::from)?;
            let checked = check::check_workspace(&caller, workspace, &store, &places).await?;
            store.close().await.map_err(ambit_service::Error::from)?;
            Ok(Said {
                text: text::check::report(&checked),
                json: check_json(&checked),
                code: code(&checked.diagnostics, strict),
            })
        }
        Command::Apply { message, accept_loss, strict } => {
            let store = Store::open(data).await.map_err(ambit_service::Error::from)?;
            let request = ApplyRequest { message, accept_loss: accept_loss.into_iter().collect(), strict };
            let applied = apply::apply_workspace(&caller, workspace, &store, &places, request).await?;
            // The write-ahead log is folded in, so that the data folder can be copied as it lies.
            store.close().await.map_err(ambit_service::Error::from)?;
            Ok(said_of_apply(&applied, strict))
        }
        Command::Snapshots => {
            let listed = snapshots::list_snapshots(&caller, &existing(data).await?).await?;
            let json = json!({ "live": listed.live, "snapshots": listed.records, "activations": listed.activations, "complete": true });
            Ok(Said { text: text::snapshots::list(&listed), json, code: CLEAN })
        }
        Command::Show { number } => {
            let (record, snapshot) = snapshots::show_snapshot(&caller, &existing(data).await?, number).await?;
            let json = json!({ "record": record, "snapshot": snapshot });
            Ok(Said { text: text::snapshots::show(&record, &snapshot), json, code: CLEAN })
        }
        Command::Rollback { number, reason } => {
            let done = rollback::rollback_snapshot(&caller, &existing(data).await?, number, &reason).await?;
            let json = json!({ "from": done.from, "to": done.to.number, "digest": done.to.digest, "activation": done.activation });
            Ok(Said { text: text::snapshots::rolled_back(&done), json, code: CLEAN })
        }
        Command::Verify { number } => {
            let (record, parts) = snapshots::verify_snapshot(&caller, &existing(data).await?, number).await?;
            let json = json!({ "snapshot": record.number, "digest": record.digest, "parts": parts, "verified": true });
            Ok(Said { text: text::snapshots::verified(&record, parts), json, code: CLEAN })
        }
        Command::Route { question, asker, k, strict, explain } => {
            let ambiguity = if strict { Ambiguity::Strict } else { Ambiguity::Advisory };
            let request = RouteRequest { question, ambiguity, k };
            let asker = decode(&asker)?;
            let routed = route::route_question(&caller, &existing(data).await?, &places, &asker, &request).await?;
            let json = serde_json::to_value(&routed.answer)?;
            Ok(Said { text: text::route::answer(&routed, &asker, explain), json, code: CLEAN })
        }
        Command::Plan(PlanCommand::Validate { file, asker }) => {
            let plan = Proposed { name: file.display().to_string(), text: print::read(&file)? };
            let verdict = plan::validate_plan(&caller, &existing(data).await?, &decode(&asker)?, &plan).await?;
            let code = if verdict.verdict == VerdictWord::Accepted { CLEAN } else { FINDINGS };
            Ok(Said { text: text::verdict::verdict(&verdict), json: serde_json::to_value(&verdict)?, code })
        }
    }
}

async fn existing(data: &std::path::Path) -> Result<Store, ambit_service::Error> {
    Ok(Store::open_existing(data).await?)
}

fn decode(asker: &Asker) -> anyhow::Result<For> {
    let principal = Principal::parse(&asker.principal).map_err(anyhow::Error::msg)?;
    let project = ProjectId::parse(&asker.project, Some(&principal.tenant)).map_err(anyhow::Error::msg)?;
    Ok(For { principal, project })
}

fn check_json(checked: &check::Checked) -> serde_json::Value {
    json!({
        "source_digest": checked.compiled.source_digest,
        "tools": checked.compiled.report.accepted.len(),
        "embedded": checked.embedded,
        "diagnostics": checked.diagnostics,
        "intake": checked.compiled.report,
    })
}

fn said_of_apply(applied: &apply::Applied, strict: bool) -> Said {
    let (result, snapshot) = match &applied.outcome {
        Outcome::Published { record, .. } => ("published", Some(record)),
        Outcome::Unchanged { record } => ("unchanged", Some(record)),
        Outcome::Refused => ("refused", None),
    };
    let json = json!({
        "result": result,
        "snapshot": snapshot.map(|record| json!({ "number": record.number, "digest": record.digest, "source_digest": record.source_digest })),
        "diagnostics": applied.checked.diagnostics,
        "intake": applied.checked.compiled.report,
    });
    let code =
        if matches!(applied.outcome, Outcome::Refused) { FINDINGS } else { code(&applied.checked.diagnostics, strict) };
    Said { text: text::check::applied(applied), json, code }
}

fn code(diagnostics: &[Diagnostic], strict: bool) -> u8 {
    let counts = |d: &Diagnostic| strict || d.is_error();
    if diagnostics.iter().any(counts) { FINDINGS } else { CLEAN }
}

fn operating_system_user() -> String {
    let named = ["USER", "LOGNAME", "USERNAME"].iter().find_map(|name| std::env::var(name).ok());
    named.filter(|name| !name.is_empty()).unwrap_or_else(|| "unknown".to_owned())
}
