//! Carrying vectors between machines.

use std::path::Path;

use ambit_service::store::Store;
use ambit_service::vectors_file::{export_vectors, import_vectors};
use serde_json::json;

use super::{CLEAN, Desk, Said, text};
use crate::cli::arguments::VectorsCommand;

pub(super) async fn run(desk: &Desk, command: VectorsCommand) -> anyhow::Result<Said> {
    match command {
        VectorsCommand::Export { file, all } => export(desk, &file, all).await,
        VectorsCommand::Import { file } => import(desk, &file).await,
    }
}

async fn export(desk: &Desk, file: &Path, all: bool) -> anyhow::Result<Said> {
    let store = desk.existing().await?;
    let done = export_vectors(&desk.caller, &desk.workspace, &store, &desk.places, file, all).await?;
    Ok(Said { text: text::vectors::exported(&done, file), json: json!(done), code: CLEAN })
}

async fn import(desk: &Desk, file: &Path) -> anyhow::Result<Said> {
    let store = Store::open(&desk.data).await.map_err(ambit_service::Error::from)?;
    let done = import_vectors(&desk.caller, &store, file).await?;
    store.close().await.map_err(ambit_service::Error::from)?;
    Ok(Said { text: text::vectors::imported(&done), json: json!(done), code: CLEAN })
}
