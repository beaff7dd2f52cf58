//! Every request that can be made of what is declared, as two grids: use of tools, and administration. Principals and tools that
//! no policy can tell apart stand for each other.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use ambit_model::administration::AdminAction;
use ambit_model::declaration::{Action, Tenant};
use ambit_model::identity::{Principal, PrincipalKind, ProjectId};
use cedar_policy::{Context, Entities, EntityUid, RestrictedExpression};

use super::super::compile::Authority;
use super::super::decide::Seat;
use super::super::entities::principal_entity;
use super::super::vocabulary::{knows_administration, uid};
use super::bits::{Bits, Numbered};

/// Who can ask, and what of.
pub(super) struct World<'a> {
    pub(super) entities: Cow<'a, Entities>,
    pub(super) principals: Vec<Somebody>,
    pub(super) grids: Vec<Grid>,
}

/// One principal for all that no policy can tell from it.
pub(super) struct Somebody {
    pub(super) uid: EntityUid,
    pub(super) tenant: String,
    /// A Tenant document declares it; else a provider's claims make it.
    declared: bool,
}

/// Requests that differ in who asks, where, and about which thing.
pub(super) struct Grid {
    pub(super) administration: bool,
    pub(super) actions: Vec<EntityUid>,
    pub(super) things: Vec<EntityUid>,
    pub(super) rows: Vec<Row>,
}

/// One principal, in one project where the grid is about tools.
pub(super) struct Row {
    pub(super) principal: usize,
    /// The project's number among all, and the context of its requests.
    pub(super) project: usize,
    pub(super) context: Context,
    /// Numbers of the grid's actions: all three on tools, from the widest down; or one admin action.
    pub(super) actions: Vec<usize>,
    /// The things it can be asked about.
    pub(super) things: Numbered,
}

impl<'a> World<'a> {
    /// Everything that can be asked; the error says what could not be made.
    pub(super) fn of(authority: &'a Authority) -> Result<Self, String> {
        let (entities, claimed) = with_claims(authority)?;
        let principals = principals(authority, &entities, &claimed);
        let mut world = World { entities, principals, grids: Vec::new() };
        let use_of_tools = world.use_of_tools(authority)?;
        let administration = knows_administration(&authority.schema).then(|| world.administration(authority));
        world.grids = std::iter::once(use_of_tools).chain(administration).collect();
        Ok(world)
    }

    pub(super) fn seat(&self, principal: &Somebody) -> Seat<'_> {
        Seat { uid: principal.uid.clone(), entities: Cow::Borrowed(&self.entities) }
    }

    fn use_of_tools(&self, authority: &Authority) -> Result<Grid, String> {
        let mut first: BTreeMap<usize, (usize, &str)> = BTreeMap::new();
        let mut things = Vec::new();
        for (id, tool) in &authority.tools {
            first.entry(tool.class).or_insert_with(|| {
                things.push(tool.uid.clone());
                (things.len() - 1, id.catalog())
            });
        }
        let mut rows = Vec::new();
        for (number, project) in authority.projects.values().enumerate() {
            let context = context(authority, &project.id)?;
            let in_it = first.values().filter(|(_, of)| project.catalogs.iter().any(|catalog| catalog == of));
            let listed = Numbered::new(Bits::of(in_it.map(|(thing, _)| *thing), things.len()), things.len());
            let own = self.principals.iter().enumerate().filter(|(_, who)| who.tenant == project.id.tenant);
            rows.extend(own.map(|(principal, _)| Row {
                principal,
                project: number,
                context: context.clone(),
                actions: (0..Action::ALL.len()).collect(),
                things: listed.clone(),
            }));
        }
        let actions = Action::ALL.map(|action| authority.vocabulary.action(action)).into();
        Ok(Grid { administration: false, actions, things, rows })
    }

    fn administration(&self, authority: &Authority) -> Grid {
        let vocabulary = &authority.vocabulary;
        let mut things = vec![authority.workspace.clone()];
        things.extend(authority.tenants.keys().map(|id| uid(&vocabulary.tenant, id)));
        things.extend(authority.projects.keys().map(|id| uid(&vocabulary.project, &id.to_string())));
        things.extend(authority.catalogs.iter().map(|catalog| uid(&vocabulary.catalog, &catalog.id)));
        let acted_for = self.principals.iter().filter(|who| who.declared && *who.uid.type_name() != vocabulary.agent);
        things.extend(acted_for.map(|who| who.uid.clone()));
        let words = AdminAction::ALL.into_iter().map(AdminAction::word).chain(["act_for"]);
        let actions: Vec<EntityUid> = words.map(|word| vocabulary.action_called(word)).collect();
        let about = |action: &EntityUid| {
            let kinds: BTreeSet<_> = authority.schema.resources_for_action(action).into_iter().flatten().collect();
            let fitting = things.iter().enumerate().filter(|(_, thing)| kinds.contains(thing.type_name()));
            Numbered::new(Bits::of(fitting.map(|(number, _)| number), things.len()), things.len())
        };
        let about: Vec<Numbered> = actions.iter().map(about).collect();
        let row = |principal, action, about: &Numbered| Row {
            principal,
            project: 0,
            context: Context::empty(),
            actions: vec![action],
            things: about.clone(),
        };
        let each = |principal| about.iter().enumerate().map(move |(action, about)| row(principal, action, about));
        let rows = (0..self.principals.len()).flat_map(each).collect();
        Grid { administration: true, actions, things, rows }
    }
}

fn context(authority: &Authority, project: &ProjectId) -> Result<Context, String> {
    let reference = RestrictedExpression::new_entity_uid(uid(&authority.vocabulary.project, &project.to_string()));
    Context::from_pairs([("project".to_owned(), reference)]).map_err(|error| error.to_string())
}

/// The entities, and with them users as identity providers may vouch for: one for each role that claims are mapped to, and one who
/// holds all of them.
fn with_claims(authority: &Authority) -> Result<(Cow<'_, Entities>, Vec<Principal>), String> {
    let claimed: Vec<(Principal, BTreeSet<&String>)> = authority.tenants.values().flat_map(claimed_by).collect();
    if claimed.is_empty() {
        return Ok((Cow::Borrowed(&authority.entities), Vec::new()));
    }
    let entity = |(who, roles): &(Principal, BTreeSet<&String>)| {
        principal_entity(&authority.vocabulary, who, roles.iter().copied()).map_err(|error| error.to_string())
    };
    let made = claimed.iter().map(entity).collect::<Result<Vec<_>, _>>()?;
    let entities = authority.entities.clone().add_entities(made, Some(&authority.schema));
    let entities = entities.map_err(|error| error.to_string())?;
    Ok((Cow::Owned(entities), claimed.into_iter().map(|(who, _)| who).collect()))
}

fn claimed_by(tenant: &Tenant) -> Vec<(Principal, BTreeSet<&String>)> {
    let maps = tenant.identity.iter().filter_map(|provider| provider.roles.as_ref());
    let roles: BTreeSet<&String> = maps.flat_map(|claim| claim.map.values()).collect();
    let alone = roles.iter().map(|role| BTreeSet::from([*role]));
    let held: Vec<BTreeSet<&String>> = alone.chain((roles.len() > 1).then(|| roles.clone())).collect();
    // No user can have a name with a slash.
    let named = held.into_iter().enumerate().map(|(number, roles)| {
        let name = format!("claims/{number}");
        (Principal { tenant: tenant.id.clone(), kind: PrincipalKind::User, name }, roles)
    });
    named.collect()
}

/// One of each class: of one kind and tenant, with the same above it, and named by no policy; who is named is alone.
fn principals(authority: &Authority, entities: &Entities, claimed: &[Principal]) -> Vec<Somebody> {
    let named: BTreeSet<EntityUid> = authority.policies.iter().flat_map(|p| p.policy.entity_literals()).collect();
    let declared = authority.principal_ids().into_iter().filter_map(|id| Principal::parse(&id).ok());
    let all = declared.map(|who| (who, true)).chain(claimed.iter().map(|who| (who.clone(), false)));
    let mut seen = BTreeSet::new();
    let mut principals = Vec::new();
    for (who, declared) in all {
        let uid = authority.vocabulary.principal(&who);
        let above: BTreeSet<EntityUid> = entities.ancestors(&uid).into_iter().flatten().cloned().collect();
        let alone = named.contains(&uid).then(|| uid.clone());
        if seen.insert((who.kind, who.tenant.clone(), above, alone)) {
            principals.push(Somebody { uid, tenant: who.tenant, declared });
        }
    }
    principals
}
