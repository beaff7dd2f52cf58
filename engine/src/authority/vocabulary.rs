//! The words policies are written in: the Cedar schema, the built-in forbids, and the names of entity types.
//! Built-in ids start with `ambit/`, which no operator's id can, so a decision never mistakes one for the other.

use ambit_model::declaration::Action;
use ambit_model::identity::{Principal, PrincipalKind};
use cedar_policy::{EntityId, EntityTypeName, EntityUid, Policy, PolicyId, PolicySet, Schema};

use super::error::AuthorityError;

/// The Cedar schema that policies are checked against; a part of every snapshot.
pub const SCHEMA: &str = include_str!("ambit.cedarschema");
/// How the ids of built-in policies start.
pub const BUILT_IN_PREFIX: &str = "ambit/";

const BUILT_IN: &str = include_str!("builtin.cedar");

macro_rules! entity_types {
    ($($field:ident => $word:literal),+ $(,)?) => {
        /// The entity types of the namespace `Ambit`.
        #[derive(Debug)]
        pub(super) struct Vocabulary { $(pub(super) $field: EntityTypeName),+ }

        impl Vocabulary {
            /// Reads the names once; looking one up never parses again.
            pub(super) fn new() -> Result<Self, AuthorityError> {
                Ok(Self { $($field: entity_type($word)?),+ })
            }
        }
    };
}

entity_types! {
    user => "User", agent => "Agent", role => "Role", tenant => "Tenant", project => "Project", catalog => "Catalog",
    group => "Group", entity_family => "EntityFamily", tool => "Tool", effect => "Effect", risk => "Risk",
    operation => "Operation", source_kind => "SourceKind", ceiling => "Ceiling", action => "Action",
}

impl Vocabulary {
    /// The entity of a principal.
    pub(super) fn principal(&self, principal: &Principal) -> EntityUid {
        let of = match principal.kind {
            PrincipalKind::User => &self.user,
            PrincipalKind::Agent => &self.agent,
            PrincipalKind::Role => &self.role,
        };
        uid(of, &principal.to_string())
    }

    /// The entity of an action.
    pub(super) fn action(&self, action: Action) -> EntityUid {
        uid(&self.action, action.word())
    }
}

/// The entity of this type and id.
pub(super) fn uid(of: &EntityTypeName, id: &str) -> EntityUid {
    EntityUid::from_type_name_and_id(of.clone(), EntityId::new(id))
}

/// Reads a Cedar schema, ours or a stored snapshot's.
pub(super) fn read_schema(text: &str) -> Result<Schema, AuthorityError> {
    let (schema, _) = Schema::from_cedarschema_str(text).map_err(|e| AuthorityError::Schema(e.to_string()))?;
    Ok(schema)
}

/// The built-in policies, each under the id that its `@id` gives.
pub(super) fn built_in_policies() -> Result<Vec<Policy>, AuthorityError> {
    let failed = |cause: String| AuthorityError::Policy { id: BUILT_IN_PREFIX.to_owned(), cause };
    let set: PolicySet = BUILT_IN.parse().map_err(|e: cedar_policy::ParseErrors| failed(e.to_string()))?;
    set.policies()
        .map(|policy| match policy.annotation("id") {
            Some(id) => Ok(policy.new_id(PolicyId::new(id))),
            None => Err(failed("a built-in policy has no `@id`".to_owned())),
        })
        .collect()
}

fn entity_type(word: &str) -> Result<EntityTypeName, AuthorityError> {
    format!("Ambit::{word}").parse().map_err(|e: cedar_policy::ParseErrors| AuthorityError::Schema(e.to_string()))
}

#[cfg(test)]
mod tests {
    use ambit_model::facts::{Ceiling, Effect, Operation, Risk, SourceKind};
    use cedar_policy::SchemaFragment;

    use super::*;

    fn members(of: &str) -> Vec<String> {
        let Ok((fragment, _)) = SchemaFragment::from_cedarschema_str(SCHEMA) else { return Vec::new() };
        let json = fragment.to_json_value().unwrap_or_default();
        let members = json.pointer(&format!("/Ambit/entityTypes/{of}/enum")).and_then(|m| m.as_array()).cloned();
        members.unwrap_or_default().iter().filter_map(|m| m.as_str().map(str::to_owned)).collect()
    }

    #[test]
    fn the_schemas_closed_lists_are_the_models() {
        fn words<T: Copy>(all: &[T], word: fn(T) -> &'static str) -> Vec<String> {
            all.iter().map(|member| word(*member).to_owned()).collect()
        }
        assert_eq!(members("Effect"), words(Effect::ALL, Effect::word));
        assert_eq!(members("Risk"), words(Risk::ALL, Risk::word));
        assert_eq!(members("Operation"), words(Operation::ALL, Operation::word));
        assert_eq!(members("SourceKind"), words(SourceKind::ALL, SourceKind::word));
        assert_eq!(members("Ceiling"), words(Ceiling::ALL, Ceiling::word));
    }

    #[test]
    fn the_built_in_policies_carry_their_ids_and_reasons() {
        let policies = built_in_policies().unwrap_or_default();
        let mut ids: Vec<String> = policies.iter().map(|p| p.id().to_string()).collect();
        ids.sort();
        let expected = [
            "ambit/ceiling-confirm-writes",
            "ambit/ceiling-read-only",
            "ambit/project-catalogs",
            "ambit/tenant-isolation",
        ];
        assert_eq!(ids, expected);
        assert!(policies.iter().all(|p| p.annotation("reason").is_some()));
    }
}
