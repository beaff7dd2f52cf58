//! The pages of `tools/list`, joined: asked for one after the other until none is left, within limits that no server sets.

use std::collections::BTreeSet;

use ambit_engine::import::MOST_TOOLS;
use rmcp::model::{ClientRequest, ListToolsRequest, PaginatedRequestParams};
use rmcp::service::{Peer, PeerRequestOptions, RoleClient};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::heard::Heard;
use super::{Trouble, unanswered};

/// Most pages of one list.
const MOST_PAGES: usize = 100;

/// A page as its server wrote it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Page<'a> {
    #[serde(borrow)]
    tools: Vec<&'a RawValue>,
    next_cursor: Option<String>,
}

/// Every tool of every page, as an object whose `tools` is the list.
pub(super) async fn list(peer: &Peer<RoleClient>, heard: &Heard) -> Result<String, Trouble> {
    let (mut tools, mut cursor, mut seen) = (Vec::new(), None, BTreeSet::new());
    for number in 1..=MOST_PAGES {
        let text = page(peer, heard, cursor.take()).await?;
        let page: Page<'_> = serde_json::from_str(&text).map_err(|_| Trouble::NoList)?;
        tools.extend(page.tools.iter().map(|tool| tool.get().to_owned()));
        if tools.len() > MOST_TOOLS {
            return Err(Trouble::TooMany { most: MOST_TOOLS });
        }
        match page.next_cursor.filter(|next| !next.is_empty()) {
            None => return Ok(format!("{{\"tools\":[{}]}}", tools.join(","))),
            Some(next) if !seen.insert(next.clone()) => return Err(Trouble::Circle { page: number }),
            next => cursor = next,
        }
    }
    Err(Trouble::Endless { most: MOST_PAGES })
}

async fn page(peer: &Peer<RoleClient>, heard: &Heard, cursor: Option<String>) -> Result<String, Trouble> {
    let failed = |error| unanswered(heard, &error);
    let wanted = ListToolsRequest::with_param(PaginatedRequestParams::default().with_cursor(cursor));
    let request = ClientRequest::ListToolsRequest(wanted);
    let asked = peer.send_cancellable_request(request, PeerRequestOptions::no_options()).await.map_err(failed)?;
    let id = asked.id.to_string();
    // What `rmcp` makes of the answer is not wanted: one broken tool is intake's to say, and not a reason to have none.
    asked.await_response().await.map_err(failed)?;
    heard.take(&id).ok_or(Trouble::NoAnswer)
}
