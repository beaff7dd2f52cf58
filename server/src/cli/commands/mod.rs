//! One function a command: decode, make a Caller, call one use case, encode.

mod asking;
mod audit;
mod history;
mod keys;
mod secrets;
mod serve;
mod testing;
mod why;
mod workspace;

use ambit_service::caller::{Caller, Wanted};
use ambit_service::embedder::ModelPlaces;
use ambit_service::live::Live;
use ambit_service::store::Store;

use super::arguments::{Arguments, Command, WhoAsks};
use super::{CLEAN, FINDINGS, Said, print, text};
use crate::http::Limits;

/// What every command has at hand.
struct Desk {
    caller: Caller,
    workspace: std::path::PathBuf,
    data: std::path::PathBuf,
    places: ModelPlaces,
}

impl Desk {
    /// A data folder that is there already.
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
    let desk = Desk {
        caller: Caller::local(operating_system_user()),
        places: ModelPlaces::resolve(arguments.models, arguments.runtime),
        workspace: arguments.workspace,
        data: arguments.data,
    };
    match arguments.command {
        Command::Check { strict } => workspace::check(&desk, strict).await,
        Command::Apply { message, accept_loss, strict } => workspace::apply(&desk, message, accept_loss, strict).await,
        Command::Test { no_routes, strict } => testing::test(&desk, no_routes, strict).await,
        Command::Snapshots => history::list(&desk).await,
        Command::Show { number } => history::show(&desk, number).await,
        Command::Diff { from, to } => history::diff(&desk, from, to).await,
        Command::Rollback { number, reason } => history::rollback(&desk, number, &reason).await,
        Command::Verify { number } => history::verify(&desk, number).await,
        Command::Route(asked) => asking::route(&desk, asked).await,
        Command::Tools { asker, tools_as } => asking::tools(&desk, asker, tools_as).await,
        Command::Why(asked) => why::explain(&desk, asked).await,
        Command::Plan(plan) => asking::plan(&desk, plan).await,
        Command::Keys(keys) => keys::run(&desk, keys).await,
        Command::Secrets => secrets::list(&desk),
        Command::Audit(audit) => audit::run(&desk, audit).await,
        Command::Serve { listen, site, public_url, rate_per_key, rate_per_address, behind_proxy } => {
            let limits = Limits { per_key: rate_per_key, per_address: rate_per_address, behind_proxy };
            serve::serve(&desk, listen, serve::Options { site, public_url, limits }).await
        }
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
