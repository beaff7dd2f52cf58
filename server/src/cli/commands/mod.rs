//! One function a command: decode, make a Caller, call one use case, encode.

mod asking;
mod audit;
mod blocks;
mod diff;
mod enrich;
mod evaluate;
mod explain;
mod export;
mod feedback;
mod format;
mod history;
mod import;
mod init;
mod intake;
mod keys;
mod knowledge;
mod repair;
mod schema;
mod secrets;
mod serve;
mod testing;
mod vectors;
mod watch;
mod why;
mod workspace;

use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;
use ambit_service::apply::ApplyRequest;
use ambit_service::blocks::NewBlock;
use ambit_service::caller::{Caller, Wanted};
use ambit_service::embedder::ModelPlaces;
use ambit_service::live::Live;
use ambit_service::repair::RepairRequest;
use ambit_service::rollback::RollbackRequest;
use ambit_service::saved_diff::SavedDiff;
use ambit_service::store::{Place, Store};

use super::arguments::{Arguments, Command, Format, WhoAsks};
use super::{CLEAN, FINDINGS, Said, print, text};
use crate::http::Limits;

/// What every command has at hand.
struct Desk {
    caller: Caller,
    workspace: std::path::PathBuf,
    /// The data folder and the database.
    data: Place,
    places: ModelPlaces,
}

impl Desk {
    /// A store that is there already.
    async fn existing(&self) -> Result<Store, ambit_service::Error> {
        Ok(Store::open_existing(&self.data).await?)
    }

    /// The same, with what is live in it.
    async fn live(&self) -> Result<Live, ambit_service::Error> {
        Ok(Live::new(self.existing().await?, self.places.clone()))
    }
}

/// Runs one command.
pub(super) async fn run(arguments: Arguments) -> anyhow::Result<Said> {
    let format = arguments.format;
    can_answer(&arguments.command, format)?;
    let desk = Desk {
        caller: Caller::local(operating_system_user()),
        places: ModelPlaces::resolve(arguments.models, arguments.runtime),
        workspace: arguments.workspace,
        data: Place::new(arguments.data, arguments.database.as_deref()).map_err(ambit_service::Error::Request)?,
    };
    match arguments.command {
        Command::Check { strict, no_retrieval, watch: true, .. } => {
            watch::run(&desk, format, strict, no_retrieval).await
        }
        Command::Check { strict, no_retrieval, prove, .. } => {
            workspace::check(&desk, workspace::HowToCheck { strict, no_retrieval, prove }, format).await
        }
        Command::Intake(asked) => intake::run(&desk, asked).await,
        Command::Explain { code } => explain::explain(code.as_deref()),
        Command::Init { folder } => init::run(&desk, folder),
        Command::Import(asked) => import::run(&desk, asked).await,
        Command::Fmt { paths, check, diff } => format::run(&desk, paths, check, diff),
        Command::Enrich(asked) => enrich::run(&desk, asked).await,
        Command::Repair { tool, rival, kind, write } => {
            repair::run(&desk, RepairRequest { tool, rival, kind: kind.map(Into::into), write }).await
        }
        Command::Schema { kind, out } => schema::run(&desk, kind.as_deref(), out.as_deref()),
        Command::Block { tool, reason, until } => blocks::block(&desk, NewBlock { tool, reason, until }).await,
        Command::Unblock { tool, reason } => blocks::unblock(&desk, &tool, &reason).await,
        Command::Blocks => blocks::list(&desk).await,
        Command::Apply { message, accept_loss, strict, diff } => {
            let accept_loss = accept_loss.into_iter().collect();
            let saved = diff.as_deref().map(SavedDiff::read).transpose()?;
            workspace::apply(&desk, ApplyRequest { message, accept_loss, strict, saved }).await
        }
        Command::Test { no_routes, strict } => testing::test(&desk, no_routes, strict).await,
        Command::Eval(asked) => evaluate::run(&desk, asked, format).await,
        Command::Snapshots => history::list(&desk).await,
        Command::Show { number } => history::show(&desk, number).await,
        Command::Diff(asked) => diff::diff(&desk, asked, format).await,
        Command::Rollback { number, reason, accept_gains } => {
            history::rollback(&desk, RollbackRequest { number, reason, accept_gains, expected: None }).await
        }
        Command::Verify { number } => history::verify(&desk, number).await,
        Command::Route(asked) => asking::route(&desk, asked).await,
        Command::Tools { asker, tools_as } => asking::tools(&desk, asker, tools_as).await,
        Command::Export { asker, to } => export::export(&desk, asker, to, format).await,
        Command::Feedback(asked) => feedback::run(&desk, asked).await,
        Command::Why(asked) => why::explain(&desk, asked).await,
        Command::Plan(plan) => asking::plan(&desk, plan).await,
        Command::Knowledge(knowledge) => knowledge::run(&desk, knowledge).await,
        Command::Keys(keys) => keys::run(&desk, keys).await,
        Command::Secrets => secrets::list(&desk),
        Command::Vectors(vectors) => vectors::run(&desk, vectors).await,
        Command::Audit(audit) => audit::run(&desk, audit).await,
        Command::Serve { listen, site, public_url, rate_per_key, rate_per_address, behind_proxy } => {
            let limits = Limits { per_key: rate_per_key, per_address: rate_per_address, behind_proxy };
            serve::serve(&desk, listen, serve::Options { site, public_url, limits }).await
        }
    }
}

/// Refuses a form of answers that another command alone has.
fn can_answer(command: &Command, format: Format) -> Result<(), ambit_service::Error> {
    match format.only_of() {
        Some(only) if command.word().is_none_or(|word| !only.contains(&word)) => {
            let answers = if only.len() == 1 { "answers" } else { "answer" };
            let message = format!("only `ambit {}` {answers} in this `--format`", only.join("` and `ambit "));
            let refusal = Diagnostic::error(codes::E_REQUEST, message).help("leave it out, or write `--format json`");
            Err(ambit_service::Error::Request(Box::new(refusal)))
        }
        _ => Ok(()),
    }
}

fn wanted(asker: WhoAsks) -> Wanted {
    Wanted { principal: Some(asker.principal), acting_for: asker.acting_for, project: asker.project }
}

/// As the environment has it; who may write the data folder may also write that.
fn operating_system_user() -> String {
    let named = ["USER", "LOGNAME", "USERNAME"].iter().filter_map(|name| std::env::var(name).ok());
    named.into_iter().find(|name| !name.is_empty()).unwrap_or_else(|| "unknown".to_owned())
}
