//! The words policies are written in: the Cedar schema, the built-in forbids, and the names of entity types.
//! Built-in ids start with `ambit/`, which no operator's id can, so a decision never mistakes one for the other.

use ambit_model::declaration::Action;
use ambit_model::identity::{Principal, PrincipalKind};
use cedar_policy::{
    ActionConstraint, EntityId, EntityTypeName, EntityUid, Policy, PolicyId, PolicySet, Schema, SchemaFragment,
    Template, ValidationMode, Validator,
};

use super::error::AuthorityError;

/// The Cedar schema that policies are checked against; a part of every snapshot.
pub const SCHEMA: &str = include_str!("ambit.cedarschema");
/// How the ids of built-in policies start.
pub const BUILT_IN_PREFIX: &str = "ambit/";

/// This policy is one of ours, and no operator's.
pub(super) fn is_built_in(policy: &str) -> bool {
    policy.starts_with(BUILT_IN_PREFIX)
}

const BUILT_IN: &str = include_str!("builtin.cedar");
const BUILT_IN_ADMINISTRATION: &str = include_str!("builtin-administration.cedar");

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
    workspace => "Workspace", user => "User", agent => "Agent", role => "Role", tenant => "Tenant", project => "Project", catalog => "Catalog",
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
        self.action_called(action.word())
    }

    /// The entity of the action with this word.
    pub(super) fn action_called(&self, word: &str) -> EntityUid {
        uid(&self.action, word)
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

/// The entities that a policy names, by type without namespace and id; none where Cedar cannot read it.
pub fn entities_named(policy: &str) -> Vec<(String, String)> {
    let Ok(policy) = Policy::parse(None, policy) else { return Vec::new() };
    let literals = policy.entity_literals();
    literals.iter().map(|uid| (uid.type_name().basename().to_owned(), uid.id().unescaped().to_owned())).collect()
}

/// What a policy is held against: one that leaves its action open speaks of the use of tools and of nothing else.
pub(super) struct Schemas {
    pub(super) whole: Schema,
    /// The same without administration.
    use_only: Schema,
}

impl Schemas {
    /// Reads a Cedar schema both ways.
    pub(super) fn read(text: &str) -> Result<Self, AuthorityError> {
        let failed = |cause: String| AuthorityError::Schema(cause);
        let (fragment, _) = SchemaFragment::from_cedarschema_str(text).map_err(|e| failed(e.to_string()))?;
        let mut json = fragment.to_json_value().map_err(|e| failed(e.to_string()))?;
        let is_use = |name: &String| name == USE || Action::ALL.iter().any(|action| action.word() == name);
        if let Some(actions) = json.pointer_mut("/Ambit/actions").and_then(serde_json::Value::as_object_mut) {
            actions.retain(|name, _| is_use(name));
        }
        let use_only = Schema::from_json_value(json).map_err(|e| failed(e.to_string()))?;
        Ok(Self { whole: read_schema(text)?, use_only })
    }

    /// An open policy could stand for administration as well: strictly held against all of the schema, it has no mistake.
    pub(super) fn fits_whole(&self, policy: &Policy) -> bool {
        let set = PolicySet::from_policies([policy.clone()]);
        set.is_ok_and(|set| {
            Validator::new(self.whole.clone()).validate(&set, ValidationMode::Strict).validation_passed()
        })
    }

    /// Holds policies against it, strictly; what is wrong with each comes with the policy's id.
    pub(super) fn complaints(&self, policies: impl IntoIterator<Item = Policy>) -> Result<Vec<Complaint>, String> {
        let (open, named): (Vec<_>, Vec<_>) =
            policies.into_iter().partition(|policy| policy.action_constraint() == ActionConstraint::Any);
        let mut complaints = Vec::new();
        for (policies, schema) in [(open, &self.use_only), (named, &self.whole)] {
            let set = PolicySet::from_policies(policies).map_err(|e| e.to_string())?;
            complaints.extend(held_against(schema, &set));
        }
        Ok(complaints)
    }

    /// The same for templates, whatever may stand in their slots.
    pub(super) fn complaints_of_templates(
        &self,
        templates: impl IntoIterator<Item = Template>,
    ) -> Result<Vec<Complaint>, String> {
        let (mut open, mut named) = (PolicySet::new(), PolicySet::new());
        for template in templates {
            let set = if template.action_constraint() == ActionConstraint::Any { &mut open } else { &mut named };
            set.add_template(template).map_err(|e| e.to_string())?;
        }
        let mut complaints = held_against(&self.use_only, &open);
        complaints.extend(held_against(&self.whole, &named));
        Ok(complaints)
    }
}

fn held_against(schema: &Schema, set: &PolicySet) -> Vec<Complaint> {
    let result = Validator::new(schema.clone()).validate(set, ValidationMode::Strict);
    let errors = result.validation_errors().map(|e| Complaint::new(e.policy_id(), e.clone()));
    let warnings = result.validation_warnings().map(|w| Complaint::new(w.policy_id(), w.clone()));
    errors.chain(warnings).collect()
}

/// What Cedar's validator says of one policy; a warning counts as much as an error.
pub(super) struct Complaint {
    pub(super) policy: PolicyId,
    pub(super) said: Box<dyn miette::Diagnostic + Send + Sync>,
}

impl Complaint {
    fn new(policy: &PolicyId, said: impl miette::Diagnostic + Send + Sync + 'static) -> Self {
        Self { policy: policy.clone(), said: Box::new(said) }
    }
}

/// The group of the three actions on tools.
const USE: &str = "use";

/// The schema knows of administration; one of a snapshot that was compiled before there was any does not, and there nobody but the
/// local command line administers.
pub(super) fn knows_administration(schema: &Schema) -> bool {
    schema.entity_types().any(|of| of.basename() == "Workspace")
}

/// The built-in policies about the use of tools, as text.
pub fn built_in_text() -> &'static str {
    BUILT_IN
}

/// The built-in policies that this schema can speak of, each under the id that its `@id` gives.
pub(super) fn built_in_policies(schema: &Schema) -> Result<Vec<Policy>, AuthorityError> {
    let mut policies = built_in(BUILT_IN)?;
    if knows_administration(schema) {
        policies.extend(built_in(BUILT_IN_ADMINISTRATION)?);
    }
    Ok(policies)
}

fn built_in(text: &str) -> Result<Vec<Policy>, AuthorityError> {
    let failed = |cause: String| AuthorityError::Policy { id: BUILT_IN_PREFIX.to_owned(), cause };
    let set: PolicySet = text.parse().map_err(|e: cedar_policy::ParseErrors| failed(e.to_string()))?;
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
    use super::*;
    use ambit_model::facts::{Ceiling, Effect, Operation, Risk, SourceKind};

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
        let Ok(schema) = read_schema(SCHEMA) else { return assert_eq!(SCHEMA, "a schema") };
        let policies = built_in_policies(&schema).unwrap_or_default();
        let mut ids: Vec<String> = policies.iter().map(|p| p.id().to_string()).collect();
        ids.sort();
        let expected = [
            "ambit/ceiling-confirm-writes",
            "ambit/ceiling-read-only",
            "ambit/project-catalogs",
            "ambit/tenant-isolation",
            "ambit/tenant-isolation-catalogs",
            "ambit/tenant-isolation-projects",
            "ambit/tenant-isolation-roles",
            "ambit/tenant-isolation-tenants",
            "ambit/tenant-isolation-users",
        ];
        assert_eq!(ids, expected);
        assert!(policies.iter().all(|p| p.annotation("reason").is_some()));
    }
}
