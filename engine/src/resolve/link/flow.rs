//! What a Catalog says of its tools by name: its entries, the tools that come next or must come first, acknowledged rejections.
//! A name is looked for in the same catalog first, and then as a canonical id.

use std::collections::BTreeMap;

use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;
use ambit_model::identity::ToolId;

use super::{Linked, Linker, refused};
use crate::resolve::declarations::{CatalogDeclaration, Located, WrittenFacts};

/// The tools that `next` and `after` of one entry name; nothing where the entry does not have the key.
struct Flow {
    next: Option<Vec<ToolId>>,
    after: Option<Vec<ToolId>>,
}

impl Linker<'_> {
    pub(super) fn catalog(&mut self, catalog: &CatalogDeclaration, linked: &mut Linked) {
        let id = catalog.id.value.as_str();
        if !catalog.tools.is_empty() && self.tools.names_of(id).next().is_none() {
            self.offers_nothing(catalog);
            return;
        }
        self.acknowledgements(catalog);
        let defaults = self.flow(id, &catalog.defaults);
        let mut own = BTreeMap::new();
        for (name, tool) in &catalog.tools {
            self.entry(id, name, tool);
            own.insert(name.as_str(), self.flow(id, &tool.value.facts));
        }
        for tool in self.tools.accepted_of(id) {
            let flow = own.get(tool.name());
            let next = flow.and_then(|flow| flow.next.as_ref()).or(defaults.next.as_ref());
            let after = flow.and_then(|flow| flow.after.as_ref()).or(defaults.after.as_ref());
            keep(&mut linked.next, tool, next);
            keep(&mut linked.after, tool, after);
        }
    }

    /// One report for the whole catalog: its file is empty, or intake could not read it.
    fn offers_nothing(&mut self, catalog: &CatalogDeclaration) {
        let place = catalog.tools.values().map(|tool| tool.place.clone()).min();
        let message =
            format!("the catalog `{}` offers no tool, so nothing answers to the names under `tools`", catalog.id.value);
        let problem = Diagnostic::error(codes::E_UNRESOLVED, message)
            .at(place)
            .help(format!("mend `{}`, or take the entries out", catalog.file.value));
        self.problems.push(problem);
    }

    fn entry<T>(&mut self, catalog: &str, name: &str, entry: &Located<T>) {
        if !self.tools.offers(&ToolId::new(catalog, name)) {
            let message = format!("the catalog `{catalog}` offers no tool `{name}`");
            let tools = self.tools;
            self.unknown(message, name, tools.names_of(catalog), entry.place.clone());
        }
    }

    fn acknowledgements(&mut self, catalog: &CatalogDeclaration) {
        for acknowledged in &catalog.acknowledged {
            let one = &acknowledged.value;
            if !self.tools.offers(&ToolId::new(&catalog.id.value, &one.tool)) {
                let message = format!(
                    "the catalog `{}` offers no tool `{}` whose `{}` could be acknowledged",
                    catalog.id.value, one.tool, one.code
                );
                self.problems.push(
                    Diagnostic::warning(codes::W_UNUSED, message)
                        .at(acknowledged.place.clone())
                        .help("take the entry out"),
                );
            }
        }
    }

    fn flow(&mut self, catalog: &str, facts: &WrittenFacts) -> Flow {
        Flow {
            next: facts.next.as_ref().map(|names| self.named(catalog, names, "it is not offered as a next tool")),
            after: facts.after.as_ref().map(|names| self.named(catalog, names, "nothing waits for it")),
        }
    }

    fn named(&mut self, catalog: &str, names: &[Located<String>], consequence: &str) -> Vec<ToolId> {
        names.iter().filter_map(|name| self.name(catalog, name, consequence)).collect()
    }

    /// A name in the same catalog, or else a canonical id.
    fn name(&mut self, catalog: &str, name: &Located<String>, consequence: &str) -> Option<ToolId> {
        let candidates = [Some(ToolId::new(catalog, &name.value)), ToolId::parse(&name.value)];
        let Some(tool) = candidates.into_iter().flatten().find(|tool| self.tools.offers(tool)) else {
            let tools = self.tools;
            let known = tools.names_of(catalog).chain(tools.accepted.iter().map(ToolId::as_str));
            let message = format!("`{}` is neither a tool of the catalog `{catalog}` nor a canonical id", name.value);
            self.unknown(message, &name.value, known, name.place.clone());
            return None;
        };
        if self.tools.accepted.contains(&tool) {
            return Some(tool);
        }
        self.problems.push(refused(&tool, consequence, name.place.clone()));
        None
    }
}

/// No tool leads to itself, as one would where `next` stands in the catalog's defaults.
fn keep(into: &mut BTreeMap<ToolId, Vec<ToolId>>, tool: &ToolId, named: Option<&Vec<ToolId>>) {
    let mut others: Vec<ToolId> = Vec::new();
    for other in named.into_iter().flatten() {
        if other != tool && !others.contains(other) {
            others.push(other.clone());
        }
    }
    if !others.is_empty() {
        into.insert(tool.clone(), others);
    }
}
