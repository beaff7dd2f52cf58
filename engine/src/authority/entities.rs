//! A snapshot's tenants, principals, projects and tools as Cedar entities, validated against the schema.
//! Nothing is read but the declarations and the cards' facts: annotations and descriptions have no say in authority.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use ambit_model::card::ToolCard;
use ambit_model::declaration::{Project, Tenant};
use ambit_model::identity::{Principal, PrincipalKind};
use ambit_model::snapshot::Snapshot;
use cedar_policy::{Entities, Entity, EntityTypeName, EntityUid, RestrictedExpression, Schema};

use super::error::AuthorityError;
use super::vocabulary::{Vocabulary, uid};

type Attributes = HashMap<String, RestrictedExpression>;

/// Every entity of the snapshot; whatever does not fit the schema fails the compile, for a missing entity would read as
/// one without attributes.
pub(super) fn build(snapshot: &Snapshot, vocabulary: &Vocabulary, schema: &Schema) -> Result<Entities, AuthorityError> {
    let mut all = Vec::new();
    for tenant in &snapshot.tenants {
        add_tenant(&mut all, vocabulary, tenant)?;
    }
    for catalog in &snapshot.catalogs {
        all.push(plain(&vocabulary.catalog, &catalog.id));
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

fn add_tenant(all: &mut Vec<Entity>, vocabulary: &Vocabulary, tenant: &Tenant) -> Result<(), AuthorityError> {
    all.push(plain(&vocabulary.tenant, &tenant.id));
    let kinds = [
        (PrincipalKind::Role, &tenant.roles),
        (PrincipalKind::User, &tenant.users),
        (PrincipalKind::Agent, &tenant.agents),
    ];
    for (kind, declared) in kinds {
        for (name, roles) in declared {
            all.push(principal_entity(vocabulary, &tenant.id, kind, name, roles)?);
        }
    }
    Ok(())
}

fn principal_entity(
    vocabulary: &Vocabulary,
    tenant: &str,
    kind: PrincipalKind,
    name: &str,
    roles: &[String],
) -> Result<Entity, AuthorityError> {
    let principal = |kind, name: &str| Principal { tenant: tenant.to_owned(), kind, name: name.to_owned() };
    let home = uid(&vocabulary.tenant, tenant);
    let mut parents: HashSet<EntityUid> =
        roles.iter().map(|role| vocabulary.principal(&principal(PrincipalKind::Role, role))).collect();
    parents.insert(home.clone());
    let attributes = HashMap::from([("tenant".to_owned(), RestrictedExpression::new_entity_uid(home))]);
    entity(vocabulary.principal(&principal(kind, name)), attributes, parents)
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
