//! Which tools can be taken for one another at all: those that projects list together. Nobody is offered two tools that no project
//! lists together, and a declaration of both would name what some of its readers cannot see.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::card::ToolCard;
use ambit_model::declaration::Project;
use ambit_model::identity::ToolId;

/// Catalogs in parts: two are in one part where a project lists both, or a chain of projects leads from one to the other.
pub struct Neighbours<'a>(BTreeMap<&'a str, &'a str>);

impl<'a> Neighbours<'a> {
    /// From what projects list. A catalog that no project lists is a part of its own.
    pub fn of(projects: &'a [Project]) -> Self {
        let mut parts: Vec<BTreeSet<&str>> = Vec::new();
        for project in projects {
            let mut own: BTreeSet<&str> = project.catalogs.iter().map(String::as_str).collect();
            let (joined, apart): (Vec<_>, Vec<_>) = parts.into_iter().partition(|part| !part.is_disjoint(&own));
            own.extend(joined.into_iter().flatten());
            parts = apart;
            parts.push(own);
        }
        let named = parts.iter().filter_map(|part| Some((part, *part.first()?)));
        Self(named.flat_map(|(part, first)| part.iter().map(move |catalog| (*catalog, first))).collect())
    }

    /// Whether the two are of one part.
    pub fn are(&self, tool: &ToolId, other: &ToolId) -> bool {
        self.part(tool) == self.part(other)
    }

    /// These cards by their parts.
    pub(super) fn parted<'c>(&self, cards: impl IntoIterator<Item = &'c ToolCard>) -> Vec<Vec<&'c ToolCard>> {
        let mut parts: BTreeMap<String, Vec<&ToolCard>> = BTreeMap::new();
        for card in cards {
            parts.entry(self.part(&card.id).to_owned()).or_default().push(card);
        }
        parts.into_values().collect()
    }

    fn part<'t>(&'t self, tool: &'t ToolId) -> &'t str {
        self.0.get(tool.catalog()).copied().unwrap_or_else(|| tool.catalog())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn catalogs_are_neighbours_where_projects_list_them_together() {
        let sample = sample::snapshot().unwrap();
        let project = |catalogs: &[&str]| Project {
            catalogs: catalogs.iter().map(|id| (*id).to_owned()).collect(),
            ..sample.projects[0].clone()
        };
        let check = |listed: &[&[&str]], pair: [&str; 2], expected: bool| {
            let projects: Vec<Project> = listed.iter().map(|catalogs| project(catalogs)).collect();
            let [a, b] = pair.map(|catalog| ToolId::new(catalog, "t"));
            assert_eq!(Neighbours::of(&projects).are(&a, &b), expected, "{pair:?} in {listed:?}");
        };
        check(&[&["a", "b"], &["c"]], ["a", "b"], true);
        check(&[&["a", "b"], &["c"]], ["a", "c"], false);
        check(&[&["a", "b"], &["c", "d"], &["b", "c"]], ["a", "d"], true);
        check(&[&["a"]], ["x", "x"], true);
        check(&[&["a"]], ["x", "y"], false);
    }
}
