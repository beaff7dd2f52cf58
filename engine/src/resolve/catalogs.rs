//! Catalogs: where their file lies, and what the operator says of their tools.

use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;

use super::declarations::{Acknowledgement, CatalogDeclaration, Located, ToolDeclaration};
use super::forms::Reader;
use crate::nearest::did_you_mean;
use crate::parse::at::At;
use crate::parse::written::Text;
use crate::parse::written_catalog as written;
use crate::source::join;

/// The annotations of MCP that say something about effect.
const TRUSTABLE: [&str; 2] = ["readOnlyHint", "destructiveHint"];

impl Reader<'_> {
    /// Nothing where the path leaves the root: there is no file to take tools from.
    pub(super) fn catalog(&mut self, catalog: &written::Catalog) -> Option<CatalogDeclaration> {
        let file = self.catalog_file(&catalog.file);
        let tenant = catalog.tenant.as_ref().map(|tenant| self.tenant_id(tenant));
        let mut acknowledged: Vec<_> =
            catalog.acknowledged.iter().filter_map(|one| self.acknowledgement(one)).collect();
        acknowledged.sort_by(|a, b| (&a.value.tool, &a.value.code).cmp(&(&b.value.tool, &b.value.code)));
        let declaration = CatalogDeclaration {
            id: self.located(&catalog.id),
            tenant: tenant.clone().flatten(),
            file: file?,
            since: catalog.since.as_ref().and_then(|date| self.date(date)),
            trusted_annotations: catalog
                .trusted_annotations
                .iter()
                .filter_map(|name| self.word(name, &TRUSTABLE, |word| word))
                .map(str::to_owned)
                .collect(),
            defaults: self.facts(catalog.defaults.facts()),
            tools: catalog.tools.iter().map(|(name, tool)| (name.value.clone(), self.tool(name, tool))).collect(),
            acknowledged,
        };
        // A catalog whose owner is unknown must not pass for one that every tenant may list.
        (tenant != Some(None)).then_some(declaration)
    }

    fn catalog_file(&mut self, file: &Text) -> Option<Located<String>> {
        let place = self.place(file.span);
        let path = join(self.file, &file.value).filter(|path| !path.is_empty());
        if path.is_none() {
            let wrong = if file.value.starts_with('/') { "is absolute" } else { "leaves the workspace's root" };
            let message = format!("the path `{}` {wrong}", file.value);
            self.report(Diagnostic::error(codes::E_PATH, message).at(place.clone()).help(
                "write it relative to this file and inside the root; `root:` of the Workspace document can widen it",
            ));
        }
        path.map(|value| Located { value, place })
    }

    fn acknowledgement(&mut self, written: &At<written::Acknowledgement>) -> Option<Located<Acknowledgement>> {
        let one = &written.value;
        let known = || codes::TABLE.iter().map(|entry| entry.code);
        if !known().any(|code| code == one.code.value) {
            let help = did_you_mean(&one.code.value, known())
                .unwrap_or_else(|| "write a code of the intake report, such as `E_DESC_VAGUE`".to_owned());
            self.refuse(one.code.span, format!("`{}` is not a code", one.code.value), help);
            return None;
        }
        let value =
            Acknowledgement { tool: one.tool.value.clone(), code: one.code.value.clone(), reason: one.reason.clone() };
        Some(Located { value, place: self.place(one.tool.span) })
    }

    fn tool(&mut self, name: &Text, tool: &written::Tool) -> Located<ToolDeclaration> {
        let value = ToolDeclaration {
            facts: self.facts(tool.facts()),
            description: tool.description.clone(),
            examples: tool.examples.iter().filter_map(|example| self.example(example)).collect(),
            since: tool.since.as_ref().and_then(|date| self.date(date)),
            digest: tool.digest.as_ref().and_then(|digest| self.digest(digest)),
        };
        Located { value, place: self.place(name.span) }
    }

    fn example(&mut self, example: &Text) -> Option<Located<String>> {
        if example.value.trim().is_empty() {
            self.refuse(example.span, "an example question is empty", "write a question that this tool answers");
            return None;
        }
        Some(self.located(example))
    }
}
