//! The Tools page and a tool's card, made by the server.

use leptos::server;

use crate::parts::made::Made;
use crate::problem::Problem;

/// The tools whose cards hold these words, of one catalog or of all; `page` is from 1.
#[server(name = SearchTools, prefix = "/api/ui", endpoint = "tools")]
pub async fn tools(words: String, catalog: String, page: usize) -> Result<Made, Problem> {
    crate::answers::tools(words, catalog, page).await
}

/// One tool, by its id.
#[server(name = ReadCard, prefix = "/api/ui", endpoint = "card")]
pub async fn card(tool: String) -> Result<Made, Problem> {
    crate::answers::card(tool).await
}
