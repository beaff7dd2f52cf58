//! The Tools page and a tool's card.

use ambit_service::cards::{CardQuery, list_cards, read_card};

use super::{refuse, shown, signed_in};
use crate::pages::tools::{card_content, list_content};
use crate::parts::made::Made;
use crate::problem::Problem;

pub(crate) async fn tools(words: String, catalog: String, page: usize) -> Result<Made, Problem> {
    let (live, caller) = signed_in()?;
    let query = CardQuery { words, catalog, page };
    let list = list_cards(&caller, &live, &query).await.map_err(|e| refuse(&e))?;
    Ok(list_content(shown(&list)?, &query))
}

pub(crate) async fn card(tool: String) -> Result<Made, Problem> {
    let (live, caller) = signed_in()?;
    let details = read_card(&caller, &live, &tool).await.map_err(|e| refuse(&e))?;
    Ok(card_content(shown(&details)?))
}
