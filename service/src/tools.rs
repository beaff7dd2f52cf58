//! Listing the tools that a caller may name: its `discover` set, with what it may do with each.

use ambit_engine::route::handed;
use ambit_model::card::ToolCard;
use ambit_model::listed::{ListedFor, ListedPolicies, ListedTool, ToolList};
use ambit_model::route::{FormattedDefinition, ToolFormat};

use crate::Error;
use crate::caller::{Caller, Wanted};
use crate::live::Live;
use crate::loaded::{AskedView, Loaded};

/// Lists the tools of a view; with a format, each with its definition in it.
pub async fn list_tools(
    caller: &Caller,
    live: &Live,
    wanted: &Wanted,
    format: Option<ToolFormat>,
) -> Result<ToolList<FormattedDefinition>, Error> {
    let loaded = live.current().await?;
    let asked = caller.view(&loaded, wanted)?;
    Ok(listed(&loaded, asked, format))
}

/// The list of one view.
pub(crate) fn listed(loaded: &Loaded, asked: AskedView, format: Option<ToolFormat>) -> ToolList<FormattedDefinition> {
    let overlay = asked.overlay_digest();
    let AskedView { asker, view, .. } = asked;
    let cards: Vec<&ToolCard> = loaded.snapshot.tools.iter().filter(|card| view.discovers(&card.id)).collect();
    let mut definitions = format.map(|format| handed::definitions_in(format, &cards)).unwrap_or_default().into_iter();
    let listed = cards.into_iter().filter_map(|card| {
        let capability = view.capability(&card.id)?;
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
            policies: ListedPolicies {
                discover: capability.discover_by,
                route: capability.route_by,
                invoke: capability.invoke_by,
            },
            definition: definitions.next(),
        })
    });
    let tools = listed.collect();
    let asked_by = ListedFor {
        principal: asker.principal,
        acting_for: asker.acting_for,
        acting_by: view.acting_by.clone(),
        project: asker.project,
    };
    ToolList { snapshot: loaded.name(), view: view.digest.clone(), overlay, asked_by, complete: true, tools }
}
