//! Whole definitions for another stack: on standard output what it takes, on standard error what its shape could not say.

use ambit_service::export::export_tools;
use serde_json::Value;

use super::{CLEAN, Desk, Said, print, text, wanted};
use crate::cli::arguments::{ExportTarget, Format, WhoAsks};

pub(super) async fn export(desk: &Desk, asker: WhoAsks, to: ExportTarget, format: Format) -> anyhow::Result<Said> {
    let live = desk.live().await?;
    let exported = export_tools(&desk.caller, &live, &wanted(asker), to.into()).await?;
    if format == Format::Json {
        print::json_text(&serde_json::to_string_pretty(&exported)?);
    } else {
        print::json_text(exported.definitions.get());
        print::notes(&text::export::notes(&exported));
    }
    Ok(Said { text: String::new(), json: Value::Null, code: CLEAN })
}
