//! Exporting tools to another stack: whole definitions of what a caller may be offered, its `route` set and nothing beyond.

use ambit_engine::export;
use ambit_model::export::{Target, ToolExport};
use serde_json::value::RawValue;

use crate::Error;
use crate::caller::{Caller, Wanted};
use crate::live::Live;
use crate::loaded::{AskedView, Loaded};
use crate::tools::asked_by;

/// Exports the tools of a view in the shape of a target.
pub async fn export_tools(caller: &Caller, live: &Live, wanted: &Wanted, target: Target) -> Result<ToolExport, Error> {
    let loaded = live.current().await?;
    let asked = caller.view(&loaded, wanted)?;
    Ok(exported(&loaded, &asked, target))
}

fn exported(loaded: &Loaded, asked: &AskedView, target: Target) -> ToolExport {
    let view = &asked.view;
    let cards = loaded.snapshot.tools.iter().filter(|card| view.routes(&card.id));
    let export::Exported { text, dropped, names } = export::export(cards, target);
    ToolExport {
        snapshot: loaded.name(),
        view: view.digest.clone(),
        overlay: asked.overlay_digest(),
        asked_by: asked_by(asked),
        target,
        definitions: RawValue::from_string(text).unwrap_or_else(|_| RawValue::NULL.to_owned()),
        names,
        dropped,
    }
}
