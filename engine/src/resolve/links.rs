//! Links of templates as written: which template, and who and what stands in the place of its slots.
//! Whether the template exists and the entities are declared is looked at when all of Cedar is read.

use ambit_model::administration::AdminResource;
use ambit_model::identity::{Principal, ToolId, is_identifier};

use super::declarations::{Located, NamedEntity, PolicyLink};
use super::forms::Reader;
use crate::parse::written::{self, Text};

/// What a link may name, for help.
const FORMS: &str = "write `tenant:role:name` (or `user`, `agent`), `catalog/tool`, `group:id`, `catalog:id`, `family:source:entity`, \
                     `tenant:id`, `project:tenant/project` or `workspace`";

impl Reader<'_> {
    /// The links of a document: of its own template, or of the one that it names.
    pub(super) fn policy_links(&mut self, policy: &written::Policy) -> Vec<PolicyLink> {
        if let (Some(template), Some(_)) = (&policy.template, &policy.cedar) {
            let help = "leave `template` out to link the template under `cedar`, or `cedar` to link another";
            self.refuse(template.span, "a policy has `cedar` or `template`, not both", help);
            return Vec::new();
        }
        if let (Some(template), []) = (&policy.template, policy.links.as_slice()) {
            let message = format!("nothing links the template `{}` here", template.value);
            self.refuse(template.span, message, "write `links:` with an `id` for each, or remove the document");
        }
        // A document without both lacks a key, which is said where its Cedar text is read.
        let Some(template) = policy.template.as_ref().or(policy.id.as_ref()) else { return Vec::new() };
        policy.links.iter().filter_map(|link| self.policy_link(template, policy, link)).collect()
    }

    fn policy_link(
        &mut self,
        template: &Text,
        policy: &written::Policy,
        link: &written::PolicyLink,
    ) -> Option<PolicyLink> {
        self.identifier(&link.id);
        let principal = link.principal.as_ref().map(|written| self.entity(written));
        let resource = link.resource.as_ref().map(|written| self.entity(written));
        // A value of the wrong form is reported; without it the link would seem to lack it.
        if principal == Some(None) || resource == Some(None) {
            return None;
        }
        Some(PolicyLink {
            template: self.located(template),
            id: self.located(&link.id),
            principal: principal.flatten(),
            resource: resource.flatten(),
            reason: link.reason.clone().or_else(|| policy.template.as_ref().and(policy.reason.clone())),
        })
    }

    fn entity(&mut self, written: &Text) -> Option<Located<NamedEntity>> {
        let Some(value) = read(&written.value) else {
            self.refuse(written.span, format!("`{}` names no entity", written.value), FORMS);
            return None;
        };
        Some(Located { value, place: self.place(written.span) })
    }
}

/// The entity that a written form stands for.
fn read(text: &str) -> Option<NamedEntity> {
    let named = |of, id: &str| Some(NamedEntity { of, id: id.to_owned() });
    if let Ok(principal) = Principal::parse(text) {
        return named(principal.kind.entity_type(), text);
    }
    match text.split_once(':') {
        Some(("group", id)) if is_identifier(id) => return named("Group", id),
        Some(("family", id)) if id.contains(':') => return named("EntityFamily", id),
        Some(("tool", id)) if ToolId::parse(id).is_some() => return named("Tool", id),
        _ => {}
    }
    // A bare `a/b` is a tool here, not a project.
    if ToolId::parse(text).is_some() {
        return named("Tool", text);
    }
    match AdminResource::parse(text)? {
        AdminResource::Workspace => named("Workspace", ""),
        AdminResource::Tenant(id) => named("Tenant", &id),
        AdminResource::Project(id) => named("Project", &id.to_string()),
        AdminResource::Catalog(id) => named("Catalog", &id),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<(&str, &str)>) {
        let found = read(text);
        assert_eq!(found.as_ref().map(|named| (named.of, named.id.as_str())), expected, "{text}");
    }

    #[test]
    fn every_entity_has_a_written_form() {
        check("acme:role:analyst", Some(("Role", "acme:role:analyst")));
        check("acme:user:ada@acme.example", Some(("User", "acme:user:ada@acme.example")));
        check("acme:agent:bot", Some(("Agent", "acme:agent:bot")));
        check("group:user:ada", Some(("User", "group:user:ada")));
        check("group:billing", Some(("Group", "billing")));
        check("family:api:invoices", Some(("EntityFamily", "api:invoices")));
        check("billing/pay", Some(("Tool", "billing/pay")));
        check("tool:billing/v2/pay", Some(("Tool", "billing/v2/pay")));
        check("catalog:billing", Some(("Catalog", "billing")));
        check("tenant:acme", Some(("Tenant", "acme")));
        check("project:acme/finance", Some(("Project", "acme/finance")));
        check("workspace", Some(("Workspace", "")));
        for nothing in ["", "acme", "group:", "group:a b", "family:x", "Ambit::Role::\"a\"", "tenant:", "project:acme"]
        {
            check(nothing, None);
        }
    }
}
