//! Catalogs: where their file lies, which secrets they need, and what the operator says of their tools.
//! INVARIANT: no two catalogs have a variable of the environment in common, so none can read another's secret.

use std::collections::BTreeSet;

use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;

use super::declarations::{Acknowledgement, CatalogDeclaration, Imported, ImportedFormat, Located, ToolDeclaration};
use super::forms::Reader;
use super::knowledge;
use crate::nearest::did_you_mean;
use crate::parse::at::At;
use crate::parse::written::Text;
use crate::parse::written_catalog as written;
use crate::source::join;

/// The annotations of MCP that say something about effect.
pub(crate) const TRUSTABLE: [&str; 2] = ["readOnlyHint", "destructiveHint"];

/// The beginning of the environment variables of a catalog's secrets: `AMBIT_SECRET_ACME_CRM_`.
pub fn secret_prefix(tenant: &str, catalog: &str) -> String {
    format!("AMBIT_SECRET_{}_{}_", variable_part(tenant), variable_part(catalog))
}

/// The environment variable of the secret with which a tenant's sign-in client proves itself.
pub fn sign_in_variable(tenant: &str) -> String {
    format!("AMBIT_SIGN_IN_SECRET_{}", variable_part(tenant))
}

/// Lower-case letters, digits and `_`, at most 64 characters: as a variable's end and as a file's name, each is one secret.
pub fn is_secret_name(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    !text.is_empty() && text.len() <= 64 && text.bytes().all(fits)
}

pub(super) fn variable_part(id: &str) -> String {
    let part = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
    id.chars().map(part).collect()
}

impl Reader<'_> {
    /// Nothing where the path leaves the root: there is no file to take tools from.
    pub(super) fn catalog(&mut self, catalog: &written::Catalog) -> Option<CatalogDeclaration> {
        let file = self.inside_root(&catalog.file);
        let reserved = knowledge::reserved(&self.located(&catalog.id));
        self.problems.extend(reserved);
        let secrets = self.secrets(catalog);
        let tenant = catalog.tenant.as_ref().map(|tenant| self.tenant_id(tenant));
        let mut acknowledged: Vec<_> =
            catalog.acknowledged.iter().filter_map(|one| self.acknowledgement(one)).collect();
        acknowledged.sort_by(|a, b| (&a.value.tool, &a.value.code).cmp(&(&b.value.tool, &b.value.code)));
        let declaration = CatalogDeclaration {
            id: self.located(&catalog.id),
            tenant: tenant.clone().flatten(),
            file: file?,
            imported: catalog.imported.as_ref().and_then(|imported| self.imported(imported)),
            since: catalog.since.as_ref().and_then(|date| self.date(date)),
            secrets,
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

    fn imported(&mut self, imported: &written::Imported) -> Option<Imported> {
        let from = self.said(&imported.from, "the path or the address that was imported");
        let format = self.word(&imported.format, ImportedFormat::ALL, ImportedFormat::word);
        Some(Imported { from: from?, format: format? })
    }

    fn secrets(&mut self, catalog: &written::Catalog) -> Vec<String> {
        let mut names = BTreeSet::new();
        for name in &catalog.secrets {
            if is_secret_name(&name.value) {
                names.insert(name.value.clone());
            } else {
                self.refuse(
                    name.span,
                    format!("`{}` is not the name of a secret", name.value),
                    "use only lower-case letters, digits and `_`, at most 64 in all; a secret itself never stands in a declaration",
                );
            }
        }
        match (catalog.secrets.first(), &catalog.tenant) {
            (Some(first), None) => {
                self.refuse(
                    first.span,
                    format!("the catalog `{}` has secrets and no tenant", catalog.id.value),
                    "name its `tenant`: a shared catalog would lend one tenant's secret to another",
                );
                Vec::new()
            }
            _ => names.into_iter().collect(),
        }
    }

    /// A path relative to the document's file, made relative to the root.
    pub(super) fn inside_root(&mut self, file: &Text) -> Option<Located<String>> {
        let place = self.place(file.span);
        let joined = join(self.file, &file.value);
        let path = joined.clone().filter(|path| !path.is_empty());
        if path.is_none() {
            let wrong = match joined {
                Some(_) => "is the workspace's root itself",
                None if file.value.starts_with('/') => "is absolute",
                None => "leaves the workspace's root",
            };
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
        if let Some((message, help)) = cannot_be_acknowledged(&one.code.value) {
            self.refuse(one.code.span, message, help);
            return None;
        }
        let value =
            Acknowledgement { tool: one.tool.value.clone(), code: one.code.value.clone(), reason: one.reason.clone() };
        Some(Located { value, place: self.place(one.tool.span) })
    }

    fn tool(&mut self, name: &Text, tool: &written::Tool) -> Located<ToolDeclaration> {
        let value = ToolDeclaration {
            proposed_effect: None,
            facts: self.facts(tool.facts()),
            description: tool.description.clone(),
            examples: tool.examples.iter().filter_map(|example| self.example(example)).collect(),
            since: tool.since.as_ref().and_then(|date| self.date(date)),
            digest: tool.digest.as_ref().and_then(|digest| self.digest(digest)),
        };
        Located { value, place: self.place(name.span) }
    }

    pub(super) fn example(&mut self, example: &Text) -> Option<Located<String>> {
        if example.value.trim().is_empty() {
            self.refuse(example.span, "an example question is empty", "write a question that this tool answers");
            return None;
        }
        Some(self.located(example))
    }
}

/// A line that acknowledges what no tool can have, or what nobody may wave through, would be without effect and say nothing.
fn cannot_be_acknowledged(code: &str) -> Option<(String, &'static str)> {
    if code == codes::E_DRIFT {
        let message = format!("`{code}` cannot be acknowledged: nobody reviewed a definition that drifted");
        return Some((message, "review the change, then pin the new `digest` under `tools`"));
    }
    let of_a_tool = codes::find(code).is_some_and(codes::CodeEntry::can_be_acknowledged);
    (!of_a_tool).then(|| {
        let message = format!("`{code}` is nothing that intake finds in a tool, so nothing would be acknowledged");
        (message, "write a code of the intake report, such as `E_DESC_VAGUE`")
    })
}

/// Reports the later of two catalogs of which one could read a secret of the other.
pub(super) fn part_secrets(catalogs: &[CatalogDeclaration], problems: &mut Vec<Diagnostic>) {
    let mut earlier: Vec<(String, &CatalogDeclaration)> = Vec::new();
    for catalog in catalogs.iter().filter(|catalog| !catalog.secrets.is_empty()) {
        let Some(tenant) = &catalog.tenant else { continue };
        let prefix = secret_prefix(tenant, &catalog.id.value);
        let shares = |other: &str| other.starts_with(&prefix) || prefix.starts_with(other);
        if let Some((other, first)) = earlier.iter().find(|(other, _)| shares(other)) {
            let longer = if other.len() > prefix.len() { other } else { &prefix };
            let message = format!(
                "the catalogs `{}` and `{}` could read each other's secrets: both may have variables `{longer}…`",
                first.id.value, catalog.id.value
            );
            problems.push(
                Diagnostic::error(codes::E_VALUE, message)
                    .at(catalog.id.place.clone())
                    .related("the other catalog is this one", Some(first.id.place.clone()))
                    .help("give one of them another id: in a variable, all that is no letter or digit becomes `_`"),
            );
        }
        earlier.push((prefix, catalog));
    }
}
