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
    let (overlay, asked_by) = (asked.overlay_digest(), asked_by(&asked));
    let view = asked.view;
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
    ToolList { snapshot: loaded.name(), view: view.digest.clone(), overlay, asked_by, complete: true, tools }
}

/// For whom a list or an export is made.
pub(crate) fn asked_by(asked: &AskedView) -> ListedFor {
    let AskedView { asker, view, .. } = asked;
    ListedFor {
        principal: asker.principal.clone(),
        acting_for: asker.acting_for.clone(),
        acting_by: view.acting_by.clone(),
        project: asker.project.clone(),
    }
}
