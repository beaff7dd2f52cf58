//! Listing the tools that a caller may name: its `discover` set, with what it may do with each.

use ambit_engine::route::handed;
use ambit_model::card::ToolCard;
use ambit_model::key::Asker;
use ambit_model::listed::{ListedTool, ToolList};
use ambit_model::route::{FormattedDefinition, ToolFormat};

use crate::Error;
use crate::caller::Caller;
use crate::live::Live;

/// Lists the tools of a view; with a format, each with its definition in it.
pub async fn list_tools(
    caller: &Caller,
    live: &Live,
    asker: &Asker,
    format: Option<ToolFormat>,
) -> Result<ToolList<FormattedDefinition>, Error> {
    caller.may_ask_as(asker)?;
    let loaded = live.current().await?;
    let view = loaded.view(asker)?;
    let cards: Vec<&ToolCard> = loaded.snapshot.tools.iter().filter(|card| view.discovers(&card.id)).collect();
    let mut definitions = format.map(|format| handed::definitions_in(format, &cards)).unwrap_or_default().into_iter();
    let listed = cards.into_iter().filter_map(|card| {
        let capability = view.tools.get(&card.id)?;
        Some(ListedTool {
            id: card.id.clone(),
            title: card.title.clone(),
            description: card.description.clone(),
            operation: card.facts.operation.value,
            effect: card.facts.effect.value,
            risk: card.facts.risk.value,
            route: capability.route,
            invoke: capability.invoke,
            needs_confirmation: capability.needs_confirmation,
            definition: definitions.next(),
        })
    });
    let tools = listed.collect();
    Ok(ToolList { snapshot: loaded.name(), view: view.digest, complete: true, tools })
}
