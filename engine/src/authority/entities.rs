//! A snapshot's tenants, principals, projects and tools as Cedar entities, validated against the schema.
//! Nothing is read but the declarations and the cards' facts: annotations and descriptions have no say in authority.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use ambit_model::card::ToolCard;
use ambit_model::declaration::{Catalog, Project, Tenant};
use ambit_model::identity::{Principal, PrincipalKind};
use ambit_model::snapshot::Snapshot;
use cedar_policy::{Entities, Entity, EntityTypeName, EntityUid, RestrictedExpression, Schema};

use super::error::AuthorityError;
use super::vocabulary::{Vocabulary, knows_administration, uid};

type Attributes = HashMap<String, RestrictedExpression>;

/// Every entity of the snapshot; whatever does not fit the schema fails the compile, for a missing entity would read as
/// one without attributes.
pub(super) fn build(snapshot: &Snapshot, vocabulary: &Vocabulary, schema: &Schema) -> Result<Entities, AuthorityError> {
    let mut all = Vec::new();
    // A schema from before there was administration knows neither the workspace nor whose a catalog is.
    let workspace = knows_administration(schema).then(|| uid(&vocabulary.workspace, &snapshot.settings.workspace));
    all.extend(workspace.iter().map(|workspace| Entity::new_no_attrs(workspace.clone(), HashSet::new())));
    for tenant in &snapshot.tenants {
        all.push(Entity::new_no_attrs(uid(&vocabulary.tenant, &tenant.id), workspace.iter().cloned().collect()));
        add_principals(&mut all, vocabulary, tenant)?;
    }
    for catalog in &snapshot.catalogs {
        all.push(catalog_entity(vocabulary, catalog, workspace.as_ref())?);
    }
    for group in &snapshot.groups {
        all.push(plain(&vocabulary.group, &group.id));
    }
    let families: BTreeSet<_> = snapshot.tools.iter().map(|card| card.facts.entity_family()).collect();
    all.extend(families.iter().map(|family| plain(&vocabulary.entity_family, family)));
    for project in &snapshot.projects {
        all.push(project_entity(vocabulary, project)?);
    }
    for card in &snapshot.tools {
        all.push(tool_entity(vocabulary, card)?);
    }
    Entities::from_entities(all, Some(schema)).map_err(|e| AuthorityError::Entities(with_causes(&e)))
}

fn catalog_entity(
    vocabulary: &Vocabulary,
    catalog: &Catalog,
    workspace: Option<&EntityUid>,
) -> Result<Entity, AuthorityError> {
    let Some(workspace) = workspace else { return Ok(plain(&vocabulary.catalog, &catalog.id)) };
    let tenant = catalog.tenant.as_ref().map(|tenant| uid(&vocabulary.tenant, tenant));
    let attributes = tenant.iter().map(|uid| ("tenant".to_owned(), RestrictedExpression::new_entity_uid(uid.clone())));
    let attributes = attributes.collect();
    entity(
        uid(&vocabulary.catalog, &catalog.id),
        attributes,
        HashSet::from([tenant.unwrap_or_else(|| workspace.clone())]),
    )
}

fn add_principals(all: &mut Vec<Entity>, vocabulary: &Vocabulary, tenant: &Tenant) -> Result<(), AuthorityError> {
    let kinds = [
        (PrincipalKind::Role, &tenant.roles),
        (PrincipalKind::User, &tenant.users),
        (PrincipalKind::Agent, &tenant.agents),
    ];
    for (kind, declared) in kinds {
        for (name, roles) in declared {
            let principal = Principal { tenant: tenant.id.clone(), kind, name: name.clone() };
            all.push(principal_entity(vocabulary, &principal, roles)?);
        }
    }
    Ok(())
}

/// A principal that holds these roles of its tenant.
pub(super) fn principal_entity<'a>(
    vocabulary: &Vocabulary,
    principal: &Principal,
    roles: impl IntoIterator<Item = &'a String>,
) -> Result<Entity, AuthorityError> {
    let role =
        |name: &String| Principal { tenant: principal.tenant.clone(), kind: PrincipalKind::Role, name: name.clone() };
    let home = uid(&vocabulary.tenant, &principal.tenant);
    let mut parents: HashSet<EntityUid> = roles.into_iter().map(|name| vocabulary.principal(&role(name))).collect();
    parents.insert(home.clone());
    let attributes = HashMap::from([("tenant".to_owned(), RestrictedExpression::new_entity_uid(home))]);
    entity(vocabulary.principal(principal), attributes, parents)
}

fn project_entity(vocabulary: &Vocabulary, project: &Project) -> Result<Entity, AuthorityError> {
    let tenant = uid(&vocabulary.tenant, &project.id.tenant);
    let catalogs = project.catalogs.iter().map(|catalog| reference(&vocabulary.catalog, catalog));
    let attributes = HashMap::from([
        ("tenant".to_owned(), RestrictedExpression::new_entity_uid(tenant.clone())),
        ("catalogs".to_owned(), RestrictedExpression::new_set(catalogs)),
        ("ceiling".to_owned(), reference(&vocabulary.ceiling, project.ceiling.word())),
    ]);
    entity(uid(&vocabulary.project, &project.id.to_string()), attributes, HashSet::from([tenant]))
}

fn tool_entity(vocabulary: &Vocabulary, card: &ToolCard) -> Result<Entity, AuthorityError> {
    let mut parents: HashSet<EntityUid> = card.groups.iter().map(|group| uid(&vocabulary.group, group)).collect();
    parents.insert(uid(&vocabulary.catalog, card.id.catalog()));
    parents.insert(uid(&vocabulary.entity_family, &card.facts.entity_family()));
    entity(uid(&vocabulary.tool, card.id.as_str()), tool_attributes(vocabulary, card), parents)
}

fn tool_attributes(vocabulary: &Vocabulary, card: &ToolCard) -> Attributes {
    let facts = &card.facts;
    let mut attributes = BTreeMap::from([
        ("catalog", reference(&vocabulary.catalog, card.id.catalog())),
        ("effect", reference(&vocabulary.effect, facts.effect.value.word())),
        ("risk", reference(&vocabulary.risk, facts.risk.value.word())),
        ("operation", reference(&vocabulary.operation, facts.operation.value.word())),
        ("source", reference(&vocabulary.source_kind, facts.source.word())),
        ("entity", RestrictedExpression::new_string(facts.entity.value.clone())),
        ("confirmation", RestrictedExpression::new_bool(facts.confirmation)),
    ]);
    if let Some(tenant) = &card.tenant {
        attributes.insert("tenant", reference(&vocabulary.tenant, tenant));
    }
    attributes.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn reference(of: &EntityTypeName, id: &str) -> RestrictedExpression {
    RestrictedExpression::new_entity_uid(uid(of, id))
}

fn plain(of: &EntityTypeName, id: &str) -> Entity {
    Entity::new_no_attrs(uid(of, id), HashSet::new())
}

fn entity(uid: EntityUid, attributes: Attributes, parents: HashSet<EntityUid>) -> Result<Entity, AuthorityError> {
    Entity::new(uid, attributes, parents).map_err(|e| AuthorityError::Entities(e.to_string()))
}

fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text = format!("{text}: {inner}");
        cause = inner.source();
    }
    text
}
