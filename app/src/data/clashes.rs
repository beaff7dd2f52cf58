//! The Clashes page and a pair of tools, made by the server.

use leptos::server;

use crate::parts::made::Made;
use crate::problem::Problem;

/// Every clash by damage, the graph, and what looks undeclared.
#[server(name = ReadClashes, prefix = "/api/ui", endpoint = "clashes")]
pub async fn clashes() -> Result<Made, Problem> {
    crate::answers::clashes().await
}

/// Two tools side by side.
#[server(name = ReadClash, prefix = "/api/ui", endpoint = "clash")]
pub async fn clash(tool: String, rival: String) -> Result<Made, Problem> {
    crate::answers::clash(tool, rival).await
}
