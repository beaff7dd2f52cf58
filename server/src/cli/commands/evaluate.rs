//! Measuring the router.

use ambit_service::evaluate;
use ambit_service::store::Store;
use serde_json::json;

use super::{CLEAN, Desk, Said};
use crate::cli::arguments::{EvalArguments, Format};
use crate::cli::{markdown, text};

pub(super) async fn run(desk: &Desk, asked: EvalArguments, format: Format) -> anyhow::Result<Said> {
    let store = Store::open(&desk.data).await.map_err(ambit_service::Error::from)?;
    let request = asked.request(desk.workspace.clone());
    let evaluated = evaluate::evaluate(&desk.caller, &request, &store, &desk.places).await?;
    store.close().await.map_err(ambit_service::Error::from)?;
    let shown = match format {
        Format::Markdown => markdown::evaluated(&evaluated),
        _ => text::evaluate::report(&evaluated),
    };
    Ok(Said { text: shown, json: json!(evaluated), code: CLEAN })
}
