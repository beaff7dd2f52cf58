//! Projects whose ceiling is another. No policy can give what a ceiling keeps, so a raised one is the first line of a diff.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::declaration::Project;
use ambit_model::diff::CeilingChange;
use ambit_model::facts::Ceiling;

/// The ceilings that are others, raised ones first.
pub(super) fn changes(from: &[Project], to: &[Project]) -> Vec<CeilingChange> {
    let of = |projects: &[Project]| -> BTreeMap<String, Ceiling> {
        projects.iter().map(|project| (project.id.to_string(), project.ceiling)).collect()
    };
    let (from, to) = (of(from), of(to));
    let names: BTreeSet<&String> = from.keys().chain(to.keys()).collect();
    let changes = names.into_iter().filter(|name| from.get(*name) != to.get(*name)).map(|name| {
        let (from, to) = (from.get(name).copied(), to.get(name).copied());
        CeilingChange { project: name.clone(), from, to, raised: from.is_some() && to > from }
    });
    let mut changes: Vec<CeilingChange> = changes.collect();
    changes.sort_by(|a, b| b.raised.cmp(&a.raised).then_with(|| a.project.cmp(&b.project)));
    changes
}

#[cfg(test)]
mod tests {
    use ambit_model::identity::ProjectId;

    use super::*;

    #[test]
    fn a_raised_ceiling_comes_first() {
        let project = |id: &str, ceiling| Project {
            id: ProjectId::parse(id, None).unwrap(),
            name: String::new(),
            catalogs: Vec::new(),
            ceiling,
            llm: None,
        };
        let from = [project("acme/a", Ceiling::Open), project("acme/b", Ceiling::ReadOnly)];
        let to = [
            project("acme/a", Ceiling::ReadOnly),
            project("acme/b", Ceiling::ConfirmWrites),
            project("acme/c", Ceiling::Open),
        ];
        let found = changes(&from, &to);
        let words: Vec<(&str, bool)> = found.iter().map(|c| (c.project.as_str(), c.raised)).collect();
        assert_eq!(words, [("acme/b", true), ("acme/a", false), ("acme/c", false)]);
    }
}
