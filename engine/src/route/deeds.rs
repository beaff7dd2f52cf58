//! What a tool does, as ranking takes it: as its operator or a hint says, else as its name and description do in the words of the
//! vocabulary. A guess may move an order; authority goes by the facts alone, and counts a tool of unknown effect among those that write.

use std::collections::BTreeSet;

use ambit_model::facts::{Effect, Operation, Origin};

use super::speech::Part;
use super::vocabulary::Words;
use crate::catalog::told_by_name;
use crate::index::IndexedTool;
use crate::text;

/// How far into a description its verb is looked for, in words.
const OPENING: usize = 14;

/// The operations of one tool; none where nothing tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Deed {
    pub(super) operations: BTreeSet<Operation>,
    /// It changes something, as far as is known.
    pub(super) changes: bool,
    /// It changes something, and a declaration or its name says so; a description alone is too weak a witness to bar it.
    pub(super) surely_changes: bool,
}

impl Deed {
    pub(super) fn of(tool: &IndexedTool, words: &Words) -> Self {
        let facts = &tool.facts;
        let told = match facts.operation.origin {
            Origin::Inferred => of_name(tool, words),
            _ => BTreeSet::from([facts.operation.value]),
        };
        let known = facts.effect.origin != Origin::Default;
        let surely_changes = if known { facts.effect.value != Effect::Read } else { alter(&told) };
        let operations = if told.is_empty() { of_description(&tool.card.description, words) } else { told };
        let changes =
            if known { surely_changes } else { !operations.is_empty() && !operations.iter().any(|o| o.reads()) };
        Self { operations, changes, surely_changes }
    }

    /// It is known to read, and changes nothing.
    pub(super) fn reads(&self) -> bool {
        !self.changes && self.operations.iter().any(|o| o.reads())
    }

    pub(super) fn is_any_of(&self, operations: &BTreeSet<Operation>) -> bool {
        !self.operations.is_disjoint(operations)
    }
}

/// All of them make, change, remove or send; what is only run may as well compute.
fn alter(operations: &BTreeSet<Operation>) -> bool {
    !operations.is_empty() && operations.iter().all(|o| !o.reads() && *o != Operation::Execute)
}

fn of_name(tool: &IndexedTool, words: &Words) -> BTreeSet<Operation> {
    let name = tool.card.id.name();
    let prose = text::name_as_prose(name);
    let first = prose.split(' ').next().unwrap_or("");
    let of_verb = words.operations(first).cloned().unwrap_or_default();
    told_by_name(name).into_iter().chain(of_verb).collect()
}

/// The first verb of a description that stands where a description has its verb.
fn of_description(description: &str, words: &Words) -> BTreeSet<Operation> {
    let tokens: Vec<String> = text::plain_words(description).into_iter().take(OPENING).map(|(_, word)| word).collect();
    let before = |at: usize| at.checked_sub(1).and_then(|at| tokens.get(at)).map_or("", String::as_str);
    let found = tokens.iter().enumerate().find_map(|(at, word)| {
        let leads = at == 0 || words.is(before(at), Part::Leads) || words.is(before(at), Part::Subjects);
        leads.then(|| operations(word, words)).flatten()
    });
    found.unwrap_or_default()
}

/// Of a verb in its base form, as a gerund, or in the third person.
fn operations(word: &str, words: &Words) -> Option<BTreeSet<Operation>> {
    let third = [word.strip_suffix("es"), word.strip_suffix('s')];
    words.operations(word).or_else(|| third.into_iter().flatten().find_map(|base| words.operations(base))).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::vocabulary::tests::english;

    #[track_caller]
    fn check(description: &str, expected: &[Operation]) {
        let found = of_description(description, &english());
        assert!(expected.iter().all(|operation| found.contains(operation)), "{description}: {found:?}");
        assert_eq!(expected.is_empty(), found.is_empty(), "{description}: {found:?}");
    }

    #[test]
    fn a_description_tells_what_is_done() {
        check("This API registers an appointment of hospital.", &[Operation::Create]);
        check("The API for adding a agenda item includes content.", &[Operation::Create]);
        check("Allows users to delete a reservation.", &[Operation::Delete]);
        check("Cancels a timed switch.", &[Operation::Delete]);
        check("Weather of a city, by hour.", &[]);
    }

    #[test]
    fn what_only_runs_is_not_sure_to_change_anything() {
        let all = |operations: &[Operation]| alter(&operations.iter().copied().collect());
        assert!(all(&[Operation::Create, Operation::Send]));
        assert!(!all(&[Operation::Update, Operation::Execute]));
        assert!(!all(&[Operation::Create, Operation::Get]));
        assert!(!all(&[]));
    }
}
