//! Reads the operator's policies: cut, parsed, named, held against the schema, their names resolved. All errors in one run.
//! Every complaint underlines the words it is about, in a `.cedar` file or inside the block of a YAML document.

mod links;
mod statement;
mod unresolved;
mod written;

#[cfg(test)]
mod link_tests;
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
use crate::resolve::declarations::{PolicyLink, PolicySource};
use crate::source::SourceTree;

/// A policy that holds, and where it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedPolicy {
    pub policy: Policy,
    /// Its `permit` or `forbid`, or the id of the link that made it.
    pub place: Option<Place>,
    /// The template that it was linked from.
    pub template: Option<String>,
}

/// Checks every source, and makes policies of the links of templates. The policies that parse, hold against the schema and have an
/// id of their own are handed on, sorted by id; the diagnostics are sorted by place. A policy that only names something unknown is
/// handed on as well.
pub fn check(
    sources: &[PolicySource],
    links: &[PolicyLink],
    tree: &SourceTree,
    known: &KnownEntities,
) -> (Vec<CheckedPolicy>, Vec<Diagnostic>) {
    let (deep, sources): (Vec<_>, Vec<_>) = sources.iter().partition(|source| nests_too_deep(&source.cedar));
    let mut written: Vec<Written<'_>> = sources.iter().flat_map(|source| cut(source, tree)).collect();
    written.sort_by(|a, b| a.position().cmp(&b.position()));
    let mut diagnostics: Vec<Diagnostic> = sources.iter().filter_map(|source| complain_of_nothing(source)).collect();
    diagnostics.extend(deep.into_iter().map(|source| complain_of_depth(source, tree)));
    let ids = name_all(&mut written, &mut diagnostics);
    written.iter_mut().for_each(Written::parse);
    let schemas = match Schemas::read(SCHEMA) {
        Ok(schemas) => schemas,
        Err(error) => return (Vec::new(), vec![Diagnostic::error(E_CEDAR, error.to_string())]),
    };
    if let Err(error) = validate(&mut written, &schemas) {
        diagnostics.push(Diagnostic::error(E_CEDAR, error));
    }
    written.iter_mut().for_each(|one| one.resolve(known));
    let (mut policies, complaints) = links::link_all(links, &written, ids, &schemas, known);
    diagnostics.extend(complaints);
    for one in written {
        policies.extend(one.policy());
        diagnostics.extend(one.complaints.into_values());
    }
    policies.sort_by(|a, b| a.policy.id.cmp(&b.policy.id));
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

/// The place of every id, where it stands first.
type Ids = BTreeMap<String, Option<Place>>;

fn name_all(written: &mut [Written<'_>], diagnostics: &mut Vec<Diagnostic>) -> Ids {
    let mut first = Ids::new();
    for one in written {
        let (id, place) = match one.written_id() {
            Ok(named) => named,
            Err(complaint) => {
                diagnostics.push(*complaint);
                continue;
            }
        };
        if let Some(earlier) = first.get(&id) {
            diagnostics.push(one_id_twice(&id, earlier.clone()).at(place));
        } else {
            first.insert(id.clone(), place);
            one.id = Some(id);
        }
    }
    first
}

fn one_id_twice(id: &str, earlier: Option<Place>) -> Diagnostic {
    Diagnostic::error(E_POLICY_ID, format!("two policies have the id `{id}`"))
        .related("the first is here", earlier)
        .help("give each policy an id of its own")
}

/// Holds all policies and templates that parse against the schema at once, under their numbers: two may have the same id.
fn validate(written: &mut [Written<'_>], schemas: &Schemas) -> Result<(), String> {
    let number = |number: usize| PolicyId::new(number.to_string());
    let numbered = || written.iter().enumerate();
    let policies: Vec<cedar_policy::Policy> =
        numbered().filter_map(|(n, one)| Some(one.parsed.as_ref()?.new_id(number(n)))).collect();
    let templates: Vec<cedar_policy::Template> =
        numbered().filter_map(|(n, one)| Some(one.template.as_ref()?.new_id(number(n)))).collect();
    let mut complaints = schemas.complaints(policies)?;
    complaints.extend(schemas.complaints_of_templates(templates)?);
    for complaint in complaints {
        let number: &str = complaint.policy.as_ref();
        if let Some(one) = number.parse().ok().and_then(|number: usize| written.get_mut(number)) {
            one.complain_as_cedar(&*complaint.said);
        }
    }
    Ok(())
}
