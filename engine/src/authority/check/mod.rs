//! Reads the operator's policies: cut, parsed, named, held against the schema, their names resolved. All errors in one run.
//! Every complaint underlines the words it is about, in a `.cedar` file or inside the block of a YAML document.

mod statement;
mod unresolved;
mod written;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use ambit_model::codes::{E_CEDAR, E_POLICY_ID};
use ambit_model::declaration::Policy;
use ambit_model::diagnostic::{Diagnostic, Place};
use cedar_policy::PolicyId;

pub use unresolved::KnownEntities;

use self::statement::statements;
use self::written::{Written, cut};
use super::vocabulary::{SCHEMA, Schemas};
use crate::resolve::declarations::PolicySource;
use crate::source::SourceTree;

/// Checks every source. The policies that parse, hold against the schema and have an id of their own are handed on, sorted by
/// id; the diagnostics are sorted by place. A policy that only names something unknown is handed on as well.
pub fn check(sources: &[PolicySource], tree: &SourceTree, known: &KnownEntities) -> (Vec<Policy>, Vec<Diagnostic>) {
    let (deep, sources): (Vec<_>, Vec<_>) = sources.iter().partition(|source| nests_too_deep(&source.cedar));
    let mut written: Vec<Written<'_>> = sources.iter().flat_map(|source| cut(source, tree)).collect();
    written.sort_by(|a, b| a.position().cmp(&b.position()));
    let mut diagnostics: Vec<Diagnostic> = sources.iter().filter_map(|source| complain_of_nothing(source)).collect();
    diagnostics.extend(deep.into_iter().map(|source| complain_of_depth(source, tree)));
    name_all(&mut written, &mut diagnostics);
    written.iter_mut().for_each(Written::parse);
    if let Err(error) = validate(&mut written) {
        diagnostics.push(Diagnostic::error(E_CEDAR, error));
    }
    let mut policies = Vec::new();
    for mut one in written {
        one.resolve(known);
        policies.extend(one.policy());
        diagnostics.extend(one.complaints.into_values());
    }
    policies.sort_by(|a, b| a.id.cmp(&b.id));
    diagnostics.sort_by(|a, b| (&a.place, a).cmp(&(&b.place, b)));
    (policies, diagnostics)
}

/// Most brackets open at one place; Cedar's parser recurses, and a deeper text would overflow its stack.
const DEEPEST: usize = 64;

/// Brackets in strings and comments count too: no policy of a person comes near.
pub(crate) fn nests_too_deep(cedar: &str) -> bool {
    let mut open = 0_usize;
    cedar.chars().any(|c| {
        match c {
            '(' | '[' | '{' => open += 1,
            ')' | ']' | '}' => open = open.saturating_sub(1),
            _ => {}
        }
        open > DEEPEST
    })
}

fn complain_of_depth(source: &PolicySource, tree: &SourceTree) -> Diagnostic {
    let place = tree.get(&source.file).map(|file| file.place_at(source.first_line, source.indent + 1, 1));
    Diagnostic::error(E_CEDAR, format!("a policy nests deeper than {DEEPEST} brackets"))
        .at(place)
        .help("split it into several policies")
}

/// A Policy document without a policy is a slip; a `.cedar` file may hold comments only.
fn complain_of_nothing(source: &PolicySource) -> Option<Diagnostic> {
    let id = source.id.as_ref()?;
    statements(&source.cedar).is_empty().then(|| {
        Diagnostic::error(E_CEDAR, format!("`{}` holds no policy", id.value))
            .at(id.place.clone())
            .help("write a `permit` or a `forbid` under `cedar:`, or remove the document")
    })
}

fn name_all(written: &mut [Written<'_>], diagnostics: &mut Vec<Diagnostic>) {
    let mut first: BTreeMap<String, Option<Place>> = BTreeMap::new();
    for one in written {
        let (id, place) = match one.written_id() {
            Ok(named) => named,
            Err(complaint) => {
                diagnostics.push(*complaint);
                continue;
            }
        };
        if let Some(earlier) = first.get(&id) {
            let complaint = Diagnostic::error(E_POLICY_ID, format!("two policies have the id `{id}`"))
                .at(place)
                .related("the first is here", earlier.clone())
                .help("give each policy an id of its own");
            diagnostics.push(complaint);
        } else {
            first.insert(id.clone(), place);
            one.id = Some(id);
        }
    }
}

/// Holds all policies that parse against the schema at once, under their numbers: two may have the same id.
fn validate(written: &mut [Written<'_>]) -> Result<(), String> {
    let schemas = Schemas::read(SCHEMA).map_err(|e| e.to_string())?;
    let numbered = written.iter().enumerate();
    let parsed: Vec<cedar_policy::Policy> = numbered
        .filter_map(|(number, one)| Some(one.parsed.as_ref()?.new_id(PolicyId::new(number.to_string()))))
        .collect();
    for complaint in schemas.complaints(parsed)? {
        let number: &str = complaint.policy.as_ref();
        if let Some(one) = number.parse().ok().and_then(|number: usize| written.get_mut(number)) {
            one.complain_as_cedar(&*complaint.said);
        }
    }
    Ok(())
}
