//! What a code means: its page, or the list of all.

use ambit_model::codes;
use ambit_service::explain::find_code;

use super::{CLEAN, Said, text};
use crate::cli::pages::Page;

pub(super) fn explain(code: Option<&str>) -> anyhow::Result<Said> {
    let Some(code) = code else {
        let pages: Vec<Page> = codes::TABLE.iter().map(Page::of).collect();
        return Ok(Said {
            text: text::explain::list(&pages),
            json: serde_json::json!({ "codes": pages }),
            code: CLEAN,
        });
    };
    let page = Page::of(find_code(code)?);
    Ok(Said { text: text::explain::page(&page), json: serde_json::to_value(&page)?, code: CLEAN })
}
