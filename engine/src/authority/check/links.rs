//! Makes a static policy of each link of a template: the snapshot holds no templates, and each policy has an id of its own.
//! What is wrong with a link is said at its line; what is wrong with the template, once, at the template's.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::codes::{E_CEDAR, E_LINK, E_UNRESOLVED, W_UNUSED};
use ambit_model::declaration::Policy;
use ambit_model::diagnostic::Diagnostic;
use cedar_policy::{EntityId, EntityUid, PolicyId, SlotId, Template};

use super::super::vocabulary::Schemas;
use super::unresolved::KnownEntities;
use super::written::{Written, message};
use super::{CheckedPolicy, Ids, one_id_twice};
use crate::nearest::did_you_mean;
use crate::resolve::declarations::{Located, NamedEntity, PolicyLink};

/// The policies that the links make, and what is wrong with links and with templates that nothing links.
pub(super) fn link_all(
    links: &[PolicyLink],
    written: &[Written<'_>],
    ids: Ids,
    schemas: &Schemas,
    known: &KnownEntities,
) -> (Vec<CheckedPolicy>, Vec<Diagnostic>) {
    let by_id = written.iter().filter_map(|one| Some((one.id.as_deref()?, one))).collect();
    let mut linker = Linker { by_id, ids, known, complaints: Vec::new() };
    let made: Vec<(&PolicyLink, Policy, cedar_policy::Policy)> =
        links.iter().filter_map(|link| linker.link(link)).collect();
    let named: BTreeSet<&str> = links.iter().map(|link| link.template.value.as_str()).collect();
    let unlinked = written.iter().filter(|one| one.template.is_some());
    let unlinked = unlinked.filter(|one| one.id.as_deref().is_some_and(|id| !named.contains(id)));
    let mut complaints = linker.complaints;
    complaints.extend(unlinked.map(unused));
    let unsound = match validate(&made, schemas) {
        Ok(unsound) => unsound,
        Err(error) => BTreeMap::from([(0, Diagnostic::error(E_CEDAR, error))]),
    };
    let sound = made.into_iter().enumerate().filter(|(number, _)| !unsound.contains_key(number));
    let policies = sound.map(|(_, (link, policy, _))| CheckedPolicy {
        policy,
        place: Some(link.id.place.clone()),
        template: Some(link.template.value.clone()),
    });
    let policies = policies.collect();
    complaints.extend(unsound.into_values());
    (policies, complaints)
}

struct Linker<'a> {
    by_id: BTreeMap<&'a str, &'a Written<'a>>,
    ids: Ids,
    known: &'a KnownEntities,
    complaints: Vec<Diagnostic>,
}

impl<'a> Linker<'a> {
    /// The policy that a link makes; nothing where something is wrong, here or in the template.
    fn link<'l>(&mut self, link: &'l PolicyLink) -> Option<(&'l PolicyLink, Policy, cedar_policy::Policy)> {
        let written = self.template(link)?;
        let template = written.template.as_ref()?;
        let mut complaints = vec![self.complain_of_id(link)];
        let principal = (SlotId::principal(), "principal", link.principal.as_ref());
        let resource = (SlotId::resource(), "resource", link.resource.as_ref());
        let mut filled: BTreeMap<&str, String> = BTreeMap::new();
        for (slot, key, value) in [principal, resource] {
            complaints.push(misfit(template, link, &slot, key, value));
            if let Some(value) = value {
                let entity = entity(&value.value, self.known)?;
                complaints.push(not_a_principal(key, value));
                complaints.push(self.known.complaint(&entity).map(|complaint| complaint.at(value.place.clone())));
                filled.insert(if key == "principal" { "?principal" } else { "?resource" }, entity.to_string());
            }
        }
        let complaints: Vec<Diagnostic> = complaints.into_iter().flatten().collect();
        let fits = !complaints.iter().any(Diagnostic::is_error);
        self.complaints.extend(complaints);
        let policy = written.linked(&link.id.value, |slot| filled.get(slot).cloned()).filter(|_| fits)?;
        let reason = link.reason.clone().or(policy.reason);
        let policy = Policy { reason, ..policy };
        match cedar_policy::Policy::parse(None, &policy.cedar) {
            Ok(parsed) => Some((link, policy, parsed)),
            Err(error) => {
                self.complaints.push(complaint(link, &error.to_string()));
                None
            }
        }
    }

    fn template(&mut self, link: &PolicyLink) -> Option<&'a Written<'a>> {
        let named = &link.template.value;
        match self.by_id.get(named.as_str()).copied() {
            Some(written) if written.parsed.is_some() => {
                let complaint = Diagnostic::error(E_LINK, format!("`{named}` is no template"))
                    .help("write `?principal` or `?resource` in its scope, or leave its links out");
                self.complaints.push(complaint.at(link.template.place.clone()));
                None
            }
            Some(written) => Some(written),
            None => {
                let templates = self.by_id.iter().filter(|(_, one)| one.template.is_some()).map(|(id, _)| *id);
                let help = did_you_mean(named, templates);
                let help = help.unwrap_or_else(|| "name a policy with `?principal` or `?resource`".to_owned());
                let complaint = Diagnostic::error(E_UNRESOLVED, format!("no template `{named}` is declared"));
                self.complaints.push(complaint.at(link.template.place.clone()).help(help));
                None
            }
        }
    }

    /// Ids of links are ids of policies.
    fn complain_of_id(&mut self, link: &PolicyLink) -> Option<Diagnostic> {
        let Located { value: id, place } = &link.id;
        if let Some(earlier) = self.ids.get(id) {
            return Some(one_id_twice(id, earlier.clone()).at(place.clone()));
        }
        // Where it is no identifier, that was said where it was read.
        self.ids.insert(id.clone(), Some(place.clone()));
        None
    }
}

/// A slot without a value, or a value without a slot.
fn misfit(
    template: &Template,
    link: &PolicyLink,
    slot: &SlotId,
    key: &str,
    value: Option<&Located<NamedEntity>>,
) -> Option<Diagnostic> {
    let (id, named) = (&link.id.value, &link.template.value);
    match (template.slots().any(|of| of == slot), value) {
        (true, None) => Some(
            Diagnostic::error(E_LINK, format!("`{id}` fills no `?{key}`, which `{named}` has"))
                .at(link.id.place.clone())
                .help(format!("add `{key}: …`")),
        ),
        (false, Some(value)) => Some(
            Diagnostic::error(E_LINK, format!("`{named}` has no `?{key}`"))
                .at(value.place.clone())
                .help(format!("leave `{key}` out")),
        ),
        _ => None,
    }
}

fn not_a_principal(key: &str, value: &Located<NamedEntity>) -> Option<Diagnostic> {
    let fits = key != "principal" || matches!(value.value.of, "User" | "Agent" | "Role" | "Tenant");
    (!fits).then(|| {
        Diagnostic::error(E_LINK, format!("nobody is in a {}", value.value.of))
            .at(value.place.clone())
            .help("name a role, a user, an agent or a tenant")
    })
}

/// The Workspace has the only name there is.
fn entity(named: &NamedEntity, known: &KnownEntities) -> Option<EntityUid> {
    let id = if named.of == "Workspace" { known.workspaces.first().map_or("", String::as_str) } else { &named.id };
    let of = format!("Ambit::{}", named.of).parse().ok()?;
    Some(EntityUid::from_type_name_and_id(of, EntityId::new(id)))
}

/// What Cedar has against policies that links made, by their number: the first complaint about each.
fn validate(
    made: &[(&PolicyLink, Policy, cedar_policy::Policy)],
    schemas: &Schemas,
) -> Result<BTreeMap<usize, Diagnostic>, String> {
    let numbered = made.iter().enumerate().map(|(n, (_, _, parsed))| parsed.new_id(PolicyId::new(n.to_string())));
    let mut unsound: BTreeMap<usize, Diagnostic> = BTreeMap::new();
    for found in schemas.complaints(numbered)? {
        let number: &str = found.policy.as_ref();
        let link = number.parse().ok().and_then(|number: usize| Some((number, made.get(number)?.0)));
        if let Some((number, link)) = link {
            let new = complaint(link, &found.said.to_string());
            let first = unsound.entry(number).or_insert_with(|| new.clone());
            if new < *first {
                *first = new;
            }
        }
    }
    Ok(unsound)
}

fn complaint(link: &PolicyLink, said: &str) -> Diagnostic {
    let (id, template) = (&link.id.value, &link.template.value);
    Diagnostic::error(E_CEDAR, format!("`{id}` makes no policy of `{template}`: {}", message(said)))
        .at(link.id.place.clone())
        .help("fill its slots with what the actions of the template can be about")
}

/// A template decides nothing by itself.
fn unused(one: &Written<'_>) -> Diagnostic {
    let id = one.id.as_deref().unwrap_or_default();
    Diagnostic::warning(W_UNUSED, format!("nothing links the template `{id}`, so it decides nothing"))
        .at(one.head())
        .help(format!("write `links:` in its Policy document, or a Policy document with `template: {id}`"))
}
