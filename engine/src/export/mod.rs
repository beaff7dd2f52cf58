//! Cards as whole definitions for another stack: everything that the target can say, and a list of what it cannot.
//! INVARIANT: equal cards give equal bytes; schemas stay the text of their file; `_meta` is in no card, so it leaves here neither.

mod members;
mod name;
mod written;

use std::collections::BTreeMap;

use ambit_model::card::ToolCard;
use ambit_model::export::{Dropped, Target};
use ambit_model::identity::ToolId;

pub use name::{exported, original};

use written::Written;

/// The definitions of some cards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// JSON, laid out for people: the list of tools, in MCP's case an object whose `tools` it is.
    pub text: String,
    /// By tool, then by member.
    pub dropped: Vec<Dropped>,
    /// The tool behind each name.
    pub names: BTreeMap<String, ToolId>,
}

/// Exports the cards in the order of their ids, whatever the order they come in.
pub fn export<'a>(cards: impl Iterator<Item = &'a ToolCard>, target: Target) -> Exported {
    let mut cards: Vec<&ToolCard> = cards.collect();
    cards.sort_by(|one, other| one.id.cmp(&other.id));
    let (mut tools, mut dropped, mut names) = (Vec::new(), Vec::new(), BTreeMap::new());
    for card in cards {
        let name = exported(target, &card.id);
        tools.push(members::definition(card, target, &name, &mut dropped));
        names.insert(name, card.id.clone());
    }
    dropped.sort();
    let list = Written::List(tools);
    let whole = if target == Target::Mcp { Written::Object(vec![("tools".to_owned(), list)]) } else { list };
    Exported { text: serde_json::to_string_pretty(&whole).unwrap_or_default(), dropped, names }
}

#[cfg(test)]
mod tests;
